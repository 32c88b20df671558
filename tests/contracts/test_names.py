"""Naming rules: folder = module = resource = state."""

import ast
import json
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from contracts.workflow_states import MACHINES, TASK_IDS, TASKS, tasks
from support.template import ROOT, function_name, functions, source

ROOMS = sorted(p.name for p in (ROOT / "functions").iterdir() if p.is_dir() and not p.name.startswith(("_", ".")))
PROPERTIES = {name: r["Properties"] for name, r in functions().items()}


def test_every_function_folder_is_a_function_of_the_template() -> None:
    assert sorted(function_name(name) for name in PROPERTIES) == ROOMS


@pytest.mark.parametrize("name", PROPERTIES)
def test_function_name_is_its_folder_in_pascal_case(name: str) -> None:
    assert name == "".join(part.capitalize() for part in function_name(name).split("_"))


@pytest.mark.parametrize("name", PROPERTIES)
def test_function_uses_the_code_and_handler_of_its_folder(name: str) -> None:
    assert PROPERTIES[name]["CodeUri"] == f"functions/{function_name(name)}"
    assert PROPERTIES[name]["Handler"] == f"{function_name(name)}.handler"
    assert "InlineCode" not in PROPERTIES[name]
    code = (ROOT / "functions" / function_name(name) / f"{function_name(name)}.py").read_text(encoding="utf-8")
    assert re.search(r"^def handler\(", code, re.M)


def test_functions_have_unique_module_names() -> None:
    homes: dict[str, set[str]] = {}
    for name in ROOMS:
        for path in (ROOT / "functions" / name).iterdir():
            if path.suffix == ".py" or (path.is_dir() and not path.name.startswith("_")):
                homes.setdefault(path.stem, set()).add(name)
    assert {module for module, rooms in homes.items() if len(rooms) > 1} == set()
    assert set(homes) & set(sys.stdlib_module_names) == set()


@pytest.mark.parametrize("name", ROOMS)
def test_function_is_on_the_test_path_and_type_checked(name: str) -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    assert f"functions/{name}" in settings["pytest"]["ini_options"]["pythonpath"]
    assert f"functions/{name}" in settings["mypy"]["mypy_path"]


@pytest.mark.parametrize("name", ROOMS)
def test_function_has_example_events(name: str) -> None:
    cases = sorted((ROOT / "events" / name).glob("*.json"))
    assert cases, f"events/{name}/ has no case"
    assert all(isinstance(json.loads(case.read_text(encoding="utf-8")), dict) for case in cases)


def test_example_events_belong_to_a_function() -> None:
    assert {p.name for p in (ROOT / "events").glob("*")} <= set(ROOMS)


@pytest.mark.parametrize("machine", MACHINES)
def test_workflow_file_is_named_as_its_resource(machine: str) -> None:
    assert MACHINES[machine]["DefinitionUri"] == f"statemachine/{function_name(machine)}.asl.json"
    assert not {"Definition", "DefinitionString"} & set(MACHINES[machine])


def test_every_workflow_file_is_a_resource() -> None:
    stored = {p.relative_to(ROOT) for p in (ROOT / "statemachine").iterdir() if not p.name.startswith(".")}
    assert stored == {Path(properties["DefinitionUri"]) for properties in MACHINES.values()}


@pytest.mark.parametrize(("machine", "name", "state"), TASKS, ids=TASK_IDS)
def test_task_is_named_as_the_function_it_calls(machine: str, name: str, state: dict[str, str]) -> None:
    assert name in PROPERTIES, f"{machine} calls a function that the template does not have"
    assert state["Resource"] == f"${{{name}Arn}}"


@pytest.mark.parametrize("machine", MACHINES)
def test_substitutions_are_exactly_the_placeholders_used(machine: str) -> None:
    text = (ROOT / MACHINES[machine]["DefinitionUri"]).read_text(encoding="utf-8")
    substitutions = MACHINES[machine]["DefinitionSubstitutions"]
    assert set(re.findall(r"\$\{(\w+)\}", text)) == set(substitutions)
    assert substitutions == {f"{name}Arn": {"Fn::GetAtt": [name, "Arn"]} for name in tasks(machine)}


def test_function_without_another_caller_is_a_workflow_state() -> None:
    called_by_others = {"HttpApi", "Pages", "Heartbeat", "Announce", "Deliver", "Mark", "Mirror"}
    in_workflows = {name for _, name, _ in TASKS}
    assert in_workflows == set(PROPERTIES) - called_by_others


def test_every_output_refers_to_a_resource() -> None:
    assert [name for name, output in source()["Outputs"].items() if not isinstance(output["Value"], dict)] == []


UNCLEAR = re.compile(
    "(asked|asking|told|telling|given|giving|bringing|taking|noted|wish|quiet|judged|moving|working|showing|shown|looking"
    "|doing|ending|closing|filing|attending|depending|captured|chosen|wanted|stranger|past|where|said|found|made)"
)
CODE = [path for base in ("functions", "layers/domain", "local") for path in sorted((ROOT / base).rglob("*.py"))]


def test_modules_are_named_by_what_they_contain() -> None:
    modules = {path.stem for path in [*CODE, *(ROOT / "tests").rglob("*.py")]} | {path.parent.name for path in CODE}
    assert {name for name in modules if UNCLEAR.fullmatch(name)} == set()


def test_no_two_classes_share_a_name() -> None:
    """Classes of local/description are exempt: they are the names of the API's schemas."""
    homes: dict[str, set[Path]] = {}
    for path in CODE:
        for name in re.findall(r"^class ([A-Z]\w*)", path.read_text(encoding="utf-8"), re.M):
            if "description" not in path.parts:
                homes.setdefault(name, set()).add(path.relative_to(ROOT))
    del homes["StepFailed"]  # defined twice on purpose: the class name is the error name in the execution
    assert {name: paths for name, paths in homes.items() if len(paths) > 1} == {}


RIDDLE = re.compile(r"(What|Who|Whoever|Where|How|Which|Whether|Whose|Nobody|Nothing|It|They|One)\b")
# Names of variables, parameters and functions that do not say what they hold or do.
VAGUE = {"told", "asked", "said", "wish", "wanted", "brought", "noted", "judged"}
KEPT = {
    "restore_run.py: told",
    "rows.py: told",
    "backups.py: told",
    "collect_models.py: said",
}  # a stored attribute, and its field in the API
# One word for one thing: backup, restore, import.
OTHER_WORDS = re.compile(r"(?<![a-z])(tak(e|en|ing)_out|br(ing|ought|inging)_(back|in))(?![a-z])")


def first_lines(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield (ast.get_docstring(node) or "").partition("\n")[0]


def names(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.FunctionDef):
            yield node.name


def test_docstrings_begin_with_a_plain_line_of_up_to_100_characters() -> None:
    odd = {path.relative_to(ROOT): list(filter(is_odd, first_lines(path))) for path in CODE}
    assert {path: lines for path, lines in odd.items() if lines} == {}


def is_odd(line: str) -> bool:
    return bool(RIDDLE.match(line)) or len(line) > 100


def test_names_say_what_they_hold() -> None:
    vague = {f"{path.name}: {name}" for path in CODE for name in names(path) if is_vague(name)}
    assert vague == KEPT


def is_vague(name: str) -> bool:
    return name.strip("_") in VAGUE or bool(OTHER_WORDS.search(name))
