"""Run by a bare interpreter (-I -S): one function's code and layers, and nothing else that is installed here.

Given the folders, the handler's module and perhaps an event, it says what came back, and which modules came from
neither the standard library nor those folders.
"""

import ast
import importlib
import json
import sys
import sysconfig
import traceback
from pathlib import Path
from types import SimpleNamespace
from typing import Any


def main(asked: dict[str, Any]) -> dict[str, Any]:
    sys.path[:0] = asked["paths"]
    try:
        told = {"answer": _carry_out(asked)}
    except BaseException as error:
        told = {"error": type(error).__name__, "trace": traceback.format_exc()}
    return {**told, **_origins(asked["folders"]), "version": "{}.{}".format(*sys.version_info)}


def _carry_out(asked: dict[str, Any]) -> Any:
    module = importlib.import_module(asked["module"])
    if asked["event"] is not None:
        return module.handler(asked["event"], _context(asked["module"]))
    for script in asked["scripts"]:
        source = Path(script).read_text(encoding="utf-8")
        exec(compile(source, script, "exec"), {"__name__": script})  # noqa: S102 - a file beside this one
    return _import_what_is_imported_late(asked["own"])


def _import_what_is_imported_late(own: list[str]) -> int:
    """Imports inside functions, of our own modules that are loaded."""
    late = 0
    for loaded in list(sys.modules.values()):
        file = getattr(loaded, "__file__", None) or ""
        if file.endswith(".py") and any(file.startswith(f"{folder}/") for folder in own):
            for node in ast.walk(ast.parse(Path(file).read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import | ast.ImportFrom) and node.col_offset:
                    exec(compile(ast.Module([node], []), file, "exec"), dict(vars(loaded)))  # noqa: S102 - our own
                    late += 1
    return late


def _context(name: str) -> SimpleNamespace:
    return SimpleNamespace(
        function_name=name,
        memory_limit_in_mb=512,
        invoked_function_arn=f"arn:aws:lambda:eu-central-1:123456789012:function:{name}",
        aws_request_id="request-1",
        get_remaining_time_in_millis=lambda: 60_000,
    )


def _origins(folders: list[str]) -> dict[str, Any]:
    found = {n: f for n, m in list(sys.modules.items()) if isinstance(f := getattr(m, "__file__", None), str)}
    standard = {f"{sysconfig.get_path(kind)}/" for kind in ("stdlib", "platstdlib")}
    ours = [n for n, f in found.items() if any(f.startswith(f"{folder}/") for folder in folders)]
    alien = {
        n: f
        for n, f in found.items()
        if n not in ours
        and f != __file__
        and not ("site-packages" not in f and any(f.startswith(place) for place in standard))
    }
    return {"ours": len(ours), "alien": alien}


if __name__ == "__main__":
    asked_of, answer_to = (Path(place) for place in sys.argv[1:])
    told_back = main(json.loads(asked_of.read_text(encoding="utf-8")))
    answer_to.write_text(json.dumps(told_back, default=str), encoding="utf-8")
