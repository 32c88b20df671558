"""Which tests ask for which guard, and how long each takes. Kept until a source or a test changes."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from guards import guard_hook
from guards.guard_hook import ROOT
from guards.guard_runs import Watched, each

KEPT = ROOT / ".venv/guards"
# Tried one after the other: what the first kills costs a second, and the second is only for what is left.
RINGS: tuple[tuple[str, ...], ...] = (
    (
        *("tests/unit/lifecycle", "tests/unit/store", "tests/unit/read", "tests/unit/engine/test_engine_b*.py"),
        *("tests/unit/do", "tests/unit/mirror", "tests/unit/webhooks", "tests/functions/test_guards_*.py"),
    ),
    ("tests/functions",),
)


@dataclass
class Record:
    touched: dict[str, list[str]] = field(default_factory=dict)  # guard, or trigger of a table → tests
    seconds: dict[str, float] = field(default_factory=dict)  # test → how long it took

    def order(self, names: Iterable[str]) -> dict[str, int]:
        """The tests that ask for one of these, the fastest modules first, and in them the fastest tests."""
        tests = {test for name in names for test in self.touched.get(name, ())}
        longest: dict[str, float] = defaultdict(float)
        for test in tests:
            longest[_file(test)] = max(longest[_file(test)], self.seconds[test])
        ranked = sorted(tests, key=lambda test: (longest[_file(test)], _file(test), self.seconds[test], test))
        return {test: place for place, test in enumerate(ranked)}


def _file(test: str) -> str:
    return test.partition("::")[0]


def files_of(ring: Iterable[str]) -> list[str]:
    found = [path for pattern in ring for path in sorted(ROOT.glob(pattern))]
    files = [file for path in found for file in (sorted(path.rglob("test_*.py")) if path.is_dir() else [path])]
    return [str(path.relative_to(ROOT)) for path in files]


def kept(files: list[str], at_once: int, say: Callable[[str], None]) -> Record:
    """As it was found before, if nothing has changed since."""
    place = KEPT / f"{hashlib.sha256(' '.join(files).encode()).hexdigest()[:8]}-{_digest()}.json"
    if place.exists():
        return Record(**json.loads(place.read_text(encoding="utf-8")))
    found = of_files(files, at_once, say)
    KEPT.mkdir(parents=True, exist_ok=True)
    for old in KEPT.glob(f"{place.name.partition('-')[0]}-*.json"):
        old.unlink()
    place.write_text(json.dumps(vars(found), ensure_ascii=False), encoding="utf-8")
    return found


def of_files(files: list[str], at_once: int, say: Callable[[str], None]) -> Record:
    record = Record()
    touched: dict[str, set[str]] = defaultdict(set)
    for file, told, printed in each(((file, _recording(file)) for file in files), at_once):
        if told is None or told["code"] not in (0, 1, 5):
            raise SystemExit(f"{file} cannot be run, whatever is taken out:\n{printed[-3000:]}")
        red = set(told["red"])
        say(f"{file}: {len(told['seconds'])} tests" + (f", red by themselves: {sorted(red)}" if red else ""))
        record.seconds |= told["seconds"]
        for name, tests in told["touched"].items():
            touched[name] |= set(tests) - red  # one that is red anyhow is no witness
    record.touched = {name: sorted(tests) for name, tests in touched.items()}
    return record


def _recording(file: str) -> Callable[[], dict[str, Any]]:
    def work() -> dict[str, Any]:
        watched, touched = Watched(), defaultdict[str, set[str]](set)

        def touch(name: str) -> None:
            if watched.running:
                touched[name].add(watched.running)

        guard_hook.watch(touch)
        from guards import guard_tables  # noqa: PLC0415 - it imports the product, which the hook must see

        guard_tables.watch(touch)
        code = watched.run(file)
        found = {name: sorted(tests) for name, tests in touched.items()}
        return {"code": code, "red": watched.red, "seconds": watched.seconds, "touched": found}

    return work


def _digest() -> str:
    """Of all that may change which test asks for what."""
    every = [
        path for folder in ("layers/domain", "functions", "tests", "statemachine") for path in _texts(ROOT / folder)
    ]
    found = hashlib.sha256()
    for path in (*every, ROOT / "template.yaml"):
        found.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return found.hexdigest()[:16]


def _texts(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix in (".py", ".json") and path.is_file())
