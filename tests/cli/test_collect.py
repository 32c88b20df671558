"""readdo collect, against the real functions: files of assignments, batches through a folder, documents."""

import json
from pathlib import Path

import pytest

from support.collect_pool import document, output_of, put_document, result, supplement
from support.world import World

from .collect_files import add, write
from .conftest import User

pytestmark = pytest.mark.usefixtures("collect_desk")


FAULTY = [supplement("good"), {"id": "bad", "type": "content_supplement"}, {"id": "worse", "type": "poem"}]


def test_check_names_each_problem_and_stores_nothing(user: User, collect_desk: World, tmp_path: Path) -> None:
    checked = user.run("collect", "check", write(tmp_path / "tasks.json", {"tasks": FAULTY}))
    assert checked.exit_code == 1
    assert "3 assignments: 1 valid, 2 not valid." in checked.stderr
    assert "✗ bad: " in checked.stdout
    assert "✗ worse: " in checked.stdout
    assert "good" not in checked.stdout
    assert collect_desk.api("GET", "/assignments").json["assignments"] == []


def test_check_takes_a_file_of_more_than_a_thousand(user: User, tmp_path: Path) -> None:
    many = [supplement(f"a{number}") for number in range(1_003)]
    answer = json.loads(user.run("collect", "check", write(tmp_path / "a.json", many), "--json").stdout)
    assert (answer["valid"], answer["invalid"], len(answer["results"])) == (1_003, 0, 1_003)


def test_add_stores_all_or_nothing(user: User, collect_desk: World, tmp_path: Path) -> None:
    refused = user.run("collect", "add", write(tmp_path / "tasks.json", FAULTY))
    assert refused.exit_code == 2
    assert "✗ bad: " in refused.stderr
    add(user, tmp_path, supplement("a"), supplement("b"))
    assert [row["id"] for row in collect_desk.api("GET", "/assignments").json["assignments"]] == ["a", "b"]


def test_taken_id_is_an_error(user: User, tmp_path: Path) -> None:
    add(user, tmp_path, supplement("a"))
    again = user.run("collect", "add", write(tmp_path / "b.json", [supplement("a", "other.md"), supplement("b")]))
    assert again.exit_code == 4
    assert "The id a belongs to another assignment." in " ".join(again.stderr.split())


@pytest.mark.parametrize("text", ["[{]", "", '{"id": NaN}'])
def test_file_that_is_not_json_is_not_sent(user: User, tmp_path: Path, text: str) -> None:
    refused = user.run("collect", "add", write(tmp_path / "tasks.json", text))
    assert refused.exit_code == 2
    assert "is not valid JSON" in refused.stderr
    assert user.server.requests == []


def test_list_shows_open_assignments(user: User, tmp_path: Path) -> None:
    waiting = {"id": "c", "status": "skipped", "requires_permission": True, "reason": "GDC Vault"}
    add(user, tmp_path, supplement("a", title="第一份"), supplement("b", priority=1), waiting)
    assert [line.split("\t")[0] for line in user.run("collect", "list").stdout.splitlines()] == ["a", "b"]
    assert len(user.run("collect", "list", "--all").stdout.splitlines()) == 3
    assert user.run("collect", "list", "--priority", "1").stdout.startswith("b\t")
    user.live = True
    assert "第一份" in user.run("collect", "list").stdout


def test_list_follows_all_pages(user: User, tmp_path: Path) -> None:
    add(user, tmp_path, *(supplement(f"a{number}") for number in range(101)))
    assert len(user.run("collect", "list").stdout.splitlines()) == 101


def test_pick_then_apply_verifies_the_documents(user: User, collect_desk: World, tmp_path: Path) -> None:
    add(user, tmp_path, supplement("a"), supplement("b"))
    put_document(collect_desk, "a.md")
    name = user.run("collect", "pick", "--to", str(tmp_path / "in")).stdout.split("\t")[0]
    tasks = json.loads((tmp_path / "in" / f"{name}.json").read_text())["tasks"]
    assert [task["id"] for task in tasks] == ["a", "b"]
    claims = result("b", result={"completion_rate": 1})
    output = write(tmp_path / "out.json", output_of({"batch_name": name, "ids": ["a", "b"]}, result("a"), claims))
    dry = user.run("collect", "apply", output, "--dry-run")
    assert dry.stdout.splitlines() == ["a\tin_progress\tdone\t1.0", "b\tin_progress\tpartial\t0.0"]
    assert user.run("collect", "apply", output).stdout == dry.stdout
    shown = user.run("collect", "show", "b").stdout
    assert "The worker said: success, 1.00" in shown
    assert "Verified: not passed, 0.00" in shown
    assert "readdo collect continue b" in shown
    assert user.run("collect", "continue", "b").stdout.startswith("b\tpending")


def test_refused_output_shows_each_fault_with_its_pointer(user: User, tmp_path: Path) -> None:
    add(user, tmp_path, supplement("a"))
    name = user.run("collect", "pick").stdout.split("\t")[0]
    refused = user.run("collect", "apply", write(tmp_path / "out.json", {"batch_name": name, "results": []}))
    assert refused.exit_code == 2
    assert "/processed_at is missing" in refused.stderr
    assert "/summary " in refused.stderr


def test_second_apply_to_a_failed_batch_is_refused(user: User, collect_desk: World, tmp_path: Path) -> None:
    add(user, tmp_path, supplement("a"))
    name = user.run("collect", "pick").stdout.split("\t")[0]
    collect_desk.api("PUT", f"/batches/{name}/output", raw="{")
    late = user.run("collect", "apply", write(tmp_path / "out.json", output_of({"batch_name": name, "ids": ["a"]})))
    assert late.exit_code == 4
    assert "has failed" in late.stderr


def test_pick_of_nothing(user: User) -> None:
    picked = user.run("collect", "pick")
    assert (picked.exit_code, picked.stdout) == (1, "")
    assert "Nothing is pending." in picked.stderr


def test_status_shows_figures_and_warnings(user: User, collect_desk: World, tmp_path: Path) -> None:
    add(user, tmp_path, *(supplement(f"a{number}") for number in range(21)))
    put_document(collect_desk, "a1.md", document(50, 100))
    shown = user.run("collect", "status").stdout
    assert "pending          21" in shown
    assert "Documents  1 of 21" in shown
    assert "! " in shown


def test_documents_are_put_shown_and_saved(user: User, tmp_path: Path) -> None:
    source = write(tmp_path / "page.md", document(99, 200))
    assert user.run("collect", "documents", "talks/a b.md", "--put", source).exit_code == 0
    assert user.run("collect", "documents", "talks/").stdout.startswith("talks/a b.md\tcomplete\t0.998\t1\t")
    user.live = True
    shown = user.run("collect", "documents", "talks/a b.md", "--to", str(tmp_path / "saved")).stdout
    assert "0.99" in shown
    assert "99/100" in shown
    assert (tmp_path / "saved" / "a b.md").read_text() == document(99, 200)
    (tmp_path / "saved" / "a b.md").write_text("mine")
    user.run("collect", "documents", "talks/a b.md", "--to", str(tmp_path / "saved"))
    assert (tmp_path / "saved" / "a b.md").read_text() == "mine"


def test_skip_needs_a_reason(user: User, tmp_path: Path) -> None:
    add(user, tmp_path, supplement("a"))
    assert user.run("collect", "skip", "a").exit_code == 2
    assert user.run("collect", "skip", "a", "--reason", "GDC Vault").stdout.startswith("a\tskipped")
    refused = user.run("collect", "retry", "a")
    assert refused.exit_code == 4
    unknown = user.run("collect", "show", "nothing")
    assert unknown.exit_code == 3
    assert "readdo collect list --all" in unknown.stderr
