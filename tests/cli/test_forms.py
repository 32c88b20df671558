"""Artifacts as editable text: nothing is lost on the way back, and unreadable text is reported."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from terminal.artifact_editor import draft, form
from terminal.artifact_editor.form import CARD, SUMMARY, UnreadableForm
from terminal.text import one_line

from .samples import EN, ZH, payloads

LINE = (
    st.text(st.characters(exclude_categories=["Cc", "Cs", "Cf"]), min_size=1, max_size=60)
    | st.sampled_from(
        ["- a dash", "## Insight", "## Bullets", "\\", "# one", "P1 READ 10m x", "why not", "P0", "#标签"]
    )
).map(one_line)
TEXT = LINE.filter(bool)
TAG = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=20)
ENTRY = st.fixed_dictionaries(
    {
        "title": TEXT,
        "eta": st.sampled_from(["10m", "1h", "3h+"]),
        "type": st.sampled_from(["READ", "BUILD"]),
        "why": st.just("") | TEXT,
        "priority": st.sampled_from(["P0", "P3"]),
        "tags": st.lists(TEXT.filter(lambda tag: tag[0] not in "#\\" and "\\" not in tag), max_size=3),
    }
)


@given(st.lists(TEXT, min_size=3, max_size=3), TEXT)
def test_summary_survives_the_text_form(bullets: list[str], insight: str) -> None:
    payload = {"bullets": bullets, "insight": insight}
    assert form.read(SUMMARY, form.write(SUMMARY, payload)) == payload


@example("## Insight", ["a", "b", "c"], [], ["## Points"])
@given(TEXT, st.lists(TEXT, min_size=3, max_size=3), st.lists(TAG, max_size=3), st.lists(LINE, max_size=5))
def test_card_survives_the_text_form(text: str, points: list[str], tags: list[str], caption: list[str]) -> None:
    words = {"headline": text, "points": points, "insight": text, "action": text}
    payload = {**words, "hashtags": tags, "caption": "\n".join(caption).strip("\n")}
    assert form.read(CARD, form.write(CARD, payload)) == payload


@given(st.lists(ENTRY, min_size=1, max_size=4))
def test_todos_survive_the_text_form(entries: list[dict[str, object]]) -> None:
    assert form.read_todos(form.write_todos(entries)) == entries


@pytest.mark.parametrize("item_id", [EN, ZH])
def test_samples_survive_the_text_form(item_id: str) -> None:
    artifacts = payloads(item_id)
    assert form.read_todos(form.write_todos(artifacts["todos"]["todos"])) == artifacts["todos"]["todos"]
    for kind, sections in (("summary", SUMMARY), ("card", CARD)):
        content = form.read(sections, form.write(sections, artifacts[kind]))
        assert content == {name: artifacts[kind][name] for name in content}


def test_wrapped_lines_are_joined() -> None:
    text = "## Bullets\n- one that\n  goes on\n- 两行的\n  中文\n* three\n\n## insight\nfirst\nsecond"
    assert form.read(SUMMARY, text) == {
        "bullets": ["one that goes on", "两行的中文", "three"],
        "insight": "first second",
    }


def test_todos_are_read_in_loose_formats() -> None:
    text = "- p1 build 1H Write it down\n    why: because\n      it helps\n  tags #a, b\n\n2. P2  READ 10m 读原文"
    assert form.read_todos(text) == [
        {
            "title": "Write it down",
            "eta": "1h",
            "type": "BUILD",
            "why": "because it helps",
            "priority": "P1",
            "tags": ["a", "b"],
        },
        {"title": "读原文", "eta": "10m", "type": "READ", "why": "", "priority": "P2", "tags": []},
    ]


def test_missing_heading_and_invalid_todo_are_named() -> None:
    with pytest.raises(UnreadableForm, match="## Insight"):
        form.read(SUMMARY, "## Bullets\n- a")
    with pytest.raises(UnreadableForm, match="“Just do it” is not a todo"):
        form.read_todos("P1 READ 10m Read it\nJust do it")


@given(LINE)
def test_header_is_removed_and_similar_text_stays(line: str) -> None:
    text = f"# A title\n{line}"
    assert draft.drop_header(draft.put_header(text, "x summary", ["help"], ["wrong"])) == text.strip("\n")
    assert draft.drop_header(text) == text.strip("\n")
