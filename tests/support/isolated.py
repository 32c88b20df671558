"""Script for a bare interpreter (-I -S): run one function with its own code and layers only.

The request names the folders, the handler's module and an optional event. The result contains the answer and the
modules that come from neither the standard library nor those folders.
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


def main(request: dict[str, Any]) -> dict[str, Any]:
    sys.path[:0] = request["paths"]
    try:
        result = {"answer": _run_request(request)}
    except BaseException as error:
        result = {"error": type(error).__name__, "trace": traceback.format_exc()}
    return {**result, **_origins(request["folders"]), "version": "{}.{}".format(*sys.version_info)}


def _run_request(request: dict[str, Any]) -> Any:
    module = importlib.import_module(request["module"])
    if request["event"] is not None:
        return module.handler(request["event"], _context(request["module"]))
    for script in request["scripts"]:
        source = Path(script).read_text(encoding="utf-8")
        exec(compile(source, script, "exec"), {"__name__": script})  # noqa: S102 - a file beside this one
    return _run_late_imports(request["own"])


def _run_late_imports(own: list[str]) -> int:
    """Run the imports inside functions of our own loaded modules."""
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
    files = {n: f for n, m in list(sys.modules.items()) if isinstance(f := getattr(m, "__file__", None), str)}
    standard = {f"{sysconfig.get_path(kind)}/" for kind in ("stdlib", "platstdlib")}
    ours = [n for n, f in files.items() if any(f.startswith(f"{folder}/") for folder in folders)]
    alien = {
        n: f
        for n, f in files.items()
        if n not in ours
        and f != __file__
        and not ("site-packages" not in f and any(f.startswith(place) for place in standard))
    }
    return {"ours": len(ours), "alien": alien}


if __name__ == "__main__":
    request_file, result_file = (Path(place) for place in sys.argv[1:])
    final_result = main(json.loads(request_file.read_text(encoding="utf-8")))
    result_file.write_text(json.dumps(final_result, default=str), encoding="utf-8")
