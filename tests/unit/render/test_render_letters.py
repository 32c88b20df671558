"""The picture shows every letter: no empty boxes and no lost words."""

from pathlib import Path
from typing import Any

import pytest
import typst

from readdo.render import fonts
from readdo.render.drawable_text import UndrawableError, drawable
from readdo.render.embedded_letters import EMBEDDED_LETTERS, MONO, SERIF
from readdo.render.files import render
from readdo.render.line_breaks import BREAK, breakable
from readdo.render.palette import PAIRS, PALETTES
from readdo.render.render_request import CardSource, RenderError
from readdo.render.script_language import language, language_spoken, language_within
from unit.render import cards

KNOWN = fonts.letters(fonts.directory()) | EMBEDDED_LETTERS


def compile_strictly(text: str) -> None:
    """Compile as PDF/A-2u, which typst refuses if a letter has no glyph."""
    typst.compile(
        f'#set text(font: ("{fonts.SANS}", "{SERIF}", "{MONO}"), fallback: false)\n#sys.inputs.text'.encode(),
        format="pdf",
        pdf_standards="a-2u",
        font_paths=fonts.load(fonts.directory()),
        ignore_system_fonts=True,
        sys_inputs={"text": text},
    )


def test_every_embedded_letter_has_a_glyph() -> None:
    compile_strictly(" ".join(map(chr, sorted(EMBEDDED_LETTERS))))
    compile_strictly(f"a{BREAK}b می\u200cخواهم \u200d")
    with pytest.raises(typst.TypstError):
        compile_strictly("ไทย")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ship it 🚀!", "Ship it!"),
        ("做完 ✅ 再读 👨‍👩‍👧", "做完 再读"),
        ("🚀 Ship “🎉 it” now", "Ship “it” now"),
        ('say "🚀 go" to a 5" disk', 'say "go" to a 5" disk'),
        ("🎯 先读（✅ 完成）「🎉 好」", "先读（完成）「好」"),
        ("\u200d Ship it", "Ship it"),
        ("𝐛𝐨𝐥𝐝 and ℌard", "bold and Hard"),
        ("line\nbreak\u00a0and\ttab", "line break and tab"),
        ("evil \u202eorder", "evil order"),
        ("Żółta їжак שלום سلام", "Żółta їжак שלום سلام"),
        ("a" + "\u0301" * 50, "á" + "\u0301" * 3),
    ],
)
def test_drawable_removes_decoration_and_keeps_words(text: str, expected: str) -> None:
    assert drawable(text, KNOWN) == expected


def test_word_without_a_font_fails_the_picture_only() -> None:
    card = cards.english() | {"insight": "This is ภาษาไทย, my dear"}
    with pytest.raises(RenderError, match=r"U\+0E20, U\+0E32, U\+0E29…") as caught:
        render(card, formats=["png", "md"], source=CardSource())
    assert caught.value.format == "png"
    assert "ภาษาไทย" in caught.value.made["md"].decode()
    with pytest.raises(UndrawableError):
        drawable("ภาษา", KNOWN)


def test_text_of_pictographs_only_is_refused() -> None:
    with pytest.raises(RenderError, match="png"):
        render(cards.english() | {"action": "🚀" * 10}, formats=["png"], source=CardSource())


@pytest.mark.parametrize("text", [cards.URL, "W" * 160, "snake_case_" * 9, "。" * 90, "Aa" * 45, "ー" * 40])
def test_breakable_splits_long_words(text: str) -> None:
    broken = breakable(text)
    assert max(map(len, broken.split(BREAK))) <= 20
    assert broken.replace(BREAK, "") == text


def test_breakable_keeps_words_of_usual_length() -> None:
    assert BREAK not in breakable("internationalization of microservices，用 Kubernetes 部署")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("用 Kubernetes 部署 microservices", "zh"),
        ("The word 道 has no good translation", "en"),
        ("読んだら、すぐにやる", "ja"),
        ("읽고 바로 한다", "ko"),
        ("اقرأ أقل وافعل", "ar"),
        ("קרא פחות", "he"),
        ("12345 !!", "en"),
    ],
)
def test_language_is_detected_by_the_letters(text: str, expected: str) -> None:
    assert language(text) == expected


def test_line_with_little_chinese_is_chinese_in_a_chinese_card() -> None:
    assert language_within("Custom metrics via metrics.k8s.io 吧，OK then", "zh") == "zh"
    assert language_within("Only English here", "zh") == "en"


@pytest.mark.parametrize(
    ("text", "around", "expected"),
    [
        ("Follow this advice: “先列出工人的每一次写入，再给每一次写入加上条件” (1h)", "zh", "en"),
        ("动手照做：「List every write a worker makes, then add the condition to each」（1 小时）", "en", "zh"),
        ("「先读，再做」", "en", "zh"),
        ("列出上限", "ja", "ja"),
    ],
)
def test_language_of_a_line_ignores_quotations(text: str, around: str, expected: str) -> None:
    assert language_spoken(text, around) == expected


def test_configured_font_directory_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    font_directory = fonts.directory()
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / fonts.FILE).symlink_to(font_directory / fonts.FILE)
    monkeypatch.setenv("READDO_FONTS", str(tmp_path))
    assert fonts.directory() == tmp_path / "deep"


def test_missing_font_fails_the_picture_with_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    def find_nothing(_name: str) -> Any:
        return None

    monkeypatch.delenv("READDO_FONTS", raising=False)
    monkeypatch.setattr("importlib.util.find_spec", find_nothing)
    with pytest.raises(RenderError, match="font is not installed"):
        render(cards.english(), formats=["png"], source=CardSource())


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", PALETTES)
@pytest.mark.parametrize("pair", PAIRS)
def test_contrast_is_wcag_aa(theme: str, pair: tuple[str, str]) -> None:
    dark, light = sorted(luminance(PALETTES[theme][name]) for name in pair)
    assert (light + 0.05) / (dark + 0.05) >= 4.5
