"""Is it an article? A page that says nothing but how to get in, or that there is nothing, must not become a card.

No phrase decides by itself. Each kind of boilerplate gathers points: what sentences begin with, what the title is, what
the markup holds. Against them stands what the page has of its own: sentences that are read, claimed by no kind of
boilerplate, and not spoken to the reader. A page is refused if a kind has its points, comes first, and nothing much is
left beside it.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from judge_kinds import BEARABLE, PARTIAL_KEYS, REFUSED_KEYS, PageKind
from judge_links import leads_elsewhere
from judge_page import VisiblePage, scan
from judge_phrases import found_in
from judge_sentences import HEADINGS, Hit, JudgedSentence, heard, title_parts, units
from readdo.messages import message

ENOUGH = 3.0  # points: one strong phrase where it belongs
FAR = 60  # units of own text before the first boilerplate: it is the article's furniture then
TEASER_PARAGRAPHS, TEASER_UNITS, PARAGRAPH = 2, 260, 70
TEASER_MAX = 6_000  # units: nobody gives away that much and calls it a beginning
_CONSENT_WORDS = re.compile(
    r"cookie|consent|privacy|personal data|partners|vendors|preferences|advertis|tracking|legitimate interest|"
    r"隐私|同意|个人信息|個人資料|第三方|广告|偏好|プライバシー|クッキー|個人情報|広告|同意"
)
_LOADING = re.compile(r"^(?:loading|please wait|加载|载入|正在|读取|読み込み|ロード|お待ち)|\.\.\.$|…$", re.I)


class Verdict(NamedTuple):
    """`refused`: why there is nothing to read, in words for the user; `partial`: what is missing from what there is."""

    refused: str = ""
    partial: str = ""


class Finding(NamedTuple):
    kind: PageKind | None = None
    partial: bool = False  # it is of that kind, and yet has something to read


def judge(*, text: str, html: str, title: str, url: str | None) -> Verdict:
    """`text` is the best reading of the page, `html` all of it."""
    del url  # addresses lie: a /login that shows an article is one
    kind, partial = assess(text, html, title)
    if kind is None:
        return Verdict()
    if partial:
        return Verdict(partial=message(PARTIAL_KEYS[kind]))
    return Verdict(refused=message(REFUSED_KEYS[kind]))


def assess(text: str, html: str, title: str) -> Finding:
    page = scan(html)
    sentences = heard(page, text)
    case = _Case(page, sentences, [title, *page.titles])
    gate = _teaser(case)
    if gate is not None:
        return gate
    guilty = [kind for kind in BEARABLE if case.is_all_of_it(kind)]
    if guilty:
        return Finding(max(guilty, key=case.points))
    if _is_shell(page, sentences):
        return Finding(PageKind.BOT_CHECK if page.captcha and not page.mount else PageKind.SCRIPT_SHELL)
    return Finding(leads_elsewhere(page, text))


class _Case:
    """What speaks for each kind, and what for the page."""

    def __init__(self, page: VisiblePage, sentences: list[JudgedSentence], titles: Iterable[str]) -> None:
        self.page, self.sentences = page, sentences
        self.titled = self._titled(list(titles))
        self.own = sum(s.own() for s in sentences)
        self.size = sum(s.units for s in sentences)
        self.scores = {kind: self._points(kind) for kind in BEARABLE}

    def points(self, kind: PageKind) -> float:
        return self.scores[kind]

    def is_all_of_it(self, kind: PageKind) -> bool:
        if self.scores[kind] < ENOUGH:
            return False
        titled = kind in self.titled
        if not self.voiced(kind) or self.before(kind) >= (2.5 * FAR if titled else FAR):
            return False
        return sum(self.owned(kind)) <= BEARABLE[kind][titled]

    def owned(self, kind: PageKind) -> list[float]:
        """What each sentence has of its own. Beside a consent notice, whatever speaks of consent is part of it."""
        consent = kind == PageKind.CONSENT
        return [0 if consent and _CONSENT_WORDS.search(s.text) else s.own() for s in self.sentences]

    def voiced(self, kind: PageKind) -> bool:
        """More than a title and some buttons say it. A page called 404 may be about 404 pages."""
        if kind == PageKind.LOGIN and self.page.password:
            return True
        told = [(h, s) for s in self.sentences if not s.control for h in s.hits if h.found.kind == kind]
        if kind != PageKind.CONSENT and any(h.place == "about" and s.own() >= FAR for h, s in told):
            return False
        return any(_weight(h, s) >= (3 if s.tag in HEADINGS else 1) for h, s in told)

    def before(self, kind: PageKind) -> float:
        """What the page has of its own before this kind begins."""
        begins = next((n for n, s in enumerate(self.sentences) if s.claimed(kind)), len(self.sentences))
        return sum(self.owned(kind)[:begins])

    def _points(self, kind: PageKind) -> float:
        best: dict[tuple[bool, str], float] = {}
        for sentence in self.sentences:
            for hit in sentence.hits:
                if hit.found.kind == kind:
                    worth = _weight(hit, sentence)
                    best[hit.found.strong, hit.text] = max(worth, best.get((hit.found.strong, hit.text), 0))
        weak = sum(worth for (strong, _), worth in best.items() if not strong)
        strong = sum(worth for (strong, _), worth in best.items() if strong)
        return strong + min(weak, ENOUGH) + 2 * (kind in self.titled) + self._markup(kind)

    def _markup(self, kind: PageKind) -> float:
        """What forms and scripts add to words. Honest pages have them too, but not around so little."""
        if kind == PageKind.PAYWALL:
            return 1.0 * self.page.unfree
        if self.size > 1_500:
            return 0
        if kind == PageKind.LOGIN:
            return 1.5 * self.page.password
        return 1.0 * (kind == PageKind.BOT_CHECK and self.page.captcha)

    def _first_headings(self) -> list[str]:
        """Those before anything else is said: what comes later names a box, not the page."""
        heads, own = [], 0.0
        for sentence in self.sentences:
            if sentence.tag in HEADINGS and own < FAR:
                heads.append(sentence.text)
            own += sentence.own()
        return heads[:3]

    def _titled(self, titles: list[str]) -> set[PageKind]:
        parts = [*title_parts(titles), *self._first_headings()]
        kinds = set()
        for part in parts:
            for found in found_in(part):
                share = units(part[found.start : found.end]) / units(part)
                if share >= (0.45 if found.strong else 0.85):
                    kinds.add(found.kind)
        return kinds


def _weight(hit: Hit, sentence: JudgedSentence) -> float:
    """Boilerplate begins with its phrase, or is nothing else; who writes about it quotes or explains it."""
    share = units(hit.text) / max(1, sentence.units)
    if hit.place in ("mentioned", "about"):
        return 0
    if hit.found.strong:
        return (3 if share > 0.12 else 2) if hit.place == "start" else (2 if share > 0.4 else 1)
    return 1 if hit.place == "start" or share > 0.4 else 0.4


def _teaser(case: _Case) -> Finding | None:
    """A beginning that ends at a gate: worth reading if it has paragraphs. None if there is no gate."""
    for kind in (PageKind.PAYWALL, PageKind.LOGIN):
        if case.points(kind) < ENOUGH or kind in case.titled:
            continue
        gates = [n for n, s in enumerate(case.sentences) if s.claimed(kind) and _is_strong(s, kind)]
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
    return any(h.found.kind == kind and h.found.strong and h.place in ("start", "mid") for h in sentence.hits)


def _is_shell(page: VisiblePage, sentences: list[JudgedSentence]) -> bool:
    """Scripts, a place for them to fill, and next to nothing else."""
    said = [s for s in sentences if s.tag != "noscript" and not _LOADING.search(s.text)]
    if sum(s.units for s in said if not s.control) > 120 or any(s.own() >= 40 for s in said):
        return False
    return page.scripts > 0 and (page.mount or page.captcha or "javascript" in page.noscript.lower())
