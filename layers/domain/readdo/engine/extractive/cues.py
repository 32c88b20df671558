"""Phrases that show the role of a sentence, in English and Chinese."""

import re
from functools import lru_cache
from typing import Final

from .stemming import terms

_I = re.IGNORECASE


_DATA = re.compile(r"[\"“]\w+[\"”]\s*[:：]\s*[\"“\[{\d]")
_HEAP, _DIFFERENT = 9, 0.65
# A keyword heap contains no sentence, so none of these function words and marks.
_SENTENCE_WORDS = re.compile(r"[,，;；]|\b(?:is|are|was|were|the|that|which|but|because|if)\b|[了着过是在]", re.I)


def _cue(english: str, chinese: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{english})\b|{chinese}", _I)


CUES: Final[dict[str, re.Pattern[str]]] = {
    "howto": _cue(
        r"you (?:can|should|need)|start (?:by|with)|make sure"
        r"|instead of|set|run|add|install|configure|create|keep|avoid"
        r"|step|always|never|rule of thumb",
        r"首先|其次|然后|最后|步骤|需要先|应该|建议|可以用|不要|避免|务必|第[一二三四五]步|做法|记得",
    ),
    "mechanism": _cue(
        r"because|works by|since|therefore|which means|so that|as a result|that is why|depends on|caused?|leads? to",
        r"因为|由于|因此|所以|导致|意味着|原理|机制|取决于|本质上|从而",
    ),
    "contrast": _cue(
        r"but|however|instead|rather than|versus|vs|whereas|while|although|trade-?offs?|compared (?:with|to)|unlike"
        r"|on the other hand|at the cost of|drawbacks?|downsides?"
        r"|not .{1,40} but|better than|(?:faster|cheaper|slower) than",
        r"但是|但|然而|不过|相比|对比|而不是|与其|取舍|代价|缺点|优点|反而|却|比.{1,12}(?:快|慢|好|便宜|贵|高|低|多|少)|不是.{1,20}而是",
    ),
    "example": _cue(
        r"for example|for instance|e\.g|such as|imagine|suppose|case study|in one|consider",
        r"例如|比如|举个例子|举例|譬如|以.{1,12}为例|案例|假设",
    ),
    "conclusion": _cue(
        r"in short|in the end|the point is|the lesson|conclusion"
        r"|in summary|to sum up|ultimately|overall|takeaway|the result"
        r"|what matters|turned out|we (?:chose|picked|went with|settled on)|(?:is|are) enough",
        r"总之|总的来说|归根结底|结论|最终|最重要|教训|一句话|换句话说|说到底|最后选|最终选|选了",
    ),
    "cost": _cue(
        r"costs?|price|budget|saved?|savings?|expensive|cheap|hours"
        r"|days|weeks|money|roi|revenue|per month|percent|overhead",
        r"成本|费用|预算|节省|花费|收益|昂贵|便宜|价格|收入|人力|每月|开销|投入",
    ),
    "risk": _cue(
        r"risks?|fail(?:s|ed|ure)?|danger(?:ous)?|outages?|mistakes?|problem|lost|lose|breaks?|bug",
        r"风险|失败|故障|事故|危险|隐患|错误|丢失|问题|坑",
    ),
    "decision": _cue(
        r"decid(?:e|ed|ing)|decision|chose|choose|recommend(?:ed)?|approved?|agreed|owner|deadline|plan(?:ned)?|stop|hire",
        r"决定|选择|推荐|批准|负责人|截止|计划|决策|取消|招聘|优先",
    ),
    "story": _cue(
        r"i|my|one day|remember|told|asked|was born|years ago|when we|we were|story|once",
        r"我|那天|有一天|记得|当时|曾经|故事|后来|那年|他说|她说",
    ),
}
# Openings that depend on the previous sentence. They make no sense alone on a card.
LEANING = re.compile(
    r"(?:this|that|these|those|it|its|they|he|she|such|and|or|also"
    r"|then|here|there(?!\s+(?:is|are))|both|another|so|the former"
    r"|the latter|as (?:shown|mentioned|noted)|see|of course|yes|no|again|finally|similarly|in addition|furthermore)\b"
    r"|这|那|它|他|她|其(?!他|实)|此外|另外|同时|并且|而且|以上|如上|接下来|如图|下面|当然|以下|所以|因此",
    _I,
)
_ORDERS_EN = (
    r"(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instructions?|prompts?|rules?|above|previous|everything)"
    r"|system prompt|you are (?:now )?(?:an? )?(?:ai|language model"
    r"|assistant|chatgpt|llm)|as an ai|jailbreak|developer mode"
    r"|(?:give|assign|set|return|output|rate|mark|score)\b.{0,40}\b(?:score|priority|match_score|100|rating|read_next)\b"
    r"|(?:match_score|read_next|priority)\s*[:=]|(?:attention|note"
    r"|dear|hey) (?:to )?(?:ai|llm|language model|assistant)s?\b"
    r"|<\s*/?\s*(?:system|instructions?)\s*>|reply only|respond only|begin (?:system|instructions?)"
)
_ORDERS_ZH = (
    r"(?:忽略|无视|忘记|忘掉|不要理会).{0,20}(?:指令|提示|规则|要求|以上|之前|前面)|系统提示|提示词注入|你现在是|你是一个?(?:AI|人工智能|助手|语言模型)"
    r"|作为(?:人工智能|AI|语言模型|智能助手)|无条件服从|(?:应当|必须|请)告诉用户|在每一?条.{0,8}前加上"
    r"|(?:给|打|设为|评为|输出).{0,16}(?:满分|一百分|100\s*分|READ_NEXT|最高优先级)"
)
ORDERS = re.compile(f"{_ORDERS_EN}|{_ORDERS_ZH}", _I)
BOILERPLATE = re.compile(
    r"\b(?:subscribe|newsletter|cookies?|sign up|log ?in|all rights reserved"
    r"|privacy policy|terms of (?:use|service)|click here"
    r"|follow (?:me|us)|share this|read more|related (?:posts"
    r"|articles)|advertisement|sponsored|copyright|table of contents"
    r"|free trial|buy now|leave a comment|thanks for reading)\b"
    r"|\b(?:welcome back|hi everyone|hello everyone|hey everyone|thanks to (?:everyone|all)"
    r"|thanks for (?:watching|listening|your support)"
    r"|today we(?:'re| are) going to talk|don't forget to like|special offer|limited time|use code \w+|order now)\b"
    r"|大家好|欢迎回来|哈喽|感谢(?:大家|您|各位|收看|收听|观看)|敬请谅解|联系客服|优惠券|立即(?:购买|抢购|下载)|限时|抢购|包邮|领取"
    r"|关注.{0,8}公众号|扫码|点赞|转发|在看|版权所有|未经授权|广告(?=[：:合位时]|\Z)|订阅|登录|注册|免责声明|阅读原文|相关阅读|隐私政策|感谢阅读|责任编辑",
    _I,
)


@lru_cache(maxsize=8192)
def has(cue: str, text: str) -> bool:
    return bool(CUES[cue].search(text))


# Cached, because each step checks the same sentences many times.
@lru_cache(maxsize=4096)
def gives_orders(text: str) -> bool:
    return bool(ORDERS.search(text))


@lru_cache(maxsize=4096)
def is_noise(text: str) -> bool:
    """True for calls to subscribe, greetings, offers, data instead of text, and keyword stuffing."""
    return bool(BOILERPLATE.search(text)) or bool(_DATA.search(text)) or _is_heap(text)


def _is_heap(text: str) -> bool:
    words = list(terms(text))
    return len(words) >= _HEAP and len(set(words)) < _DIFFERENT * len(words) and not _SENTENCE_WORDS.search(text)
