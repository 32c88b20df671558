"""Tasks from the terminal: added with what was said and no more, listed, taken, done, and told in words."""

import hashlib
import json
from pathlib import Path

import pytest

from .conftest import Person, error_of, too_wide
from .desk import Desk
from .product import Product
from .samples import EN
from .server import Server


@pytest.fixture
def desk(product: Product) -> Desk:
    return product.desk


def test_what_was_said_is_sent_and_no_more(person: Person, server: Server, desk: Desk) -> None:
    result = person.run("task", "add", "runQA")
    assert server.writes[0].body == {"intent": "runQA"}
    (task,) = desk.tasks.values()
    assert result.stdout == f"{task['id']}\n"
    first = task["id"][:8]
    words = ["--title", "质检", "--payload", '{"path": "源"}', "--priority", "p0", "--project", "readdo", "--tag", "x"]
    more = ["--depends-on", first, "--due", "2026-11-30", "--timeout", "60", "--max-retries", "2", "--hold"]
    assert person.run("task", "add", "write", *words, *more).exit_code == 0
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
    ("given", "said"),
    [("{", "is no JSON"), ("[1]", "no JSON object"), ("@not-there.json", "cannot be read"), ("@.", "cannot be read")],
)
def test_a_payload_that_is_none_is_refused_in_words(person: Person, server: Server, given: str, said: str) -> None:
    result = person.run("task", "add", "runQA", "--payload", given)
    assert (result.exit_code, said in result.stderr, server.asked) == (2, True, [])


def test_a_payload_from_a_file_and_from_a_pipe(person: Person, server: Server) -> None:
    Path("wish.json").write_text('{"n": 1}')
    person.run("task", "add", "runQA", "--payload", "@wish.json")
    person.run("task", "add", "runQA", "--payload", "@-", stdin='{"n": 2}')
    assert [asked.body["payload"] for asked in server.writes] == [{"n": 1}, {"n": 2}]


def test_the_list_shows_the_open_ones_unless_more_is_asked_for(person: Person, desk: Desk) -> None:
    desk.page = 2  # the server gives fewer than were asked for, and there are more
    for status in ("todo", "done", "blocked", "doing", "cancelled"):
        desk.add(
            title=f"It is {status}", status=status, blocked_message="Why\x1b[2J not" if status == "blocked" else ""
        )
    shown = [line.split("\t") for line in person.run("task", "list").stdout.splitlines()]
    assert [row[1] for row in shown] == ["todo", "blocked", "doing"]
    assert shown[1][7:] == ["It is blocked", "Why not"]
    everything = json.loads(person.run("task", "list", "--all", "--json").stdout)
    assert [row["status"] for row in everything["tasks"]] == ["todo", "done", "blocked", "doing", "cancelled"]
    assert len(person.run("task", "list", "--limit", "1").stdout.splitlines()) == 1
    assert person.run("task", "list", "--intent", "write").stderr == "No task is like that.\n"


def test_on_a_terminal_it_fits_and_says_who_works_on_what(reader: Person, desk: Desk) -> None:
    long = {"title": "把每一个写入都加上条件" * 20, "blocked_message": "It waits for something. " * 20}
    desk.add(
        "aVeryLongIntentThatIsAllowed", priority="P0", status="blocked", next_try_at="2026-11-18T13:05:00Z", **long
    )
    desk.add(status="doing", worker="laptop", title="Checks")
    desk.add(due_date="2026-11-30")
    shown = reader.run("task", "list").stdout
    assert too_wide(shown) == []
    for words in ("in 5 min", "laptop", "due 2026-11-30", next(iter(desk.tasks))[:8]):
        assert words in shown


def test_one_whole_with_what_shows_how_it_went_and_what_comes_next(reader: Person, desk: Desk) -> None:
    task = desk.add(payload={"path": "源\n\x1b[2J"}, title="检查", tags=["qa"])
    reader.run("task", "claim", "@")
    run = next(iter(desk.runs))
    desk.runs[run] |= {"status": "failed", "error_message": "It broke.", "exit_code": 3, "duration_seconds": 7}
    desk.evidence[run] = [{"number": 1, "type": "log", "name": "output.log", "bytes": 1234, "stored": False}]
    task["status"] = "blocked"
    shown = reader.run("task", "show", task["id"][-6:]).stdout
    for words in (
        r'"path": "源\n\u001b[2J"',
        "1. failed",
        "7 s",
        "exit code 3",
        "It broke.",
        "1,234 bytes",
        "it has not come",
    ):
        assert words in shown
    assert f"readdo task requeue {task['id'][:8]}" in shown
    assert too_wide(shown) == []
    whole = json.loads(reader.run("task", "show", "@", "--json").stdout)
    assert (whole["task"]["id"], whole["evidence"][run][0]["name"]) == (task["id"], "output.log")


def test_a_person_does_what_nobody_has_taken(person: Person, desk: Desk) -> None:
    task = desk.add(title="Call them")
    result = person.run("task", "done", "@", "-m", "They agree.")
    assert (result.exit_code, result.stdout, task["status"]) == (0, "done: Call them\n", "done")
    (run,) = desk.runs.values()
    assert (run["status"], run["summary"], run["exit_code"]) == ("succeeded", "They agree.", 0)


def test_what_was_taken_before_is_done_by_the_run_it_has(person: Person, desk: Desk) -> None:
    task = desk.add()
    taken = person.run("task", "claim")
    assert (taken.stdout, "in 2 min" in taken.stderr) == (f"{task['id']}\n", True)
    assert person.run("task", "done", task["id"]).exit_code == 0
    assert [run["status"] for run in desk.runs.values()] == ["succeeded"]


def test_what_another_works_on_is_theirs(person: Person, server: Server, desk: Desk) -> None:
    desk.add(status="doing", worker="ci-7", run_id="01M7RN00000000000000000000")
    result = person.run("task", "done", "@")
    assert (result.exit_code, "ci-7 is working on it." in result.stderr, server.writes) == (4, True, [])


def test_what_was_begun_on_the_page_is_ones_own(person: Person, desk: Desk) -> None:
    task = desk.add()
    person.run("task", "claim", "--worker", "page")
    desk.runs[task["run_id"]]["status"] = "running"
    assert person.run("task", "done", "@", "-m", "By hand").exit_code == 0
    assert (task["status"], desk.runs[task["run_id"]]["summary"]) == ("done", "By hand")


def shown_by(desk: Desk, run_id: str, name: str, body: bytes, sha256: str = "") -> None:
    kept = desk.evidence.setdefault(run_id, [])
    told = {"number": len(kept) + 1, "type": "log", "name": name, "bytes": len(body), "stored": True}
    kept.append({**told, "sha256": sha256 or hashlib.sha256(body).hexdigest()})
    desk.files[f"{run_id}-{len(kept)}"] = body


def test_the_files_of_the_newest_run_that_has_some_or_of_the_one_that_is_named(person: Person, desk: Desk) -> None:
    task = desk.add()
    runs = []
    for _ in range(3):
        task["status"] = "todo"
        person.run("task", "claim", "@")
        runs.append(task["run_id"])
    shown_by(desk, runs[0], "output.log", b"first")
    shown_by(desk, runs[1], "../日志 2.log", "第二\n".encode())
    shown_by(desk, runs[1], "report.txt", b"all is well")
    desk.evidence[runs[2]] = [{"number": 1, "type": "log", "name": "lost.log", "bytes": 4, "stored": False}]
    brought = person.run("task", "files", "@", "--to", "proof")
    assert brought.stdout.splitlines() == ["proof/日志 2.log", "proof/report.txt"]
    assert Path("proof/日志 2.log").read_text() == "第二\n"
    told = json.loads(person.run("task", "files", "@", "--run", "1", "--to", "proof", "--json").stdout)
    assert (told["run"]["id"], told["files"][0]["saved_as"]) == (runs[0], "proof/output.log")
    assert Path("proof/output.log").read_bytes() == b"first"
    none = person.run("task", "files", "@", "--run", "3")
    assert (none.exit_code, "There is no file of its run 3." in none.stderr) == (3, True)


def test_a_file_that_is_not_the_one_that_was_shown_is_not_kept(person: Person, desk: Desk) -> None:
    task = desk.add()
    person.run("task", "claim", "@")
    shown_by(desk, task["run_id"], "output.log", b"first", sha256="0" * 64)
    result = person.run("task", "files", "@")
    assert (result.exit_code, error_of(person.run("task", "files", "@", "--json"))["code"]) == (1, "CHECKSUM")
    assert not Path("output.log").exists()


def test_what_was_taken_under_a_name_is_done_under_it(person: Person, desk: Desk) -> None:
    task = desk.add()
    person.run("task", "claim", "--worker", "night shift")
    assert person.run("task", "done", "@").exit_code == 4
    assert person.run("task", "done", "@", "--worker", "night shift").exit_code == 0
    assert task["status"] == "done"


def test_nothing_to_take_and_what_cannot_be_taken(person: Person, desk: Desk) -> None:
    assert person.run("task", "claim", "--intent", "write").exit_code == 3
    held = desk.add(status="inbox")
    result = person.run("task", "claim", "@")
    assert (result.exit_code, f"readdo task enqueue {held['id'][:8]}" in result.stderr) == (4, True)
    assert "What can be done now: " not in result.stderr


def test_blocked_enqueued_again_and_cancelled(person: Person, server: Server, desk: Desk) -> None:
    task = desk.add(title="Ship it")
    assert person.run("task", "block", "@", "not", "before", "Monday").stdout == "blocked: Ship it\n"
    assert task["blocked_message"] == "not before Monday"
    person.run("task", "requeue", "@", "--regardless")
    assert (server.writes[-1].body, task["status"]) == ({"regardless": True}, "todo")
    asked = person.run("task", "cancel", "@")
    assert (asked.exit_code, task["status"]) == (2, "todo")
    person.live = True
    assert person.run("task", "cancel", "@", stdin="n\n").exit_code == 1
    assert task["status"] == "todo"
    assert person.run("task", "cancel", "@", stdin="y\n").exit_code == 0
    assert task["status"] == "cancelled"
    assert person.run("task", "enqueue", "@").exit_code == 4


def test_which_task_is_meant(person: Person, desk: Desk) -> None:
    for end in ("1", "2"):
        desk.add(id=f"abcdef12-0000-4000-8000-00000000000{end}")
    both = person.run("task", "show", "abcdef", "--json")
    assert (both.exit_code, error_of(both)["code"]) == (2, "AMBIGUOUS")
    assert person.run("task", "show", "00002").exit_code == 0
    for name, code in (("12", 2), ("nonsense", 2), ("beef", 3), ("@3", 3), ("00000000-0000-4000-8000-000000000000", 3)):
        assert person.run("task", "show", name).exit_code == code


def test_todos_that_are_accepted(person: Person, server: Server, product: Product, desk: Desk) -> None:
    product.add(EN)
    result = person.run("accept", "@", "2", "1", "2", "--priority", "p1")
    assert [asked.path for asked in server.writes] == [f"/items/{EN}/todos/{number}/accept" for number in (2, 1)]
    assert [asked.body for asked in server.writes] == [{"version": 1, "priority": "P1"}] * 2
    assert result.stdout.split() == list(desk.tasks)
    one = json.loads(person.run("accept", EN, "1", "--json").stdout)
    assert one["task"]["of_item"] == EN
    missing = person.run("accept", EN, "3")
    assert (missing.exit_code, "readdo show B0MA8N --only todos" in missing.stderr) == (3, True)
    del product.made[EN]["todos"]
    assert person.run("accept", EN, "1").exit_code == 3


def test_an_item_shows_what_became_of_its_todos(reader: Person, product: Product, desk: Desk) -> None:
    product.add(EN)
    assert "Tasks" not in reader.run("show", EN).stdout
    reader.run("accept", EN, "1", "2")
    reader.run("task", "done", next(iter(desk.tasks)))
    shown = reader.run("show", EN).stdout
    assert ("Tasks  1 of 2 done" in shown, too_wide(shown)) == (True, [])
    reader.run("task", "done", "@")
    reader.run("task", "done", "@2")
    assert "Tasks  all done" in reader.run("show", EN).stdout
