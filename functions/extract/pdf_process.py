"""A PDF's pages, read in a process of its own: a file of two kilobytes may ask for gigabytes, or for hours.

`python -I pdf_process.py '{"path": […], "memory": bytes, "seconds": 8, …}'` reads the file from stdin and
writes JSON. It sets its own limits before it looks at anything, so whoever started it outlives whatever is in the file.
"""

import contextlib
import json
import resource
import sys
from typing import Any

OPEN_MAX = 3  # standard input, output and error
NO_MEMORY = 3  # how it ends, if Python itself found none; the reader of PDFs is ended by a signal


def limited(what: int, most: int) -> None:
    """For good: also what breaks out of the reader cannot raise it again."""
    _, hard = resource.getrlimit(what)
    limit = most if hard == resource.RLIM_INFINITY else min(most, hard)
    with contextlib.suppress(ValueError, OSError):  # macOS knows no limit of memory: there the time must do
        resource.setrlimit(what, (limit, limit))


def confined() -> None:
    """No file, socket or process more: what would read the starter's environment, or call anybody, opens nothing."""
    limited(resource.RLIMIT_NOFILE, OPEN_MAX)
    limited(resource.RLIMIT_NPROC, 0)
    limited(resource.RLIMIT_FSIZE, 0)


def pages(body: bytes, most: int, enough: int) -> dict[str, Any]:
    import pypdfium2  # noqa: PLC0415 - after the path and the limits are set

    "".encode("utf-16-le")  # loads the codec of titles and texts
    confined()  # only now: from here on no file can be opened
    found: list[str] = []
    try:
        document = pypdfium2.PdfDocument(body)
        title = str(document.get_metadata_dict().get("Title", ""))
        for number in range(min(len(document), most)):
            page = document[number]
            words = page.get_textpage()
            found.append(words.get_text_bounded()[: enough + 1])
            words.close()
            page.close()
            if sum(map(len, found)) > enough:
                break
    except pypdfium2.PdfiumError as error:
        return {"wrong": "locked" if "password" in str(error).lower() else "broken"}
    return {"pages": found, "title": title[:enough]}


def main(asked: dict[str, Any]) -> int:
    sys.path[:] = asked["path"]
    limited(resource.RLIMIT_CORE, 0)
    limited(resource.RLIMIT_AS, asked["memory"])
    limited(resource.RLIMIT_CPU, asked["seconds"])
    try:
        found = pages(sys.stdin.buffer.read(), asked["pages"], asked["enough"])
        sys.stdout.write(json.dumps(found))  # in ASCII, lone surrogates and all
    except MemoryError:
        return NO_MEMORY
    return 0


if __name__ == "__main__":
    sys.exit(main(json.loads(sys.argv[1])))
