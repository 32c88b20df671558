"""Chrome's `Bookmarks` file, also written by Edge, Brave and other Chromium browsers."""

from readdo.messages import message
from readdo.transfer.import_formats import dates, tags
from readdo.transfer.import_formats.bookmark_tree import leaves
from readdo.transfer.import_formats.entry import Entries, RawEntry, entry
from readdo.transfer.import_formats.source_file import SourceFile


def recognises(file: SourceFile) -> bool:
    return isinstance(file.data, dict) and isinstance(file.data.get("roots"), dict)


def read(file: SourceFile) -> Entries:
    number = 0
    for root in file.data["roots"].values():
        for path, node in leaves(root, "name", "url") if isinstance(root, dict) else ():
            number += 1
            yield entry(
                RawEntry(
                    message("place.bookmark", n=number),
                    node["url"],
                    title=node.get("name"),
                    labels=tags.folders(path),
                    saved_at=dates.chrome_moment(node.get("date_added")),
                )
            )
