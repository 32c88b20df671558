"""Chrome's own file `Bookmarks`, which Edge, Brave and the others have too."""

from readdo.importing import dates, tags
from readdo.importing.entry import Entries, Said, entry
from readdo.importing.file import File
from readdo.importing.trees import leaves


def recognises(file: File) -> bool:
    return isinstance(file.data, dict) and isinstance(file.data.get("roots"), dict)


def read(file: File) -> Entries:
    number = 0
    for root in file.data["roots"].values():
        for path, node in leaves(root, "name", "url") if isinstance(root, dict) else ():
            number += 1
            yield entry(
                Said(
                    f"bookmark {number}",
                    node["url"],
                    title=node.get("name"),
                    labels=tags.folders(path),
                    saved_at=dates.chrome_moment(node.get("date_added")),
                )
            )
