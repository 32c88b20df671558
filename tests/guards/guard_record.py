"""Record which tests use which guard, and how long each test takes.

The record is cached until a source or a test changes.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from guards import guard_hook
from guards.guard_hook import ROOT
from guards.guard_runs import RunRecorder, each

KEPT = ROOT / ".venv/guards"
# The second ring runs only for guards that survive the fast first ring.
RINGS: tuple[tuple[str, ...], ...] = (
    (
        *("tests/unit/lifecycle", "tests/unit/store", "tests/unit/read", "tests/unit/engine/test_engine_b*.py"),
        *("tests/unit/do", "tests/unit/mirror", "tests/unit/webhooks", "tests/unit/proof/test_guards_*.py"),
        "tests/unit/collect/test_guards_*.py",
        "tests/functions/test_guards_*.py",
    ),
    ("tests/functions",),
)


@dataclass
class Record:
    touched: dict[str, list[str]] = field(default_factory=dict)  # guard or trigger of a table → tests
    seconds: dict[str, float] = field(default_factory=dict)  # test → its duration

    def order(self, names: Iterable[str]) -> dict[str, int]:
        """Return the tests that use one of these guards: fastest modules first, then fastest tests."""
        tests = {test for name in names for test in self.touched.get(name, ())}
        longest: dict[str, float] = defaultdict(float)
        for test in tests:
            longest[_file(test)] = max(longest[_file(test)], self.seconds[test])
        ranked = sorted(tests, key=lambda test: (longest[_file(test)], _file(test), self.seconds[test], test))
        return {test: place for place, test in enumerate(ranked)}


def _file(test: str) -> str:
    return test.partition("::")[0]


def files_of(ring: Iterable[str]) -> list[str]:
    paths = [path for pattern in ring for path in sorted(ROOT.glob(pattern))]
    files = [file for path in paths for file in (sorted(path.rglob("test_*.py")) if path.is_dir() else [path])]
    return [str(path.relative_to(ROOT)) for path in files]


def cached_record(files: list[str], at_once: int, say: Callable[[str], None]) -> Record:
    """Return the cached record if nothing has changed, else make a new one."""
    cache_file = KEPT / f"{hashlib.sha256(' '.join(files).encode()).hexdigest()[:8]}-{_digest()}.json"
    if cache_file.exists():
        return Record(**json.loads(cache_file.read_text(encoding="utf-8")))
    record = of_files(files, at_once, say)
    KEPT.mkdir(parents=True, exist_ok=True)
    for old in KEPT.glob(f"{cache_file.name.partition('-')[0]}-*.json"):
        old.unlink()
    cache_file.write_text(json.dumps(vars(record), ensure_ascii=False), encoding="utf-8")
    return record


def of_files(files: list[str], at_once: int, say: Callable[[str], None]) -> Record:
    record = Record()
    touched: dict[str, set[str]] = defaultdict(set)
    for file, result, printed in each(((file, _recording(file)) for file in files), at_once):
        if result is None or result["code"] not in (0, 1, 5):
            raise SystemExit(f"{file} cannot be run, whatever is taken out:\n{printed[-3000:]}")
        red = set(result["red"])
        say(f"{file}: {len(result['seconds'])} tests" + (f", red by themselves: {sorted(red)}" if red else ""))
        record.seconds |= result["seconds"]
        for name, tests in result["touched"].items():
            touched[name] |= set(tests) - red  # a test that always fails proves nothing
    record.touched = {name: sorted(tests) for name, tests in touched.items()}
    return record


def _recording(file: str) -> Callable[[], dict[str, Any]]:
    def work() -> dict[str, Any]:
        plugin, touched = RunRecorder(), defaultdict[str, set[str]](set)

        def touch(name: str) -> None:
            if plugin.running:
                touched[name].add(plugin.running)

        guard_hook.watch(touch)
        from guards import guard_tables  # noqa: PLC0415 - it imports the product, which the hook must see

        guard_tables.watch(touch)
        code = plugin.run(file)
        tests_of_guard = {name: sorted(tests) for name, tests in touched.items()}
        return {"code": code, "red": plugin.red, "seconds": plugin.seconds, "touched": tests_of_guard}

    return work


def _digest() -> str:
    """Return a digest of all files that may change which test uses which guard."""
    every = [
        path for folder in ("layers/domain", "functions", "tests", "statemachine") for path in _texts(ROOT / folder)
    ]
    digest = hashlib.sha256()
    for path in (*every, ROOT / "template.yaml"):
        digest.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _texts(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix in (".py", ".json") and path.is_file())
