"""Descriptions of the desks: each module of this package that has a DESCRIPTION."""

import importlib
from pkgutil import iter_modules

from ..desk_description import DeskDescription


def _descriptions() -> tuple[DeskDescription, ...]:
    modules = [importlib.import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__)]
    return tuple(module.DESCRIPTION for module in modules if hasattr(module, "DESCRIPTION"))


DESKS = _descriptions()
