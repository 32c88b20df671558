"""Reasons that can be checked: each counts or names something in the text."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from .cues import gives_orders, has
from .facts import Facts, compares
from .field_text import cut
from .figures import figures
from .intent import Match
from .keywords import terms
from .language import Language
from .mentions import listed, mentions, nameable
from .sentences import Document, Sentence

_KINDS = (
    ("steps", "step", "steps", "个步骤"),
    ("code", "code block", "code blocks", "段代码"),
    ("figures", "figure", "figures", "个数字"),
    ("tables", "table", "tables", "个表格"),
    ("items", "list item", "list items", "个列表项"),
    ("quoted", "quotation", "quotations", "处引语"),
    ("causes", "stated cause", "stated causes", "处因果说明"),
)


_REPEAT = 0.35


@dataclass(frozen=True)
class Reason:
    text: str
    sources: tuple[Sentence, ...] = ()
    proves: Callable[[str], bool] = bool
    """Whether a quote still shows what the reason says, after it was cut to fit."""


@dataclass(frozen=True)
class Compared:
    """What is known beside the text: the nearest of the recent items, how many there were, and a foreign language."""

    near: tuple[float, str] = (0.0, "")
    recent: int = 0
    foreign: str = ""


def reasons(document: Document, found: Match, counted: Facts, language: Language, beside: Compared) -> list[Reason]:
    zh = language == "zh"
    out = [_intent(document, found, zh), _structure(counted, zh), _effort(document, found, counted, zh)]
    out += [_framed(beside.foreign)] if beside.foreign else []
    # A repeat is told before anything that only describes.
    repeat = beside.near[0] >= _REPEAT
    out += [_novelty(beside.near, beside.recent, zh)] if repeat else []
    out += [_steps(counted.told, zh)] if len(counted.told) > 1 else []
    out += [_comparison(counted, zh)] if counted.comparisons else []
    out += [_novelty(beside.near, beside.recent, zh)] if beside.recent and not repeat else []
    if counted.orders:
        out.append(_orders(len(counted.orders), zh))
    elif found.found and found.lookable > 0.6 and (missing := nameable(found.missing)):
        out.append(_missing(missing, zh))
    kept = out if len(out) <= 6 else [*out[:5], out[-1]]
    return [replace(reason, text=cut(reason.text, 220)) for reason in kept]


def _intent(document: Document, found: Match, zh: bool) -> Reason:
    named = _naming(document, found)
    count, total = len(named), len(document.body or document.sentences)
    named = sorted((s for s in named if not gives_orders(s.text)), key=lambda s: (-found.share[s.index], s.index))
    if not found.comparable:
        text = (
            "意图没有点明主题，无法用关键词比对"
            if zh
            else "The intent names no topic, so its terms cannot be looked up"
        )
        return Reason(f"{text}。" if zh else f"{text} in the text.")
    if not found.found:
        return _unnamed(document, found, zh)
    keys = {key for sentence in named[:2] for key in sentence.terms} & found.keys

    def proof(line: str) -> bool:
        return not keys.isdisjoint(terms(line))

    words = mentions(document, found.found, zh)
    if not count:
        only = f"只有标题提到意图中的{listed(found.found, zh)}，正文没有一句提到。"
        english = f"Only the title names {listed(found.found, zh)} of the intent; no sentence of the text does."
        return Reason(only if zh else english)
    kin = _kin(found, zh)
    if zh:
        match = "只碰到意图关键词（或近义）" if found.coverage < 0.3 else "命中意图关键词（或近义）"
        return Reason(f"{match}：{words}；{total} 句中有 {count} 句提到其中至少一个{kin}。", tuple(named[:2]), proof)
    verb, noun = "names" if count == 1 else "name", "sentence" if total == 1 else "sentences"
    match = "Touches the intent only on" if found.coverage < 0.3 else "Matches the intent on"
    text = f"{match} {words}: {count} of {total} {noun} {verb} at least one{kin}."
    return Reason(text, tuple(named[:2]), proof)


def _unnamed(document: Document, found: Match, zh: bool) -> Reason:
    words = listed(found.missing or found.asked, zh) or ("意图中的词" if zh else "the intent's words")
    if not found.same_script and found.lookable < 0.3 and not found.kin:
        other = f"意图与原文语言不同，{words}无法直接查找，匹配度只是估计。"
        return Reason(other if zh else f"Intent and text differ in script: {words} could not be looked up.")
    if found.kin:
        related = tuple(s for s in document.body if not found.kin_keys.isdisjoint(s.terms) and not gives_orders(s.text))

        def proof(line: str) -> bool:
            return not found.kin_keys.isdisjoint(terms(line))

        kin = listed(found.kin, zh)
        text = f"没有直接出现{words}，但谈的是相近的内容：{kin}。"
        english = f"Does not say {words}, but speaks of the same field: {kin}."
        return Reason(text if zh else english, related[:2], proof)
    return Reason(f"原文没有出现意图中的关键词：{words}。" if zh else f"None of the intent's terms occurs: {words}.")


def _kin(found: Match, zh: bool) -> str:
    if not found.kin or found.coverage > 0.9:
        return ""
    words = listed(found.kin[:3], zh)
    return f"；相近的还有{words}" if zh else f"; of the same field are {words}"


def _naming(document: Document, found: Match) -> list[Sentence]:
    body = document.body or document.sentences
    return [one for one in body if found.share[one.index] > 0 and not found.keys.isdisjoint(one.terms)]


def _structure(counted: Facts, zh: bool) -> Reason:
    amounts = [(getattr(counted, name), one, many, unit) for name, one, many, unit in _KINDS]
    amounts.insert(2, (len(counted.examples), "example", "examples", "处举例"))
    have = [row for row in amounts if row[0]][:4]
    if not have:
        return Reason(
            "没有步骤、数据、代码或举例，只有叙述。" if zh else "No steps, figures, code or examples: prose only."
        )
    if zh:
        return Reason(f"可直接取用：{'、'.join(f'{n} {unit}' for n, _, _, unit in have)}。", *_shown(counted, have))
    parts = [f"{n} {one if n == 1 else many}" for n, one, many, _ in have]
    told = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
    return Reason(f"Material to work with: {told}.", *_shown(counted, have))


def _shown(
    counted: Facts, have: Sequence[tuple[int, str, str, str]]
) -> tuple[tuple[Sentence, ...], Callable[[str], bool]]:
    named = {one for _, one, _, _ in have}
    if "figure" in named:
        telling = sorted(counted.with_figures, key=lambda s: (-figures(s.text), s.index))
        return tuple(telling[:1]), lambda line: figures(line) > 0
    if "example" in named:
        return counted.examples[:1], lambda line: has("example", line)
    return (), bool


def _steps(told: Sequence[str], zh: bool) -> Reason:
    first, last = cut(told[0].rstrip("。.；;"), 60), cut(told[-1].rstrip("。.；;"), 60)
    if zh:
        return Reason(f"步骤可以照做：从「{first}」到「{last}」。")
    return Reason(f"The steps can be followed, from “{first}” to “{last}”.")


def _effort(document: Document, found: Match, counted: Facts, zh: bool) -> Reason:
    minutes = max(1, round(counted.minutes))
    useful = len(_naming(document, found))
    if not found.comparable or not useful:
        near = sum(not found.kin_keys.isdisjoint(s.terms) for s in document.body) if found.comparable else 0
        gain = (f"有 {near} 句谈到相近的内容" if near else "但没有一句直接谈到意图") if zh else (
            f"for {near} {'sentence' if near == 1 else 'sentences'} in the same field" if near
            else "and no passage names the intent"
        )  # fmt: skip
    elif zh:
        gain = f"换来 {useful} 句与意图相关的内容"
    else:
        gain = f"for {useful} {'passage' if useful == 1 else 'passages'} on the intent"
    if zh:
        return Reason(f"约 {minutes} 分钟读完，{gain}。")
    return Reason(f"About {minutes} {'minute' if minutes == 1 else 'minutes'} to read, {gain}.")


def _comparison(counted: Facts, zh: bool) -> Reason:
    count = len(counted.comparisons)
    first = counted.comparisons[0]
    if zh:
        return Reason(f"有 {count} 处对比，例如：「{cut(first.text, 60)}」", (first,), compares)
    noun = "sentence makes a comparison" if count == 1 else "sentences make comparisons"
    return Reason(f"{count} {noun}, such as “{cut(first.text, 110)}”", (first,), compares)


def _novelty(near: tuple[float, str], compared: int, zh: bool) -> Reason:
    share, text = near
    if share >= _REPEAT:
        return Reason(f"与最近收藏的「{text}」有重叠。" if zh else f"Overlaps with what you saved lately: “{text}”.")
    many = "recent item" if compared == 1 else f"{compared} recent items"
    return Reason(f"与最近收藏的 {compared} 条相比，重复很少。" if zh else f"Repeats little of your {many}.")


def _framed(foreign: str) -> Reason:
    """Always in English: it says that the frame is."""
    asked = f"“{foreign}”" if not foreign.startswith("another") else foreign
    return Reason(
        f"Framed in English, because {asked} is not one this engine writes; quotes keep the text's own words."
    )


def _orders(count: int, zh: bool) -> Reason:
    if zh:
        return Reason(f"有 {count} 句话像是写给机器的指令，已当作普通文字，不影响评分。")
    noun = "sentence reads" if count == 1 else "sentences read"
    return Reason(f"{count} {noun} like orders to a machine: treated as text and kept out of the summary.")


def _missing(missing: Sequence[str], zh: bool) -> Reason:
    words = listed(missing, zh)
    return Reason(f"没有提到意图中的：{words}。" if zh else f"Leaves these terms of the intent unnamed: {words}.")
