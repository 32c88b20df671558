"""The pages of the Collect desk, without scripts, in both languages."""

import json
from pathlib import Path
from typing import Any

import pytest

from readdo.collect.completeness import COMPLETE, INCOMPLETE, PARTIAL, PARTS
from readdo.collect.figures import STATES
from readdo.lifecycle.collect_batch import BATCH
from support.collect_pool import add, apply, document, output_of, pick, put_document, result, send, supplement
from support.reader import Page, Reader
from support.world import World

POOL = "/my/collect"
WORDS = {
    tag: json.loads((Path(__file__).parents[2] / f"functions/pages/words/{tag}.json").read_text("utf-8"))
    for tag in ("en", "zh")
}
WAITING = {"status": "skipped", "requires_permission": True, "reason": "GDC Vault"}


@pytest.fixture(params=["en", "zh"])
def reader(fresh: World, request: pytest.FixtureRequest) -> Reader:
    return Reader(fresh, language=request.param)


@pytest.fixture
def english(fresh: World) -> Reader:
    return Reader(fresh)


def words(reader: Reader, name: str, **values: Any) -> str:
    return str(WORDS[reader.language][name]).format(**values)


def added(reader: Reader, *assignments: Any) -> Page:
    page = reader.look(POOL)
    return reader.send(page.form(POOL), json=json.dumps(list(assignments), ensure_ascii=False))


def test_pool_lists_assignments_by_state_with_figures(reader: Reader) -> None:
    assert words(reader, "done.assignments_added") in added(reader, supplement("甲", "讲座/甲.md")).words(".flash")
    add(reader.world, *(supplement(f"a{number}") for number in range(21)), {"id": "w", **WAITING})
    put_document(reader.world, "a1.md", document(50, 100))
    page = reader.look(POOL)
    assert "1 / 22" in page.words(".counts")
    assert page.words(".warnings")
    assert len(page.tree.cssselect("tbody tr")) == 23
    only = reader.look(page.link("?state=skipped#pool"))
    assert only.words("tbody th") == "w"
    assert words(reader, "collect.state.skipped") in only.words("tbody")


def test_pool_has_pages(english: Reader) -> None:
    add(english.world, *(supplement(f"a{number}") for number in range(60)))
    page = english.look(POOL)
    following = english.look(next(a.get("href") for a in page.tree.cssselect(".further a")))
    assert len(page.tree.cssselect("tbody tr")) + len(following.tree.cssselect("tbody tr")) == 60
    assert english.look(f"{POOL}?cursor=nonsense").status == 200


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "3",
        '{"type": "content_supplement"}',
        '[{"type": "poem"}, "x"]',
        '{"id": "w", "type": "poem"}',
        "[" * 9999,
    ],
)
def test_refused_assignments_keep_the_form(reader: Reader, text: str) -> None:
    page = reader.send(reader.look(POOL).form(POOL), json=text)
    assert page.status == 400
    assert page.words('[role="alert"]')
    assert page.form(POOL).fields["json"] == text
    assert reader.world.api("GET", "/assignments").json["assignments"] == []


def test_taken_id_is_named(english: Reader) -> None:
    added(english, supplement("a"))
    page = added(english, supplement("a", "other.md"), supplement("b"))
    assert (page.status, "a:" in page.words('[role="alert"]')) == (400, True)


def test_assignment_shows_the_claim_beside_the_verification(reader: Reader) -> None:
    add(reader.world, supplement("a"))
    put_document(reader.world, "a.md", document(99, 10))
    apply(reader.world, result("a", result={"completion_rate": 1, "missing_items": ["<b>nothing</b>"]}))
    page = reader.look(f"{POOL}/assignments/a")
    claimed, verified = (section.text_content() for section in page.tree.cssselect(".attempt .sides > section"))
    assert "1.00" in claimed
    assert "<b>nothing</b>" in claimed
    assert words(reader, "collect.verified.failed") in verified
    assert "0.80" in verified
    after = reader.send(page.form("/do/continue"))
    assert words(reader, "collect.state.pending") in after.words(".state")
    late = reader.send(page.form("/do/continue"))
    assert (late.status, words(reader, "collect.state.pending") in late.words()) == (409, True)


def test_skip_and_retry_of_the_page(reader: Reader) -> None:
    add(reader.world, supplement("甲 乙"), supplement("f"))
    page = reader.look(f"{POOL}/assignments/%E7%94%B2%20%E4%B9%99")
    assert reader.send(page.form("/do/skip"), reason=" ").status == 400
    after = reader.send(page.form("/do/skip"), reason="账号")
    assert "账号" in after.words()
    apply(reader.world, result("f", "failed", error="500 <script>"))
    failed = reader.look(f"{POOL}/assignments/f")
    assert "500 <script>" in failed.words(".failure")
    assert words(reader, "done.assignment_retry") in reader.send(failed.form("/do/retry")).words(".flash")


def test_permission_that_was_obtained_makes_the_resuming_assignment(reader: Reader) -> None:
    whole = supplement("w", "talks/w.md", resource_list=["https://gdcvault.com/play/1"], note="x")
    add(reader.world, {**whole, **WAITING})
    page = reader.look(f"{POOL}/permissions")
    assert "GDC Vault" in page.words("article")
    assert "talks/w.md" in page.words("article")
    assert "https://gdcvault.com/play/1" in page.words("article")
    form = page.form("/do/resume")
    reader.send(form)
    reader.send(form)
    skipped, again = reader.world.api("GET", "/assignments").json["assignments"]
    assert (again["status"], again["resumes"], again["target_files"]) == ("pending", "w", ["talks/w.md"])
    assert (again["extra"], again["requires_permission"]) == ({"note": "x"}, False)
    assert not reader.look(f"{POOL}/permissions").has("/do/resume")
    assert again["id"] in reader.look(f"{POOL}/assignments/w").words()
    assert skipped["status"] == "skipped"


def test_resuming_assignment_that_lacks_something_is_completed_in_the_form(english: Reader) -> None:
    add(english.world, {"id": "w", "type": "content_supplement", **WAITING})
    page = english.send(english.look(f"{POOL}/permissions").form("/do/resume"))
    assert page.status == 400
    draft = json.loads(page.form(POOL).fields["json"])
    assert draft == {"type": "content_supplement", "resumes": "w"}
    english.send(page.form(POOL), json=json.dumps({**draft, "target_file": "w.md"}))
    assert english.world.api("GET", "/assignments?status=pending").json["assignments"][0]["resumes"] == "w"


HOSTILE = '<script>alert(1)</script>\n\n[x](javascript:alert(1)) ![i](https://a.example.net/t.png)\n\n<img src="https://b.example.net">'


def test_document_is_rendered_with_its_parts(reader: Reader) -> None:
    put_document(reader.world, "讲座/a b.md", document(99, 200) + "\n" + HOSTILE)
    page = reader.look(reader.look(f"{POOL}/documents").link("a%20b.md"))
    assert "99 / 100" in page.words(".parts")
    assert page.words(".missing")
    body = page.tree.cssselect("article.document")[0]
    assert [body.cssselect(tag) for tag in ("script", "img", "h1", "h2")] == [[], [], [], []]
    assert [a.get("href") for a in body.cssselect("a") if not str(a.get("href")).startswith("https://")] == []
    assert "alert(1)" in body.text_content()
    assert "speaker" not in body.text_content()


def test_older_version_of_a_document_is_shown(reader: Reader) -> None:
    put_document(reader.world, "a.md", "first")
    put_document(reader.world, "a.md", "second")
    page = reader.look(f"{POOL}/documents/a.md?version=1")
    assert "first" in page.words("article.document")
    assert words(reader, "collect.document.old") in page.words(".warnings")
    assert reader.look(f"{POOL}/documents/a.md?version=3").status == 404


def test_check_by_older_rules_is_marked(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    put_document(reader.world, "a.md")
    assert reader.look(f"{POOL}/documents/a.md").words(".warnings") == ""
    monkeypatch.setattr("screens.collect.documents.RULES_VERSION", "2.0")
    page = reader.look(f"{POOL}/documents/a.md")
    assert words(reader, "collect.document.old_rules", version="1.0") in page.words(".warnings")


def test_documents_are_filtered(english: Reader) -> None:
    put_document(english.world, "a/1.md")
    put_document(english.world, "b/2.md", "short")
    assert "b/2.md" not in english.look(f"{POOL}/documents?prefix=a/").words()
    assert "a/1.md" not in english.look(f"{POOL}/documents?status={INCOMPLETE}").words(".lines")
    assert english.look(f"{POOL}/documents?cursor=nonsense").status == 200


def test_batch_shows_input_output_and_faults(reader: Reader) -> None:
    add(reader.world, supplement("a"))
    batch = pick(reader.world)
    assert send(reader.world, batch, {"batch_name": batch["batch_name"]}).status == 400
    listed = reader.look(f"{POOL}/batches")
    assert words(reader, "collect.batch.open") in listed.words(".state")
    page = reader.look(listed.link(batch["batch_name"]))
    assert "/processed_at" in page.words(".wrong")
    assert '"target_files"' in page.words("pre")
    send(reader.world, batch, output_of(batch, result("a", "failed", error="500")))
    page = reader.look(page.path)
    assert words(reader, "collect.state.failed") in page.words(".lines")
    assert '"processed_at"' in page.words("pre")
    assert page.words(".wrong") == ""


@pytest.mark.parametrize("path", ["assignments/none", "batches/none", "documents/none.md", "documents/..%2Fx.md"])
def test_unknown_things_are_not_found(reader: Reader, path: str) -> None:
    assert reader.look(f"{POOL}/{path}").status in (400, 404)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_each_name_has_its_words(language: str) -> None:
    names = {f"collect.state.{name}" for name in STATES}
    names |= {f"collect.status.{name}" for name in (COMPLETE, PARTIAL, INCOMPLETE)}
    names |= {f"collect.batch.{name}" for name in BATCH.states} | {f"collect.part.{name}" for name in PARTS}
    assert names <= WORDS[language].keys()
