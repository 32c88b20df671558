"""Table of all import formats.

A file matches at most one of the `NAMED` formats, so their order does not matter. Other files are tried with the
`GENERAL` formats, from the strictest to the loosest.
"""

from readdo.import_formats import (
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
from readdo.import_formats.kind import ImportFormat

# fmt: off
_ZIPS = (
    ImportFormat("pocket",     "Pocket's zip",              pocket.recognises_zip,     pocket.read_zip),
    ImportFormat("omnivore",   "Omnivore's zip",            omnivore.recognises_zip,   omnivore.read_zip),
)
_LISTS = (
    ImportFormat("pocket",     "Pocket's table",            pocket.recognises,         pocket.read),
    ImportFormat("pocket",     "a reading list's page",     reading_list_page.recognises,   reading_list_page.read),
    ImportFormat("instapaper", "Instapaper's table",        instapaper.recognises,     instapaper.read),
    ImportFormat("omnivore",   "Omnivore's list",           omnivore.recognises,       omnivore.read),
    ImportFormat("karakeep",   "Karakeep's list",           karakeep.recognises,       karakeep.read),
    ImportFormat("linkwarden", "Linkwarden's backup",       linkwarden.recognises,     linkwarden.read),
    ImportFormat("readwise",   "Readwise Reader's table",   readwise.recognises,       readwise.read),
    ImportFormat("wallabag",   "Wallabag's list",           wallabag.recognises,       wallabag.read),
    ImportFormat("raindrop",   "Raindrop's table",          raindrop.recognises,       raindrop.read),
    ImportFormat("pinboard",   "Pinboard's list",           pinboard.recognises,       pinboard.read),
    ImportFormat("bookmarks",  "a page of bookmarks",       netscape.recognises,       netscape.read),
    ImportFormat("chrome",     "Chrome's bookmarks",        chrome.recognises,         chrome.read),
    ImportFormat("firefox",    "Firefox's bookmarks",       firefox.recognises,        firefox.read),
    ImportFormat("opml",       "OPML",                      opml.recognises,           opml.read),
)
_PLAIN = (
    ImportFormat("table",      "a table with links",        any_table.recognises,       any_table.read),
    ImportFormat("json",       "JSON with links",           any_json.recognises,        any_json.read),
    ImportFormat("json",       "JSON, one object a line",   any_json.recognises_lines,  any_json.read_lines),
    ImportFormat("json",       "JSON that is not whole",    any_json.recognises_broken, any_json.read_broken),
    ImportFormat("links",      "a list of links",           link_list.recognises,       link_list.read),
)
# fmt: on
NAMED = _ZIPS + _LISTS
GENERAL = (*_PLAIN, any_zip.kind(_LISTS + _PLAIN))
KINDS = NAMED + GENERAL
