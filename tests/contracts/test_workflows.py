"""Rules for every state of every workflow, so that no failure is lost and no late writer succeeds."""

import json
import re
from typing import Any

import pytest

from contracts.template_rights import rights_of_machines
from contracts.workflow_states import MACHINES, TASK_IDS, TASKS, states, tasks
from readdo import invocations
from readdo.read import queue
from readdo.transfer import workflows as transfer_workflows
from support.template import functions, source

THROTTLED = "Lambda.TooManyRequestsException"
RETRIED = {
    "Lambda.ServiceException",
    "Lambda.AWSLambdaException",
    "Lambda.SdkClientException",
    "Lambda.ClientExecutionTimeoutException",
    "Lambda.Unknown",
}
every_task = pytest.mark.parametrize(("machine", "name", "state"), TASKS, ids=TASK_IDS)
LASTS = {
    "ProcessItem": "LeaseSeconds",
    "ExportItem": "ExportSeconds",
    "ImportFile": "ImportSeconds",
    "BackupAll": "SliceSeconds",
    "RestoreAll": "SliceSeconds",
}
# A proof job renews its due time while it works, so its steps may last longer.
every_machine_with_a_lease = pytest.mark.parametrize("machine", LASTS)
LAST_STEPS = {"ImportFile": ["Ended"], "ProofJob": ["ProofValidate", "ProofMerge"], "CollectBatch": []}
every_machine = pytest.mark.parametrize("machine", MACHINES)


def after_lease(machine: str) -> dict[str, dict[str, Any]]:
    """Return the steps that hold a lease: their errors become the item's failure."""
    return {name: state for name, state in tasks(machine).items() if name not in ("Lease", "RecordFailure")}


def default(parameter: str) -> int:
    return int(source()["Parameters"][parameter]["Default"])


@every_task
def test_task_timeout_exceeds_the_function_timeout(machine: str, name: str, state: dict[str, Any]) -> None:
    lives = functions()[name]["Properties"]["Timeout"]
    assert lives + 5 <= state["TimeoutSeconds"], machine
    assert "HeartbeatSeconds" not in state


@every_task
def test_task_retries_only_lambda_service_errors(machine: str, name: str, state: dict[str, Any]) -> None:
    assert state["Retry"], f"{machine}.{name} is not retried"
    throttled, others = state["Retry"]
    assert throttled["ErrorEquals"] == [THROTTLED]
    assert set(others["ErrorEquals"]) == RETRIED


@every_task
def test_retry_is_bounded_and_fully_jittered(machine: str, name: str, state: dict[str, Any]) -> None:
    for rule in state["Retry"]:
        assert rule["JitterStrategy"] == "FULL", f"{machine}.{name}"
        assert 1 <= rule["MaxAttempts"] <= (120 if rule["ErrorEquals"] == [THROTTLED] else 3)
        assert rule["IntervalSeconds"] >= 1
        assert rule["BackoffRate"] >= 1


@every_task
def test_lost_lease_is_caught_first_and_ends_in_success(machine: str, name: str, state: dict[str, Any]) -> None:
    first = state["Catch"][0]
    assert first["ErrorEquals"] == ["LeaseLost"], name
    assert states(machine)[first["Next"]]["Type"] == "Succeed"


@every_machine
def test_other_errors_of_a_step_are_recorded(machine: str) -> None:
    for name, state in after_lease(machine).items():
        last = state["Catch"][-1]
        assert (last["ErrorEquals"], last["Next"]) == (["States.ALL"], "RecordFailure"), name


@every_machine
def test_recorded_failure_ends_the_execution_as_failed(machine: str) -> None:
    recording = states(machine)["RecordFailure"]
    assert states(machine)[recording["Next"]]["Type"] == "Fail"
    assert [rule["ErrorEquals"] for rule in recording["Catch"]] == [["LeaseLost"]]


@every_machine
def test_only_a_lost_lease_leads_from_an_error_to_success(machine: str) -> None:
    """Every Catch except LeaseLost's leads to a Task or a Pass; only LeaseLost leads to a Succeed."""
    succeeds = {name for name, state in states(machine).items() if state["Type"] == "Succeed"}
    for name, state in states(machine).items():
        assert state.get("Next") not in succeeds, name
        for rule in state.get("Catch", []):
            assert (rule["Next"] in succeeds) == (rule["ErrorEquals"] == ["LeaseLost"]), name


@every_machine
def test_only_the_last_step_ends_in_success(machine: str) -> None:
    last = LAST_STEPS.get(machine, list(after_lease(machine))[-1:])
    assert [name for name, state in states(machine).items() if state.get("End")] == last


@every_machine
def test_every_state_is_reached(machine: str) -> None:
    all_states = states(machine)
    targets = [s["Next"] for s in all_states.values() if "Next" in s]
    targets += [rule["Next"] for s in all_states.values() for rule in (*s.get("Catch", []), *s.get("Choices", []))]
    targets += [s["Default"] for s in all_states.values() if "Default" in s]
    assert set(targets) <= set(all_states)
    first = "Lease" if "Lease" in all_states else next(iter(all_states))
    assert {first, *targets} == set(all_states)


@every_machine_with_a_lease
def test_lease_outlasts_every_step_with_all_retries(machine: str) -> None:
    """Sum of the step's timeouts and the longest pauses between them. A step's end renews the lease."""
    lasts = default(LASTS[machine])
    for name, state in after_lease(machine).items():
        throttled, others = state["Retry"]  # a throttled call ends at once
        runs = (others["MaxAttempts"] + 1) * state["TimeoutSeconds"]
        assert runs + longest_pauses(throttled) + longest_pauses(others) < lasts, name


def longest_pauses(rule: dict[str, Any]) -> float:
    pauses = [rule["IntervalSeconds"] * rule["BackoffRate"] ** n for n in range(rule["MaxAttempts"])]
    return sum(min(pause, rule.get("MaxDelaySeconds", pause)) for pause in pauses)


def test_throttled_step_waits_for_minutes() -> None:
    """A new account runs ten functions at once, so that a burst of captures waits for its turn."""
    assert all(longest_pauses(state["Retry"][0]) >= 240 for state in after_lease("ProcessItem").values())


def test_throttled_lease_and_proof_end_before_the_heartbeat_starts_again() -> None:
    assert longest_pauses(tasks("ProcessItem")["Lease"]["Retry"][0]) < default("StartGraceSeconds")
    pauses = [longest_pauses(state["Retry"][0]) for state in after_lease("ProofJob").values()]
    assert max(pauses) < default("ProofSeconds")


@every_machine_with_a_lease
def test_shortest_configurable_lease_outlasts_every_step(machine: str) -> None:
    shortest = source()["Parameters"][LASTS[machine]]
    assert all(state["TimeoutSeconds"] < shortest["MinValue"] for state in after_lease(machine).values())


@every_machine
def test_workflow_is_standard_and_may_invoke_exactly_its_states(machine: str) -> None:
    assert MACHINES[machine]["Type"] == "STANDARD"
    rights = rights_of_machines()[machine]
    assert {action for action, _ in rights} == {"lambda:InvokeFunction"}
    called = {re.sub(r".*:function:|\*$", "", on) for _, on in rights}
    assert called == set(tasks(machine))


@every_machine
def test_workflow_state_carries_only_ids(machine: str) -> None:
    """Checks the input and the Parameters. test_no_text_leaves checks the functions' answers."""
    for name, state in states(machine).items():
        assert state.get("ResultPath") is None, name
        assert not {"ResultSelector", "InputPath", "OutputPath", "Result"} & set(state), name
        assert all(rule["ResultPath"] == "$.error" for rule in state.get("Catch", [])), name
        for key, value in state.get("Parameters", {}).items():
            allowed = ("$.owner", "$.item", "$.run", "$.epoch", "$$.Execution.Name")
            assert (value in allowed) if key.endswith(".$") else (key, value) == ("again", True), f"{name}.{key}"


@every_machine
def test_workflow_uses_only_locally_supported_features(machine: str) -> None:
    definition = json.dumps(states(machine))
    for word in ("Assign", "QueryLanguage", "Arguments", "Output", "JSONata", "Credentials", "Items", "Tolerated"):
        assert f'"{word}"' not in definition, word
    # `$name` is a variable; `$.` a path, `$$.` the context, `${` a substitution
    assert re.findall(r'"\$[A-Za-z]\w*', definition) == []


ITEM = {"owner": "me", "id": "ID", "run_id": "RUN", "starts": 2, "intent_text": "TEXT", "title": "TEXT"}
EXPORT = {"owner": "me", "item": "ID", "key_digest": "DIGEST", "export_key": "TEXT", "run_id": "RUN", "epoch": 3}
BACKUP = {"owner": "me", "id": "ID", "epoch": 2, "so_far": {"after": "TEXT"}}
IMPORT = {"owner": "me", "id": "ID", "epoch": 2, "pages": 3, "filename": "TEXT", "intent_text": "TEXT"}


@pytest.mark.parametrize(
    ("start", "row", "name", "expected_input"),
    [
        (queue.process_item, ITEM, "RUN-2", {"owner": "me", "item": "ID", "run": "RUN"}),
        (
            queue.export_item,
            EXPORT,
            "RUN-3",
            {"owner": "me", "item": "ID", "run": "RUN", "export": "DIGEST", "epoch": 3},
        ),
        (transfer_workflows.start_backup, BACKUP, "ID-2", {"owner": "me", "backup": "ID", "epoch": 2}),
        (
            transfer_workflows.start_import,
            IMPORT,
            "ID-2",
            {"owner": "me", "import": "ID", "epoch": 2, "read": True, "slice": 0, "wait": 0},
        ),
    ],
    ids=["process", "export", "backup", "import"],
)
def test_execution_input_contains_only_ids(
    start: Any, row: dict[str, Any], name: str, expected_input: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    requests: list[dict[str, Any]] = []

    class StepFunctions:
        def start_execution(self, **request: Any) -> None:
            requests.append(request)

    monkeypatch.setattr(invocations, "client", lambda _: StepFunctions())
    monkeypatch.setattr(invocations, "setting", lambda machine: machine)
    start(row)
    (request,) = requests
    assert (request["name"], json.loads(request["input"])) == (name, expected_input)
