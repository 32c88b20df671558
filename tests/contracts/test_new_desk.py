"""A new desk touches at most six files outside its own: a copy of the project gets a desk for notes.

Its own files lie in the domain, the screens, the routes, the lifecycles, the terminal and the words. Generated files
and template.yaml do not count.
"""

import json
import os
import shutil
import subprocess
import sys
from itertools import permutations
from pathlib import Path

from readdo.heartbeat.sweep import HANDLERS
from support.template import ROOT

FILES = Path(__file__).parent / "fixture/new_desk"
OWN = (
    *("layers/domain/readdo/notes/", "layers/domain/readdo/lifecycle/note.py", "functions/http_api/routes/notes.py"),
    *("functions/pages/screens/notes/", "functions/pages/templates/notes/", "functions/pages/words/"),
    "local/terminal/commands/notes.py",
)
# file → (line that it contains, lines that the desk adds before that line)
CHANGES = {
    "layers/domain/readdo/heartbeat/sweep.py": (
        ("from readdo.read import background as read", "from readdo.notes import background as notes"),
        ("    transfer.WORK,", "    notes.WORK,"),
    ),
    "layers/domain/readdo/api/registry.py": (
        ("from readdo.read import endpoints", "from readdo.notes import endpoints as notes_endpoints"),
        ("    *transfer_endpoints.CALLS,", "    *notes_endpoints.CALLS,"),
        ('    "transfer.requests",', '    "notes.requests",'),
    ),
    "functions/http_api/routes/all_routes.py": (('    "health": (', '    "notes": ("notes",),'),),
    "functions/pages/pages.py": (
        ("from screens.read import", "from screens.notes import notes"),
        ("    *(board, ", "    notes,"),
    ),
    "local/terminal/catalog.py": (('        "health": ', '        "notes": ("notes", "List notes."),'),),
}
# What a copy needs to run the handlers, the terminal and the generator.
COPIED = ("layers/domain", "functions", "local", "schemas", "statemachine", "tests/support", "docs", "template.yaml")


def test_new_desk_works_and_touches_at_most_six_other_files(tmp_path: Path) -> None:
    copy_project(tmp_path)
    added = [path.relative_to(FILES).as_posix() for path in FILES.rglob("*") if path.suffix in (".py", ".html")]
    touched = {path for path in added if path != "visit.py" and not path.startswith(OWN)} | set(CHANGES)
    assert len(touched) <= 6, sorted(touched)
    run(tmp_path, "local/generate.py")
    assert run(tmp_path, "visit.py").endswith("the desk works\n")


def copy_project(copy: Path) -> None:
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, copy / name)
    shutil.copy(ROOT / "README.md", copy / "README.md")
    shutil.copytree(FILES, copy, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    for name, changes in CHANGES.items():
        path = copy / name
        path.write_text(with_changes(path.read_text(encoding="utf-8"), changes), encoding="utf-8")
    for language, title in (("en", "Notes"), ("zh", "便签")):
        path = copy / f"functions/pages/words/{language}.json"
        words = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(json.dumps({**words, "nav.notes": title}), encoding="utf-8")


def with_changes(text: str, changes: tuple[tuple[str, str], ...]) -> str:
    lines = text.splitlines(keepends=True)
    for before, added in changes:
        (place,) = [number for number, line in enumerate(lines) if line.startswith(before)][:1]
        lines.insert(place, f"{added}\n")
    return "".join(lines)


def run(copy: Path, script: str) -> str:
    rooms = [str(path) for path in (copy / "functions").iterdir() if path.is_dir()]
    roots = [str(copy / name) for name in ("layers/domain", "local", "tests")]
    process = subprocess.run(  # noqa: S603 - our own code
        [sys.executable, script],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(roots + rooms)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr[-3000:]
    return process.stdout


def test_no_prefix_of_due_rows_begins_with_another() -> None:
    assert [(one, other) for one, other in permutations(HANDLERS, 2) if one.startswith(other)] == []
