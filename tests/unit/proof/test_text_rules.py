"""Rules of the Proof desk: what each changes, what stays, and that they are stable."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from readdo.proof.lines import cut_chunks, split_lines
from readdo.proof.option_values import OFF_BY_DEFAULT, RULES
from readdo.proof.text_rules import EACH_LINE, KEEP, TextRules, detect_paragraphs, is_title

DEFAULT = frozenset(RULES) - OFF_BY_DEFAULT


def apply(text: str, names: frozenset[str] = DEFAULT, paragraphs: str = KEEP) -> tuple[str, dict[str, int]]:
    rules = TextRules(names, paragraphs)
    result = "".join(line.text + line.end for line in rules.apply(split_lines([text])))
    return result, {name: count for name, count in rules.changes.items() if count}


@pytest.mark.parametrize(
    ("rule", "before", "after", "changes"),
    [
        ("line_ends", "a\r\nb\rc\n", "a\nb\nc\n", 2),
        ("trailing_blanks", "a \t\u3000\n\t\nb", "a\n\nb", 2),
        ("blank_lines", "a\n\n\n\nb\n\n\nc", "a\n\nb\n\nc", 3),
        ("ellipses", "雨... 夜。。。。梦…了", "雨…… 夜……梦……了", 3),
        ("dashes", "他--她———我—你", "他——她——我——你", 3),
        ("cjk_punctuation", "你好,世界;今:天?好!吗.", "你好，世界；今：天？好！吗。", 6),
        ("cjk_punctuation", "你好(世界)", "你好（世界）", 2),
        ("cjk_punctuation", "是3．14元，1，000，000个", "是3.14元，1,000,000个", 3),
        ("cjk_punctuation", "“规矩”.", "“规矩”。", 1),
        ("cjk_blanks", "很急， 像 ！", "很急，像！", 2),
        ("cjk_blanks", "他说： “走。” 我走。", "他说：“走。”我走。", 2),
        ("quotes", '他说:"你好"，"世界"', "他说:“你好”，“世界”", 4),
        ("indent", "第一段。\n接着。\n\n第二段。", "\u3000\u3000第一段。\n接着。\n\n\u3000\u3000第二段。", 2),
    ],
)
def test_rule_changes_only_what_it_is_for(rule: str, before: str, after: str, changes: int) -> None:
    assert apply(before, frozenset({rule})) == (after, {rule: changes})
    assert apply(after, frozenset({rule})) == (after, {})


@pytest.mark.parametrize(
    "text",
    [
        "Wait... he said--slowly, (and softly): no!\n",
        "Use --help or word—word; it costs 1,000.50 at 23:57.\n",
        "打开 https://example.org/a,b?c=1;d=(2) 看\n",
        "用 `print(x, y)...` 打印\n",
        "邮件 a.b@example.org 在此\n",
        "文件report.txt在此\n",
        "时间是 23:57 和 3.14\n",
        "----\n====\n* * *\n",
        "```\n你好,世界...\n\n\n\n```\n",
        "---\ntitle: 你好,世界\n---\n",
        "“VIP-ONLY”, “today”\n",
        "使用--help参数\n",
    ],
)
def test_other_text_stays_as_it_is(text: str) -> None:
    assert apply(text, DEFAULT - {"indent"}) == (text, {})


@pytest.mark.parametrize(
    "title",
    [
        "第一章 雨夜",
        "第12回",
        "序章",
        "楔子",
        "番外 一",
        "后记",
        "《围城》",
        "【公告】",
        "PROLOGUE",
        "CHAPTER ONE",
        "****",
    ],
)
def test_titles_are_not_indented(title: str) -> None:
    assert apply(f"{title}\n\n正文。\n")[0] == f"{title}\n\n\u3000\u3000正文。\n"
    assert apply(f"\u3000\u3000{title}\n正文。\n")[0] == f"{title}\n\u3000\u3000正文。\n"


def test_sentence_that_begins_like_a_title_is_indented() -> None:
    text = "第一章，我写了很久。\n（你纯M啊）\n"
    assert apply(text, paragraphs=EACH_LINE)[0] == "\u3000\u3000第一章，我写了很久。\n\n\u3000\u3000（你纯M啊）\n"


def test_unpaired_quotes_stay() -> None:
    assert apply('他说:"未闭合\n', frozenset({"quotes"})) == ('他说:"未闭合\n', {})


@pytest.mark.parametrize(
    ("text", "paragraphs"),
    [
        ("\u3000\u3000他走了。\n\u3000\u3000她来了。\n\u3000\u3000我看着。\n", EACH_LINE),
        ("他走了，\n她来\n了。\n", KEEP),
        ("他走了。\n\n她来了。\n", KEEP),
        ("One line.\nTwo lines.\n", KEEP),
    ],
)
def test_paragraphs_are_detected(text: str, paragraphs: str) -> None:
    assert detect_paragraphs(split_lines([text])) == paragraphs


WORDS = '你好 字 , . ... 。。 … -- — ( ) （ !? : ; " “ ” word 3 １ ， ． 😀 𠮷 第一章 ``` --- http://a.cn/b,c =='
SPACES = (" ", "\t", "\u3000", "\n", "\n\n\n", "\r\n", "\r", "\u2028", "\u0085", "\f")
PIECES = st.sampled_from((*WORDS.split(" "), *SPACES))
TEXTS = st.lists(PIECES, max_size=40).map("".join)
RULE_SETS = st.sets(st.sampled_from(RULES)).map(frozenset)


@settings(max_examples=600)
@given(TEXTS, RULE_SETS, st.sampled_from([KEEP, EACH_LINE]))
def test_rules_applied_twice_change_nothing_more(text: str, names: frozenset[str], paragraphs: str) -> None:
    once, _ = apply(text, names, paragraphs)
    again, changes = apply(once, names, paragraphs)
    assert (again, changes) == (once, {})


@given(TEXTS)
def test_without_rules_the_text_stays(text: str) -> None:
    assert apply(text, frozenset()) == (text, {})


@given(TEXTS, RULE_SETS, st.integers(200, 4000))
def test_result_does_not_depend_on_chunks(text: str, names: frozenset[str], chunk_chars: int) -> None:
    """The rules run before the text is cut."""
    rules = TextRules(names)
    assert "".join(cut_chunks(rules.apply(split_lines([text])), chunk_chars)) == apply(text, names)[0]


@pytest.mark.parametrize(
    "line", ["第一节课上到一半，她忽然站起来说要走。", "第二部手机响了很久没有人接。", "第一部分很重要。"]
)
def test_paragraph_that_begins_like_a_title_is_indented(line: str) -> None:
    assert not is_title(line)


@pytest.mark.parametrize("line", ["第一章 雨夜", "第12回：风雪，山神庙", "第三卷", "第一节课", "序章", "【番外】"])
def test_title_is_known(line: str) -> None:
    assert is_title(line)
