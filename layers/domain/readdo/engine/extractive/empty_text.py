"""Reject texts without points to extract, such as navigation or one line repeated many times."""

import re

from readdo.errors import StepFailed
from readdo.messages import message

from .cues import is_noise
from .language import count_han
from .sentences import Document, Sentence

_LETTERS = 12
_REPEATED, _DIFFERENT = 12, 2
_SENTENCE_END = re.compile(r"[.!?。！？…][\"”」’)）]*\Z")
_MENU = re.compile(
    r"(?:home|about(?: us)?|products?|blog|contact(?: us)?|log ?in|log ?out|sign (?:in|up|out)|register|share"
    r"|follow us|menu|search"
    r"|next|previous|back|more|help|faq|careers|jobs|press|news|support|terms(?: of \w+)?|privacy(?: \w+)?|cookies?"
    r"|accept(?: all)?|settings|account|cart|checkout|subscribe|newsletter|facebook|twitter|instagram|youtube|linkedin"
    r"|services|pricing|docs|documentation|download|gallery|categories|tags|archive|skip to content|read more|language"
    r"|english|©.*|copyright.*"
    r"|首页|主页|关于(?:我们)?|产品|服务|博客|新闻|联系(?:我们)?|登录|注册|搜索|菜单|更多|帮助|分享|收藏|评论|点赞|关注|下一页|上一页|返回"
    r"|隐私(?:政策)?|用户协议|版权.*|导航|分类|标签|下载|设置|购物车|订阅|招聘|友情链接|网站地图|加入我们|客服|回到顶部)\W*\Z",
    re.IGNORECASE,
)


def refuse_empty(document: Document) -> None:
    """Raise StepFailed if the text has no points to extract."""
    reason = _emptiness(document)
    if reason:
        no_points = message("text.no_points", why=message(reason))
        raise StepFailed("AI_SCHEMA_INVALID", no_points, retryable=False, debug=reason)


def _emptiness(document: Document) -> str:
    """The message key of the reason. Empty if the text has points."""
    letters = sum(char.isalpha() for char in document.text[:20_000])
    if letters < _LETTERS:
        return "no_points.no_letters"
    lines = [sentence.text for sentence in document.sentences]
    if not lines and not any(block.kind in {"code", "table"} for block in document.blocks):
        return "no_points.no_sentence"
    if len(set(document.text)) <= 3 or _is_flood(lines):
        return "no_points.repeats"
    if lines and all(_is_menu(sentence) for sentence in document.sentences):
        return "no_points.navigation"
    return ""


def _is_flood(lines: list[str]) -> bool:
    different = len({"".join(filter(str.isalnum, line.lower())) for line in lines})
    if len(lines) >= _REPEATED and different <= _DIFFERENT:
        return True
    words = " ".join(lines[:400]).lower().split()
    return len(words) >= 40 and len(set(words)) <= 3


def _is_menu(sentence: Sentence) -> bool:
    text = sentence.text
    width = len(text) + count_han(text)
    return bool(_MENU.match(text)) or (width < 40 and not _SENTENCE_END.search(text) and is_noise(text))
