"""Read links that a phone or the bookmarklet shares. Phones often put the link into the text."""

import re
from collections.abc import Mapping
from urllib.parse import quote

_LINK = re.compile(r"https?://[^\s<>\"'，。；）】」]+", re.IGNORECASE)
TITLE_MAX, INTENT_MAX, TEXT_MAX = 300, 800, 20_000


def draft_of(query: Mapping[str, str]) -> dict[str, str]:
    text, title = query.get("text", "")[:TEXT_MAX].strip(), query.get("title", "")[:TITLE_MAX].strip()
    match = _LINK.search(query.get("url", "").strip()) or _LINK.search(text) or _LINK.search(title)
    link = match[0].rstrip(".,;:!?)") if match else ""
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
    """Script that opens the capture form with a page's link, title and selected text."""
    script = (
        "(function(){var e=encodeURIComponent,s=String(getSelection?getSelection():'').slice(0,300);"
        f"window.open('{address}/my/capture?small=1&url='+e(location.href)+'&title='+e(document.title)+'&intent='+e(s),"
        "'readdo','width=520,height=560');})()"
    )
    return quote(script, safe="(){}=?:;,.'&+/!")
