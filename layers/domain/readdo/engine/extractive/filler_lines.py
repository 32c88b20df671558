"""Filler bullets for texts with too few sentences: the title, the intent, and what the text lacks."""

from .cues import gives_orders
from .field_text import clean, cut
from .language import Language
from .text_statistics import Facts
from .title_cleanup import site_free
from .topic import quoted_topic

_STARTS = (
    *("Its title: ", "Saved for: ", "Apart from that it gives no ", "No sentence of it ", "The text says: “"),
    *("它的标题是", "收藏它是为了", "除此之外，没有给出", "里面没有", "原文里有这样一句话："),
)
LACKS: tuple[tuple[str, str, str], ...] = (
    ("steps", "steps", "步骤"),
    ("figures", "figures", "数据"),
    ("examples", "examples", "例子"),
    ("comparisons", "comparisons", "对比"),
)


def filler_bullets(intent: str, title: str, counted: Facts, language: Language) -> list[str]:
    zh = language == "zh"
    name = cut(site_free(title), 120)
    named = sum(char.isalnum() for char in name) > 1 and not gives_orders(name)
    lacks = [(en, chinese) for field, en, chinese in LACKS if not getattr(counted, field)][:3]
    lines = [
        _lacking(lacks, zh) if lacks else "",
        (f"它的标题是《{name}》。" if zh else f"Its title: “{name}”.") if named else "",
        f"收藏它是为了{quoted_topic(intent, language)}。" if zh else f"Saved for: {quoted_topic(intent, language)}.",
        "里面没有可以单独摘出来的句子。" if zh else "No sentence of it can stand alone.",
    ]
    return [line for line in lines if line]


def _lacking(lacks: list[tuple[str, str]], zh: bool) -> str:
    if zh:
        return f"除此之外，没有给出{'、'.join(chinese for _, chinese in lacks)}。"
    names = [en for en, _ in lacks]
    return "Apart from that it gives no " + " or ".join(filter(None, [", ".join(names[:-1]), names[-1]])) + "."


def is_pad(bullet: str) -> bool:
    return bullet.startswith(_STARTS)


def long_enough(text: str, shortest: int, language: Language) -> str:
    """A line that is too short for its field is framed as a quotation of the text."""
    line = clean(text)
    if len(line) >= shortest:
        return line
    return f"原文里有这样一句话：「{line}」" if language == "zh" else f"The text says: “{line}”"
