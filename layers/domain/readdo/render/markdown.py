"""The card as a Markdown document, for notes and repositories, and its caption."""

from readdo.render.escape import escape, link
from readdo.render.render_request import RenderRequest, utf8
from readdo.render.script_language import language_spoken

_LABELS = {
    "en": {"do": "Do", "source": "Source", "why": "Saved because"},
    "zh": {"do": "下一步", "source": "来源", "why": "收藏目的"},
}


def render_markdown(order: RenderRequest) -> bytes:
    labels = _LABELS["zh" if order.language == "zh" else "en"]
    doing = language_spoken(order.card["action"], order.language)
    texts = {name: [escape(text) for text in group] for name, group in order.texts.items()}
    parts = [
        f"# {texts['headline'][0]}",
        "\n".join(f"- {point}" for point in texts["points"]),
        f"> {texts['insight'][0]}",
        f"## {_LABELS['zh' if doing == 'zh' else 'en']['do']}",
        f"- [ ] {texts['action'][0]}",
        *_origin(order, labels),
    ]
    return utf8("\n\n".join(parts) + "\n")


def _origin(order: RenderRequest, labels: dict[str, str]) -> list[str]:
    source = order.source
    colon = "：" if order.language == "zh" else ": "
    lines = []
    if source.title or source.url:
        lines.append(f"{labels['source']}{colon}{link(source.title, source.url)}")
    if source.intent:
        lines.append(f"{labels['why']}{colon}{escape(source.intent)}")
    return ["---", *lines] if lines else []


def render_caption(order: RenderRequest) -> bytes:
    caption: str = order.card["caption"]
    text = "\n".join(caption.splitlines()).strip() or _from_card(order)
    return utf8(text + "\n")


def _from_card(order: RenderRequest) -> str:
    points = "\n".join(f"• {' '.join(point.split())}" for point in order.texts["points"])
    tags = " ".join(f"#{tag}" for tag in order.card["hashtags"])
    headline = " ".join(order.texts["headline"][0].split())
    return "\n\n".join(part for part in (headline, points, tags) if part)
