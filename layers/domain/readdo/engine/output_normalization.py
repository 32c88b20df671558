"""Normalize a model's output: computed fields, limits, and only quotes and links of the source."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from readdo.engine.links import replace_links
from readdo.engine.render_spec import render_spec
from readdo.schemas import match_score_of, priority_of

_TAG = re.compile(r"</?[A-Za-z!][^<>]{0,500}>?")
_UNSEEN = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)
_HASHTAG = re.compile(r"[^\w-]|_(?=_)")
_ENDS = re.compile(r".*[。！？.!?；;]", re.S)


class SourceText:
    """The texts that the model received for this item. Its quotes and links must come from them."""

    def __init__(self, *texts: str) -> None:
        self.text = texts[0] if texts else ""
        self._all = "\n".join(texts).lower()
        self._squeezed, self._places = _squeeze(self.text)

    def text_if_quoted(self, kind: str) -> str | None:
        """The text that the quotes must occur in. None for a card, whose quotes were checked in earlier steps."""
        return self.text if kind in ("summary", "score") else None

    def holds(self, words: str) -> bool:
        return words.lower().rstrip(".,;:!?") in self._all

    def quote(self, text: str) -> str:
        """The quote as spelled in the source, if only whitespace and case differ. Otherwise empty."""
        squeezed, _ = _squeeze(text)
        at = self._squeezed.find(squeezed) if len(squeezed) >= 8 else -1
        if at < 0:
            return ""
        quote = self.text[self._places[at] : self._places[at + len(squeezed) - 1] + 1]
        return quote if 10 <= len(quote) <= 220 and "\n" not in quote and not _TAG.search(quote) else ""


def summary(output: Mapping[str, Any], source: SourceText) -> dict[str, Any]:
    return {
        "bullets": [_line(bullet, 180, source) for bullet in output["bullets"]],
        "insight": _line(output["insight"], 240, source),
        "evidence": _quotes(output["evidence"], source, 5),
    }


def score(output: Mapping[str, Any], source: SourceText, novelty: float) -> dict[str, Any]:
    signals = {name: round(float(value), 1) for name, value in output["signals"].items()} | {
        "novelty": round(novelty, 1)
    }
    total = match_score_of(signals)
    reasons = [_line(reason, 220, source) for reason in output["reasons"]]
    supported = {f"reason#{n}" for n in range(1, len(reasons) + 1)}
    return {
        "match_score": total,
        "priority": priority_of(total),
        "reasons": reasons,
        "confidence": round(float(output["confidence"]), 2),
        "signals": signals,
        "evidence": _quotes([one for one in output["evidence"] if one["supports"] in supported], source, 5),
    }


def todos(output: Mapping[str, Any], source: SourceText) -> dict[str, Any]:
    rows = []
    for one in output["todos"]:
        tags = [tag for tag in (_tag(tag, source) for tag in one["tags"]) if tag]
        rows.append(
            {
                **one,
                "title": _line(one["title"], 140, source),
                "why": _line(one["why"], 200, source),
                "tags": list(dict.fromkeys(tags))[:5],
            }
        )
    return {"todos": rows}


def card(output: Mapping[str, Any], source: SourceText, quotes: Callable[[str], bool]) -> dict[str, Any]:
    content = {
        "headline": _line(output["headline"], 90, source),
        "points": [_line(point, 160, source) for point in output["points"]],
        "insight": _line(output["insight"], 220, source),
        "action": _line(output["action"], 200, source),
    }
    hashtags = [tag for tag in (_tag(tag, source) for tag in output["hashtags"]) if tag]
    return {
        **content,
        "hashtags": list(dict.fromkeys(hashtags))[:6],
        "caption": "\n".join(_line(line, 600, source) for line in str(output["caption"]).splitlines())[:600].strip(),
        "render_spec": render_spec(content),
        "evidence": [{"quote": one["quote"]} for one in output["evidence"] if quotes(one["quote"])][:4],
    }


def _quotes(output: list[Mapping[str, Any]], source: SourceText, most: int) -> list[dict[str, Any]]:
    by_text: dict[str, dict[str, Any]] = {}
    for one in output:
        text = source.quote(one["quote"])
        if text:
            by_text.setdefault(text, {**one, "quote": text})
    return list(by_text.values())[:most]


def _line(output: str, most: int, source: SourceText) -> str:
    """Plain text in one line, cut to the limit, without markup and without links missing in the source."""
    text = " ".join(_UNSEEN.sub(" ", output).split())
    # Tags that the source contains stay readable, in brackets that a browser does not interpret.
    text = _TAG.sub(lambda tag: f"‹{tag[0].strip('<>')}›" if source.holds(tag[0]) else "", text)
    text = replace_links(text, lambda link: link if source.holds(link) else "")
    text = " ".join(text.split())
    return text if len(text) <= most else _cut(text, most)


def _cut(text: str, most: int) -> str:
    """Cut at the end of a sentence if that keeps at least 60%, otherwise between words."""
    room = text[: most - 1]
    whole = _ENDS.match(room)
    if whole and len(whole[0]) >= most * 0.6:
        return whole[0].strip()
    words = room.rpartition(" ")[0] if room.isascii() or " " in room[-30:] else room
    return f"{words.rstrip(' ,;:，、；：')}…"


def _tag(output: str, source: SourceText) -> str:
    tag = _HASHTAG.sub("", _line(output, 200, source))[:24].strip("-_")
    return tag if len(tag) >= 2 else ""


def _squeeze(text: str) -> tuple[str, list[int]]:
    """The text in lower case without whitespace, and the position of each character."""
    places = [place for place, char in enumerate(text) if not char.isspace()]
    return "".join(text[place].lower()[:1] for place in places), places
