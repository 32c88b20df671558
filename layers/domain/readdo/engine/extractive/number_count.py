"""Count figures in digits and words. Dates and years do not count."""

import re
from typing import Final

from .language import HAN, KANA

_MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
_DATE = re.compile(
    rf"\b(?:19|20)\d\d-\d\d?-\d\d?|\b\d{{1,2}}(?:st|nd|rd|th)? {_MONTH}\b|\b{_MONTH} \d{{1,2}}\b(?!\s?[%\d])"
    r"|(?<!\d)(?:19|20)\d\d年|\d{1,2}(?:月份?|日|号)"
)
_YEAR = re.compile(r"(?:19|20)\d\d\Z")
# Chinese has no space before a number, so a Chinese character may precede it. A letter may not.
_DIGITS = re.compile(rf"(?<![^\W{HAN}{KANA}])(?<!\.)[$€£¥]?\d+(?:[.,:]\d+)*")
_NUMERAL: Final = "零一二两三四五六七八九十百千万亿"
_UNIT = "个|次|人|元|块|年|天|周|小时|分钟|秒|倍|行|条|页|篇|家|台|位|字|句|种|项|笔|公里|米|斤|吨|岁"
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_ONES = "one|two|three|four|five|six|seven|eight|nine"
_TEENS = "eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
_IN_WORDS = re.compile(
    rf"百分之[{_NUMERAL}]+|[{_NUMERAL}]+分之[{_NUMERAL}]+"
    rf"|(?<![{_NUMERAL}])[一二两三四五六七八九]成(?![为长功立本员果绩熟就年品群])|(?<![第{_NUMERAL}])[{_NUMERAL}]+(?:倍|个百分点)"
    rf"|(?<![第{_NUMERAL}])[{_NUMERAL}]{{2,}}(?={_UNIT})"
    rf"|\b(?:{_ONES}|ten|{_TEENS}|a|several|(?:{_TENS})(?:-(?:{_ONES}))?)[ -]"
    r"(?:percent|per cent|hundred|thousand|million|billion|dozen)\b"
    rf"|\b(?:(?:{_TENS})-(?:{_ONES})|{_TEENS}|{_TENS})\b(?!-)"
    rf"|\b(?:a|one|{_ONES}|ten)[ -](?:thirds?|quarters?|fifths?|sixths?|tenths?)\b"
    r"(?! (?:fall|time|day|year|month|week|row))"
    r"|\bin half\b|\b(?:by|than) half\b|\bhalf (?:of )?(?:the|our|all|as)\b",
    re.IGNORECASE,
)


def figures(text: str) -> int:
    rest = _DATE.sub(" ", text)
    digits = sum(not _YEAR.match(match.group()) for match in _DIGITS.finditer(rest))
    return digits + sum(1 for _ in _IN_WORDS.finditer(rest))
