"""A page as the judge hears it: sentence by sentence, with what each says, where it says it, and whether it is read."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from judge_kinds import PageKind
from judge_page import VisibleBlock, VisiblePage
from judge_phrases import PhraseMatch, folded, found_in

HEAD, TAIL = 9_000, 2_500  # characters that are heard: what is boilerplate says so at once, a teaser at its end
READ_MAX = 60_000
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_SENTENCE = re.compile(r"[^\n]+?(?:[.!?]+(?=[\s\"')\]]|$)|[。！？]+[”」』\"]?|(?=\n)|$)")
_ENDS = re.compile(r"[.!?。！？:：][\"'”’)）」』]*$")
_NOT_KEY = re.compile(r"[\W_]+")
_MARKED = re.compile(r"!?\[([^\[\]\n]{0,300})\]\([^()\n]{0,700}\)")
_SPEAKS_TO_ME = re.compile(
    r"\b(?:you|your|yours|we|our|us|please|click|here|try|contact|i agree)\b|您|你|请|請|我们|我們|点击|本站|本网站|"
    r"ください|お客様|当社|当サイト|弊社|いたし|ご覧|ございま"
)
_FURNITURE = re.compile(
    r"©|\(c\)|copyright|all rights reserved|icp备|备案|版权所有|公网安备|ray id|reference #|your ip|^[\d\W]+$|"
    r"powered by|^(?:ip|url|id|host|time)\b ?[:：]"
)
_EXPLAINED = re.compile(
    r"[\"'”」』)）]?\s?(?:\([^()]{0,40}\)\s?)?(?:[:,，：—-]\s?)?(?:"
    r"(?:is|are|was|were) (?:a|an|the|one|when|not|what|how)\b|means\b|refers\b|describes\b|"
    r"是(?:一|指|由|个|什么|怎么|互联网|网站)|指的是|とは|意味|的(?:历史|原因|设计|意思|原理|页面设计))"
)
# Who wants to answer must log in, on most honest pages; what there is to read is there.
_TO_ANSWER = re.compile(
    r"to (?:post|leave|reply|comment|write|vote|add|like|follow|join the)|回帖|评论|評論|发表|留言|回复|点赞|"
    r"コメント|投稿する"
)
_OPENED, _CLOSED = "\"'“‘「『《【(（`", "”’」』》】)）"
CONTROLS = frozenset({"button", "label", "option", "legend"})
HEADINGS = frozenset({"h1", "h2", "h3"})


def units(text: str) -> int:
    """How much it says: a Latin letter is one, a Chinese or Japanese character three."""
    return len(text) + 2 * len(_CJK.findall(text))


def key(text: str) -> str:
    """The same for the page and for its reading, whatever became of blanks and marks between."""
    return _NOT_KEY.sub("", text.lower())


def plain(reading: str) -> str:
    """Markdown without the addresses of its links."""
    return _MARKED.sub(r"\1", reading)


@dataclass
class Hit:
    found: PhraseMatch
    text: str
    place: str  # "start" of its sentence, "mid", "mentioned" in quotes, or "about": what the sentence explains


@dataclass
class JudgedSentence:
    text: str
    units: int
    block: int
    tag: str
    control: bool  # a button, a label, a link by itself
    read: bool  # it is in the reading, so it would be in the card
    hits: list[Hit] = field(default_factory=list)

    def claimed(self, kind: PageKind | None = None) -> bool:
        """Its words are boilerplate's own (of that kind): it starts with them, or is hardly more than them."""
        return any(_claims(self, hit) for hit in self.hits if kind in (None, hit.found.kind))

    def own(self) -> float:
        """What of it is a text's own, in units. A sentence that speaks to the reader is mostly part of a notice."""
        if self.control or not self.read or self.claimed() or _FURNITURE.search(self.text):
            return 0
        if self.tag in HEADINGS and not _ENDS.search(self.text):
            return 0
        full = 1.0 if self.units >= 60 or (self.units >= 25 and _ENDS.search(self.text)) else 0.5
        return self.units * full * (0.4 if _SPEAKS_TO_ME.search(self.text) else 1)


def _claims(sentence: JudgedSentence, hit: Hit) -> bool:
    share = units(hit.text) / max(1, sentence.units)
    if hit.place in ("mentioned", "about"):
        return False
    if hit.found.strong:
        return share > 0.4 or (hit.place == "start" and (sentence.units < 260 or share > 0.2))
    return share > 0.5 or (hit.place == "start" and share > 0.3)


def heard(page: VisiblePage, reading: str) -> list[JudgedSentence]:
    """The page's visible sentences outside its furniture, and those of the reading that the page does not show."""
    reading = plain(reading[:READ_MAX])
    known = key(reading)
    blocks = _within(_shown(page, reading, known))
    sentences = [
        _sentence(number, block, text, known)
        for number, block in enumerate(blocks)
        for part in _SENTENCE.finditer(folded(block.text))
        if (text := part.group().strip())
    ]
    _mark(sentences)
    return sentences


def _shown(page: VisiblePage, reading: str, known: str) -> list[VisibleBlock]:
    blocks = page.visible()
    if sum(units(b.text) for b in blocks) < 200 and page.noscript:
        blocks = [*blocks, VisibleBlock(page.noscript, 0, "noscript", "")]
    seen = key("".join(b.text for b in page.blocks)[: 5 * READ_MAX] + page.noscript)
    # A reading in one line is the whole page's text: its pieces are in the page already.
    lines = (line.strip(" #>*-|`") for line in reading.splitlines())
    unseen = [VisibleBlock(line, 0, "p", "") for line in lines if line and key(line[:80]) not in seen]
    return [*blocks, *unseen] if known else blocks


def _within(blocks: list[VisibleBlock]) -> list[VisibleBlock]:
    """The first and the last of them, if they are many."""
    sizes = [len(b.text) for b in blocks]
    if sum(sizes) <= HEAD + TAIL:
        return blocks
    first, room = 0, HEAD
    while first < len(blocks) and room > 0:
        room -= sizes[first]
        first += 1
    last, room = len(blocks), TAIL
    while last > first and room > sizes[last - 1]:
        last -= 1
        room -= sizes[last]
    return [b._replace(text=b.text[:HEAD]) for b in blocks[:first]] + blocks[last:]


def _sentence(number: int, block: VisibleBlock, text: str, known: str) -> JudgedSentence:
    mark = key(text)
    control = block.tag in CONTROLS or block.linked > 0.7 * len(block.text)
    read = not known or len(known) < 40 or (bool(mark) and mark[:200] in known)
    return JudgedSentence(text, units(text), number, block.tag, control, read)


def _mark(sentences: list[JudgedSentence]) -> None:
    starts, size = [], 0
    for sentence in sentences:
        starts.append(size)
        size += len(sentence.text) + 1
    for found in found_in("\n".join(s.text for s in sentences)):
        number = bisect_right(starts, found.start) - 1
        sentence, offset = sentences[number], found.start - starts[number]
        text = sentence.text[offset : found.end - starts[number]]
        place = _place(sentence.text, offset, offset + len(text))
        if found.kind == PageKind.LOGIN and _TO_ANSWER.search(sentence.text):
            place = "mentioned"
        sentence.hits.append(Hit(found, text, place))


def _place(sentence: str, start: int, end: int) -> str:
    before = sentence[:start].rstrip()
    if before and before[-1] in _OPENED and not (before[-1] in "\"'" and len(before) > 1 and before[-2] in ",.!?"):
        return "mentioned" if before[-1] not in "\"'" or end < len(sentence) else "mid"
    opened = max((before.rfind(mark) for mark in "“「『《"), default=-1)
    closed = max((before.rfind(mark) for mark in _CLOSED), default=-1)
    if opened > closed or before.count('"') % 2 == 1:
        return "mentioned"
    if _EXPLAINED.match(sentence, end):
        return "about"
    far = units(before)
    clause = before[-1:] in tuple(",，:：;；|–—-")
    return "start" if far <= 18 or (clause and far <= 45) else "mid"


def title_parts(titles: list[str]) -> Iterator[str]:
    for title in dict.fromkeys(t for t in titles if t):
        yield from (part.strip() for part in re.split(r"\s[|–—\-·_:]\s|[|｜_]", folded(title[:300])) if part.strip())
