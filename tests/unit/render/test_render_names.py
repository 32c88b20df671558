"""Download names are readable, legal on every system, and safe in a header."""

import re
import unicodedata
from email.message import Message
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from readdo.render.download_names import ENDINGS, disposition, download_name
from readdo.render.files import FILE_NAMES
from readdo.render.render_request import CardSource

ILLEGAL = re.compile(r'[<>:"/\\|?*\x00-\x1f]')
DEVICE = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)\s*(\.|$)")
FLAG = "\U0001f1e9\U0001f1ea"


def name(headline: str, title: str = "", form: str = "png") -> str:
    card: dict[str, Any] = {"headline": headline}
    return download_name(form, card, CardSource(title=title))


def test_every_format_has_a_file_ending() -> None:
    assert set(ENDINGS) == set(FILE_NAMES)
    names = {form: name("Fencing tokens in practice", form=form) for form in ENDINGS}
    assert names["png"] == "Fencing tokens in practice.png"
    assert names["caption"] == "Fencing tokens in practice (caption).txt"
    assert {names[form].rpartition(".")[2] for form in ("md", "html", "pdf", "json")} == {"md", "html", "pdf", "json"}


@pytest.mark.parametrize(
    ("headline", "stem"),
    [
        ("没有上限的队列，只是把过载变成了等待", "没有上限的队列，只是把过载变成了等待"),
        ("Queues turn overload into latency: bound them", "Queues turn overload into latency - bound them"),
        ("TCP/IP at 10:30 | a\\b", "TCP-IP at 10-30 - a-b"),
        ('Is "it" <really> 2*3?', "Is 'it' really 2 3"),
        ("Ends in dots... ", "Ends in dots"),
        ("句号结尾。", "句号结尾"),
        (".env files -- a trap", "env files -- a trap"),
        ("--force is no plan", "force is no plan"),
        ("CON", "card CON"),
        ("nul.txt is a trap", "card nul.txt is a trap"),
        ("Com1 .x", "card Com1 .x"),
        ("con-", "card con"),
        ("Constant work", "Constant work"),
        ("evil \u202egnp.exe", "evil gnp.exe"),
        ("a\x00b\nc\td\u200be\ufeff", "ab c de"),
        ("half \ud83d a pair", "half a pair"),
        ("می\u200cخواهم بخوانم", "میخواهم بخوانم"),
        ("Cafe\u0301 \u3164 noir", "Café noir"),
        ("读/写：要点？", "读-写：要点？"),
        ("../../etc/passwd", "etc-passwd"),
    ],
)
def test_name_is_the_headline_without_illegal_characters(headline: str, stem: str) -> None:
    assert name(headline) == f"{stem}.png"


@pytest.mark.parametrize(
    ("headline", "title", "stem"),
    [("🚀🚀 ???", "Fencing tokens", "Fencing tokens"), ("", "标题", "标题"), ("\u202e", "…", "card"), ("", "", "card")],
)
def test_name_falls_back_to_the_title_then_to_card(headline: str, title: str, stem: str) -> None:
    assert name(headline, title) == f"{stem}.png"


def test_long_name_ends_with_a_complete_word() -> None:
    words = "Every queue in the order service must have a bound that somebody has written down once"
    assert name(words) == "Every queue in the order service must have a bound that somebody.png"
    assert name(words, form="caption").removesuffix(" (caption).txt") == name(words).removesuffix(".png")


def test_long_chinese_name_ends_with_a_complete_character() -> None:
    assert name("读完之后要行动" * 20) == ("读完之后要行动" * 20)[:55] + ".png"
    assert name("用 Kubernetes 部署" + "深" * 80).startswith("用 Kubernetes 部署深深")
    assert name("深" * 52 + " Kubernetes") == "深" * 52 + ".png"


@pytest.mark.parametrize("cluster", [FLAG, "👍🏽", "e\u0323\u0302", "नि"])
def test_grapheme_cluster_is_not_cut(cluster: str) -> None:
    for lead in range(20):
        file = name("a" * 40 + "深" * lead + cluster * 30)
        rest = file.removesuffix(".png").lstrip("a深")
        assert rest == unicodedata.normalize("NFC", cluster) * (len(rest) // len(unicodedata.normalize("NFC", cluster)))


anything = st.text(max_size=120) | st.text(alphabet='CONnul. :/\\"?*<>|-\u202e\u0301深한🇩👍', max_size=120)


@given(anything, anything, st.sampled_from(sorted(ENDINGS)))
@settings(max_examples=400, derandomize=True, deadline=None)
def test_any_name_is_legal_and_short(headline: str, title: str, form: str) -> None:
    file = name(headline, title, form)
    stem = file.removesuffix(ENDINGS[form])
    assert file.endswith(ENDINGS[form])
    assert stem
    assert any(map(str.isalnum, stem))
    assert len(file) <= 80
    assert len(file.encode()) <= 180
    assert not ILLEGAL.search(file)
    assert stem == stem.strip(" .")
    assert not DEVICE.match(file)
    assert not {unicodedata.category(char) for char in file} & {"Cc", "Cf", "Cs", "Zl", "Zp"}


@pytest.mark.parametrize(
    ("file", "plain"),
    [
        ("Fencing tokens.png", "Fencing tokens.png"),
        ("没有上限的队列.png", "card.png"),
        ("用 Little 定律.html", "card.html"),
        ("队列 (caption).txt", "card (caption).txt"),
        ("Żółta łódź — “naïve” Straße.md", "Zolta lodz - 'naive' Strasse.md"),
        ("It’s 100% “done”; really.pdf", "It's 100 'done' really.pdf"),
        ("🚀 Ship it.json", "Ship it.json"),
        ("🚀.png", "card.png"),
        ('a"b\\c%22.png', "abc22.png"),
    ],
)
def test_header_has_an_ascii_and_a_full_name(file: str, plain: str) -> None:
    value = disposition(file)
    match = re.fullmatch(r"inline; filename=\"([^\"\\%]+)\"; filename\*=UTF-8''([A-Za-z0-9!#$&+.^_`|~%-]+)", value)
    assert match
    assert match[1] == plain
    assert unquote(match[2]) == file


def test_email_parser_understands_the_header() -> None:
    message = Message()
    message["Content-Disposition"] = disposition("队列 & co.png")
    assert message.get_content_disposition() == "inline"
    assert "filename*=UTF-8''%E9%98%9F%E5%88%97%20&%20co.png" in message["Content-Disposition"]


def test_invisible_characters_are_left_out_of_the_header() -> None:
    value = disposition("half \ud83d of\r\n \u202ea pair 一半.png")
    assert value == "inline; filename=\"card.png\"; filename*=UTF-8''half%20%20of%20a%20pair%20%E4%B8%80%E5%8D%8A.png"


@given(anything)
@settings(max_examples=300, derandomize=True, deadline=None)
def test_name_cannot_inject_into_the_header(text: str) -> None:
    value = disposition(f'{text}\r\nSet-Cookie: a=b"; x="{text}.png')
    assert value.isascii()
    assert value.isprintable()
    assert value.count('"') == 2
    assert value.count(";") == 2
