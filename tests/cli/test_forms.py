"""What was made, as text and back: nothing is lost, and what is not understood is said."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from terminal.artifact_editor import form, header_lines, todos
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
def test_a_summary_comes_back_as_it_was(bullets: list[str], insight: str) -> None:
    payload = {"bullets": bullets, "insight": insight}
    assert form.read(SUMMARY, form.write(SUMMARY, payload)) == payload


@example("## Insight", ["a", "b", "c"], [], ["## Points"])
@given(TEXT, st.lists(TEXT, min_size=3, max_size=3), st.lists(TAG, max_size=3), st.lists(LINE, max_size=5))
def test_a_card_comes_back_as_it_was(text: str, points: list[str], tags: list[str], caption: list[str]) -> None:
    words = {"headline": text, "points": points, "insight": text, "action": text}
    payload = {**words, "hashtags": tags, "caption": "\n".join(caption).strip("\n")}
    assert form.read(CARD, form.write(CARD, payload)) == payload


@given(st.lists(ENTRY, min_size=1, max_size=4))
def test_todos_come_back_as_they_were(given_todos: list[dict[str, object]]) -> None:
    assert todos.read(todos.write(given_todos)) == given_todos


@pytest.mark.parametrize("item_id", [EN, ZH])
def test_what_is_there_comes_back_as_it_was(item_id: str) -> None:
    made = payloads(item_id)
    assert todos.read(todos.write(made["todos"]["todos"])) == made["todos"]["todos"]
    for kind, sections in (("summary", SUMMARY), ("card", CARD)):
        found = form.read(sections, form.write(sections, made[kind]))
        assert found == {name: made[kind][name] for name in found}


def test_lines_that_an_editor_broke_become_one_again() -> None:
    text = "## Bullets\n- one that\n  goes on\n- 两行的\n  中文\n* three\n\n## insight\nfirst\nsecond"
    assert form.read(SUMMARY, text) == {
        "bullets": ["one that goes on", "两行的中文", "three"],
        "insight": "first second",
    }


def test_todos_are_read_as_people_write_them() -> None:
    text = "- p1 build 1H Write it down\n    why: because\n      it helps\n  tags #a, b\n\n2. P2  READ 10m 读原文"
    assert todos.read(text) == [
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


def test_a_lost_heading_is_named_and_so_is_a_line_that_is_no_todo() -> None:
    with pytest.raises(UnreadableForm, match="## Insight"):
        form.read(SUMMARY, "## Bullets\n- a")
    with pytest.raises(UnreadableForm, match="“Just do it” is no todo"):
        todos.read("P1 READ 10m Read it\nJust do it")


@given(LINE)
def test_the_top_goes_and_a_text_that_begins_like_one_stays(line: str) -> None:
    text = f"# A title\n{line}"
    assert header_lines.drop(header_lines.put(text, "x summary", ["help"], ["wrong"])) == text.strip("\n")
    assert header_lines.drop(text) == text.strip("\n")
