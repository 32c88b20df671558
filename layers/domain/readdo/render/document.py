"""The card as a JSON file, with the theme and layout of this export."""

import json
from dataclasses import asdict
from typing import Any

from readdo.render.render_request import RenderRequest, utf8


def render_json(order: RenderRequest) -> bytes:
    body = {"card": {**order.card, "render_spec": _render_spec(order)}, "source": asdict(order.source)}
    return utf8(json.dumps(body, ensure_ascii=False, indent=2, sort_keys=True) + "\n")


def _render_spec(order: RenderRequest) -> dict[str, Any]:
    spec: dict[str, Any] = order.card["render_spec"]
    _, (width, height) = order.look("json")
    layout = {**spec["payload"]["layout"], "variant": order.layout}
    payload = {**spec["payload"], "layout": layout}
    return {**spec, "theme": order.theme, "width": width, "height": height, "payload": payload}
