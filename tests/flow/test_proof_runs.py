"""Executions of proof jobs in the list of runs."""

from typing import Any

from support.proof_jobs import finished, post, validated
from support.world import World


def proof_runs(world: World) -> list[dict[str, Any]]:
    """Oldest first."""
    return [run for run in world.api("GET", "/runs").json["runs"] if run["intent"] == "proof"][::-1]


def test_each_execution_is_a_run_with_its_outcome(fresh: World) -> None:
    job_id = validated(fresh, "他说,好.\n")
    finished(fresh, job_id)
    runs = proof_runs(fresh)
    assert [run["status"] for run in runs] == ["succeeded"] * 3
    assert {run["job_id"] for run in runs} == {job_id}
    assert all("completed_at" in run and "duration_seconds" in run for run in runs)
    one = fresh.api("GET", f"/runs/{runs[0]['id']}").json["run"]
    assert one == runs[0]


def test_failed_and_cancelled_executions_say_so(fresh: World) -> None:
    validated(fresh, " \n")
    job_id = validated(fresh, "他说,好.\n")
    post(fresh, job_id, "start")
    post(fresh, job_id, "pause", status=200)
    post(fresh, job_id, "start")
    assert [run["status"] for run in proof_runs(fresh)] == ["failed", "succeeded", "cancelled", "running"]
    fresh.settle()
    assert fresh.api("POST", f"/jobs/{job_id}/reset", {}).status == 204
    assert {run["status"] for run in proof_runs(fresh)} == {"failed", "cancelled"}
    assert fresh.api("GET", "/runs?status=failed").json["runs"][0]["error_kind"] == "execution"
