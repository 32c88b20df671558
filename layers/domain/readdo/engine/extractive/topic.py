"""The intent as a quotation. It is not inflected, as that would break its grammar."""

from collections.abc import Sequence

from .field_text import clean, cut
from .language import Language, script_language

LONGEST = 76
LONGEST_ZH = 32


def quoted_topic(intent: str, language: Language, limit: int = 0) -> str:
    line = clean(intent).strip(" 。.；;，,：:“”「」\"'")
    if not line:
        return "你的意图" if language == "zh" else "your intent"
    most = LONGEST_ZH if script_language(line) == "zh" else LONGEST
    short = cut(line, min(most, limit) if limit else most)
    return f"「{short}」" if language == "zh" else f"“{short}”"


def enumerate_words(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""
