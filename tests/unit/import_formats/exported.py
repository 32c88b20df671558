"""Made-up export files of each product, in English and Chinese and in several versions."""

import io
import json
import zipfile
from dataclasses import dataclass
from typing import Any

from readdo.transfer.import_formats import BadLine, ImportLine, lines
from unit.import_formats.exported_json import (
    CHROME,
    FIREFOX,
    KARAKEEP,
    LINKWARDEN,
    OMNIVORE,
    PINBOARD,
    WALLABAG,
    WALLABAG_1,
)

POCKET = """title,url,time_added,tags,status
"Leases, fences and time",https://example.org/leases,1728576752,databases|to read,unread
租约与围栏,https://example.org/租约,1700000000,数据库|中文,archive
https://example.org/untitled,https://example.org/untitled,1281644107,,unread
"""
POCKET_WITH_CURSOR = """title,url,time_added,cursor,tags,status
Queues,"https://example.org/with,commas",1728576752,7187623980,withÄumlaut|with space,unread
"""
POCKET_PAGE = """<!DOCTYPE html>
<html><head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8" /><title>Pocket Export</title></head>
<body>
<h1>Unread</h1>
<ul>
<li><a href="https://example.org/a?b=1&amp;c=2" time_added="1698568488" tags="search,something else">A &amp; B</a></li>
</ul>
<h1>Read Archive</h1>
<ul>
<li><a href="https://example.org/读" time_added="1400000000" tags="">读过的</a></li>
</ul>
</body></html>
"""
INSTAPAPER_4 = """URL,Title,Selection,Folder
https://example.org/1,One,,Unread
https://example.org/2,二,"选中的一句，
还有第二行",归档前的文件夹
"""
INSTAPAPER_5 = """URL,Title,Selection,Folder,Timestamp
https://example.org/1,One,A marked sentence.,Archive,1650000000
"""
INSTAPAPER_6 = """URL,Title,Selection,Folder,Timestamp,Tags
https://example.org/1,One,,Unread,1748490183,[]
https://example.org/2,Two,,Starred,1748490176,"[""ml"",""论文""]"
instapaper://private-content/12345,A mail,,Unread,1748490176,[]
"""
READWISE = """Title,URL,ID,Document tags,Saved date,Reading progress,Location,Seen
One,https://example.org/1,01gmj,"['deep work', ""it's"", '深度']",2022-11-06 04:33:50+00:00,0.5,archive,True
二,https://example.org/2,01gmk,[],2024-01-15 10:00:00+08:00,0,new,False
Mail,mailto:reader-forwarded-email/abc,01gml,[],2024-01-15 10:00:00+00:00,0,feed,False
"""
RAINDROP = '''id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite
42,"Saved, ""quoted""","First line
Second line",An excerpt,https://example.org/1,Research / Go,"go, Go",2024-01-02T03:04:05.123Z,c.jpg,"First highlight
Second highlight",true
43,乙,,,https://example.org/2,Unsorted,,2024-01-02T03:04:05Z,,,false
'''
OUR_TABLE = """url,title,intent_text,tags,created_at,language,archived
https://example.org/1,One,why I saved it,"a, b",2026-11-18T10:00:00.000Z,en,false
https://example.org/2,二,为什么要读,甲、乙,2026-11-18T10:00:00.000Z,zh-CN,true
"""
SPREADSHEET = "标题;网址;备注\r\n一;https://example.org/1;好文\r\n"
MATTER = """Title,Author,Publisher,URL,Tags,Word Count,In Queue,Favorited,Read,Last Interaction Date,File Id
One,An Author,A Paper,https://example.org/1,a;b c,120,False,True,True,2023-05-01T10:00:00Z,7
"""
NETSCAPE_CHROME = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
<!-- This is an automatically generated file.
     It will be read and overwritten.
     DO NOT EDIT! -->
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks</H1>
<DL><p>
    <DT><H3 ADD_DATE="1600000000" LAST_MODIFIED="0" PERSONAL_TOOLBAR_FOLDER="true">My own bar</H3>
    <DL><p>
        <DT><A HREF="https://example.org/1?a=1&amp;b=2" ADD_DATE="1600000001" ICON="data:,A==">One &lt;1&gt;</A>
        <DT><H3 ADD_DATE="1600000002">Work</H3>
        <DL><p>
            <DT><H3>深入</H3>
            <DL><p>
                <DT><A HREF="https://example.org/二" ADD_DATE="1600000003000">二</A>
            </DL><p>
            <DT><A HREF="javascript:void(0)" ADD_DATE="1600000004">A bookmarklet</A>
        </DL><p>
        <DT><A HREF="https://example.org/3" ADD_DATE="0">Three</A>
    </DL><p>
    <DT><A HREF="chrome://settings/" ADD_DATE="1600000005">Settings</A>
</DL><p>
"""
NETSCAPE_FIREFOX = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks Menu</H1>

<DL><p>
    <DT><A HREF="place:type=6&sort=14&maxResults=10">Recent Tags</A>
    <DT><H3 ADD_DATE="1600000000">Reading</H3>
    <DD>What this folder is for
    <DL><p>
        <DT><A HREF="https://example.org/1" ADD_DATE="1600000001" TAGS="a,deep work">One</A>
        <DD>My own words,
on two lines
        <HR>
        <DT><A HREF="https://example.org/2" ADD_DATE="1600000002123456" FEEDURL="https://example.org/feed">Two</A>
    </DL><p>
</DL>
"""
NETSCAPE_SAFARI = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
\t<HTML>
\t<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
\t<Title>书签</Title>
\t<H1>书签</H1>
\t<DT><H3 FOLDED>个人收藏</H3>
\t<DL><p>
\t\t<DT><A HREF="https://example.org/1">One</A>
\t</DL><p>
\t<DT><H3 FOLDED id="com.apple.ReadingList">Reading List</H3>
\t<DL><p>
\t\t<DT><A HREF="https://example.org/2">Two</A>
\t</DL><p>
</HTML>
"""
NETSCAPE_PINBOARD = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Pinboard Bookmarks</TITLE>
<H1>Bookmarks</H1>
<DL><p><DT><A HREF="https://example.org/1" ADD_DATE="1600000001" PRIVATE="1" TOREAD="1" TAGS="a,b,A">One</A>
<DD>why
<DT><A HREF="https://example.org/2" ADD_DATE="1600000002" TOREAD="0" TAGS="x,linkding:bookmarks.archived">Two</A>
<DD>Said[linkding-notes]Noted &amp; kept[/linkding-notes]
</DL></p>
"""
OPML = """<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0"><head><title>Feeds</title></head><body>
<outline text="Work">
  <outline text="A feed" type="rss" xmlUrl="https://example.org/feed" htmlUrl="https://example.org/home"/>
  <outline text="一篇文章" type="link" url="https://example.org/文" created="Mon, 15 Jan 2024 10:00:00 GMT" _note="好"/>
  <outline text="Only a feed" type="rss" xmlUrl="https://example.org/only"/>
</outline>
</body></opml>
"""
LINKS = """# What I kept
https://example.org/1
- [Two, with (brackets)](https://example.org/wiki/Two_(2) "a title")
3. Three: https://example.org/3.
四 — https://example.org/四，很好
https://example.org/5 | Five
- [x] https://example.org/6
javascript:alert(1)
nothing here
"""


def as_json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=2).encode()


def zipped(members: dict[str, str | bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in members.items():
            archive.writestr(name, body)
    return buffer.getvalue()


POCKET_ZIP = zipped({
    "part_000000.csv": POCKET,
    "part_000001.csv": POCKET_WITH_CURSOR,
    "annotations/part_000000.json": json.dumps([
        {"url": "https://example.org/leases", "title": "Leases", "highlights": [
            {"quote": "A lease is a promise.", "created_at": 1700000000}, {"quote": "租约", "created_at": 1700000001}]},
        {"url": "https://example.org/only-marked", "title": "Marked", "highlights": [{"quote": "Yes."}]},
    ]),
    "collections/part_000000.csv": "title,url,note\nChosen,https://example.org/chosen,for you\n",
})  # fmt: skip
OMNIVORE_ZIP = zipped({
    "metadata_0_to_20.json": as_json(OMNIVORE[:1]),
    "metadata_20_to_40.json": as_json(OMNIVORE[1:]),
    "content/leases-1.html": "<html><body><p>A lease.</p></body></html>",
    "content/mail-2.html": "<p>亲爱的</p>",
    "highlights/leases-1.md": "> A lease is a promise.\n\nso it is",
})  # fmt: skip


@dataclass(frozen=True)
class Sample:
    kind: str
    name: str
    body: bytes


SAMPLES = (
    Sample("pocket", "part_000000.csv", POCKET.encode()),
    Sample("pocket", "with_cursor.csv", POCKET_WITH_CURSOR.encode()),
    Sample("pocket", "pocket.zip", POCKET_ZIP),
    Sample("pocket", "ril_export.html", POCKET_PAGE.encode()),
    Sample("instapaper", "four.csv", INSTAPAPER_4.encode()),
    Sample("instapaper", "five.csv", INSTAPAPER_5.encode()),
    Sample("instapaper", "six.csv", INSTAPAPER_6.encode()),
    Sample("readwise", "reader.csv", READWISE.encode()),
    Sample("raindrop", "raindrop.csv", RAINDROP.encode()),
    Sample("omnivore", "metadata_0_to_20.json", as_json(OMNIVORE)),
    Sample("omnivore", "one.json", as_json(OMNIVORE[0])),
    Sample("omnivore", "omnivore.zip", OMNIVORE_ZIP),
    Sample("karakeep", "karakeep.json", as_json(KARAKEEP)),
    Sample("linkwarden", "backup.json", as_json(LINKWARDEN)),
    Sample("wallabag", "all.json", as_json(WALLABAG)),
    Sample("wallabag", "v1.json", as_json(WALLABAG_1)),
    Sample("wallabag", "api.json", as_json({"page": 1, "_embedded": {"items": WALLABAG}})),
    Sample("pinboard", "pinboard.json", as_json(PINBOARD)),
    Sample("bookmarks", "chrome.html", NETSCAPE_CHROME.encode()),
    Sample("bookmarks", "firefox.html", NETSCAPE_FIREFOX.encode()),
    Sample("bookmarks", "safari.html", NETSCAPE_SAFARI.encode()),
    Sample("bookmarks", "pinboard.html", NETSCAPE_PINBOARD.encode()),
    Sample("chrome", "Bookmarks", as_json(CHROME)),
    Sample("firefox", "bookmarks.json", as_json(FIREFOX)),
    Sample("opml", "feeds.opml", OPML.encode()),
    Sample("table", "ours.csv", OUR_TABLE.encode()),
    Sample("table", "表.csv", SPREADSHEET.encode()),
    Sample("table", "matter.csv", MATTER.encode()),
    Sample("json", "links.json", as_json(["https://example.org/1", "https://example.org/二"])),
    Sample("json", "ours.json", as_json({"items": [{"url": "https://example.org/1", "intent_text": "为什么"}]})),
    Sample("json", "ours.jsonl", b'{"url": "https://example.org/1"}\n{"url": "https://example.org/2"}\n'),
    Sample("links", "links.md", LINKS.encode()),
    Sample("zip", "all.zip", zipped({"a/bookmarks.html": NETSCAPE_FIREFOX, "links.txt": LINKS})),
)


def read(body: bytes | str, name: str = "file") -> list[ImportLine | BadLine]:
    return list(lines(name, body.encode() if isinstance(body, str) else body))


def good_lines(body: bytes | str) -> list[ImportLine]:
    parsed = read(body)
    assert [line for line in parsed if isinstance(line, BadLine)] == []
    return [line for line in parsed if isinstance(line, ImportLine)]


def bad_lines(body: bytes | str) -> list[BadLine]:
    return [line for line in read(body) if isinstance(line, BadLine)]
