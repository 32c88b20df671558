"""What a model said → what may leave the engine: computed where it must be, within its limits, true to the source."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from readdo.artifact_validation import match_score_of, priority_of
from readdo.engine.links import replace_links
from readdo.engine.render_spec import render_spec

_TAG = re.compile(r"</?[A-Za-z!][^<>]{0,500}>?")
_UNSEEN = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)
_HASHTAG = re.compile(r"[^\w-]|_(?=_)")
_ENDS = re.compile(r".*[。！？.!?；;]", re.S)


class SourceText:
    """All that the model was given of this item: what it says must come from there."""

    def __init__(self, *texts: str) -> None:
        self.text = texts[0] if texts else ""
        self._all = "\n".join(texts).lower()
        self._squeezed, self._places = _squeeze(self.text)

    def text_if_quoted(self, kind: str) -> str | None:
        """The text that this kind's quotes must occur in; a card's are of those that were checked before."""
        return self.text if kind in ("summary", "score") else None

    def holds(self, words: str) -> bool:
        return words.lower().rstrip(".,;:!?") in self._all

    def quote(self, said: str) -> str:
        """The very letters of the source, where only blanks differ; nothing, where it does not say that."""
        wanted, _ = _squeeze(said)
        at = self._squeezed.find(wanted) if len(wanted) >= 8 else -1
        if at < 0:
            return ""
        found = self.text[self._places[at] : self._places[at + len(wanted) - 1] + 1]
        return found if 10 <= len(found) <= 220 and "\n" not in found and not _TAG.search(found) else ""


def summary(said: Mapping[str, Any], source: SourceText) -> dict[str, Any]:
    return {
        "bullets": [_line(bullet, 180, source) for bullet in said["bullets"]],
        "insight": _line(said["insight"], 240, source),
        "evidence": _quotes(said["evidence"], source, 5),
    }


def score(said: Mapping[str, Any], source: SourceText, novelty: float) -> dict[str, Any]:
    signals = {name: round(float(value), 1) for name, value in said["signals"].items()} | {"novelty": round(novelty, 1)}
    total = match_score_of(signals)
    reasons = [_line(reason, 220, source) for reason in said["reasons"]]
    known = {f"reason#{n}" for n in range(1, len(reasons) + 1)}
    return {
        "match_score": total,
        "priority": priority_of(total),
        "reasons": reasons,
        "confidence": round(float(said["confidence"]), 2),
        "signals": signals,
        "evidence": _quotes([one for one in said["evidence"] if one["supports"] in known], source, 5),
    }


def todos(said: Mapping[str, Any], source: SourceText) -> dict[str, Any]:
    made = []
    for one in said["todos"]:
        tags = [tag for tag in (_tag(tag, source) for tag in one["tags"]) if tag]
        made.append(
            {
                **one,
                "title": _line(one["title"], 140, source),
                "why": _line(one["why"], 200, source),
                "tags": list(dict.fromkeys(tags))[:5],
            }
        )
    return {"todos": made}


def card(said: Mapping[str, Any], source: SourceText, quotes: Callable[[str], bool]) -> dict[str, Any]:
    content = {
        "headline": _line(said["headline"], 90, source),
        "points": [_line(point, 160, source) for point in said["points"]],
        "insight": _line(said["insight"], 220, source),
        "action": _line(said["action"], 200, source),
    }
    hashtags = [tag for tag in (_tag(tag, source) for tag in said["hashtags"]) if tag]
    return {
        **content,
        "hashtags": list(dict.fromkeys(hashtags))[:6],
        "caption": "\n".join(_line(line, 600, source) for line in str(said["caption"]).splitlines())[:600].strip(),
        "render_spec": render_spec(content),
        "evidence": [{"quote": one["quote"]} for one in said["evidence"] if quotes(one["quote"])][:4],
    }


def _quotes(said: list[Mapping[str, Any]], source: SourceText, most: int) -> list[dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for one in said:
        letters = source.quote(one["quote"])
        if letters:
            found.setdefault(letters, {**one, "quote": letters})
    return list(found.values())[:most]


def _line(said: str, most: int, source: SourceText) -> str:
    """One line of plain text: no markup, no link that the source has not, no longer than it may be."""
    text = " ".join(_UNSEEN.sub(" ", said).split())
    # A text on markup speaks of its tags: they stay to be read, in brackets that no browser takes for a tag.
    text = _TAG.sub(lambda tag: f"‹{tag[0].strip('<>')}›" if source.holds(tag[0]) else "", text)
    text = replace_links(text, lambda link: link if source.holds(link) else "")
    text = " ".join(text.split())
    return text if len(text) <= most else _cut(text, most)


def _cut(text: str, most: int) -> str:
    """At the end of a sentence, if that keeps most of it; else between words."""
    room = text[: most - 1]
    whole = _ENDS.match(room)
    if whole and len(whole[0]) >= most * 0.6:
        return whole[0].strip()
    words = room.rpartition(" ")[0] if room.isascii() or " " in room[-30:] else room
    return f"{words.rstrip(' ,;:，、；：')}…"


def _tag(said: str, source: SourceText) -> str:
    tag = _HASHTAG.sub("", _line(said, 200, source))[:24].strip("-_")
    return tag if len(tag) >= 2 else ""


def _squeeze(text: str) -> tuple[str, list[int]]:
    """The text without blanks, in lower case, and where each of its characters stands."""
    places = [place for place, char in enumerate(text) if not char.isspace()]
    return "".join(text[place].lower()[:1] for place in places), places
