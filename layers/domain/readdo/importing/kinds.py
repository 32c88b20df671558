"""Every kind of file that can be imported: data, one row a kind.

A file is of at most one of the `NAMED` kinds, so their order means nothing. What is of none of them is tried as one of
the `GENERAL`, from the one that asks most to the one that asks least.
"""

from readdo.importing import (
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
    reading_page,
    readwise,
    wallabag,
)
from readdo.importing.kind import Kind

# fmt: off
_ZIPS = (
    Kind("pocket",     "Pocket's zip",              pocket.recognises_zip,     pocket.read_zip),
    Kind("omnivore",   "Omnivore's zip",            omnivore.recognises_zip,   omnivore.read_zip),
)
_LISTS = (
    Kind("pocket",     "Pocket's table",            pocket.recognises,         pocket.read),
    Kind("pocket",     "a reading list's page",     reading_page.recognises,   reading_page.read),
    Kind("instapaper", "Instapaper's table",        instapaper.recognises,     instapaper.read),
    Kind("omnivore",   "Omnivore's list",           omnivore.recognises,       omnivore.read),
    Kind("karakeep",   "Karakeep's list",           karakeep.recognises,       karakeep.read),
    Kind("linkwarden", "Linkwarden's backup",       linkwarden.recognises,     linkwarden.read),
    Kind("readwise",   "Readwise Reader's table",   readwise.recognises,       readwise.read),
    Kind("wallabag",   "Wallabag's list",           wallabag.recognises,       wallabag.read),
    Kind("raindrop",   "Raindrop's table",          raindrop.recognises,       raindrop.read),
    Kind("pinboard",   "Pinboard's list",           pinboard.recognises,       pinboard.read),
    Kind("bookmarks",  "a page of bookmarks",       netscape.recognises,       netscape.read),
    Kind("chrome",     "Chrome's bookmarks",        chrome.recognises,         chrome.read),
    Kind("firefox",    "Firefox's bookmarks",       firefox.recognises,        firefox.read),
    Kind("opml",       "OPML",                      opml.recognises,           opml.read),
)
_PLAIN = (
    Kind("table",      "a table with links",        any_table.recognises,       any_table.read),
    Kind("json",       "JSON with links",           any_json.recognises,        any_json.read),
    Kind("json",       "JSON, one object a line",   any_json.recognises_lines,  any_json.read_lines),
    Kind("json",       "JSON that is not whole",    any_json.recognises_broken, any_json.read_broken),
    Kind("links",      "a list of links",           link_list.recognises,       link_list.read),
)
# fmt: on
NAMED = _ZIPS + _LISTS
GENERAL = (*_PLAIN, any_zip.kind(_LISTS + _PLAIN))
KINDS = NAMED + GENERAL
