"""Firefox's bookmark backup in JSON."""

from readdo.messages import message
from readdo.transfer.import_formats import dates, tags
from readdo.transfer.import_formats.bookmark_tree import leaves
from readdo.transfer.import_formats.entry import Entries, RawEntry, entry
from readdo.transfer.import_formats.source_file import SourceFile

_FOLDER = "text/x-moz-place-container"


def recognises(file: SourceFile) -> bool:
    return isinstance(file.data, dict) and file.data.get("type") == _FOLDER and "children" in file.data


def read(file: SourceFile) -> Entries:
    for number, (path, node) in enumerate(leaves(file.data, "title", "uri"), start=1):
        yield entry(
            RawEntry(
                message("place.bookmark", n=number),
                node["uri"],
                title=node.get("title"),
                # Firefox's own folders are below the root: menu, toolbar, unfiled, mobile.
                labels=[*tags.folders(path[1:]), *tags.split(node.get("tags"), ",")],
                saved_at=dates.moment(node.get("dateAdded")),
            )
        )
