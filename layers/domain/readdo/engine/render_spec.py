"""Default render settings of a card. An export may override theme and layout."""

from collections.abc import Mapping
from typing import Any

WIDTH, HEIGHTS = 1080, {"CARD_4x5_V1": 1350, "CARD_1x1_V1": 1080}
WATERMARK, PADDING = "Read→Do", 64


def render_spec(content: Mapping[str, Any], theme: str = "LIGHT", layout: str = "CARD_4x5_V1") -> dict[str, Any]:
    return {
        "format": "HTML_V1",
        "width": WIDTH,
        "height": HEIGHTS[layout],
        "theme": theme,
        "payload": {
            "brand": {"watermark": WATERMARK},
            "layout": {"variant": layout, "padding": PADDING},
            "content": {**content, "points": list(content["points"])},
        },
    }
