"""Field names for files of unknown products: our own names first, then others'."""

URL = frozenset(
    ("url", "link", "href", "uri", "address", "page url", "web address", "链接", "网址", "地址", "連結", "網址")
)
TITLE = ("title", "name", "page title", "headline", "标题", "名称", "標題")
NOTE = (
    *("intent_text", "intent", "note", "notes", "comment", "comments", "why", "selection", "highlights"),
    "highlight",
    "extended",
    "备注",
    "笔记",
    "说明",
    "備註",
)
TAGS = ("tags", "labels", "tag", "label", "keywords", "categories", "category", "标签", "分类", "標籤")
FOLDER = ("folder", "collection", "list", "文件夹", "收藏夹", "資料夾")
SAVED_AT = (
    *("saved_at", "created_at", "createdat", "savedat", "created", "saved", "date_added", "dateadded", "time_added"),
    *("saved date", "date added", "added", "date", "time", "timestamp", "last interaction date"),
    *("日期", "时间", "保存时间"),
)
ARCHIVED = ("archived", "is_archived", "isarchived", "read", "is_read", "isread", "done", "已读", "已归档")
STATE = ("status", "state", "location")
ARCHIVED_STATES = frozenset(("archive", "archived", "read", "done", "已读", "已归档"))
STARRED = (
    "星标",
    "收藏",
    "starred",
    "is_starred",
    "favorite",
    "favourite",
    "favorited",
    "is_favorite",
    "is_fav",
    "important",
    "pinned",
)
CONTENT = ("content", "html", "正文")  # not `text`: that is mostly a link's title
LANGUAGE = ("language", "lang", "语言")
LISTS = ("items", "bookmarks", "links", "articles", "entries", "data", "results", "documents")
