"""Import hook of the product's modules: removes one guard, or records the use of all guards."""

import ast
import builtins
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import CodeType
from typing import Any

from guards import guard_sites

ROOT = Path(__file__).resolve().parents[2]
TOUCH = "_guards_touch"
_KNOWS_GUARDS = ("readdo.lifecycle", "IfNoneMatch")
_OF_TABLES = ("readdo.lifecycle.write", "readdo.lifecycle.restart_conditions")


def sources() -> dict[str, Path]:
    """Return (module → file) of every module that can contain a guard, except the state tables.

    guard_tables handles the tables.
    """
    packages = ROOT / "layers/domain"
    paths = {_dotted(path, packages): path for path in sorted(packages.rglob("*.py"))}
    for room in sorted((ROOT / "functions").iterdir()):
        paths |= {_dotted(path, room): path for path in sorted(room.rglob("*.py"))}
    return {name: path for name, path in paths.items() if _counts(name, path.read_text(encoding="utf-8"))}


def _dotted(path: Path, root: Path) -> str:
    return ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


def _counts(module: str, source: str) -> bool:
    is_table = "= Machine(" in source or module in _OF_TABLES
    return not is_table and any(word in source for word in _KNOWS_GUARDS)


def names() -> list[str]:
    return [
        name
        for module, path in sources().items()
        for name in guard_sites.names_in(module, path.read_text(encoding="utf-8"))
    ]


def remove_guard(guard: str) -> None:
    setattr(builtins, guard_sites.LOOSER, _looser)
    setattr(builtins, guard_sites.ALWAYS, _always)
    _install(lambda module, source: guard_sites.without(module, source, guard), {guard.partition(":")[0]})


def watch(touch: Callable[[str], None]) -> None:
    def record_use(name: str, value: Any) -> Any:
        touch(name)
        return value

    setattr(builtins, TOUCH, record_use)
    _install(lambda module, source: guard_sites.touching(module, source, TOUCH), set(sources()))


Change = Callable[[str, str], ast.Module]


class _Loader(importlib.machinery.SourceFileLoader):
    change: Change

    def get_code(self, fullname: str) -> CodeType:
        """Compile from the source and ignore compiled files."""
        tree = self.change(fullname, Path(self.path).read_text(encoding="utf-8"))
        return compile(tree, self.path, "exec")


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, change: Change, only: set[str]) -> None:
        self._change, self._only = change, only

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        if fullname not in self._only:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin is None:
            return None
        loader = _Loader(fullname, spec.origin)
        loader.change = self._change
        return importlib.util.spec_from_file_location(
            fullname, spec.origin, loader=loader, submodule_search_locations=spec.submodule_search_locations
        )


def _install(change: Change, only: set[str]) -> None:
    early = sorted(only & sys.modules.keys())
    if early:
        raise RuntimeError(f"imported before a guard could be taken out: {early}")
    sys.meta_path.insert(0, _Finder(change, only))


def _always() -> Any:
    from guards.guard_tables import ALWAYS_TRUE  # noqa: PLC0415 - only once the product may be imported

    return ALWAYS_TRUE


def _looser(guarded: Any) -> Any:
    """Return a write of put_new, create, check or under_the_version without the guard that they add."""
    from readdo.lifecycle.write import All  # noqa: PLC0415 - only once the product may be imported

    write = getattr(guarded, "write", guarded)
    if write.kind == "check":
        condition = _always()
    else:  # the transition's own guard comes first, the requested condition second
        condition = write.condition.clauses[0] if isinstance(write.condition, All) else None
    looser = replace(write, condition=condition)
    return looser if guarded is write else replace(guarded, write=looser)
