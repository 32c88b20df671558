"""Language detection from the script of a text, as a card does not store its language."""

import re

HAN = "\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
HANGUL = "\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3"

_HAN = re.compile(f"[{HAN}]")
_HANGUL = re.compile(f"[{HANGUL}]")
_KANA = re.compile("[\u3041-\u30ff\u31f0-\u31ff]")
_ARABIC = re.compile("[\u0600-\u06ff]")
_HEBREW = re.compile("[\u0590-\u05ff]")
_QUOTED = re.compile(r"“[^”]*”|「[^」]*」|\"[^\"]*\"|《[^》]*》")
# A URL or a dotted name counts as one word.
_WORD = re.compile(rf"[A-Za-z\u00c0-\u058f\u1e00-\u1fff][^\s{HAN}{HANGUL}]*")


def language(text: str) -> str:
    """The language for line breaking and direction. English if no other script is found.

    A Han character counts as much as a Latin word: Chinese texts about software contain many English names, while an
    English text with one Chinese term stays English.
    """
    words = len(_WORD.findall(text))
    han, kana, hangul = (len(letters.findall(text)) for letters in (_HAN, _KANA, _HANGUL))
    if kana + han > words and kana * 5 > han:
        return "ja"
    if hangul > max(words, han):
        return "ko"
    if han > words:
        return "zh"
    letters = sum(map(len, _WORD.findall(text)))
    arabic, hebrew = len(_ARABIC.findall(text)), len(_HEBREW.findall(text))
    if arabic + hebrew > letters:
        return "ar" if arabic > hebrew else "he"
    return "en"


def language_spoken(text: str, around: str) -> str:
    """The language of a line without its quotations: an English task that quotes Chinese is English."""
    own = _QUOTED.sub("", text)
    spoken = language(own if any(map(str.isalpha, own)) else text)
    return "ja" if (spoken, around) == ("zh", "ja") else spoken


def language_within(text: str, around: str) -> str:
    """The language of a text within a card: in a Chinese card, a line with any Chinese is Chinese."""
    return around if around in {"zh", "ja"} and _HAN.search(text) else language(text)
