"""The caption file: the text of a post with the card's picture."""

from readdo.render.render_request import RenderRequest, utf8


def render_caption(order: RenderRequest) -> bytes:
    caption: str = order.card["caption"]
    text = "\n".join(caption.splitlines()).strip() or _from_card(order)
    return utf8(text + "\n")


def _from_card(order: RenderRequest) -> str:
    points = "\n".join(f"• {' '.join(point.split())}" for point in order.texts["points"])
    tags = " ".join(f"#{tag}" for tag in order.card["hashtags"])
    headline = " ".join(order.texts["headline"][0].split())
    return "\n\n".join(part for part in (headline, points, tags) if part)
