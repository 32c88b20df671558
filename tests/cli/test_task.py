"""readdo task: add, list, claim, complete and show tasks."""

import hashlib
import json
from pathlib import Path

import pytest

from .conftest import User, error_of, too_wide
from .desk import Desk
from .product import Product
from .samples import EN
from .server import Server


@pytest.fixture
def desk(product: Product) -> Desk:
    return product.desk


def test_task_add_sends_only_the_given_options(user: User, server: Server, desk: Desk) -> None:
    result = user.run("task", "add", "runQA")
    assert server.writes[0].body == {"intent": "runQA"}
    (task,) = desk.tasks.values()
    assert result.stdout == f"{task['id']}\n"
    first = task["id"][:8]
    words = ["--title", "质检", "--payload", '{"path": "源"}', "--priority", "p0", "--project", "readdo", "--tag", "x"]
    more = ["--depends-on", first, "--due", "2026-11-30", "--timeout", "60", "--max-retries", "2", "--hold"]
    assert user.run("task", "add", "write", *words, *more).exit_code == 0
    assert server.writes[1].body == {
        "intent": "write",
        "title": "质检",
        "payload": {"path": "源"},
        "priority": "P0",
        "project": "readdo",
        "tags": ["x"],
        "depends_on": [task["id"]],
        "due_date": "2026-11-30",
        "timeout_seconds": 60,
        "max_retries": 2,
        "hold": True,
    }


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("{", "is not valid JSON"),
        ("[1]", "not a JSON object"),
        ("@not-there.json", "cannot be read"),
        ("@.", "cannot be read"),
    ],
)
def test_invalid_payload_is_rejected_without_a_request(user: User, server: Server, value: str, message: str) -> None:
    result = user.run("task", "add", "runQA", "--payload", value)
    assert (result.exit_code, message in result.stderr, server.requests) == (2, True, [])


def test_payload_is_read_from_a_file_or_stdin(user: User, server: Server) -> None:
    Path("wish.json").write_text('{"n": 1}')
    user.run("task", "add", "runQA", "--payload", "@wish.json")
    user.run("task", "add", "runQA", "--payload", "@-", stdin='{"n": 2}')
    assert [request.body["payload"] for request in server.writes] == [{"n": 1}, {"n": 2}]


def test_task_list_prints_open_tasks_by_default(user: User, desk: Desk) -> None:
    desk.page = 2  # the server returns fewer rows than requested, with a cursor
    for status in ("todo", "done", "blocked", "doing", "cancelled"):
        desk.add(
            title=f"It is {status}", status=status, blocked_message="Why\x1b[2J not" if status == "blocked" else ""
        )
    output = [line.split("\t") for line in user.run("task", "list").stdout.splitlines()]
    assert [row[1] for row in output] == ["todo", "blocked", "doing"]
    assert output[1][7:] == ["It is blocked", "Why not"]
    everything = json.loads(user.run("task", "list", "--all", "--json").stdout)
    assert [row["status"] for row in everything["tasks"]] == ["todo", "done", "blocked", "doing", "cancelled"]
    assert len(user.run("task", "list", "--limit", "1").stdout.splitlines()) == 1
    assert user.run("task", "list", "--intent", "write").stderr == "No tasks match.\n"


def test_task_list_fits_the_terminal_and_names_workers(live_user: User, desk: Desk) -> None:
    long = {"title": "把每一个写入都加上条件" * 20, "blocked_message": "It waits for something. " * 20}
    desk.add(
        "aVeryLongIntentThatIsAllowed", priority="P0", status="blocked", next_try_at="2026-11-18T13:05:00Z", **long
    )
    desk.add(status="doing", worker="laptop", title="Checks")
    desk.add(due_date="2026-11-30")
    output = live_user.run("task", "list").stdout
    assert too_wide(output) == []
    for words in ("in 5 min", "laptop", "due 2026-11-30", next(iter(desk.tasks))[:8]):
        assert words in output


def test_task_show_prints_runs_evidence_and_next_commands(live_user: User, desk: Desk) -> None:
    task = desk.add(payload={"path": "源\n\x1b[2J"}, title="检查", tags=["qa"])
    live_user.run("task", "claim", "@")
    run = next(iter(desk.runs))
    desk.runs[run] |= {"status": "failed", "error_message": "It broke.", "exit_code": 3, "duration_seconds": 7}
    desk.evidence[run] = [{"number": 1, "type": "log", "name": "output.log", "bytes": 1234, "stored": False}]
    task["status"] = "blocked"
    output = live_user.run("task", "show", task["id"][-6:]).stdout
    for words in (
        r'"path": "源\n\u001b[2J"',
        "1. failed",
        "7 s",
        "exit code 3",
        "It broke.",
        "1,234 bytes",
        "not uploaded",
    ):
        assert words in output
    assert f"readdo task requeue {task['id'][:8]}" in output
    assert too_wide(output) == []
    answer = json.loads(live_user.run("task", "show", "@", "--json").stdout)
    assert (answer["task"]["id"], answer["evidence"][run][0]["name"]) == (task["id"], "output.log")


def test_task_done_claims_and_completes_an_open_task(user: User, desk: Desk) -> None:
    task = desk.add(title="Call them")
    result = user.run("task", "done", "@", "-m", "They agree.")
    assert (result.exit_code, result.stdout, task["status"]) == (0, "done: Call them\n", "done")
    (run,) = desk.runs.values()
    assert (run["status"], run["summary"], run["exit_code"]) == ("succeeded", "They agree.", 0)


def test_task_done_completes_the_own_run(user: User, desk: Desk) -> None:
    task = desk.add()
    claim = user.run("task", "claim")
    assert (claim.stdout, "in 2 min" in claim.stderr) == (f"{task['id']}\n", True)
    assert user.run("task", "done", task["id"]).exit_code == 0
    assert [run["status"] for run in desk.runs.values()] == ["succeeded"]


def test_task_done_refuses_the_run_of_another_worker(user: User, server: Server, desk: Desk) -> None:
    desk.add(status="doing", worker="ci-7", run_id="01M7RN00000000000000000000")
    result = user.run("task", "done", "@")
    assert (result.exit_code, "This task is assigned to ci-7." in result.stderr, server.writes) == (4, True, [])


def test_task_done_completes_a_run_started_on_the_page(user: User, desk: Desk) -> None:
    task = desk.add()
    user.run("task", "claim", "--worker", "page")
    desk.runs[task["run_id"]]["status"] = "running"
    assert user.run("task", "done", "@", "-m", "By hand").exit_code == 0
    assert (task["status"], desk.runs[task["run_id"]]["summary"]) == ("done", "By hand")


def add_evidence(desk: Desk, run_id: str, name: str, body: bytes, sha256: str = "") -> None:
    files_of_run = desk.evidence.setdefault(run_id, [])
    entry = {"number": len(files_of_run) + 1, "type": "log", "name": name, "bytes": len(body), "stored": True}
    files_of_run.append({**entry, "sha256": sha256 or hashlib.sha256(body).hexdigest()})
    desk.files[f"{run_id}-{len(files_of_run)}"] = body


def test_task_files_saves_the_evidence_of_a_run(user: User, desk: Desk) -> None:
    task = desk.add()
    runs = []
    for _ in range(3):
        task["status"] = "todo"
        user.run("task", "claim", "@")
        runs.append(task["run_id"])
    add_evidence(desk, runs[0], "output.log", b"first")
    add_evidence(desk, runs[1], "../日志 2.log", "第二\n".encode())
    add_evidence(desk, runs[1], "report.txt", b"all is well")
    desk.evidence[runs[2]] = [{"number": 1, "type": "log", "name": "lost.log", "bytes": 4, "stored": False}]
    download = user.run("task", "files", "@", "--to", "proof")
    assert download.stdout.splitlines() == ["proof/日志 2.log", "proof/report.txt"]
    assert Path("proof/日志 2.log").read_text() == "第二\n"
    answer = json.loads(user.run("task", "files", "@", "--run", "1", "--to", "proof", "--json").stdout)
    assert (answer["run"]["id"], answer["files"][0]["saved_as"]) == (runs[0], "proof/output.log")
    assert Path("proof/output.log").read_bytes() == b"first"
    missing = user.run("task", "files", "@", "--run", "3")
    assert (missing.exit_code, "Run 3 of this task has no files." in missing.stderr) == (3, True)


def test_task_files_discards_a_file_with_a_wrong_checksum(user: User, desk: Desk) -> None:
    task = desk.add()
    user.run("task", "claim", "@")
    add_evidence(desk, task["run_id"], "output.log", b"first", sha256="0" * 64)
    result = user.run("task", "files", "@")
    assert (result.exit_code, error_of(user.run("task", "files", "@", "--json"))["code"]) == (1, "CHECKSUM")
    assert not Path("output.log").exists()


def test_task_done_needs_the_worker_name_of_the_claim(user: User, desk: Desk) -> None:
    task = desk.add()
    user.run("task", "claim", "--worker", "night shift")
    assert user.run("task", "done", "@").exit_code == 4
    assert user.run("task", "done", "@", "--worker", "night shift").exit_code == 0
    assert task["status"] == "done"


def test_claim_without_an_open_task_is_refused(user: User, desk: Desk) -> None:
    assert user.run("task", "claim", "--intent", "write").exit_code == 3
    held = desk.add(status="inbox")
    result = user.run("task", "claim", "@")
    assert (result.exit_code, f"readdo task enqueue {held['id'][:8]}" in result.stderr) == (4, True)
    assert "Available now: " not in result.stderr


def test_task_is_blocked_requeued_and_cancelled(user: User, server: Server, desk: Desk) -> None:
    task = desk.add(title="Ship it")
    assert user.run("task", "block", "@", "not", "before", "Monday").stdout == "blocked: Ship it\n"
    assert task["blocked_message"] == "not before Monday"
    user.run("task", "requeue", "@", "--regardless")
    assert (server.writes[-1].body, task["status"]) == ({"regardless": True}, "todo")
    unconfirmed = user.run("task", "cancel", "@")
    assert (unconfirmed.exit_code, task["status"]) == (2, "todo")
    user.live = True
    assert user.run("task", "cancel", "@", stdin="n\n").exit_code == 1
    assert task["status"] == "todo"
    assert user.run("task", "cancel", "@", stdin="y\n").exit_code == 0
    assert task["status"] == "cancelled"
    assert user.run("task", "enqueue", "@").exit_code == 4


def test_task_is_named_by_part_of_its_id(user: User, desk: Desk) -> None:
    for end in ("1", "2"):
        desk.add(id=f"abcdef12-0000-4000-8000-00000000000{end}")
    both = user.run("task", "show", "abcdef", "--json")
    assert (both.exit_code, error_of(both)["code"]) == (2, "AMBIGUOUS")
    assert user.run("task", "show", "00002").exit_code == 0
    for name, code in (("12", 2), ("nonsense", 2), ("beef", 3), ("@3", 3), ("00000000-0000-4000-8000-000000000000", 3)):
        assert user.run("task", "show", name).exit_code == code


def test_accept_creates_a_task_for_each_todo(user: User, server: Server, product: Product, desk: Desk) -> None:
    product.add(EN)
    result = user.run("accept", "@", "2", "1", "2", "--priority", "p1")
    assert [request.path for request in server.writes] == [f"/items/{EN}/todos/{number}/accept" for number in (2, 1)]
    assert [request.body for request in server.writes] == [{"version": 1, "priority": "P1"}] * 2
    assert result.stdout.split() == list(desk.tasks)
    one = json.loads(user.run("accept", EN, "1", "--json").stdout)
    assert one["task"]["of_item"] == EN
    missing = user.run("accept", EN, "3")
    assert (missing.exit_code, "readdo show B0MA8N --only todos" in missing.stderr) == (3, True)
    del product.artifacts[EN]["todos"]
    assert user.run("accept", EN, "1").exit_code == 3


def test_show_prints_the_tasks_of_an_item(live_user: User, product: Product, desk: Desk) -> None:
    product.add(EN)
    assert "Tasks" not in live_user.run("show", EN).stdout
    live_user.run("accept", EN, "1", "2")
    live_user.run("task", "done", next(iter(desk.tasks)))
    output = live_user.run("show", EN).stdout
    assert ("Tasks  1 of 2 done" in output, too_wide(output)) == (True, [])
    live_user.run("task", "done", "@")
    live_user.run("task", "done", "@2")
    assert "Tasks  all done" in live_user.run("show", EN).stdout
