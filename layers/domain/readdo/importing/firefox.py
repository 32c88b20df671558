"""Firefox's backup of its bookmarks, as JSON."""

from readdo.importing import dates, tags
from readdo.importing.entry import Entries, Said, entry
from readdo.importing.file import File
from readdo.importing.trees import leaves

_FOLDER = "text/x-moz-place-container"


def recognises(file: File) -> bool:
    return isinstance(file.data, dict) and file.data.get("type") == _FOLDER and "children" in file.data


def read(file: File) -> Entries:
    for number, (path, node) in enumerate(leaves(file.data, "title", "uri"), start=1):
        yield entry(
            Said(
                f"bookmark {number}",
                node["uri"],
                title=node.get("title"),
                # Below the root are Firefox's own: menu, toolbar, unfiled, mobile.
                labels=[*tags.folders(path[1:]), *tags.split(node.get("tags"), ",")],
                saved_at=dates.moment(node.get("dateAdded")),
            )
        )
