"""Every guard that a source file writes down, found in its syntax tree, so that one can be taken out as a person would.

condition=…, replay=…    the whole of it                    both(a, b), either(a, b)    each part
put_new(…), create(…)    that the row must be new           under_the_version(…)        that nobody has changed it
"IfNoneMatch": "*"       that the file must be new          holds(…)                    a first look
"""

import ast
from collections.abc import Callable

# Where a dataclass takes a guard without naming it.
POSITIONS = {"Change": {3: "condition"}, "Write": {2: "condition"}, "Move": {3: "replay"}}
BRINGS_A_GUARD = ("put_new", "create", "check", "under_the_version")
LOOSER, ALWAYS = "_guards_looser", "_guards_always"

# (the guard's name, the node that stands there, makes what stands there without it) → what is to stand there
Decide = Callable[[str, ast.expr, Callable[[], ast.expr | None]], ast.expr | None]


class Walk(ast.NodeTransformer):
    """Names each guard by the function it is in, and puts what `decide` says in its place."""

    def __init__(self, module: str, decide: Decide) -> None:
        self._module, self._decide = module, decide
        self._within: list[str] = []
        self._seen: dict[str, int] = {}

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
        # Names come from what is written, whatever becomes of what is within.
        called, args = _called(node.func), [ast.unparse(arg) for arg in node.args]
        kinds = [*args, *(ast.unparse(keyword.value) for keyword in node.keywords if keyword.arg == "kind")]
        is_check = called == "Write" and "'check'" in kinds
        node.func = self.visit(node.func)
        for keyword in node.keywords:
            if keyword.arg in ("condition", "replay"):
                keyword.value = self._whole(called, keyword.arg, keyword.value, is_check)
            else:
                keyword.value = self.visit(keyword.value)
        named = POSITIONS.get(called, {})
        node.args = [
            kept
            for place, arg in enumerate(node.args)
            if (kept := self._argument(called, named.get(place), arg, is_check)) is not None
        ]
        if called == "holds":
            return self._site(f"the look at {args[0]}", node, lambda: ast.Constant(True)) or node
        if called in BRINGS_A_GUARD:
            told = ", ".join(args if called != "put_new" else args[:1])[:60]
            return self._site(f"the guard of {called}({told}, …)", node, lambda: _call(LOOSER, node)) or node
        return node

    def _argument(self, called: str, named: str | None, arg: ast.expr, is_check: bool) -> ast.expr | None:
        if named:
            return self._whole(called, named, arg, is_check)
        what, inner = f"{_short(arg)} of {called}(…)", self.visit(arg)
        if called not in ("both", "either") or isinstance(arg, ast.Starred):
            return inner
        return self._site(what, inner, lambda: None)

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        self.generic_visit(node)
        kept: list[tuple[ast.expr | None, ast.expr]] = []
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and key.value == "IfNoneMatch":
                left = self._site("IfNoneMatch", value, lambda: None)
                kept += [] if left is None else [(key, left)]
            else:
                kept.append((key, value))
        node.keys, node.values = [key for key, _ in kept], [value for _, value in kept]
        return node

    def _whole(self, called: str, name: str, value: ast.expr, is_check: bool) -> ast.expr:
        if isinstance(value, ast.Constant) and value.value is None:
            return value
        what = f"{called}({name}={_short(value)})"
        inner: ast.expr = self.visit(value)
        # A check that asks for nothing is no check: what always holds is the same as to leave it out.
        return self._site(what, inner, lambda: _call(ALWAYS) if is_check else ast.Constant(None)) or inner

    def _site(self, what: str, node: ast.expr, without: Callable[[], ast.expr | None]) -> ast.expr | None:
        name = f"{self._module}:{'.'.join(self._within) or '(module)'} · {what}"
        self._seen[name] = self._seen.get(name, 0) + 1
        if self._seen[name] > 1:
            name += f" ({self._seen[name]})"
        return self._decide(name, node, without)


def _called(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):  # of another module: it takes a guard, and makes none
        return f"{ast.unparse(function)}"
    return function.id if isinstance(function, ast.Name) else ""


def _short(node: ast.expr) -> str:
    text = ast.unparse(node)
    return text if len(text) <= 60 else text[:57] + "…"


def _call(name: str, *args: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), list(args), [])


def names_in(module: str, source: str) -> list[str]:
    found: list[str] = []

    def note(name: str, node: ast.expr, _: object) -> ast.expr:
        found.append(name)
        return node

    Walk(module, note).visit(ast.parse(source))
    return found


def without(module: str, source: str, guard: str) -> ast.Module:
    def drop(name: str, node: ast.expr, made: Callable[[], ast.expr | None]) -> ast.expr | None:
        return made() if name == guard else node

    return ast.fix_missing_locations(Walk(module, drop).visit(ast.parse(source)))


def touching(module: str, source: str, touch: str) -> ast.Module:
    """Each guard tells that it was asked for, and is what it was."""

    def note(name: str, node: ast.expr, _: object) -> ast.expr:
        told = _call(touch, ast.Constant(name), node)
        return ast.copy_location(told, node)

    return ast.fix_missing_locations(Walk(module, note).visit(ast.parse(source)))
