"""Table of all import formats.

A file matches at most one of the `NAMED` formats, so their order does not matter. Other files are tried with the
`GENERAL` formats, from the strictest to the loosest.
"""

from collections.abc import Iterator

from readdo.messages import message
from readdo.transfer.import_formats import bookmark_files, csv_exports, json_exports, unknown_products
from readdo.transfer.import_formats.import_line import BadLine, Entries
from readdo.transfer.import_formats.link_list import LINK_LIST
from readdo.transfer.import_formats.opml import OPML
from readdo.transfer.import_formats.source_file import ImportFormat, SourceFile, kind_in

_LISTS = (
    csv_exports.POCKET,
    bookmark_files.READING_LIST,
    csv_exports.INSTAPAPER,
    json_exports.OMNIVORE,
    json_exports.KARAKEEP,
    json_exports.LINKWARDEN,
    csv_exports.READWISE,
    json_exports.WALLABAG,
    csv_exports.RAINDROP,
    json_exports.PINBOARD,
    bookmark_files.BOOKMARK_PAGE,
    bookmark_files.CHROME,
    bookmark_files.FIREFOX,
    OPML,
)
_PLAIN = (
    unknown_products.TABLE,
    unknown_products.JSON,
    unknown_products.JSON_LINES,
    unknown_products.BROKEN_JSON,
    LINK_LIST,
)
_MEMBER_NAMES = r"(?!.*(?:^|/)\.).*\.(?:csv|tsv|json|jsonl|html?|opml|txt|md)"


def _members(file: SourceFile) -> Iterator[SourceFile]:
    """Files of a zip. A zip within the zip is not opened."""
    return (member for member in file.members(_MEMBER_NAMES) if member.packed is None)


def _is_zip_of_lists(file: SourceFile) -> bool:
    return any(kind_in(_LISTS + _PLAIN, member) for member in _members(file))


def _read_zip_of_lists(file: SourceFile) -> Entries:
    for member in _members(file):
        kind = kind_in(_LISTS + _PLAIN, member)
        if kind is None:
            yield BadLine(member.shown, message("import_line.not_a_list"))
        else:
            yield from member.as_member(kind.read(member))


NAMED = (csv_exports.POCKET_ZIP, json_exports.OMNIVORE_ZIP, *_LISTS)
GENERAL = (*_PLAIN, ImportFormat("zip", _is_zip_of_lists, _read_zip_of_lists))
KINDS = NAMED + GENERAL
