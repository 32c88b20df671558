"""Read a PDF's pages in a separate process: a file of 2 kB can need gigabytes or hours.

`python -I pdf_process.py '{"path": […], "memory": bytes, "seconds": 8, …}'` reads the file from stdin and
writes JSON. The process limits itself before it parses the file, so no file can stop the parent process.
"""

import contextlib
import json
import resource
import sys
from typing import Any

OPEN_MAX = 3  # standard input, output and error
NO_MEMORY = 3  # exit code if Python is out of memory; PDFium ends with a signal instead


def lower_limit(resource_type: int, value: int) -> None:
    """Lower the hard limit as well, so that code that escapes from PDFium cannot raise the limit again."""
    _, hard = resource.getrlimit(resource_type)
    limit = value if hard == resource.RLIM_INFINITY else min(value, hard)
    with contextlib.suppress(ValueError, OSError):  # macOS has no memory limit, only the time limit
        resource.setrlimit(resource_type, (limit, limit))


def forbid_new_resources() -> None:
    """Forbid new files, sockets and processes: a hostile PDF must not reach parent or network."""
    lower_limit(resource.RLIMIT_NOFILE, OPEN_MAX)
    lower_limit(resource.RLIMIT_NPROC, 0)
    lower_limit(resource.RLIMIT_FSIZE, 0)


def pages(body: bytes, pages_max: int, enough: int) -> dict[str, Any]:
    import pypdfium2  # noqa: PLC0415 - after sys.path and the limits are set

    "".encode("utf-16-le")  # loads the codec that PDFium's texts need
    forbid_new_resources()  # no file can be opened from here on
    texts: list[str] = []
    try:
        document = pypdfium2.PdfDocument(body)
        title = str(document.get_metadata_dict().get("Title", ""))
        for number in range(min(len(document), pages_max)):
            page = document[number]
            text_page = page.get_textpage()
            texts.append(text_page.get_text_bounded()[: enough + 1])
            text_page.close()
            page.close()
            if sum(map(len, texts)) > enough:
                break
    except pypdfium2.PdfiumError as error:
        return {"wrong": "locked" if "password" in str(error).lower() else "broken"}
    return {"pages": texts, "title": title[:enough]}


def main(settings: dict[str, Any]) -> int:
    sys.path[:] = settings["path"]
    lower_limit(resource.RLIMIT_CORE, 0)
    lower_limit(resource.RLIMIT_AS, settings["memory"])
    lower_limit(resource.RLIMIT_CPU, settings["seconds"])
    try:
        result = pages(sys.stdin.buffer.read(), settings["pages"], settings["enough"])
        sys.stdout.write(json.dumps(result))  # ASCII, because the text can have lone surrogates
    except MemoryError:
        return NO_MEMORY
    return 0


if __name__ == "__main__":
    sys.exit(main(json.loads(sys.argv[1])))
