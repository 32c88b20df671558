"""Route modules are listed under the first part of each path that they serve."""

from importlib import import_module
from pathlib import Path

from readdo.api.registry import CALLS
from routes import all_routes
from routes.all_routes import MODULES


def parts_of(name: str) -> set[str]:
    """The first parts of the module's paths."""
    router = import_module(f"routes.{name}").router
    paths = [rule if isinstance(rule, str) else rule.pattern for rule, *_ in router._routes]
    return {path.split("/")[1] for path in paths}


def test_every_route_module_is_listed_under_its_paths_and_no_others() -> None:
    listed = {
        name: {part for part, names in MODULES.items() if name in names} for names in MODULES.values() for name in names
    }
    assert listed == {name: parts_of(name) for name in listed}
    files = {path.stem for path in Path(all_routes.__file__).parent.glob("*.py")}
    assert files - set(listed) == {"all_routes", "request_context"}


def test_every_call_has_route_modules() -> None:
    assert {call.path.split("/")[1] for call in CALLS} == set(MODULES)
