"""The library of documents: versions, If-Match, safe paths, completeness."""

from urllib.parse import quote

import pytest

from readdo.collect import completeness, document_library
from support.collect_pool import add, apply, assert_no_drift, document, get, put_document, stats, supplement
from support.world import World


def test_each_put_keeps_a_version(fresh: World) -> None:
    first = put_document(fresh, "talks/网络.md", document(50))
    second = put_document(fresh, "talks/网络.md", document(100))
    assert ([first["version"], second["version"]], [first["completion_rate"], second["completion_rate"]]) == (
        [1, 2],
        [0.9, 1.0],
    )
    for version, content in ((1, document(50)), (2, document(100))):
        answer = fresh.api("GET", f"/documents/talks/网络.md?version={version}").json
        assert (answer["content"], answer["document"]["version"]) == (content, version)
    assert fresh.api("GET", "/documents/talks/网络.md").json["content"] == document(100)
    assert fresh.api("GET", "/documents/talks/网络.md?version=3").status == 404


def test_same_content_is_no_new_version(fresh: World) -> None:
    put_document(fresh, "a.md", document())
    answer = fresh.api("PUT", "/documents/a.md", {"content": document()})
    assert (answer.status, answer.json["document"]["version"]) == (200, 1)


def test_status_tells_new_from_changed(fresh: World) -> None:
    statuses = [fresh.api("PUT", "/documents/a.md", {"content": text}).status for text in ("a", "b", "b")]
    assert statuses == [201, 200, 200]


def test_if_match_is_honoured_where_given(fresh: World) -> None:
    put_document(fresh, "a.md", "one")
    stale = fresh.api("PUT", "/documents/a.md", {"content": "x"}, if_match='"7"')
    assert (stale.status, stale.json["error"]["details"]) == (412, {"sent": "7", "version": 1})
    assert put_document(fresh, "a.md", "two", if_match='"1"')["version"] == 2
    assert put_document(fresh, "a.md", "three", if_match="*")["version"] == 3
    for if_match in ('"1"', "*"):
        assert fresh.api("PUT", "/documents/new.md", {"content": "x"}, if_match=if_match).status == 412
    assert fresh.api("PUT", "/documents/a.md", {"content": "x"}, if_match="two").status == 400


@pytest.mark.parametrize(
    "path",
    [
        *("a.txt", "../a.md", "a/../b.md", "a//b.md", "%2e%2e/a.md", "a/%2E%2E/b.md", "a%2f%2fb.md", "%2fa.md"),
        *("a\\..\\b.md", "a%00.md", "a%252e.md", "/a.md", "a/", ".md/", "C:/a.md", "a/..%2fb.md", "./a.md"),
        "x" * 900 + ".md",
    ],
)
def test_path_stays_inside(fresh: World, path: str) -> None:
    assert fresh.api("PUT", f"/documents/{path}", {"content": "x"}).status in (400, 404, 405)
    assert fresh.api("GET", f"/documents/{path}").status in (400, 404, 405)
    assert fresh.api("GET", "/documents").json["documents"] == []


@pytest.mark.parametrize(
    ("sent", "path"),
    [
        *(("C%23.md", "C#.md"), ("100%25.md", "100%.md"), ("why%3F.md", "why?.md"), ("Q:%20x.md", "Q: x.md")),
        *(("a%5Cb.md", "a/b.md"), ("e%CC%81.md", "\u00e9.md")),
    ],
)
def test_path_may_have_characters_that_are_encoded(fresh: World, sent: str, path: str) -> None:
    assert fresh.api("PUT", f"/documents/{sent}", {"content": "x"}).json["document"]["path"] == path
    assert fresh.api("GET", f"/documents/{sent}").json["content"] == "x"
    add(fresh, supplement("a", path))
    assert fresh.api("GET", "/assignments/a").json["documents"][0]["version"] == 1


def test_further_names_of_sections_reach_stored_documents(fresh: World, monkeypatch: pytest.MonkeyPatch) -> None:
    content = document().replace("## 摘要", "## Overview")
    assert put_document(fresh, "a.md", content)["completion_rate"] == 0.8
    monkeypatch.setenv("COLLECT_SECTIONS", '{"summary": ["Overview"]}')
    assert put_document(fresh, "a.md", content)["completion_rate"] == 1


def test_document_is_at_most_one_megabyte(fresh: World) -> None:
    assert fresh.api("PUT", "/documents/a.md", {"content": "x" * 1_000_000}).status == 201
    assert fresh.api("PUT", "/documents/a.md", {"content": "字" * 333_334}).status == 413
    assert fresh.api("PUT", "/documents/a.md", {}).status == 400


def test_completeness_has_its_parts(fresh: World) -> None:
    put_document(fresh, "a.md", document(99))
    answer = fresh.api("GET", "/documents/a.md/completeness").json
    assert (answer["status"], answer["completion_rate"], answer["rules_version"]) == ("complete", 0.998, "1.0")
    assert answer["parts"]["summary"] == {"have": 99, "need": 100, "points": 594}
    assert answer["missing_items"] == ["The summary has 99 of 100 characters."]
    assert fresh.api("GET", "/documents/b.md/completeness").status == 404


def test_list_has_filters_and_pages(fresh: World) -> None:
    add(fresh, supplement("named", "b/named.md"))
    for path, content in (("b/1.md", document()), ("b/2.md", document(0, 0)), ("c.md", "x"), ("a.md", document())):
        put_document(fresh, path, content)

    def paths(query: str = "") -> list[str]:
        return [row["path"] for row in fresh.api("GET", f"/documents{query}").json["documents"]]

    assert paths() == ["a.md", "b/1.md", "b/2.md", "c.md"]
    assert (paths("?prefix=b/"), paths("?status=complete"), paths("?status=partial,incomplete")) == (
        ["b/1.md", "b/2.md"],
        ["a.md", "b/1.md"],
        ["b/2.md", "c.md"],
    )
    page = fresh.api("GET", "/documents?limit=3").json
    assert ([row["path"] for row in page["documents"]], len(page["documents"])) == (["a.md", "b/1.md", "b/2.md"], 3)
    assert paths(f"?limit=3&cursor={quote(page['next_cursor'])}") == ["c.md"]
    assert fresh.api("GET", "/documents?cursor=../x").status == 400


def test_figures_follow_the_documents(fresh: World) -> None:
    assert stats(fresh)["documents"] == {
        **{"target_count": 0, "created_count": 0, "complete_count": 0, "partial_count": 0},
        **{"collection_rate": None, "avg_completion_rate": None},
    }
    listed = [{"title": "t", "file": "b.md"}]
    create = {"id": "y", "type": "create_document", "document_list": listed, "target_count": 3, "search_keywords": "k"}
    add(fresh, supplement("x", "a.md", "b.md"), create, {"id": "u", "type": "url", "url": "https://a.b"})
    assert stats(fresh)["documents"]["target_count"] == 4
    for path, content in (("a.md", document(100, 99)), ("b.md", document()), ("else.md", document(name="e"))):
        put_document(fresh, path, content)
    figures = stats(fresh)["documents"]
    assert (figures["created_count"], figures["complete_count"], figures["partial_count"]) == (2, 1, 1)
    assert (figures["collection_rate"], figures["avg_completion_rate"]) == (0.5, 0.9495)
    put_document(fresh, "a.md", document(0, 0, "w"))
    assert stats(fresh)["documents"]["avg_completion_rate"] == 0.8
    assert_no_drift(fresh)


def test_extras_of_an_applied_output_are_created_documents(fresh: World) -> None:
    listed = [{"title": "t", "file": "a.md"}]
    add(
        fresh,
        {"id": "x", "type": "create_document", "document_list": listed, "target_count": 2, "search_keywords": "k"},
    )
    for path in ("a.md", "b.md", "c.md"):
        put_document(fresh, path)
    assert stats(fresh)["documents"]["created_count"] == 1
    claims = {"id": "x", "status": "success", "result": {"documents": ["b.md", "c.md"]}}
    assert apply(fresh, claims) == {"x": "done"}
    figures = stats(fresh)["documents"]
    assert (figures["target_count"], figures["created_count"], figures["collection_rate"]) == (2, 2, 1.0)
    assert_no_drift(fresh)


def test_skipped_assignment_names_no_target(fresh: World) -> None:
    add(fresh, supplement("x", "a.md", "b.md"), supplement("y", "b.md"))
    put_document(fresh, "a.md")
    fresh.api("POST", "/assignments/x/skip", {"reason": "an account"})
    figures = stats(fresh)["documents"]
    assert (figures["target_count"], figures["created_count"]) == (1, 0)
    assert_no_drift(fresh)


def test_warnings_begin_above_their_limits(fresh: World) -> None:
    add(fresh, *(supplement(f"{n:02d}") for n in range(20)))
    assert stats(fresh)["warnings"] == []
    add(fresh, supplement("20"))
    (warning,) = stats(fresh)["warnings"]
    assert (warning["code"], warning["value"], warning["limit"]) == ("pending", 21, 20)
    statuses = ["failed"] + ["partial"] * 11
    results = [{"id": f"{n:02d}", "status": status, "result": {}} for n, status in enumerate(statuses)]
    apply(fresh, *results)
    assert {one["code"]: one["value"] for one in stats(fresh)["warnings"]} == {"partial": 11, "failure_rate": 0.0833}


def test_newer_rules_check_a_document_at_its_verification(fresh: World, monkeypatch: pytest.MonkeyPatch) -> None:
    put_document(fresh, "a.md")
    add(fresh, supplement("a"))
    for module in (completeness, document_library):
        monkeypatch.setattr(module, "RULES_VERSION", "1.1")
    assert fresh.api("GET", "/documents/a.md/completeness").json["rules_version"] == "1.0"
    assert apply(fresh) == {"a": "done"}
    assert fresh.api("GET", "/documents/a.md/completeness").json["rules_version"] == "1.1"
    assert (fresh.api("GET", "/documents/a.md").json["document"]["version"], get(fresh, "a")["status"]) == (1, "done")
