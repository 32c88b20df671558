"""Verifiable reasons for a score: each counts or names something in the text."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from .facts import Facts
from .field_text import cut, enumerate_words
from .grammar import compares, gives_orders, has
from .intent import Match, listed, mentions, nameable
from .language import Language, figures, terms
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
    """True if a quote still supports the reason after it was shortened."""


@dataclass(frozen=True)
class Compared:
    """The most similar recent item, the number of recent items, and an unsupported language."""

    near: tuple[float, str] = (0.0, "")
    recent: int = 0
    foreign: str = ""


def reasons(document: Document, overlap: Match, counted: Facts, language: Language, beside: Compared) -> list[Reason]:
    zh = language == "zh"
    out = [_intent(document, overlap, zh), _structure(counted, zh), _effort(document, overlap, counted, zh)]
    out += [_framed(beside.foreign)] if beside.foreign else []
    # A repetition comes before descriptive reasons.
    repeat = beside.near[0] >= _REPEAT
    out += [_novelty(beside.near, beside.recent, zh)] if repeat else []
    out += [_steps(counted.step_texts, zh)] if len(counted.step_texts) > 1 else []
    out += [_comparison(counted, zh)] if counted.comparisons else []
    out += [_novelty(beside.near, beside.recent, zh)] if beside.recent and not repeat else []
    if counted.orders:
        out.append(_orders(len(counted.orders), zh))
    elif overlap.found and overlap.lookable > 0.6 and (missing := nameable(overlap.missing)):
        out.append(_missing(missing, zh))
    top = out if len(out) <= 6 else [*out[:5], out[-1]]
    return [replace(reason, text=cut(reason.text, 220)) for reason in top]


def _intent(document: Document, overlap: Match, zh: bool) -> Reason:
    named = _naming(document, overlap)
    count = len(named)
    named = sorted((s for s in named if not gives_orders(s.text)), key=lambda s: (-overlap.share[s.index], s.index))
    if not overlap.comparable:
        text = (
            "你的备注没有点明主题，所以只按原文本身评分。"
            if zh
            else "Your note names no topic, so this is judged by the text alone."
        )
        return Reason(text)
    if not overlap.found:
        return _unnamed(document, overlap, zh)
    keys = {key for sentence in named[:2] for key in sentence.terms} & overlap.keys

    def proof(line: str) -> bool:
        return not keys.isdisjoint(terms(line))

    words = mentions(document, overlap.found, zh)
    if not count:
        only = f"只有标题提到{listed(overlap.found, zh)}，正文没有提到。"
        english = f"Only the title mentions {listed(overlap.found, zh)}; the text does not."
        return Reason(only if zh else english)
    kin = _kin(overlap, zh)
    if zh:
        match = "与目的部分相关" if overlap.coverage < 0.3 else "与目的高度相关"
        return Reason(f"{match}，{count} 句直接谈到：{words}{kin}。", tuple(named[:2]), proof)
    match = "Partly on topic" if overlap.coverage < 0.3 else "On topic"
    text = f"{match}: {count} relevant {'passage' if count == 1 else 'passages'} ({words}{kin})."
    return Reason(text, tuple(named[:2]), proof)


def _unnamed(document: Document, overlap: Match, zh: bool) -> Reason:
    words = listed(overlap.missing or overlap.intent_words, zh) or ("目的中的词" if zh else "the words of the intent")
    if not overlap.same_script and overlap.lookable < 0.3 and not overlap.kin:
        other = f"目的与原文的语言不同，无法直接查找{words}，相关度只是估计。"
        return Reason(other if zh else f"Intent and text are in different languages: {words} could not be looked up.")
    if overlap.kin:
        related = tuple(
            s for s in document.body if not overlap.kin_keys.isdisjoint(s.terms) and not gives_orders(s.text)
        )

        def proof(line: str) -> bool:
            return not overlap.kin_keys.isdisjoint(terms(line))

        kin = listed(overlap.kin, zh)
        text = f"没有直接提到{words}，但谈到相近的内容：{kin}。"
        english = f"Doesn't mention {words}, but covers related terms: {kin}."
        return Reason(text if zh else english, related[:2], proof)
    return Reason(f"原文没有提到目的中的{words}。" if zh else f"Doesn't mention any term of the intent: {words}.")


def _kin(overlap: Match, zh: bool) -> str:
    if not overlap.kin or overlap.coverage > 0.9:
        return ""
    words = listed(overlap.kin[:3], zh)
    return f"；相近的还有{words}" if zh else f"; related: {words}"


def _naming(document: Document, overlap: Match) -> list[Sentence]:
    body = document.body or document.sentences
    return [one for one in body if overlap.share[one.index] > 0 and not overlap.keys.isdisjoint(one.terms)]


def _structure(counted: Facts, zh: bool) -> Reason:
    amounts = [(getattr(counted, name), one, many, unit) for name, one, many, unit in _KINDS]
    amounts.insert(2, (len(counted.examples), "example", "examples", "处举例"))
    have = [row for row in amounts if row[0]][:4]
    if not have:
        return Reason(
            "一篇连贯的文字，没有列表、表格或代码块。"
            if zh
            else "Continuous prose, without lists, tables or code blocks."
        )
    if zh:
        return Reason(
            f"原文包含 {'、'.join(f'{n} {unit}' for n, _, _, unit in have)}，可直接取用。", *_evidence(counted, have)
        )
    parts = [f"{n} {one if n == 1 else many}" for n, one, many, _ in have]
    return Reason(f"Contains {enumerate_words(parts)}.", *_evidence(counted, have))


def _evidence(
    counted: Facts, have: Sequence[tuple[int, str, str, str]]
) -> tuple[tuple[Sentence, ...], Callable[[str], bool]]:
    named = {one for _, one, _, _ in have}
    if "figure" in named:
        richest = sorted(counted.with_figures, key=lambda s: (-figures(s.text), s.index))
        return tuple(richest[:1]), lambda line: figures(line) > 0
    if "example" in named:
        return counted.examples[:1], lambda line: has("example", line)
    return (), bool


def _steps(step_texts: Sequence[str], zh: bool) -> Reason:
    first, last = cut(step_texts[0].rstrip("。.；;"), 60), cut(step_texts[-1].rstrip("。.；;"), 60)
    if zh:
        return Reason(f"步骤可以照做：从「{first}」到「{last}」。")
    return Reason(f"Gives steps to follow, from “{first}” to “{last}”.")


def _effort(document: Document, overlap: Match, counted: Facts, zh: bool) -> Reason:
    minutes = max(1, round(counted.minutes))
    useful = len(_naming(document, overlap))
    if not overlap.comparable:
        unit = "minute" if minutes == 1 else "minutes"
        return Reason(f"约 {minutes} 分钟可以读完这篇文字。" if zh else f"About {minutes} {unit} to read.")
    if not useful:
        near = sum(not overlap.kin_keys.isdisjoint(s.terms) for s in document.body)
        gain = (f"有 {near} 句谈到相近的内容" if near else "但没有直接谈到目的的内容") if zh else (
            f"with {near} {'sentence' if near == 1 else 'sentences'} on related topics" if near
            else "and no passage is on topic"
        )  # fmt: skip
    elif zh:
        gain = f"有 {useful} 句与目的相关"
    else:
        gain = f"with {useful} {'passage' if useful == 1 else 'passages'} on topic"
    if zh:
        return Reason(f"约 {minutes} 分钟读完，{gain}。")
    return Reason(f"About {minutes} {'minute' if minutes == 1 else 'minutes'} to read, {gain}.")


def _comparison(counted: Facts, zh: bool) -> Reason:
    count = len(counted.comparisons)
    first = counted.comparisons[0]
    if zh:
        return Reason(f"有 {count} 处对比，例如：「{cut(first.text, 60)}」", (first,), compares)
    noun = "comparison" if count == 1 else "comparisons"
    return Reason(f"Has {count} {noun}, such as “{cut(first.text, 110)}”", (first,), compares)


def _novelty(near: tuple[float, str], compared: int, zh: bool) -> Reason:
    share, text = near
    if share >= _REPEAT:
        return Reason(f"与最近收藏的「{text}」有重叠。" if zh else f"Overlaps with a recent item: “{text}”.")
    many = "recent item" if compared == 1 else f"{compared} recent items"
    return Reason(f"与最近收藏的 {compared} 条相比，重复很少。" if zh else f"Mostly new compared with your {many}.")


def _framed(foreign: str) -> Reason:
    """Always in English, because it explains why the output is in English."""
    language = f"“{foreign}”" if not foreign.startswith("another") else foreign
    return Reason(
        f"Written in English, because this engine does not write {language}; quotes stay in the original language."
    )


def _orders(count: int, zh: bool) -> Reason:
    if zh:
        return Reason(f"有 {count} 句像是给机器的指令，已当作普通文字，不影响评分。")
    noun = "sentence looks" if count == 1 else "sentences look"
    return Reason(f"{count} {noun} like instructions to a machine: treated as text and left out of the summary.")


def _missing(missing: Sequence[str], zh: bool) -> Reason:
    words = listed(missing, zh)
    return Reason(f"没有提到目的中的{words}。" if zh else f"Doesn't mention {words}.")
