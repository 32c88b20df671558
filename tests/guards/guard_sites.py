"""Find every guard of a source file in its syntax tree, and remove one as an editor of the file would.

condition=…, replay=…    the whole of it                    both(a, b), either(a, b)    each part
put_new(…), create(…)    the row must be new                under_the_version(…)        the row must be unchanged
"IfNoneMatch": "*"       the file must be new               holds(…)                    a check after a read
"""

import ast
from collections.abc import Callable

# Positional parameters of dataclasses that take a guard.
POSITIONS = {"Change": {3: "condition"}, "Write": {2: "condition"}, "Move": {3: "replay"}}
BRINGS_A_GUARD = ("put_new", "create", "check", "under_the_version")
LOOSER, ALWAYS = "_guards_looser", "_guards_always"

# (name of the guard, its node, function that returns the node without the guard) → node to use
Decide = Callable[[str, ast.expr, Callable[[], ast.expr | None]], ast.expr | None]


class Walk(ast.NodeTransformer):
    """Name each guard by its function, and replace its node by the result of `decide`."""

    def __init__(self, module: str, decide: Decide) -> None:
        self._module, self._decide = module, decide
        self._within: list[str] = []
        self._counts: dict[str, int] = {}

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._in(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return self._in(node)

    def _in(self, node: ast.FunctionDef | ast.ClassDef) -> ast.AST:
        self._within.append(node.name)
        self.generic_visit(node)
        self._within.pop()
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        # Names come from the original source, before inner nodes are replaced.
        called, args = _called(node.func), [ast.unparse(arg) for arg in node.args]
        kinds = [*args, *(ast.unparse(keyword.value) for keyword in node.keywords if keyword.arg == "kind")]
        is_check = called == "Write" and "'check'" in kinds
        node.func = self.visit(node.func)
        for keyword in node.keywords:
            if keyword.arg in ("condition", "replay"):
                keyword.value = self._condition(called, keyword.arg, keyword.value, is_check)
            else:
                keyword.value = self.visit(keyword.value)
        positions = POSITIONS.get(called, {})
        node.args = [
            new_arg
            for place, arg in enumerate(node.args)
            if (new_arg := self._argument(called, positions.get(place), arg, is_check)) is not None
        ]
        if called == "holds":
            return self._site(f"the look at {args[0]}", node, lambda: ast.Constant(True)) or node
        if called in BRINGS_A_GUARD:
            arguments = ", ".join(args if called != "put_new" else args[:1])[:60]
            return self._site(f"the guard of {called}({arguments}, …)", node, lambda: _call(LOOSER, node)) or node
        return node

    def _argument(self, called: str, named: str | None, arg: ast.expr, is_check: bool) -> ast.expr | None:
        if named:
            return self._condition(called, named, arg, is_check)
        what, inner = f"{_short(arg)} of {called}(…)", self.visit(arg)
        if called not in ("both", "either") or isinstance(arg, ast.Starred):
            return inner
        return self._site(what, inner, lambda: None)

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        self.generic_visit(node)
        entries: list[tuple[ast.expr | None, ast.expr]] = []
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and key.value == "IfNoneMatch":
                new_value = self._site("IfNoneMatch", value, lambda: None)
                entries += [] if new_value is None else [(key, new_value)]
            else:
                entries.append((key, value))
        node.keys, node.values = [key for key, _ in entries], [value for _, value in entries]
        return node

    def _condition(self, called: str, name: str, value: ast.expr, is_check: bool) -> ast.expr:
        if isinstance(value, ast.Constant) and value.value is None:
            return value
        what = f"{called}({name}={_short(value)})"
        inner: ast.expr = self.visit(value)
        # A check without a condition is invalid: a condition that always holds has the same effect.
        return self._site(what, inner, lambda: _call(ALWAYS) if is_check else ast.Constant(None)) or inner

    def _site(self, what: str, node: ast.expr, without: Callable[[], ast.expr | None]) -> ast.expr | None:
        name = f"{self._module}:{'.'.join(self._within) or '(module)'} · {what}"
        self._counts[name] = self._counts.get(name, 0) + 1
        if self._counts[name] > 1:
            name += f" ({self._counts[name]})"
        return self._decide(name, node, without)


def _called(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):  # an attribute of another module: it takes a guard and creates none
        return f"{ast.unparse(function)}"
    return function.id if isinstance(function, ast.Name) else ""


def _short(node: ast.expr) -> str:
    text = ast.unparse(node)
    return text if len(text) <= 60 else text[:57] + "…"


def _call(name: str, *args: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), list(args), [])


def names_in(module: str, source: str) -> list[str]:
    guard_names: list[str] = []

    def note(name: str, node: ast.expr, _: object) -> ast.expr:
        guard_names.append(name)
        return node

    Walk(module, note).visit(ast.parse(source))
    return guard_names


def without(module: str, source: str, guard: str) -> ast.Module:
    def drop(name: str, node: ast.expr, removed: Callable[[], ast.expr | None]) -> ast.expr | None:
        return removed() if name == guard else node

    return ast.fix_missing_locations(Walk(module, drop).visit(ast.parse(source)))


def touching(module: str, source: str, touch: str) -> ast.Module:
    """Wrap each guard in a call that records its use; the guard itself stays."""

    def note(name: str, node: ast.expr, _: object) -> ast.expr:
        wrapped = _call(touch, ast.Constant(name), node)
        return ast.copy_location(wrapped, node)

    return ast.fix_missing_locations(Walk(module, note).visit(ast.parse(source)))
