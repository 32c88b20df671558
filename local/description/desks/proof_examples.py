"""Examples of the Proof desk: a text from its upload to the merged file, rendered by the real views."""

from typing import Any, cast

from readdo.lifecycle.proof_job import (
    DONE,
    ERROR_PROCESS,
    PAUSED_MERGE,
    PAUSED_PROCESS,
    QUEUED_PROCESS,
    QUEUED_VALIDATE,
    RUNNING_MERGE,
    RUNNING_PROCESS,
    RUNNING_VALIDATE,
)
from readdo.proof import views
from readdo.proof.chunk_states import chunk_view
from readdo.proof.job_rows import NO_PROGRESS, ChunkRow, JobRow, ProgressRow
from readdo.proof.option_values import OFF_BY_DEFAULT, RULES
from readdo.proof.text_diff import diff_segments

JOB_ID = "01KA4ZF0Q2M6V3T9R5W7X1Y0BD"
_AT = "2026-11-20T09:4{}:00.120Z"
_MODEL = "gpt-4o-mini"
_PRE, _OUT = "林栀推开门，屋里一个人也没由。\n", "林栀推开门，屋里一个人也没有。\n"
Named = dict[str, Any]


def _job(status: str, version: int, **more: Any) -> JobRow:
    options = {
        "engine": "model",
        "rules": {name: name not in OFF_BY_DEFAULT for name in RULES},
        **{"chunk_chars": 2000, "encoding": "", "model": "", "timeout": 180, "max_concurrency": 20},
        **{"keep_raw": False, "extra_params": "{}", "paragraphs": "", "mode": "proofread", "max_cost": ""},
    }
    row = {"id": JOB_ID, "owner": "me", "status": status, "version": version, "execution": 1, "epoch": version}
    row |= {"filename": "novel.txt", "size": 412_331, "options": options, "llm_model": _MODEL}
    return cast("JobRow", {**row, "created_at": _AT.format(0), "updated_at": _AT.format(min(version, 9)), **more})


_TEXT = {
    "encoding": {"name": "gb18030", "mark": False, "confidence": "likely", "ends": "\r\n"},
    "preview": "第一章 雨夜",
    "paragraphs": "each_line",
    "characters": 206_118,
    "tokens": 206_240,
    "total_chunks": 118,
    "changes": {"line_ends": 4120, "cjk_punctuation": 12, "indent": 3905},
}


def _progress(**more: Any) -> ProgressRow:
    return {**NO_PROGRESS, **more}  # type: ignore[typeddict-item]


def _answer(job: JobRow, **progress: Any) -> dict[str, Any]:
    return {"job": views.view(job, _progress(**progress)), "available_actions": views.available(job, uploaded=True)}


_HEADERS = {"Content-Type": "application/octet-stream", "Content-Length": "412331"}
_UPLOAD = {"method": "PUT", "url": "https://bucket.example/proof/…", "headers": _HEADERS}
NEW = _job(QUEUED_VALIDATE, 1, execution=0)
_CREATED = {"job": views.view(NEW, NO_PROGRESS), "available_actions": views.available(NEW, uploaded=False)}
VALIDATING = _job(RUNNING_VALIDATE, 2)
VALIDATED = _job(PAUSED_PROCESS, 3, **_TEXT, wait_reason="ready_to_process")
_RUNNING = _job(RUNNING_PROCESS, 4, **_TEXT)
_PAUSED = _job(PAUSED_PROCESS, 5, **_TEXT, wait_reason="user_paused", touched=True)
_QUEUED = _job(QUEUED_PROCESS, 6, **_TEXT, touched=True)
_MERGING = _job(RUNNING_MERGE, 8, **_TEXT, as_input=False)
_FAILURE = {"error_code": "CHUNKS_FAILED", "message": "1 of 118 chunks failed.", "message_key": "proof.chunks_failed"}
FAILED = _job(ERROR_PROCESS, 5, **_TEXT, failure={**_FAILURE, "params": {"failed": 1, "total": 118}}, touched=True)
READY_TO_MERGE = _job(PAUSED_MERGE, 7, **_TEXT, wait_reason="ready_to_merge")
_MERGED = _job(
    DONE,
    9,
    **_TEXT,
    done_at=_AT.format(9),
    merged={"at": "", "bytes": 618_400, "sha256": "5e" * 32, "filename": "novel_rev.txt"},
)
_ACTIVE: dict[str, Any] = {
    "done": 40,
    "working": [40, 41],
    "retrying": 1,
    "retries": 3,
    "tokens_in": 96_000,
    "tokens_out": 71_000,
}
_ALL_DONE: dict[str, Any] = {"done": 118, "retries": 3, "tokens_in": 241_000, "tokens_out": 205_900}
_DONE_ROW = cast("ChunkRow", {"n": 3, "status": "done", "epoch": 4, "tries": 2, "retries": 1, "llm_model": _MODEL})
_DONE_ROW |= {"last_error_code": "503", "last_error_message": "The server failed.", "chars_out": len(_OUT)}
_CHUNK = chunk_view(_RUNNING, 3, _DONE_ROW, "done", len(_PRE))

REQUESTS: dict[str, Named] = {
    "createJob": {
        "a novel": {"filename": "novel.txt", "size": 412_331},
        "只用规则": {"filename": "小说.txt", "size": 8800, "options": {"engine": "rules", "rules": {"quotes": True}}},
    },
    "validateJob": {"empty body": {}, "another encoding": {"encoding": "big5"}},
    "startJob": {"empty body": {}, "another model": {"model": "gpt-4o"}},
    "resumeJob": {"empty body": {}},
    "pauseJob": {"at once": {}, "after the chunks in progress": {"drain": True}},
    "retryFailedChunks": {"empty body": {}, "another model": {"model": "gpt-4o"}},
    "mergeJob": {"empty body": {}, "as the input": {"as_input": True}},
    "resetJob": {"empty body": {}, "a finished job": {"confirm": True}},
    "rerunJob": {"empty body": {}},
}
ANSWERS: dict[tuple[str, int], Named] = {
    ("createJob", 201): {"created": {**_CREATED, "upload": _UPLOAD}},
    ("listJobs", 200): {
        "one job": {"jobs": [views.view(_RUNNING, _progress(**_ACTIVE))], "next_cursor": None},
        "none": {"jobs": [], "next_cursor": None},
    },
    ("getJob", 200): {
        "validated": _answer(VALIDATED),
        "processing": _answer(_RUNNING, **_ACTIVE),
        "failed chunks": _answer(FAILED, **{**_ALL_DONE, "done": 117, "error": 1}),
        "done": _answer(_MERGED, **_ALL_DONE),
    },
    ("validateJob", 202): {"validating": _answer(VALIDATING)},
    ("startJob", 202): {"processing": _answer(_RUNNING)},
    ("resumeJob", 202): {"processing": _answer(_RUNNING, done=40)},
    ("pauseJob", 200): {"paused": _answer(_PAUSED, done=40)},
    ("retryFailedChunks", 202): {"queued": _answer(_QUEUED, done=117)},
    ("mergeJob", 202): {"merging": _answer(_MERGING, **_ALL_DONE)},
    ("rerunJob", 201): {"created": _answer(_job(QUEUED_VALIDATE, 1, execution=0))},
    ("listChunks", 200): {"chunks": {"chunks": [_CHUNK], "next_cursor": "4"}},
    ("getChunk", 200): {
        "a corrected chunk": {"chunk": {**_CHUNK, "pre": _PRE, "out": _OUT, "diff": diff_segments(_PRE, _OUT)}},
    },
    ("getReport", 200): {
        "report": {
            "report": {
                **{"filename": "novel.txt", "bytes": 618_400, "chunks": 118, "changes": _TEXT["changes"]},
                **{"retries": 3, "tokens": {"sent": 241_000, "received": 205_900}, "models": {_MODEL: 118}},
                **{"changed_chunks": 2, "changed": [3, 96], "diff_url": "https://bucket.example/proof/…/diff.txt"},
            }
        }
    },
}
