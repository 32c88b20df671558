"""Cut furniture from an article's edges: repeated titles, credits, share links, related links."""

import re

from readdo.extraction.page_blocks import PageBlock, tokens

LINE_MAX = 90  # characters; a longer line is a sentence, not furniture
_CREDIT = re.compile(
    r"^[\[【（(〔]?\s*(?:责任编辑|責任編輯|责编|编辑|編輯|编审|审核|校对|来源|來源|稿源|出处|本文来源|文章来源|信息来源|作者|撰文|记者|"
    r"发布时间|发布日期|发表时间|更新时间|(?:日期|时间)(?=[:：]\s*(?:19|20)\d\d)|浏览|阅读|点击|浏览次数|阅读量|字号|字体|分享到|分享至|分享|扫码|扫一扫|长按|"
    r"原标题|本文原标题|标签|关键词|关键字|文章关键词|上一篇|下一篇|上一条|下一条|相关阅读|相关新闻|相关文章|延伸阅读|推荐阅读|热门推荐|"
    r"猜你喜欢|更多精彩|版权声明|版权所有|免责声明|特别声明|声明|转载请注明(?:出处|来源)?|关注我们|编集|出典|提供元|等级|积分|注册时间|発言|関連記事|あわせて読みたい|"
    r"おすすめ記事|この記事をシェア|シェアする|著者|公開日|更新日)\s*(?:[:：/／丨|】\]）)]|$|(?<=到)|(?<=至))"
)
_POST = re.compile(
    r"^#?\d{1,5}\s*(?:楼|樓|#)|^(?:等级|积分|帖子|威望|经验)\s*[:：]?\s*\d+$|^(?:joined|posts|location)\s*:\s*\S+.{0,20}$",
    re.I,
)
_MAIL = re.compile(
    r"^(?:you(?:'re|’re| are) (?:receiving|getting) this|this (?:e-?mail|message) was sent to|unsubscribe\b|"
    r"update your preferences|"
    r"view (?:this e-?mail )?in (?:your )?browser|forward to a friend|退订|取消订阅|您收到这封邮件|配信停止|配信解除)",
    re.I,
)
_INDEX = re.compile(r"索\s*引\s*号|发文机关|成文日期|主题分类|发布机构|文\s*号")
_LINE = re.compile(
    r"^(?:by\s+[A-Z][^.!?]{1,60}|(?:posted|published|updated|last updated|written|"
    r"filed under|tags?|tagged|categor(?:y|ies)|"
    r"topics?|source|photo|image credit|share|tweet|print|email)\b[^.!?]{0,70}|share (?:this|on)\b.*|"
    r"read (?:more|next|also)\b.*|continue reading\b.*|"
    r"related(?: articles?| stories| posts?| topics?| content| links?)?:?|"
    r"more (?:from|on|in|stories|news|like this)\b.*|you (?:may|might) also (?:like|enjoy).*|see also:?|"
    r"recommended.{0,30}|"
    r"most (?:read|popular).{0,30}|trending.{0,30}|comments? ?\(?\d*\)?|\d+ (?:comments?|shares?|likes?|views?).{0,30}|"
    r"leave a (?:comment|reply)|subscribe\b.*|sign up\b.*|follow us\b.*|advertisement|sponsored.{0,30}|skip to .{0,30}|"
    r"(?:copyright|©|\(c\)).*|all rights reserved.*|\d+ min(?:ute)?s? read)$",
    re.I,
)
_RIGHTS = re.compile(
    r"©|\bcopyright\b.*(?:19|20)\d\d|all rights reserved|版权所有|"
    r"未经.{0,12}(?:授权|许可|同意|允许).{0,20}转载|無断転載",
    re.I,
)
_DATE = re.compile(
    r"^\D{0,12}(?:(?:19|20)\d\d\s*[-/.年]\s*\d{1,2}\s*[-/.月]\s*\d{1,2}|"
    r"[A-Z][a-z]{2,8}\.? \d{1,2},? 20\d\d|\d{1,2} [A-Z][a-z]{2,8}\.? 20\d\d)"
)
_NEXT = re.compile(
    r"^(?:related|read next|more from|more on|more stories|you (?:may|might)|recommended|see also|further reading|"
    r"most (?:read|popular)|trending|相关|延伸阅读|推荐阅读|热门|猜你喜欢|更多|関連|あわせて|おすすめ)",
    re.I,
)
_ROW = re.compile(r"\n.*\n|\s[|｜·»>]\s")  # links under or beside each other
_STOP = re.compile(r"[。！？!?…]|[.](?:[\s\"”’)]|$)")


def trim_edges(page: list[PageBlock], indexes: list[int], title: str) -> list[int]:
    indexes = [i for i in indexes if not _is_furniture(page[i])]
    indexes = _cut_beginning(page, indexes, title)
    return _cut_end(page, _drop_empty_headings(page, indexes))


def _is_furniture(block: PageBlock) -> bool:
    """Only short lines count, and list items only if they are links: a manual may list "Share the folder"."""
    text = block.text.strip()
    if not block.tokens and block.kind not in ("code", "table"):
        return True
    if block.kind == "p" and block.linked >= 0.8 * len(text) and _ROW.search(text) and not _STOP.search(text):
        return True
    if block.kind not in ("p", "li") or len(text) > LINE_MAX:
        return False
    if block.kind == "li" and block.linked * 2 <= len(text):
        return bool(_CREDIT.match(text))
    return bool(_CREDIT.match(text) or _LINE.match(text) or _POST.match(text) or _RIGHTS.search(text))


def _cut_beginning(page: list[PageBlock], indexes: list[int], title: str) -> list[int]:
    """Drop leading titles, dates, breadcrumbs and names."""
    title_tokens = tokens(title)
    start = 0
    for start, i in enumerate(indexes):  # noqa: B007 - used after the loop
        block = page[i]
        if not (_is_title(block, title_tokens) or _is_label(block)):
            break
    return [i for i in indexes[start:] if not (page[i].kind == "h" and _is_title(page[i], title_tokens))]


def _is_title(block: PageBlock, title_tokens: list[str]) -> bool:
    if block.lead.endswith("# ") and block.lead.strip() == "#":
        return True
    own = block.tokens
    if not own or not title_tokens or len(own) > len(title_tokens) + 4:
        return False
    return len(set(own) & set(title_tokens)) >= 0.85 * len(set(own)) and len(own) >= 0.5 * len(title_tokens)


def _is_label(block: PageBlock) -> bool:
    """A short line with a date, or mostly links; also an index table of a government document."""
    if block.kind == "table":
        return bool(_INDEX.search(block.text)) and not _STOP.search(block.text)
    if block.kind in ("code", "h") or len(block.text) > LINE_MAX:
        return False
    return bool(_DATE.match(block.text)) or block.linked * 2 > len(block.text)


def _drop_empty_headings(page: list[PageBlock], indexes: list[int]) -> list[int]:
    """Drop a heading before the end, or before a heading of the same or a higher level."""
    after = [*indexes[1:], -1]
    return [
        i
        for i, then in zip(indexes, after, strict=False)
        if page[i].kind != "h" or (then >= 0 and (page[then].kind != "h" or len(page[then].lead) > len(page[i].lead)))
    ]


def _cut_end(page: list[PageBlock], indexes: list[int]) -> list[int]:
    """Cut at a "read next" heading in the last third, at a newsletter's footer, and a tail of links."""
    footer = next(
        (place for place, i in enumerate(indexes) if 2 * place > len(indexes) and _MAIL.match(page[i].text)), None
    )
    indexes = indexes[:footer]
    for place, i in enumerate(indexes):
        if (
            place * 3 >= len(indexes) * 2
            and page[i].kind in ("h", "p")
            and len(page[i].text) < 40
            and _NEXT.match(page[i].text)
        ):
            rest = indexes[place:]
            if sum(len(page[j].tokens) for j in rest if _STOP.search(page[j].text)) < 120:
                indexes = indexes[:place]
            break
    while (
        indexes and (page[indexes[-1]].linked * 2 > len(page[indexes[-1]].text)) and page[indexes[-1]].kind != "table"
    ):
        indexes = indexes[:-1]
    return indexes
