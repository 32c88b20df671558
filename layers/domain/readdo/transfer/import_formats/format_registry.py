"""Table of all import formats.

A file matches at most one of the `NAMED` formats, so their order does not matter. Other files are tried with the
`GENERAL` formats, from the strictest to the loosest.
"""

from readdo.transfer.import_formats import (
    any_json,
    any_table,
    any_zip,
    chrome,
    firefox,
    instapaper,
    karakeep,
    link_list,
    linkwarden,
    netscape,
    omnivore,
    opml,
    pinboard,
    pocket,
    raindrop,
    reading_list_page,
    readwise,
    wallabag,
)
from readdo.transfer.import_formats.import_format import ImportFormat

# fmt: off
_ZIPS = (
    ImportFormat("pocket",     pocket.recognises_zip,         pocket.read_zip),
    ImportFormat("omnivore",   omnivore.recognises_zip,       omnivore.read_zip),
)
_LISTS = (
    ImportFormat("pocket",     pocket.recognises,             pocket.read),
    ImportFormat("pocket",     reading_list_page.recognises,  reading_list_page.read),
    ImportFormat("instapaper", instapaper.recognises,         instapaper.read),
    ImportFormat("omnivore",   omnivore.recognises,           omnivore.read),
    ImportFormat("karakeep",   karakeep.recognises,           karakeep.read),
    ImportFormat("linkwarden", linkwarden.recognises,         linkwarden.read),
    ImportFormat("readwise",   readwise.recognises,           readwise.read),
    ImportFormat("wallabag",   wallabag.recognises,           wallabag.read),
    ImportFormat("raindrop",   raindrop.recognises,           raindrop.read),
    ImportFormat("pinboard",   pinboard.recognises,           pinboard.read),
    ImportFormat("bookmarks",  netscape.recognises,           netscape.read),
    ImportFormat("chrome",     chrome.recognises,             chrome.read),
    ImportFormat("firefox",    firefox.recognises,            firefox.read),
    ImportFormat("opml",       opml.recognises,               opml.read),
)
_PLAIN = (
    ImportFormat("table",      any_table.recognises,          any_table.read),
    ImportFormat("json",       any_json.recognises,           any_json.read),
    ImportFormat("json",       any_json.recognises_lines,     any_json.read_lines),
    ImportFormat("json",       any_json.recognises_broken,    any_json.read_broken),
    ImportFormat("links",      link_list.recognises,          link_list.read),
)
# fmt: on
NAMED = _ZIPS + _LISTS
GENERAL = (*_PLAIN, any_zip.kind(_LISTS + _PLAIN))
KINDS = NAMED + GENERAL
