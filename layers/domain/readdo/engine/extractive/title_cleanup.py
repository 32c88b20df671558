"""Titles without the name of their site."""

import re

from .field_text import clean

_SITE = re.compile(r"\s+[|–—·»-]\s+[^|–—·»]{2,40}\Z|\s*[|_｜][^|_｜]{2,24}\Z")


def site_free(title: str) -> str:
    return _SITE.sub("", clean(title)) or clean(title)
