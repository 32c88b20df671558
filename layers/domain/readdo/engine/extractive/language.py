"""Word lists, the language of texts, and terms for comparing them.

The lists are JSON files beside this module, read on first use. Terms are stems, pairs of Chinese characters,
translations and related words.
"""

import json
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, Literal

Language = Literal["en", "zh"]
HAN = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
KANA = "\u3040-\u30ff"
_HAN = re.compile(f"[{HAN}]")
KANA_IN = re.compile(f"[{KANA}]")
_WORD = re.compile(f"[^\\W\\d_{HAN}{KANA}]+")
_OTHER = re.compile("[\u0370-\u07ff\u0900-\u0dff\u0e00-\u0eff\u1100-\u11ff\u3040-\u30ff\uac00-\ud7af]")
_LOOKED_AT = 4_000
_WIDE = {",": "，", ";": "；", ":": "：", "!": "！", "?": "？", ".": "。", "(": "（", ")": "）"}
# A period ends a Chinese sentence after a character, or before one after a figure or word.
_MARK = re.compile(
    rf"(?<=[{HAN}」』”）])[,;:!?.(]|[,;:!?)](?=\s?[{HAN}「『“（])|(?<=[{HAN}])\)"
    rf"|(?<=[\w%)）])\.(?=[{HAN}「『“])|(?<=[\w%])[,;](?=\s?[{HAN}])|\((?=[{HAN}])"
)
# "1." at the start of a line is the number of a step.
_NUMBER = re.compile(r"(?:^|\n)[ \t]*\d{1,2}\Z")
_MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
_DATE = re.compile(
    rf"\b(?:19|20)\d\d-\d\d?-\d\d?|\b\d{{1,2}}(?:st|nd|rd|th)? {_MONTH}\b|\b{_MONTH} \d{{1,2}}\b(?!\s?[%\d])"
    r"|(?<!\d)(?:19|20)\d\d年|\d{1,2}(?:月份?|日|号)"
)
_YEAR = re.compile(r"(?:19|20)\d\d\Z")
# Chinese has no space before a number, so a Chinese character may precede it. A letter may not.
_DIGITS = re.compile(rf"(?<![^\W{HAN}{KANA}])(?<!\.)[$€£¥]?\d+(?:[.,:]\d+)*")
_NUMERAL: Final = "零一二两三四五六七八九十百千万亿"
_UNIT = "个|次|人|元|块|年|天|周|小时|分钟|秒|倍|行|条|页|篇|家|台|位|字|句|种|项|笔|公里|米|斤|吨|岁"
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_ONES = "one|two|three|four|five|six|seven|eight|nine"
_TEENS = "eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
_IN_WORDS = re.compile(
    rf"百分之[{_NUMERAL}]+|[{_NUMERAL}]+分之[{_NUMERAL}]+"
    rf"|(?<![{_NUMERAL}])[一二两三四五六七八九]成(?![为长功立本员果绩熟就年品群])|(?<![第{_NUMERAL}])[{_NUMERAL}]+(?:倍|个百分点)"
    rf"|(?<![第{_NUMERAL}])[{_NUMERAL}]{{2,}}(?={_UNIT})"
    rf"|\b(?:{_ONES}|ten|{_TEENS}|a|several|(?:{_TENS})(?:-(?:{_ONES}))?)[ -]"
    r"(?:percent|per cent|hundred|thousand|million|billion|dozen)\b"
    rf"|\b(?:(?:{_TENS})-(?:{_ONES})|{_TEENS}|{_TENS})\b(?!-)"
    rf"|\b(?:a|one|{_ONES}|ten)[ -](?:thirds?|quarters?|fifths?|sixths?|tenths?)\b"
    r"(?! (?:fall|time|day|year|month|week|row))"
    r"|\bin half\b|\b(?:by|than) half\b|\bhalf (?:of )?(?:the|our|all|as)\b",
    re.IGNORECASE,
)
TOKEN = re.compile(f"(?P<cjk>[{HAN}{KANA}]+)|[^\\W_{HAN}{KANA}]+(?:\\+\\+|#)?")
_HYPHENED = re.compile(r"\b[A-Za-z]{2,16}-[A-Za-z]{2,16}\b")
_VOWEL = re.compile("[aeiouy]")
_LONGEST_WORD = 40
_MOST_RELATED = 12


@cache
def data(name: str) -> Any:
    return json.loads(Path(__file__).with_name(f"{name}.json").read_text(encoding="utf-8"))


@cache
def word_set(name: str) -> frozenset[str]:
    return frozenset(data("words")[name])


def in_lists(word: str, *names: str) -> bool:
    return any(word in word_set(name) for name in names)


@cache
def prefixes(name: str) -> tuple[str, ...]:
    """The words of a list, in order, as `str.startswith` needs them."""
    return tuple(data("words")[name])


@cache
def cue(name: str) -> re.Pattern[str]:
    """The pattern of any wording of a cue: English whole words, or Chinese text.

    Each wording is a regular expression. A cue with a `form` puts its wordings into that expression instead.
    """
    entry = data("cues")[name]
    english, chinese = "|".join(entry.get("en", ())), "|".join(entry.get("zh", ()))
    standard = "|".join(filter(None, [rf"\b(?:{english})\b" if english else "", chinese]))
    form = entry.get("form", "").replace("{en}", english).replace("{zh}", chinese)
    return re.compile(form or standard, re.IGNORECASE)


def output_language(language: str, intent: str) -> Language:
    tag = language.strip().lower().replace("_", "-").split("-")[0]
    if tag:
        return "zh" if tag == "zh" else "en"
    return script_language(intent)


def framed_in_english(language: str, intent: str, text: str) -> str:
    """The requested or detected language if the engine cannot write it. Empty for English and Chinese."""
    tag = language.strip().lower().replace("_", "-")
    if tag and tag.split("-")[0] not in {"en", "zh"}:
        return language.strip()[:20]
    if not tag and any(_OTHER.search(part) for part in (intent, text[:_LOOKED_AT])):
        return "another script"
    sample = text[:_LOOKED_AT]
    words = count_words(sample)
    not_english = words >= 20 and not count_han(sample) and len(cue("english").findall(sample)) < words * 0.06
    # Lists and names also have few such words, so accented letters are required, too.
    accented = sum(char.isalpha() and not char.isascii() for char in sample)
    return (
        "another language"
        if not_english and accented * 150 > len(sample) and output_language(tag, intent) == "en"
        else ""
    )


def script_language(text: str) -> Language:
    # Chinese sentences contain many Latin product names, and English ones hardly any Han characters. So Han characters
    # are compared with words.
    if KANA_IN.search(text):
        return "en"
    han = count_han(text)
    return "zh" if han and han >= len(_WORD.findall(text)) else "en"


def count_han(text: str) -> int:
    return len(_HAN.findall(text))


def count_words(text: str) -> int:
    return len(_WORD.findall(text))


def width(text: str) -> int:
    """The width in columns: a Chinese character is as wide as two Latin letters."""
    return len(text) + count_han(text)


def reading_minutes(text: str) -> float:
    return count_words(text) / 230 + (count_han(text) + len(KANA_IN.findall(text))) / 400


def widen_punctuation(text: str) -> str:
    """The text with full-width marks. It has the same length, so positions stay valid."""

    def wide(match: re.Match[str]) -> str:
        mark, before = match.group(), text[max(0, match.start() - 6) : match.start()]
        return mark if mark in ".)" and _NUMBER.search(before) else _WIDE[mark]

    return _MARK.sub(wide, text)


def figures(text: str) -> int:
    rest = _DATE.sub(" ", text)
    digits = sum(not _YEAR.match(match.group()) for match in _DIGITS.finditer(rest))
    return digits + sum(1 for _ in _IN_WORDS.finditer(rest))


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """A light stem that maps caching to cache and retries to retry. It is never shown."""
    if len(word) <= 3 or not word.isascii():
        return word
    if word.endswith(("ies", "ied")) and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "zes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        root = word.removesuffix(ending)
        if root != word and len(root) >= 3 and _VOWEL.search(root):
            return _undouble(root)
    return word[:-1] if word.endswith("e") and len(word) > 4 else word


def _undouble(root: str) -> str:
    doubled = len(root) > 3 and root[-1] == root[-2] and root[-1] not in "lsz"
    root = root[:-1] if doubled else root
    return root[:-1] if root.endswith("e") and len(root) > 4 else root


@cache
def _stop_run() -> re.Pattern[str]:
    # Longest first, so that a longer phrase is not broken by a word inside it.
    return re.compile("|".join(sorted(word_set("stop_zh"), key=lambda word: (-len(word), word))))


def runs(text: str) -> list[str]:
    """The runs of Chinese between function words."""
    cjk_runs = (match.group("cjk") for match in TOKEN.finditer(text))
    return [run for cjk in cjk_runs if cjk for run in _stop_run().split(cjk) if len(run) >= 2]


def words(text: str) -> Iterator[str]:
    """The words in other scripts, as written, without function words."""
    for match in TOKEN.finditer(text):
        word = match.group()
        if match.group("cjk") or len(word) < 2 or len(word) > _LONGEST_WORD:
            continue
        if not in_lists(word.lower(), "stop_en"):
            yield word


def terms(text: str) -> Iterator[str]:
    for word in words(text):
        if not word.isdigit():
            yield stem(word.lower())
    yield from (match.group().lower() for match in _HYPHENED.finditer(text))
    for run in runs(text):
        yield from (run[at : at + 2] for at in range(len(run) - 1))


@cache
def translations() -> dict[str, frozenset[str]]:
    """The English stems for each Chinese word, for intents in another language than the text."""
    pairs: dict[str, list[str]] = data("related_words")["translations"]
    return {chinese: frozenset(map(stem, english)) for chinese, english in pairs.items()}


def chinese_for(stemmed: str) -> frozenset[str]:
    return frozenset(chinese for chinese, english in translations().items() if stemmed in english)


@cache
def _fields() -> dict[str, frozenset[str]]:
    """All words of the fields of each word. English words are stems.

    A text about leases and workers matches an intent about queues without naming them. One related word may be
    chance, several show the subject. Related words count less than the word itself.
    """
    fields: dict[str, frozenset[str]] = {}
    for field in data("related_words")["fields"]:
        field_words = {*(stem(word) for word in field["en"] if not in_lists(word, "generic_en")), *field["zh"]}
        for word in field_words:
            fields[word] = fields.get(word, frozenset()) | field_words
    return fields


def related_to(stemmed: str) -> frozenset[str]:
    """The words of the same fields as this English stem. English words are stems."""
    return _fields().get(stemmed, frozenset()) - {stemmed}


def related_in(run: str) -> dict[str, frozenset[str]]:
    """The Chinese words of a run that belong to a field, each with the other words of the field."""
    related: dict[str, frozenset[str]] = {}
    for at in range(len(run)):
        for size in (4, 3, 2):
            word = run[at : at + size]
            others = _fields().get(word)
            if others and len(word) == size and len(related) < _MOST_RELATED:
                related[word] = others - {word}
    return related
