"""Request models by name."""

from readdo.web import do_requests, requests
from readdo.web.requests import Body

NAMED: dict[str, type[Body]] = {
    name: model
    for module in (requests, do_requests)
    for name, model in vars(module).items()
    if isinstance(model, type) and issubclass(model, Body)
}
