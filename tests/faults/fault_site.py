"""Local site of one page, which may refuse some requests first."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler

from readdo.net import address
from support.world import TEXT
from unit.extract.web import sends, web

PLACE = "/leases"
_MORE = (
    "In design number {n} a worker that slept for {n} minutes came back, and {n}3 of its writes were refused by the "
    "row, since the number that they carried was smaller than the one that was there. "
)


@dataclass
class Site:
    root: str = ""
    refuses: int = 0  # the number of requests that it answers with 503

    @property
    def url(self) -> str:
        return f"{self.root}{PLACE}"


def page() -> bytes:
    """Return a page that is larger than the artifact that a row holds: its text lies in the bucket."""
    paragraphs = [TEXT, *(_MORE.format(n=n) for n in range(2, 17))]
    body = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    head = "<head><title>Fencing tokens</title></head>"
    return f"<html lang='en'>{head}<body><article><h1>Fencing tokens</h1>{body}</article></body></html>".encode()


@contextmanager
def site() -> Iterator[Site]:
    web_site = Site()

    def answer(to: BaseHTTPRequestHandler) -> None:
        web_site.refuses -= 1
        sends(*((b"", 503) if web_site.refuses >= 0 else (page(),)))(to)

    # The world resolves no names; this machine's own address needs none.
    resolve, address.resolve = address.resolve, lambda host, *_: [host]
    try:
        with web({PLACE: answer}) as root:
            web_site.root = root
            yield web_site
    finally:
        address.resolve = resolve
