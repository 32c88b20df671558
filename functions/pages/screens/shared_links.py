"""What a phone or a bookmarklet brings along. Phones put the link into the text as often as into its own field."""

import re
from collections.abc import Mapping
from urllib.parse import quote

_LINK = re.compile(r"https?://[^\s<>\"'，。；）】」]+", re.IGNORECASE)
TITLE_MAX, INTENT_MAX, TEXT_MAX = 300, 800, 20_000


def shared(query: Mapping[str, str]) -> dict[str, str]:
    text, title = query.get("text", "")[:TEXT_MAX].strip(), query.get("title", "")[:TITLE_MAX].strip()
    found = _LINK.search(query.get("url", "").strip()) or _LINK.search(text) or _LINK.search(title)
    link = found[0].rstrip(".,;:!?)") if found else ""
    rest = text.replace(link, "").strip() if link else text
    return {
        "source": link or rest,
        "url": "",
        "title": "" if title == link else title,
        "intent_text": (query.get("intent", "") or (rest if link and rest != title else ""))[:INTENT_MAX],
        "content": "",
        "language": "",
    }


def bookmarklet(address: str) -> str:
    """A window of ours above the page that is read, with its link and title; what is marked there is the why."""
    script = (
        "(function(){var e=encodeURIComponent,s=String(getSelection?getSelection():'').slice(0,300);"
        f"window.open('{address}/my/capture?small=1&url='+e(location.href)+'&title='+e(document.title)+'&intent='+e(s),"
        "'readdo','width=520,height=560');})()"
    )
    return quote(script, safe="(){}=?:;,.'&+/!")
