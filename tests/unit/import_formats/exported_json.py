"""Made-up JSON exports of the products, in English and Chinese and in several versions."""

from typing import Any

OMNIVORE: list[dict[str, Any]] = [
    {
        "id": "7a", "slug": "leases-1", "title": "Leases", "description": "The page's own words", "author": "A",
        "url": "https://example.org/leases", "state": "Active", "readingProgress": 30, "thumbnail": "",
        "labels": ["databases", "Deep Work"], "savedAt": "2023-05-01T10:00:00.000Z", "publishedAt": None,
    },
    {
        "id": "7b", "slug": "mail-2", "title": "一封信", "description": None, "author": None,
        "url": "https://omnivore.app/no_url?q=abc", "state": "Archived", "readingProgress": 100, "thumbnail": None,
        "labels": [], "savedAt": "2023-05-02T10:00:00.000Z", "updatedAt": "", "publishedAt": None,
    },
]  # fmt: skip
KARAKEEP = {
    "bookmarks": [
        {
            "createdAt": 1700000000, "title": "One", "tags": ["a", "b"], "lists": ["l2"], "note": "我的话",
            "content": {"type": "link", "url": "https://example.org/1"}, "archived": True,
        },
        {"createdAt": 1700000001, "title": None, "tags": [], "content": {"type": "text", "text": "A note"}},
        {"createdAt": 1700000002, "title": "A picture", "tags": [], "content": None, "note": None},
    ],
    "lists": [
        {"id": "l1", "name": "Work", "type": "manual", "parentId": None},
        {"id": "l2", "name": "阅读", "type": "manual", "parentId": "l1"},
        {"id": "l3", "name": "A search", "type": "smart", "parentId": None},
    ],
}  # fmt: skip
LINKWARDEN = {
    "name": "me",
    "collections": [
        {"id": 1, "name": "Work", "parentId": None, "links": [
            {"id": 5, "name": "One", "url": "https://example.org/1", "description": "mine", "tags": [{"name": "a"}],
             "createdAt": "2024-01-02T03:04:05.000Z", "textContent": "The text of it.", "pinnedBy": [{"id": 1}]},
        ]},
        {"id": 2, "name": "深", "parentId": 1, "links": [
            {"id": 6, "name": "二", "url": "https://example.org/2", "tags": [], "createdAt": "2024-01-02T03:04:05Z"},
            {"id": 7, "name": "A PDF", "url": None, "type": "pdf", "tags": [], "createdAt": "2024-01-02T03:04:05.000Z"},
        ]},
    ],
    "pinnedLinks": [{"id": 6}],
}  # fmt: skip
WALLABAG = [
    {
        "is_archived": 1, "is_starred": 0, "tags": ["a", "b"], "id": 1, "title": "One", "url": "https://example.org/1",
        "content": "<p>The text</p>", "created_at": "2017-05-31T18:59:42+0200", "language": "de_DE",
        "annotations": [{"text": "so true", "quote": "first\nsecond"}],
    },
    {
        "is_archived": 0, "is_starred": 1, "tags": [{"id": 1, "label": "标签", "slug": "x"}], "title": "二",
        "url": "https://example.org/2", "created_at": "2020-11-11T05:02:11+00:00", "language": None,
        "content": "Sorry: <a href='https://doc.wallabag.org/en/user/errors_during_fetching.html'>docs</a>",
    },
]  # fmt: skip
WALLABAG_1 = [
    {"id": "3", "title": "Old", "url": "https://example.org/3", "is_read": "1", "is_fav": "0", "content": "<p>x</p>",
     "tags": "a,b c"},
]  # fmt: skip
PINBOARD = [
    {"href": "https://example.org/1", "description": "One", "extended": "mine", "meta": "", "hash": "",
     "time": "2020-01-02T03:04:05Z", "shared": "no", "toread": "yes", "tags": "a b  a"},
]  # fmt: skip
CHROME = {
    "checksum": "0",
    "roots": {
        "bookmark_bar": {"type": "folder", "name": "Lesezeichenleiste", "children": [
            {"type": "url", "name": "One", "url": "https://example.org/1", "date_added": "13244473600000000"},
            {"type": "folder", "name": "Work", "children": [
                {"type": "url", "name": "二", "url": "https://example.org/二", "date_added": "0"},
                {"type": "url", "name": "Own", "url": "chrome://version/", "date_added": "13244473600000000"},
            ]},
        ]},
        "other": {"type": "folder", "name": "Weitere", "children": []},
        "sync_transaction_version": "1",
    },
    "version": 1,
}  # fmt: skip
FIREFOX = {
    "guid": "root________", "title": "", "type": "text/x-moz-place-container", "root": "placesRoot",
    "children": [
        {"title": "menu", "type": "text/x-moz-place-container", "children": [
            {"title": "One", "type": "text/x-moz-place", "uri": "https://example.org/1", "dateAdded": 1600000001000000,
             "tags": "a,b"},
            {"type": "text/x-moz-place-separator", "title": ""},
            {"title": "工作", "type": "text/x-moz-place-container", "children": [
                {"title": "Recent", "type": "text/x-moz-place", "uri": "place:sort=8"},
                {"title": "二", "type": "text/x-moz-place", "uri": "https://example.org/二"},
            ]},
        ]},
    ],
}  # fmt: skip
