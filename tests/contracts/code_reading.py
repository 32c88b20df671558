"""Static analysis: the code, settings and packages that a function reaches.

It starts at `handler` and at registrations by decorators in the function's own modules, and follows every name. The
name of a class stands for all its methods; a module that is passed as a value stands for all its names. It cannot see
names made at run time (getattr) or the branch that is taken, so it finds too much rather than too little.
"""

import ast
import sys
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from support.template import ROOT

DOMAIN = ROOT / "layers/domain"
Place = tuple[str, str]  # module, top-level name; "" stands for the code that runs at import


@dataclass
class Module:
    tree: ast.Module
    # local name → (module, name in it), with "" for the module itself
    names: dict[str, Place] = field(default_factory=dict)
    imports: set[str] = field(default_factory=set)
    top: dict[str, list[ast.stmt]] = field(default_factory=dict)


@cache
def sources(room: str) -> dict[str, Path]:
    """Return dotted name → file, of the domain layer and one function."""
    paths: dict[str, Path] = {}
    for base, below in ((DOMAIN, DOMAIN / "readdo"), (ROOT / "functions" / room,) * 2):
        for path in below.rglob("*.py"):
            parts = path.relative_to(base).with_suffix("").parts
            paths[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return paths


@cache
def parsed(path: Path) -> ast.Module:
    """Parse a file once for all functions: the trees of the domain take 16 MB."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def read(room: str, name: str) -> Module:
    path = sources(room)[name]
    module = Module(parsed(path))
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                module.imports.add(alias.name)
                module.names[alias.asname or alias.name.split(".")[0]] = (alias.name, "")
        elif isinstance(node, ast.ImportFrom):
            origin = _origin(name, path, node)
            for alias in node.names:
                full_name = f"{origin}.{alias.name}"
                # a namespace package (routes/) has no file of its own
                is_module = full_name in sources(room)
                module.imports.add(full_name if is_module else origin)
                module.names[alias.asname or alias.name] = (full_name, "") if is_module else (origin, alias.name)
    if "import_module" in module.names:
        module.imports |= _listed_modules(module.tree, sources(room))
    of_function = path.is_relative_to(ROOT / "functions")
    for statement in module.tree.body:
        for top in _names(statement, registered=of_function):
            module.top.setdefault(top, []).append(statement)
    return module


def _listed_modules(tree: ast.Module, known: Collection[str]) -> set[str]:
    """The modules of a list of names from which `import_module` is called."""
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return {name for text in texts for name in (f"routes.{text}", f"readdo.{text}") if name in known}


def _origin(name: str, path: Path, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    return ".".join([*package[: len(package) + 1 - node.level], *([node.module] if node.module else [])])


def _names(statement: ast.stmt, *, registered: bool) -> list[str]:
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return [statement.name, *([""] if registered and statement.decorator_list else [])]
    if isinstance(statement, ast.Assign):
        return [node.id for target in statement.targets for node in ast.walk(target) if isinstance(node, ast.Name)]
    if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        return [statement.target.id]
    return [] if isinstance(statement, ast.Import | ast.ImportFrom) else [""]


@cache
def reached(room: str) -> frozenset[Place]:
    visited: set[Place] = set()
    todo: list[Place] = [(room, ""), (room, "handler")]
    while todo:
        place = todo.pop()
        if place in visited or place[0] not in sources(room):
            continue
        visited.add(place)
        module = read(room, place[0])
        todo += [(name, "") for name in module.imports]
        if place[1] and place[1] not in module.top and place[1] in module.names:
            todo += _expand(room, module.names[place[1]])  # re-exported, for example by an __init__
        for statement in module.top.get(place[1], []):
            todo += _places_in(room, place[0], module, statement)
    return frozenset(visited)


def _expand(room: str, place: Place) -> list[Place]:
    name, what = place
    if what or name not in sources(room):
        return [place]
    return [(name, top) for top in read(room, name).top]


def _places_in(room: str, name: str, module: Module, statement: ast.stmt) -> list[Place]:
    places: list[Place] = []
    bases: set[int] = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            target = module.names.get(node.value.id)
            if target and not target[1]:
                bases.add(id(node.value))
                places.append((target[0], node.attr))
        elif isinstance(node, ast.Name) and id(node) not in bases:
            places += _expand(room, module.names[node.id]) if node.id in module.names else [(name, node.id)]
    return places


@dataclass(frozen=True)
class Setting:
    name: str
    default: str | None  # None: required


@cache
def settings(room: str) -> set[Setting]:
    """Return every setting that is read by a literal name or by a passed one (`call("X_ARN", …)`)."""
    direct: set[Setting] = set()
    for name, top in reached(room):
        for statement in read(room, name).top.get(top, []):
            for node in ast.walk(statement):
                direct |= _settings_in(node)
    names = {s.name for s in direct}
    passed = {
        node.value
        for name, top in reached(room)
        for statement in read(room, name).top.get(top, [])
        for node in ast.walk(statement)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.endswith("_ARN")
    }
    return direct | {Setting(name, None) for name in passed - names}


def _settings_in(node: ast.AST) -> set[Setting]:
    if isinstance(node, ast.Subscript) and ast.unparse(node.value).endswith("environ"):
        return {Setting(str(ast.literal_eval(node.slice)), None)} if isinstance(node.slice, ast.Constant) else set()
    if not (isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant)):
        return set()
    how = ast.unparse(node.func).rsplit(".", 2)[-2:]
    if how[-1] not in ("setting", "seconds", "getenv") and how != ["environ", "get"]:
        return set()
    default = node.args[1].value if len(node.args) > 1 and isinstance(node.args[1], ast.Constant) else None
    return {Setting(str(node.args[0].value), None if default is None else str(default))}


@cache
def packages(room: str) -> set[str]:
    """Return the third-party packages that are imported with the function."""
    tops = {name.split(".")[0] for module, _ in reached(room) for name in read(room, module).imports}
    own = {name.split(".")[0] for name in sources(room)}
    return tops - own - {"routes"} - set(sys.stdlib_module_names)
