"""The intent as the object of a task: "how to cache pages, so that …" becomes "caching pages"."""

import re

from .fit import clean, cut
from .keywords import terms
from .language import script_language
from .stopwords import STOP

_LEAD = re.compile(
    r"(?:(?:i|we)(?:'d|’d| would| am| are|'m|’m)? ?(?:want|need|like|hope"
    r"|plan|have|trying|looking)?(?: to\b| for\b)?|please|in order to|to"
    r"|(?:want|need|hope|plan|trying) to|(?:learn|understand|know|see"
    r"|find out|figure out|study|read|explore|research|look|remember)"
    r"(?: more)?(?: (?:about|into|at|up))?|(?:some |more |get )?(?:ideas?|inspiration|tips|background|material|advice)"
    r"(?: (?:for|on|about))|about|find|collect|decide(?= whether| if| which| on)|get better at|for)\s+",
    re.IGNORECASE,
)
_HOW = re.compile(r"how (?:to|(?:do|can|should|could|would|might) (?:i|we|you|one))(?: do)?\s+", re.IGNORECASE)
_ASKS = re.compile(r"(?:is|are|was|do|does|did|can|could|should|would|will|has|have|am)\s", re.IGNORECASE)
_TAIL = re.compile(
    r"[.;!?。；！？\n]|,\s| [—–-] | (?:so that|because|before|in order to|so (?:i|we)\b|since|and then) ", re.IGNORECASE
)
_ALL_VERBS = """
add adopt apply avoid automate bring build buy cache change check choose cook compare configure convince
create cut debug deal decide define deploy design draft estimate evaluate explain fix give grow handle hire
implement improve integrate introduce keep launch lead learn limit make manage measure migrate model monitor
move negotiate onboard optimise optimize organise organize plan prepare present prevent price prioritise
prioritize protect reduce refactor replace review run scale secure sell set ship simplify speed split start
stop store structure survive switch teach tell test track train tune use validate write
"""
_VERBS = frozenset(_ALL_VERBS.split())
_DOUBLED = frozenset({"cut", "get", "plan", "run", "set", "ship", "split", "stop"})
_LEAD_ZH = re.compile(
    r"^(?:我们|我)?(?:一直)?(?:想要|想|希望|打算|准备|需要|计划|要(?!不要|求|点|素))?(?:来)?"
    r"(?:学习|学会|学(?=如何|怎|用|写|做|习)|了解|理解|搞懂|搞清楚?|弄懂|弄清楚?|弄明白|知道|看看|看一?下|研究|参考|掌握|决定|判断|评估)?"
    r"(?:一下|下(?=如何|怎))?(?:到底|究竟)?(?:如何|怎么样?|怎样)?(?:关于)?\s*"
)
# "A story angle for my newsletter on habits" is about habits.
_ABOUT = re.compile(
    r".*\b(?:stor(?:y|ies)|angles?|ideas?|material|examples?|quotes?|inspiration|arguments?)\b.*?\b(?:on|about)\s+(\S.*)",
    re.I,
)
_ABOUT_ZH = re.compile(r".*关于(.{2,}?)的?(?:故事|素材|选题|灵感|案例|例子|资料|方法|文章|内容|经验|观点|角度)")
_TAIL_ZH = re.compile(r"[。！？!?；;\n]")
LONGEST = 76
LONGEST_ZH = 30


def topic(intent: str) -> str:
    line = clean(intent)
    found = _chinese(line) if script_language(line) == "zh" else _english(line)
    # An intent such as "read later" is no subject, so it is quoted as a whole.
    return found if list(terms(found)) else f"“{cut(line, LONGEST)}”"


def _chinese(line: str) -> str:
    rest = _LEAD_ZH.sub("", line, count=1)
    first = _TAIL_ZH.split(rest, maxsplit=1)[0]
    about = _ABOUT_ZH.match(first)
    if about:
        return cut(about.group(1).strip(), LONGEST_ZH)
    clauses = re.split("[，,]", first)
    short = clauses[0] if len(clauses[0]) >= 5 else first
    return cut(short.strip(" ，,：:").rstrip("吗呢吧"), LONGEST_ZH)


def _english(line: str) -> str:
    doing = False
    for _ in range(6):
        how = _HOW.match(line)
        lead = how or _LEAD.match(line)
        if not lead:
            break
        doing = doing or bool(how)
        line = line[lead.end() :]
    line = _TAIL.split(line, maxsplit=1)[0].strip(" ,:\"'“”")
    about = _ABOUT.match(line)
    line = about.group(1) if about else line
    if _ASKS.match(line):
        return f"the question “{cut(line, LONGEST)}”"
    first, _, rest = line.partition(" ")
    if first.lower() in _VERBS and (doing or rest):
        line = f"{_gerund(first.lower())} {rest}".strip()
    elif first.lower() in STOP:
        line = first.lower() + line[len(first) :]
    return _whole_phrase(line)


def _gerund(verb: str) -> str:
    if verb in _DOUBLED:
        return f"{verb}{verb[-1]}ing"
    return f"{verb[:-1]}ing" if verb.endswith("e") and not verb.endswith("ee") else f"{verb}ing"


def _whole_phrase(line: str) -> str:
    if len(line) <= LONGEST:
        return line
    kept = cut(line, LONGEST).rstrip("…").split()
    while len(kept) > 2 and kept[-1].lower() in STOP:
        kept.pop()
    return " ".join(kept) or cut(line, LONGEST)
