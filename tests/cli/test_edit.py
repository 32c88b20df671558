"""readdo edit: changes are sent with the version that was read, and the user's text is never lost."""

import json
import re
import stat
import sys
from pathlib import Path

import pytest

from .conftest import User, error_of
from .product import Product
from .samples import EN, ZH, payloads
from .server import DROP, Fault, Server
from .wire import Reply, refusal

MISMATCH = refusal(412, "VERSION_MISMATCH", "The summary has changed since you read it.")


class Editor:
    """A fake $EDITOR: applies the next replacements at each start and records what it was shown."""

    def __init__(self, user: User, folder: Path) -> None:
        self.folder, self.times = folder, 0
        script = folder / "editor.py"
        script.write_text(_SCRIPT.format(folder=str(folder)))
        user.environ["EDITOR"] = f"{sys.executable} '{script}'"

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
def editor(user: User, tmp_path: Path) -> Editor:
    folder = tmp_path / "an editor"
    folder.mkdir()
    user.has_keyboard = True
    return Editor(user, folder)


def draft_file(stderr: str) -> Path:
    match = re.search(r"Your text is saved: (\S+)", stderr)
    assert match, stderr
    return Path(match[1])


def test_edited_summary_is_sent_complete(user: User, product: Product, server: Server, editor: Editor) -> None:
    product.add(ZH)
    editor.does({"租约让两个工作进程不会同时做同一件事。": "租约：同一件事只有一个进程做。"})
    result = user.run("edit", "9NQBGH")
    assert result.exit_code == 0, result.stderr
    [request] = server.writes
    before = payloads(ZH)["summary"]
    bullets = ["租约：同一件事只有一个进程做。", *before["bullets"][1:]]
    assert (request.method, request.path) == ("PUT", f"/items/{ZH}/artifacts/summary")
    assert request.body == {**before, "bullets": bullets}
    assert request.headers["If-Match"] == "1"
    assert result.stdout == "Saved your summary, version 2.\n"
    assert editor.saw[0].startswith("# readdo edit 9NQBGH summary.")
    path, mode = editor.files
    assert stat.S_IMODE(int(mode, 8)) == 0o700
    assert not Path(path).exists(), "what was sent needs no file any more"


def test_edited_card_keeps_hidden_fields(user: User, product: Product, server: Server, editor: Editor) -> None:
    product.add(EN)
    editor.does({"#queue #row": "#leases"})
    assert user.run("edit", EN, "card").exit_code == 0
    assert server.writes[0].body == {**payloads(EN)["card"], "hashtags": ["leases"]}


def test_edited_todos_are_sent(user: User, product: Product, server: Server, editor: Editor) -> None:
    product.add(EN)
    editor.does({"P1  BUILD    1h ": "P0  WRITE    20m"})
    assert user.run("edit", EN, "todos").exit_code == 0
    first, second = payloads(EN)["todos"]["todos"]
    assert server.writes[0].body == {"todos": [{**first, "priority": "P0", "type": "WRITE", "eta": "20m"}, second]}


def test_as_json_edits_all_fields(user: User, product: Product, server: Server, editor: Editor) -> None:
    product.add(EN)
    editor.does({"§2": "§3"})
    user.run("edit", EN, "--as-json")
    assert server.writes[0].body["evidence"][0]["source_hint"] == "§3"


@pytest.mark.parametrize("options", [[], ["--as-json"], ["todos"], ["card"], ["intent"], ["content"]])
def test_unchanged_text_is_not_sent(
    user: User, product: Product, server: Server, editor: Editor, options: list[str]
) -> None:
    product.add(EN)
    editor.does({})
    result = user.run("edit", EN, *options)
    assert (result.exit_code, "nothing was sent" in result.stderr) == (0, True)
    assert server.writes == []


def test_whitespace_change_is_not_sent(user: User, product: Product, server: Server, editor: Editor) -> None:
    product.add(EN)
    editor.does({"\n\n## Insight": "  \n\n\n## Insight"})
    user.run("edit", EN)
    assert server.writes == []


def test_validation_errors_are_shown_in_the_reopened_editor(user: User, product: Product, editor: Editor) -> None:
    product.add(EN)
    product.wrong = [{"field": "bullets.0", "message": "is too short: at least 8 characters are needed"}]
    first = payloads(EN)["summary"]["bullets"][0]
    editor.does({first: "short"}, {"- short": "- long enough by now"})
    result = user.run("edit", EN)
    assert result.exit_code == 0, result.stderr
    assert "# ✗ bullets.0 is too short: at least 8 characters are needed\n" in editor.saw[1]
    assert "- short\n" in editor.saw[1]
    assert product.artifacts[EN]["summary"][-1]["payload"]["bullets"][0] == "long enough by now"


def test_unreadable_form_reopens_the_editor_without_a_request(
    user: User, product: Product, server: Server, editor: Editor
) -> None:
    product.add(EN)
    editor.does({"## Insight": ""}, {"# ✗": "#"})
    result = user.run("edit", EN)
    assert "The line “## Insight” is missing" in editor.saw[1]
    assert server.writes == []
    assert result.exit_code == 2 or "not sent again" in result.stderr


def test_abandoned_edit_keeps_the_draft(user: User, product: Product, editor: Editor) -> None:
    product.add(EN)
    product.wrong = [{"field": "insight", "message": "is wrong"}]
    editor.does({payloads(EN)["summary"]["insight"]: "my own insight"})
    result = user.run("edit", EN)
    assert result.exit_code == 2
    assert "my own insight" in draft_file(result.stderr).read_text()


def test_conflicting_edit_shows_the_diff_and_keeps_the_draft(
    user: User, product: Product, server: Server, editor: Editor
) -> None:
    product.add(EN)
    summary = payloads(EN)["summary"]
    server.faults = [Fault(MISMATCH, "PUT")]
    editor.does({summary["insight"]: "my own insight"})
    result = user.run("edit", EN)
    assert result.exit_code == 4
    assert f"-{summary['insight']}" in result.stderr
    assert "+my own insight" in result.stderr
    file = draft_file(result.stderr)
    assert f"readdo edit B0MA8N summary --from {file}" in result.stderr
    assert user.run("edit", EN, "summary", "--from", str(file)).exit_code == 0
    assert product.artifacts[EN]["summary"][-1]["payload"]["insight"] == "my own insight"


@pytest.mark.parametrize(
    ("what", "code"),
    [(DROP, 5), (refusal(500, "INTERNAL_ERROR", "no"), 5), (refusal(409, "STATE_CONFLICT", "It is QUEUED."), 4)],
)
def test_failed_edit_keeps_the_draft(
    user: User, product: Product, server: Server, editor: Editor, what: str | Reply, code: int
) -> None:
    product.add(EN)
    server.faults = [Fault(what, "PUT", times=9)]
    editor.does({payloads(EN)["summary"]["insight"]: "my own insight"})
    result = user.run("edit", EN)
    assert result.exit_code == code
    assert "my own insight" in draft_file(result.stderr).read_text()


def test_failed_editor_sends_nothing(user: User, product: Product, server: Server, editor: Editor) -> None:
    product.add(EN)
    editor.does({payloads(EN)["summary"]["insight"]: "half a th"}, exit_code=1)
    result = user.run("edit", EN)
    assert (result.exit_code, server.writes) == (1, [])
    assert "half a th" in draft_file(result.stderr).read_text()


def test_missing_editor_is_reported(user: User, product: Product, server: Server) -> None:
    product.add(EN)
    user.has_keyboard = True
    user.environ["VISUAL"] = "/nowhere/edit"
    result = user.run("edit", EN)
    assert (result.exit_code, "cannot start" in result.stderr) == (2, True)
    assert server.writes == []


def test_unreadable_input_is_reported(user: User, product: Product) -> None:
    product.add(EN)
    result = user.run("edit", EN, "todos", "--from", "-", stdin="Do it")
    assert (result.exit_code, "“Do it” is not a todo" in result.stderr) == (2, True)
    result = user.run(
        "edit",
        EN,
        "--as-json",
        "--from",
        "-",
        stdin="{oops",
    )
    assert (result.exit_code, "not valid JSON" in result.stderr) == (2, True)


def test_missing_artifact_cannot_be_edited(user: User, product: Product) -> None:
    product.add(EN, "QUEUED")
    user.has_keyboard = True
    result = user.run("edit", EN)
    assert (result.exit_code, "has no summary yet: it is QUEUED" in result.stderr) == (3, True)


def test_json_output_is_the_api_response(user: User, product: Product) -> None:
    product.add(EN)
    result = user.run("edit", EN, "intent", "--from", "-", "--json", stdin="another intent")
    assert json.loads(result.stdout) == {"item": product.items[EN]}
    product.wrong = [{"field": "intent_text", "message": "is too short"}]
    refused = user.run("edit", EN, "intent", "--from", "-", "--json", stdin="x")
    assert (refused.exit_code, error_of(refused)["code"]) == (2, "VALIDATION_ERROR")


def test_edit_without_a_terminal_starts_no_editor(user: User, product: Product, editor: Editor) -> None:
    product.add(EN)
    editor.does({})
    user.has_keyboard = False
    result = user.run("edit", EN)
    assert (result.exit_code, editor.saw) == (2, [])
    assert "readdo edit B0MA8N summary --from FILE|-" in result.stderr
