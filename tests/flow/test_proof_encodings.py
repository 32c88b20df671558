"""Encodings of the texts of proof jobs: marks, detection, and bytes that are no text."""

import pytest

from support.proof_jobs import NO_RULES, finished, get_job, validated
from support.world import World

CHINESE = "第一章 雨夜\n林栀推开门，屋里一个人也没有。她点亮了灯，坐下来等。\n外面的雨一直没有停。\n"


@pytest.mark.parametrize(
    ("named", "codec"),
    [
        ("UTF-8", "utf-8-sig"),
        ("utf8", "utf-8-sig"),
        ("UTF-16LE", "utf-16"),
        ("UTF-8-SIG", "utf-8-sig"),
        ("UTF-16", "be"),
    ],
)
def test_mark_is_no_part_of_the_text_however_the_encoding_is_named(fresh: World, named: str, codec: str) -> None:
    body = b"\xfe\xff" + CHINESE.encode("utf-16-be") if codec == "be" else CHINESE.encode(codec)
    job_id = validated(fresh, body, encoding=named, rules=NO_RULES, engine="rules")
    job = get_job(fresh, job_id)
    assert (job["preview"], job["encoding"]["mark"]) == (CHINESE, True)
    assert finished(fresh, job_id, as_input=True) == body


def test_mark_of_gb18030_is_no_part_of_the_text(fresh: World) -> None:
    body = b"\x84\x31\x95\x33" + CHINESE.encode("gb18030")
    job_id = validated(fresh, body, rules=NO_RULES, engine="rules")
    assert get_job(fresh, job_id)["preview"] == CHINESE
    assert finished(fresh, job_id, as_input=True) == body


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_chinese_in_utf16_without_a_mark_is_detected(fresh: World, codec: str) -> None:
    job_id = validated(fresh, (CHINESE * 3).encode(codec), rules=NO_RULES, engine="rules")
    assert get_job(fresh, job_id)["encoding"]["name"] == codec


def test_characters_of_the_rules_exist_in_older_encodings(fresh: World) -> None:
    text = "吾輩は猫である--名前はまだ無い。どこで生れたかとんと見当がつかぬ。\n" * 4
    job_id = validated(fresh, text.encode("cp932"), encoding="cp932", engine="rules")
    assert "―" in finished(fresh, job_id, as_input=True).decode("cp932")


@pytest.mark.parametrize(("named", "body"), [("utf-7", b"abc +2AA- d"), ("unicode_escape", b"abc \\ud800 d")])
def test_surrogates_are_no_text(fresh: World, named: str, body: bytes) -> None:
    job_id = validated(fresh, body, encoding=named)
    assert get_job(fresh, job_id)["failure"]["error_code"] == "ENCODING_FAILED"


@pytest.mark.parametrize(
    "body",
    [
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x01\x00" * 20,
        ("abc" * 20 + "\x81\x90").encode() * 9,
        bytes(range(256)) * 9,
    ],
)
def test_binary_files_are_named_so(fresh: World, body: bytes) -> None:
    job_id = validated(fresh, body)
    assert get_job(fresh, job_id)["failure"]["error_code"] == "FILE_BINARY"
