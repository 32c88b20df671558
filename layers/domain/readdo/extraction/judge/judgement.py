"""Decide whether a page is an article, so that login forms and error pages become no card.

No phrase decides alone. Each kind of boilerplate collects points from the beginnings of sentences, the title and the
markup. The page's own text counts against it: sentences in the reading that no kind of boilerplate claims and that do
not address the reader. A page is refused if a kind has enough points, comes first, and leaves little other text.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from readdo.extraction.judge.kinds import BEARABLE, PARTIAL_KEYS, REFUSED_KEYS, PageKind
from readdo.extraction.judge.links import leads_elsewhere
from readdo.extraction.judge.page import VisiblePage, scan
from readdo.extraction.judge.phrases import find_phrases
from readdo.extraction.judge.sentences import HEADINGS, Hit, JudgedSentence, split_sentences, title_parts, units
from readdo.messages import message

ENOUGH = 3.0  # points: one strong phrase at the beginning of a sentence
FAR = 60  # units of own text; boilerplate after that much is the article's furniture
TEASER_PARAGRAPHS, TEASER_UNITS, PARAGRAPH = 2, 260, 70
TEASER_MAX = 6_000  # units; a longer text is not a teaser
_CONSENT_WORDS = re.compile(
    r"cookie|consent|privacy|personal data|partners|vendors|preferences|advertis|tracking|legitimate interest|"
    r"隐私|同意|个人信息|個人資料|第三方|广告|偏好|プライバシー|クッキー|個人情報|広告|同意"
)
_LOADING = re.compile(r"^(?:loading|please wait|加载|载入|正在|读取|読み込み|ロード|お待ち)|\.\.\.$|…$", re.I)


class Verdict(NamedTuple):
    """`refused`: message that the page has no article. `partial`: message about the missing part."""

    refused: str = ""
    partial: str = ""


class Finding(NamedTuple):
    kind: PageKind | None = None
    partial: bool = False  # the page is of that kind but has text worth reading


def judge(*, text: str, html: str, title: str, url: str | None) -> Verdict:
    """`text` is the extracted text of the page, `html` the complete page."""
    del url  # not evidence: a page at /login may show an article
    kind, partial = assess(text, html, title)
    if kind is None:
        return Verdict()
    if partial:
        return Verdict(partial=message(PARTIAL_KEYS[kind]))
    return Verdict(refused=message(REFUSED_KEYS[kind]))


def assess(text: str, html: str, title: str) -> Finding:
    page = scan(html)
    sentences = split_sentences(page, text)
    case = _Case(page, sentences, [title, *page.titles])
    teaser = _teaser(case)
    if teaser is not None:
        return teaser
    kinds = [kind for kind in BEARABLE if case.fills_page(kind)]
    if kinds:
        return Finding(max(kinds, key=case.points))
    if _is_shell(page, sentences):
        return Finding(PageKind.BOT_CHECK if page.captcha and not page.mount else PageKind.SCRIPT_SHELL)
    return Finding(leads_elsewhere(page, text))


class _Case:
    """The points of each kind of boilerplate, and the page's own text."""

    def __init__(self, page: VisiblePage, sentences: list[JudgedSentence], titles: Iterable[str]) -> None:
        self.page, self.sentences = page, sentences
        self.titled = self._kinds_in_titles(list(titles))
        self.own = sum(s.own() for s in sentences)
        self.size = sum(s.units for s in sentences)
        self.scores = {kind: self._points(kind) for kind in BEARABLE}

    def points(self, kind: PageKind) -> float:
        return self.scores[kind]

    def fills_page(self, kind: PageKind) -> bool:
        if self.scores[kind] < ENOUGH:
            return False
        titled = kind in self.titled
        if not self.is_named(kind) or self.own_text_before(kind) >= (2.5 * FAR if titled else FAR):
            return False
        return sum(self.own_texts(kind)) <= BEARABLE[kind][titled]

    def own_texts(self, kind: PageKind) -> list[float]:
        """The own text of each sentence. For a consent notice, sentences about consent have none."""
        consent = kind == PageKind.CONSENT
        return [0 if consent and _CONSENT_WORDS.search(s.text) else s.own() for s in self.sentences]

    def is_named(self, kind: PageKind) -> bool:
        """True if more than a title and buttons name the kind: a page titled 404 may be about 404 pages."""
        if kind == PageKind.LOGIN and self.page.password:
            return True
        hits = [(h, s) for s in self.sentences if not s.control for h in s.hits if h.match.kind == kind]
        if kind != PageKind.CONSENT and any(h.place == "about" and s.own() >= FAR for h, s in hits):
            return False
        return any(_weight(h, s) >= (3 if s.tag in HEADINGS else 1) for h, s in hits)

    def own_text_before(self, kind: PageKind) -> float:
        """The page's own text before the first sentence of this kind."""
        begins = next((n for n, s in enumerate(self.sentences) if s.is_boilerplate(kind)), len(self.sentences))
        return sum(self.own_texts(kind)[:begins])

    def _points(self, kind: PageKind) -> float:
        best: dict[tuple[bool, str], float] = {}
        for sentence in self.sentences:
            for hit in sentence.hits:
                if hit.match.kind == kind:
                    worth = _weight(hit, sentence)
                    best[hit.match.strong, hit.text] = max(worth, best.get((hit.match.strong, hit.text), 0))
        weak = sum(worth for (strong, _), worth in best.items() if not strong)
        strong = sum(worth for (strong, _), worth in best.items() if strong)
        return strong + min(weak, ENOUGH) + 2 * (kind in self.titled) + self._markup(kind)

    def _markup(self, kind: PageKind) -> float:
        """Points for forms and scripts. Articles have them too, so a page with much text gets none."""
        if kind == PageKind.PAYWALL:
            return 1.0 * self.page.unfree
        if self.size > 1_500:
            return 0
        if kind == PageKind.LOGIN:
            return 1.5 * self.page.password
        return 1.0 * (kind == PageKind.BOT_CHECK and self.page.captcha)

    def _first_headings(self) -> list[str]:
        """Headings before the first own text. Later headings name a box, not the page."""
        heads, own = [], 0.0
        for sentence in self.sentences:
            if sentence.tag in HEADINGS and own < FAR:
                heads.append(sentence.text)
            own += sentence.own()
        return heads[:3]

    def _kinds_in_titles(self, titles: list[str]) -> set[PageKind]:
        parts = [*title_parts(titles), *self._first_headings()]
        kinds = set()
        for part in parts:
            for match in find_phrases(part):
                share = units(part[match.start : match.end]) / units(part)
                if share >= (0.45 if match.strong else 0.85):
                    kinds.add(match.kind)
        return kinds


def _weight(hit: Hit, sentence: JudgedSentence) -> float:
    """Weigh a phrase by its place. Boilerplate begins with the phrase; articles quote or explain it."""
    share = units(hit.text) / max(1, sentence.units)
    if hit.place in ("mentioned", "about"):
        return 0
    if hit.match.strong:
        return (3 if share > 0.12 else 2) if hit.place == "start" else (2 if share > 0.4 else 1)
    return 1 if hit.place == "start" or share > 0.4 else 0.4


def _teaser(case: _Case) -> Finding | None:
    """Detect a text that ends at a paywall or login: partial if it has paragraphs, else refused."""
    for kind in (PageKind.PAYWALL, PageKind.LOGIN):
        if case.points(kind) < ENOUGH or kind in case.titled:
            continue
        gates = [n for n, s in enumerate(case.sentences) if s.is_boilerplate(kind) and _is_strong(s, kind)]
        if not gates or case.own > TEASER_MAX:
            continue
        before = case.sentences[: gates[-1]]
        after = sum(s.own() for s in case.sentences[gates[-1] + 1 :])
        paragraphs: dict[int, float] = {}
        for sentence in before:
            paragraphs[sentence.block] = paragraphs.get(sentence.block, 0) + sentence.own()
        full = [size for size in paragraphs.values() if size >= PARAGRAPH]
        enough = len(full) >= TEASER_PARAGRAPHS and sum(full) >= TEASER_UNITS
        if enough and after <= 0.25 * sum(full):
            return Finding(kind, partial=True)
        if kind == PageKind.PAYWALL and not enough and case.own <= BEARABLE[kind].alone:
            return Finding(kind)
    return None


def _is_strong(sentence: JudgedSentence, kind: PageKind) -> bool:
    return any(h.match.kind == kind and h.match.strong and h.place in ("start", "mid") for h in sentence.hits)


def _is_shell(page: VisiblePage, sentences: list[JudgedSentence]) -> bool:
    """True for a page with scripts, an element that they fill, and almost no text."""
    visible = [s for s in sentences if s.tag != "noscript" and not _LOADING.search(s.text)]
    if sum(s.units for s in visible if not s.control) > 120 or any(s.own() >= 40 for s in visible):
        return False
    return page.scripts > 0 and (page.mount or page.captcha or "javascript" in page.noscript.lower())
