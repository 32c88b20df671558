"""True lines for texts that have too few of their own: the title, why it was saved, how to read it."""

from .cues import gives_orders
from .fit import clean, cut
from .language import Language
from .phrases import site_free
from .topic import said

_SHORT = 600
_STARTS = (
    *("Its title: ", "Saved for: ", "Short enough to read whole", "Best read in the original", "No sentence of it "),
    *("The text says: “", "原文里有这样一句话："),
    *("它的标题是", "收藏它是为了", "篇幅很短，", "更适合读原文", "里面没有"),
)


def pads(intent: str, title: str, source: str, language: Language) -> list[str]:
    zh = language == "zh"
    name = cut(site_free(title), 120)
    named = any(char.isalnum() for char in name) and not gives_orders(name)
    short = len(source) < _SHORT
    lines = [
        (f"它的标题是《{name}》。" if zh else f"Its title: “{name}”.") if named else "",
        f"收藏它是为了{said(intent, language)}。" if zh else f"Saved for: {said(intent, language)}.",
        ("篇幅很短，可以整篇读完。" if short else "更适合读原文，摘句会失去上下文。")
        if zh
        else (
            "Short enough to read whole." if short else "Best read in the original: its sentences lean on each other."
        ),
        "里面没有可以单独摘出来的句子。" if zh else "No sentence of it can stand alone.",
    ]
    return [line for line in lines if line]


def is_pad(bullet: str) -> bool:
    return bullet.startswith(_STARTS)


def long_enough(text: str, shortest: int, language: Language) -> str:
    """A line too short for its field is shown as what it is: a few words of the text."""
    line = clean(text)
    if len(line) >= shortest:
        return line
    return f"原文里有这样一句话：「{line}」" if language == "zh" else f"The text says: “{line}”"
