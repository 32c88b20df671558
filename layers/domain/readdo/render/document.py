"""The card as data, for whoever builds on it."""

import json
from dataclasses import asdict

from readdo.render.order import Order, utf8


def render_json(order: Order) -> bytes:
    body = {"card": order.card, "source": asdict(order.source)}
    return utf8(json.dumps(body, ensure_ascii=False, indent=2, sort_keys=True) + "\n")
