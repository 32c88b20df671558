"""Editing: what was changed is sent against the version that was seen, and the user's words are never lost."""

import json
import re
import stat
import sys
from pathlib import Path

import pytest

from .conftest import Person, error_of
from .product import Product
from .samples import EN, ZH, payloads
from .server import DROP, Fault, Server
from .wire import Reply, refusal

MISMATCH = refusal(412, "VERSION_MISMATCH", "The summary has changed since you read it.")


class Editor:
    """An $EDITOR: each time it is opened it does the next of its replacements, and remembers what it was shown."""

    def __init__(self, person: Person, folder: Path) -> None:
        self.folder, self.times = folder, 0
        script = folder / "editor.py"
        script.write_text(_SCRIPT.format(folder=str(folder)))
        person.environ["EDITOR"] = f"{sys.executable} '{script}'"

    def does(self, *steps: dict[str, str], exit_code: int = 0) -> None:
        (self.folder / "steps.json").write_text(json.dumps({"steps": steps, "exit": exit_code}))

    @property
    def saw(self) -> list[str]:
        return [path.read_text() for path in sorted(self.folder.glob("saw-*"))]

    @property
    def files(self) -> list[str]:
        return (self.folder / "names").read_text().split()


_SCRIPT = """
import json, pathlib, sys
folder, file = pathlib.Path({folder!r}), pathlib.Path(sys.argv[1])
plan = json.loads((folder / "steps.json").read_text())
number = len(list(folder.glob("saw-*")))
text = file.read_text()
(folder / f"saw-{{number}}").write_text(text)
with (folder / "names").open("a") as names:
    names.write(f"{{file}} {{oct(file.parent.stat().st_mode)}}\\n")
for old, new in (plan["steps"][number] if number < len(plan["steps"]) else {{}}).items():
    assert old in text, (old, text)
    text = text.replace(old, new)
file.write_text(text)
sys.exit(plan["exit"])
"""


@pytest.fixture
def editor(person: Person, tmp_path: Path) -> Editor:
    folder = tmp_path / "an editor"
    folder.mkdir()
    person.types = True
    return Editor(person, folder)


def kept(stderr: str) -> Path:
    found = re.search(r"kept: (\S+)", stderr)
    assert found, stderr
    return Path(found[1])


def test_a_summary_is_changed_as_text_and_sent_whole(
    person: Person, product: Product, server: Server, editor: Editor
) -> None:
    product.add(ZH)
    editor.does({"租约让两个工作进程不会同时做同一件事。": "租约：同一件事只有一个进程做。"})
    result = person.run("edit", "9NQBGH")
    assert result.exit_code == 0, result.stderr
    [asked] = server.writes
    before = payloads(ZH)["summary"]
    bullets = ["租约：同一件事只有一个进程做。", *before["bullets"][1:]]
    assert (asked.method, asked.path) == ("PUT", f"/items/{ZH}/artifacts/summary")
    assert asked.body == {**before, "bullets": bullets}
    assert asked.headers["If-Match"] == "1"
    assert result.stdout == "Saved: your summary, version 2.\n"
    assert editor.saw[0].startswith("# readdo edit 9NQBGH summary.")
    path, mode = editor.files
    assert stat.S_IMODE(int(mode, 8)) == 0o700
    assert not Path(path).exists(), "what was sent needs no file any more"


def test_a_card_too_and_what_is_not_shown_stays(
    person: Person, product: Product, server: Server, editor: Editor
) -> None:
    product.add(EN)
    editor.does({"#queue #row": "#leases"})
    assert person.run("edit", EN, "card").exit_code == 0
    assert server.writes[0].body == {**payloads(EN)["card"], "hashtags": ["leases"]}


def test_todos_too(person: Person, product: Product, server: Server, editor: Editor) -> None:
    product.add(EN)
    editor.does({"P1  BUILD    1h ": "P0  WRITE    20m"})
    assert person.run("edit", EN, "todos").exit_code == 0
    first, second = payloads(EN)["todos"]["todos"]
    assert server.writes[0].body == {"todos": [{**first, "priority": "P0", "type": "WRITE", "eta": "20m"}, second]}


def test_as_json_all_of_it_can_be_changed(person: Person, product: Product, server: Server, editor: Editor) -> None:
    product.add(EN)
    editor.does({"§2": "§3"})
    person.run("edit", EN, "--as-json")
    assert server.writes[0].body["evidence"][0]["source_hint"] == "§3"


@pytest.mark.parametrize("options", [[], ["--as-json"], ["todos"], ["card"], ["intent"], ["content"]])
def test_what_is_left_as_it_is_is_not_sent(
    person: Person, product: Product, server: Server, editor: Editor, options: list[str]
) -> None:
    product.add(EN)
    editor.does({})
    result = person.run("edit", EN, *options)
    assert (result.exit_code, "nothing was sent" in result.stderr) == (0, True)
    assert server.writes == []


def test_a_change_of_blanks_is_none(person: Person, product: Product, server: Server, editor: Editor) -> None:
    product.add(EN)
    editor.does({"\n\n## Insight": "  \n\n\n## Insight"})
    person.run("edit", EN)
    assert server.writes == []


def test_what_is_wrong_stands_on_top_when_it_opens_again(person: Person, product: Product, editor: Editor) -> None:
    product.add(EN)
    product.wrong = [{"field": "bullets.0", "message": "is too short: at least 8 characters are needed"}]
    first = payloads(EN)["summary"]["bullets"][0]
    editor.does({first: "short"}, {"- short": "- long enough by now"})
    result = person.run("edit", EN)
    assert result.exit_code == 0, result.stderr
    assert "# ✗ bullets.0 is too short: at least 8 characters are needed\n" in editor.saw[1]
    assert "- short\n" in editor.saw[1]
    assert product.made[EN]["summary"][-1]["payload"]["bullets"][0] == "long enough by now"


def test_a_lost_form_opens_again_without_asking_the_server(
    person: Person, product: Product, server: Server, editor: Editor
) -> None:
    product.add(EN)
    editor.does({"## Insight": ""}, {"# ✗": "#"})
    result = person.run("edit", EN)
    assert "The line “## Insight” is missing" in editor.saw[1]
    assert server.writes == []
    assert result.exit_code == 2 or "not sent again" in result.stderr


def test_one_who_gives_up_after_a_refusal_keeps_the_text(person: Person, product: Product, editor: Editor) -> None:
    product.add(EN)
    product.wrong = [{"field": "insight", "message": "is wrong"}]
    editor.does({payloads(EN)["summary"]["insight"]: "my own insight"})
    result = person.run("edit", EN)
    assert result.exit_code == 2
    assert "my own insight" in kept(result.stderr).read_text()


def test_a_change_meanwhile_is_shown_and_the_text_is_kept_and_can_be_sent(
    person: Person, product: Product, server: Server, editor: Editor
) -> None:
    product.add(EN)
    made = payloads(EN)["summary"]
    server.faults = [Fault(MISMATCH, "PUT")]
    editor.does({made["insight"]: "my own insight"})
    result = person.run("edit", EN)
    assert result.exit_code == 4
    assert f"-{made['insight']}" in result.stderr
    assert "+my own insight" in result.stderr
    file = kept(result.stderr)
    assert f"readdo edit B0MA8N summary --from {file}" in result.stderr
    assert person.run("edit", EN, "summary", "--from", str(file)).exit_code == 0
    assert product.made[EN]["summary"][-1]["payload"]["insight"] == "my own insight"


@pytest.mark.parametrize(
    ("what", "code"),
    [(DROP, 5), (refusal(500, "INTERNAL_ERROR", "no"), 5), (refusal(409, "STATE_CONFLICT", "It is QUEUED."), 4)],
)
def test_whatever_goes_wrong_the_text_is_kept(
    person: Person, product: Product, server: Server, editor: Editor, what: str | Reply, code: int
) -> None:
    product.add(EN)
    server.faults = [Fault(what, "PUT", times=9)]
    editor.does({payloads(EN)["summary"]["insight"]: "my own insight"})
    result = person.run("edit", EN)
    assert result.exit_code == code
    assert "my own insight" in kept(result.stderr).read_text()


def test_an_editor_that_fails_sends_nothing(person: Person, product: Product, server: Server, editor: Editor) -> None:
    product.add(EN)
    editor.does({payloads(EN)["summary"]["insight"]: "half a th"}, exit_code=1)
    result = person.run("edit", EN)
    assert (result.exit_code, server.writes) == (1, [])
    assert "half a th" in kept(result.stderr).read_text()


def test_no_editor_says_what_to_set(person: Person, product: Product, server: Server) -> None:
    product.add(EN)
    person.types = True
    person.environ["VISUAL"] = "/nowhere/edit"
    result = person.run("edit", EN)
    assert (result.exit_code, "does not start" in result.stderr) == (2, True)
    assert server.writes == []


def test_a_text_that_cannot_be_taken_says_why(person: Person, product: Product) -> None:
    product.add(EN)
    result = person.run("edit", EN, "todos", "--from", "-", stdin="Do it")
    assert (result.exit_code, "“Do it” is no todo" in result.stderr) == (2, True)
    result = person.run(
        "edit",
        EN,
        "--as-json",
        "--from",
        "-",
        stdin="{oops",
    )
    assert (result.exit_code, "no JSON" in result.stderr) == (2, True)


def test_what_is_not_there_cannot_be_edited(person: Person, product: Product) -> None:
    product.add(EN, "QUEUED")
    person.types = True
    result = person.run("edit", EN)
    assert (result.exit_code, "has no summary yet: it is QUEUED" in result.stderr) == (3, True)


def test_json_is_the_answer_of_the_api(person: Person, product: Product) -> None:
    product.add(EN)
    result = person.run("edit", EN, "intent", "--from", "-", "--json", stdin="another intent")
    assert json.loads(result.stdout) == {"item": product.items[EN]}
    product.wrong = [{"field": "intent_text", "message": "is too short"}]
    refused = person.run("edit", EN, "intent", "--from", "-", "--json", stdin="x")
    assert (refused.exit_code, error_of(refused)["code"]) == (2, "VALIDATION_ERROR")


def test_without_a_terminal_no_editor_is_started(person: Person, product: Product, editor: Editor) -> None:
    product.add(EN)
    editor.does({})
    person.types = False
    result = person.run("edit", EN)
    assert (result.exit_code, editor.saw) == (2, [])
    assert "readdo edit B0MA8N summary --from FILE|-" in result.stderr
