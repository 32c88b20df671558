"""Split a page into sentences with their boilerplate phrases, for the judge."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from readdo.extraction.judge.kinds import PageKind
from readdo.extraction.judge.page import VisibleBlock, VisiblePage
from readdo.extraction.judge.phrases import PhraseMatch, find_phrases, fold

HEAD, TAIL = 9_000, 2_500  # characters that are judged: boilerplate shows at the beginning, a teaser at the end
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
# Most articles ask for a login only to comment: the text itself is readable.
_TO_ANSWER = re.compile(
    r"to (?:post|leave|reply|comment|write|vote|add|like|follow|join the)|回帖|评论|評論|发表|留言|回复|点赞|"
    r"コメント|投稿する"
)
_OPENED, _CLOSED = "\"'“‘「『《【(（`", "”’」』》】)）"
CONTROLS = frozenset({"button", "label", "option", "legend"})
HEADINGS = frozenset({"h1", "h2", "h3"})


def units(text: str) -> int:
    """The length of a text: a Latin letter counts one, a Chinese or Japanese character three."""
    return len(text) + 2 * len(_CJK.findall(text))


def key(text: str) -> str:
    """Letters and digits only, to compare the page with its reading regardless of spaces and marks."""
    return _NOT_KEY.sub("", text.lower())


def plain(reading: str) -> str:
    """Markdown without the addresses of its links."""
    return _MARKED.sub(r"\1", reading)


@dataclass
class Hit:
    match: PhraseMatch
    text: str
    place: str  # "start" of the sentence, "mid", "mentioned" in quotes, or "about" if the sentence explains it


@dataclass
class JudgedSentence:
    text: str
    units: int
    block: int
    tag: str
    control: bool  # a button, a label or a bare link
    read: bool  # part of the extracted text
    hits: list[Hit] = field(default_factory=list)

    def is_boilerplate(self, kind: PageKind | None = None) -> bool:
        """True if the sentence begins with a boilerplate phrase (of that kind), or has little else."""
        return any(_claims(self, hit) for hit in self.hits if kind in (None, hit.match.kind))

    def own(self) -> float:
        """The units of article text. A sentence that addresses the reader counts less: most are notices."""
        if self.control or not self.read or self.is_boilerplate() or _FURNITURE.search(self.text):
            return 0
        if self.tag in HEADINGS and not _ENDS.search(self.text):
            return 0
        full = 1.0 if self.units >= 60 or (self.units >= 25 and _ENDS.search(self.text)) else 0.5
        return self.units * full * (0.4 if _SPEAKS_TO_ME.search(self.text) else 1)


def _claims(sentence: JudgedSentence, hit: Hit) -> bool:
    share = units(hit.text) / max(1, sentence.units)
    if hit.place in ("mentioned", "about"):
        return False
    if hit.match.strong:
        return share > 0.4 or (hit.place == "start" and (sentence.units < 260 or share > 0.2))
    return share > 0.5 or (hit.place == "start" and share > 0.3)


def split_sentences(page: VisiblePage, reading: str) -> list[JudgedSentence]:
    """The page's visible sentences outside its furniture, and sentences only in the reading."""
    reading = plain(reading[:READ_MAX])
    reading_key = key(reading)
    blocks = _limit_length(_visible_blocks(page, reading, reading_key))
    sentences = [
        _sentence(number, block, text, reading_key)
        for number, block in enumerate(blocks)
        for part in _SENTENCE.finditer(fold(block.text))
        if (text := part.group().strip())
    ]
    _add_hits(sentences)
    return sentences


def _visible_blocks(page: VisiblePage, reading: str, reading_key: str) -> list[VisibleBlock]:
    blocks = page.visible()
    if sum(units(b.text) for b in blocks) < 200 and page.noscript:
        blocks = [*blocks, VisibleBlock(page.noscript, 0, "noscript", "")]
    page_key = key("".join(b.text for b in page.blocks)[: 5 * READ_MAX] + page.noscript)
    # A reading in one line is the text of the complete page, so the page already has its pieces.
    lines = (line.strip(" #>*-|`") for line in reading.splitlines())
    unseen = [VisibleBlock(line, 0, "p", "") for line in lines if line and key(line[:80]) not in page_key]
    return [*blocks, *unseen] if reading_key else blocks


def _limit_length(blocks: list[VisibleBlock]) -> list[VisibleBlock]:
    """Only the first and the last blocks, if there are many."""
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


def _sentence(number: int, block: VisibleBlock, text: str, reading_key: str) -> JudgedSentence:
    sentence_key = key(text)
    control = block.tag in CONTROLS or block.linked > 0.7 * len(block.text)
    read = not reading_key or len(reading_key) < 40 or (bool(sentence_key) and sentence_key[:200] in reading_key)
    return JudgedSentence(text, units(text), number, block.tag, control, read)


def _add_hits(sentences: list[JudgedSentence]) -> None:
    starts, size = [], 0
    for sentence in sentences:
        starts.append(size)
        size += len(sentence.text) + 1
    for match in find_phrases("\n".join(s.text for s in sentences)):
        number = bisect_right(starts, match.start) - 1
        sentence, offset = sentences[number], match.start - starts[number]
        text = sentence.text[offset : match.end - starts[number]]
        place = _place_of(sentence.text, offset, offset + len(text))
        if match.kind == PageKind.LOGIN and _TO_ANSWER.search(sentence.text):
            place = "mentioned"
        sentence.hits.append(Hit(match, text, place))


def _place_of(sentence: str, start: int, end: int) -> str:
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
        yield from (part.strip() for part in re.split(r"\s[|–—\-·_:]\s|[|｜_]", fold(title[:300])) if part.strip())
