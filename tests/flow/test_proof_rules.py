"""The Proof desk by rules alone: from the upload to the merged file."""

from typing import Any

import boto3
import pytest

from support.proof_jobs import (
    chunks,
    create_job,
    finished,
    get_job,
    output,
    post,
    state,
    upload,
    validated,
)
from support.world import World

NOVEL = "第一章 雨夜\n林栀推开门,屋里一个人也没有...\n\n\n\n她点亮了灯。\n"
NO_RULES = dict.fromkeys(
    (
        *("line_ends", "trailing_blanks", "ellipses", "dashes", "cjk_punctuation", "cjk_blanks", "quotes"),
        *("blank_lines", "indent"),
    ),
    False,
)
TEXTS = {
    "utf-8": "Naïve café.\r\n\r\n第一章\r\n中文 text\u2028line\x85next\x0cpage",
    "gb18030": "第一章 雨夜\r\n林栀推开门，屋里一个人也没有。她点亮了灯，坐下来等。\n外面的雨一直没有停。\U00020bb7\n",
    "big5": "第一章 雨夜\n他推開門，屋裡一個人也沒有。她點亮了燈，坐下來等。\n外面的雨一直沒有停。",
    "utf-16": "第一章\r\nHello\r\n",
    "cp1252": "Le garçon a mangé – déjà – trois crêpes à l’été.\r\nIl était près de la forêt.\r\n",
}


def test_rules_change_the_text_and_are_counted(fresh: World) -> None:
    job_id = validated(fresh, NOVEL)
    job = get_job(fresh, job_id)
    assert (job["state"], job["phase"], job["wait_reason"]) == ("paused", "process", "ready_to_process")
    assert job["changes"]["cjk_punctuation"] == 1
    assert job["changes"]["ellipses"] == 1
    assert job["encoding"]["name"] == "utf-8"
    assert job["preview"] == NOVEL[:200]
    merged = finished(fresh, job_id).decode()
    assert merged == "第一章 雨夜\n\n　　林栀推开门，屋里一个人也没有……\n\n　　她点亮了灯。\n"
    done = get_job(fresh, job_id)
    assert (done["state"], done["phase"]) == ("done", "done")
    assert done["output"]["filename"] == "novel_rev.txt"
    assert done["counts"] == {"pending": 0, "processing": 0, "retrying": 0, "done": 1, "error": 0}


@pytest.mark.parametrize("codec", TEXTS)
def test_without_rules_the_bytes_come_back(fresh: World, codec: str) -> None:
    body = TEXTS[codec].encode(codec)
    job_id = validated(fresh, body, rules=NO_RULES, engine="rules")
    assert finished(fresh, job_id, as_input=True) == body


def test_merged_file_is_utf8_with_line_feeds_by_default(fresh: World) -> None:
    job_id = validated(fresh, TEXTS["gb18030"].encode("gb18030"), rules=NO_RULES)
    assert finished(fresh, job_id).decode() == TEXTS["gb18030"].replace("\r\n", "\n")


def test_as_input_restores_the_line_ends_that_a_rule_unified(fresh: World) -> None:
    text = "One line.\r\nAnother line.\r\n"
    job_id = validated(fresh, text)
    assert finished(fresh, job_id, as_input=True) == text.encode()


def test_chunks_join_to_the_text(fresh: World) -> None:
    text = "".join(f"第{n}段。这里有一些文字，足够长。\n\n" for n in range(400))
    job_id = validated(fresh, text, chunk_chars=200, rules={"indent": False})
    listed = chunks(fresh, job_id, "?limit=500")
    assert len(listed) == get_job(fresh, job_id)["progress"]["total_chunks"] > 20
    assert [chunk["n"] for chunk in listed] == list(range(len(listed)))
    texts = [fresh.api("GET", f"/jobs/{job_id}/chunks/{chunk['n']}").json["chunk"]["pre"] for chunk in listed]
    assert "".join(texts) == text
    assert sum(chunk["chars_in"] for chunk in listed) == len(text)


def test_pages_of_chunks_follow_each_other(fresh: World) -> None:
    job_id = validated(fresh, "一行字。\n\n" * 2000, chunk_chars=200)
    seen: list[int] = []
    query = "?limit=7"
    while True:
        page = fresh.api("GET", f"/jobs/{job_id}/chunks{query}").json
        seen += [chunk["n"] for chunk in page["chunks"]]
        if page["next_cursor"] is None:
            break
        query = f"?limit=7&cursor={page['next_cursor']}"
    assert seen == list(range(get_job(fresh, job_id)["progress"]["total_chunks"]))
    pending = fresh.api("GET", f"/jobs/{job_id}/chunks?state=pending&limit=500").json["chunks"]
    assert [chunk["n"] for chunk in pending] == seen
    assert chunks(fresh, job_id, "?state=done") == chunks(fresh, job_id, "?state=active") == []


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b" \n\t\n", "FILE_EMPTY"),
        (b"PK\x03\x04\x00\x00\x08\x00\x00\x00" * 40, "FILE_BINARY"),
        (b"\x81\x20\xff\xfe\xfd" * 30, "ENCODING_FAILED"),
    ],
)
def test_bad_files_are_refused_with_a_reason(fresh: World, body: bytes, code: str) -> None:
    job_id = validated(fresh, body, encoding="" if code != "ENCODING_FAILED" else "utf-8")
    job = get_job(fresh, job_id)
    assert (job["state"], job["phase"], job["failure"]["error_code"]) == ("error", "validate", code)
    assert job["failure"]["message"]


def test_text_that_failed_is_validated_again_with_another_encoding(fresh: World) -> None:
    job_id = validated(fresh, TEXTS["gb18030"].encode("gb18030"), encoding="utf-8", rules=NO_RULES)
    assert get_job(fresh, job_id)["failure"]["error_code"] == "ENCODING_FAILED"
    post(fresh, job_id, "validate", {"encoding": "gb18030"})
    fresh.settle()
    assert state(fresh, job_id) == ("paused", "process")
    assert "failure" not in get_job(fresh, job_id)
    assert get_job(fresh, job_id)["encoding"] == {
        "name": "gb18030",
        "mark": False,
        "confidence": "named",
        "ends": "\n",
    }


def test_validate_before_the_upload_is_refused(fresh: World) -> None:
    answer = fresh.api("POST", "/jobs", {"filename": "a.txt", "size": 5})
    job_id = answer.json["job"]["id"]
    assert [action["action"] for action in answer.json["available_actions"]] == ["reset"]
    assert answer.json["upload"]["method"] == "PUT"
    refused = fresh.api("POST", f"/jobs/{job_id}/validate", {})
    assert (refused.status, refused.json["error"]["code"]) == (409, "JOB_NOT_UPLOADED")
    upload(fresh, job_id, b"hello")
    actions = fresh.api("GET", f"/jobs/{job_id}").json["available_actions"]
    assert [action["action"] for action in actions] == ["validate", "reset", "rerun"]


@pytest.mark.parametrize(
    "body",
    [
        {"filename": "a.txt", "size": 0},
        {"filename": "a.txt", "size": 5, "options": {"engine": "model"}},
        {"filename": "a.txt", "size": 5, "options": {"chunk_chars": 199}},
        {"filename": "a.txt", "size": 5, "options": {"rules": {"spelling": True}}},
        {"filename": "a.txt", "size": 5, "options": {"encoding": "klingon"}},
        {"filename": "a.txt", "size": 5, "options": {"encoding": "base64"}},
        {"filename": "a.txt", "size": 5, "options": {"mode": "layout"}},
        {"filename": "a.txt", "size": 5, "options": {"extra_params": {"messages": []}}},
        {"filename": "a.txt", "size": 5, "options": {"extra_params": {"x": "y" * 5000}}},
        {"filename": "a.txt", "size": 5, "options": {"timeout": 601}},
        {"filename": "a.txt", "size": 5, "options": {"max_concurrency": 51}},
        {"filename": "a.txt", "size": 5, "options": {"max_cost": "much"}},
        {"filename": "a.txt", "size": 5, "options": {"colour": "red"}},
    ],
)
def test_bad_options_are_refused(fresh: World, body: dict[str, Any]) -> None:
    answer = fresh.api("POST", "/jobs", body)
    assert (answer.status, answer.json["error"]["code"]) == (400, "VALIDATION_ERROR")
    assert answer.json["error"]["details"]["fields"]


def test_text_over_200_mb_is_too_large(fresh: World) -> None:
    answer = fresh.api("POST", "/jobs", {"filename": "a.txt", "size": 209_715_201})
    assert (answer.status, answer.json["error"]["code"]) == (413, "TOO_LARGE")


def test_reset_leaves_nothing(fresh: World) -> None:
    job_id = validated(fresh, NOVEL)
    finished(fresh, job_id)
    refused = fresh.api("POST", f"/jobs/{job_id}/reset", {})
    assert (refused.status, refused.json["error"]["details"]["fields"][0]["field"]) == (400, "confirm")
    assert output(fresh, job_id)
    assert fresh.api("POST", f"/jobs/{job_id}/reset", {"confirm": True}).status == 204
    for path in ("", "/chunks", "/output", "/report", "/chunks/0"):
        assert fresh.api("GET", f"/jobs/{job_id}{path}").status == 404
    assert fresh.api("GET", "/jobs").json["jobs"] == []
    assert not [key for key in _files() if job_id in key]


def _files() -> list[str]:
    listed = boto3.client("s3").list_objects_v2(Bucket="bucket", Prefix="proof/")
    return [row["Key"] for row in listed.get("Contents", [])]


def test_rerun_creates_a_new_job_with_the_same_text(fresh: World) -> None:
    job_id = validated(fresh, NOVEL, chunk_chars=300)
    answer = fresh.api("POST", f"/jobs/{job_id}/rerun", {}, key="again")
    assert answer.status == 201
    new_id = answer.json["job"]["id"]
    assert new_id != job_id
    assert fresh.api("POST", f"/jobs/{job_id}/rerun", {}, key="again").json["job"]["id"] == new_id
    assert answer.json["job"]["options"]["chunk_chars"] == 300
    post(fresh, new_id, "validate")
    fresh.settle()
    assert state(fresh, new_id) == ("paused", "process")


def test_report_names_the_changes(fresh: World) -> None:
    job_id = validated(fresh, NOVEL)
    assert fresh.api("GET", f"/jobs/{job_id}/report").status == 409
    finished(fresh, job_id)
    report = fresh.api("GET", f"/jobs/{job_id}/report").json["report"]
    assert report["changes"]["cjk_punctuation"] == 1
    assert (report["changed_chunks"], report["changed"]) == (1, [0])
    link = fresh.api("GET", f"/jobs/{job_id}/output")
    assert link.status == 302
    assert "novel_rev.txt" in link.headers["location"]


def test_same_key_creates_one_job(fresh: World) -> None:
    body = {"filename": "a.txt", "size": 5}
    first, second = (fresh.api("POST", "/jobs", body, key="k1") for _ in range(2))
    assert first.json["job"]["id"] == second.json["job"]["id"]
    assert fresh.api("POST", "/jobs", {**body, "size": 6}, key="k1").status == 422
    assert len(fresh.api("GET", "/jobs").json["jobs"]) == 1


def test_jobs_are_listed_newest_first_and_by_state(fresh: World) -> None:
    ids = [create_job(fresh, NOVEL) for _ in range(5)]
    post(fresh, ids[2], "validate")
    fresh.settle()
    assert [job["id"] for job in fresh.api("GET", "/jobs").json["jobs"]] == ids[::-1]
    paused = fresh.api("GET", "/jobs?state=paused&phase=process").json["jobs"]
    assert [job["id"] for job in paused] == [ids[2]]
    first = fresh.api("GET", "/jobs?limit=2").json
    rest = fresh.api("GET", f"/jobs?limit=10&cursor={first['next_cursor']}").json
    assert [job["id"] for job in (*first["jobs"], *rest["jobs"])] == ids[::-1]
