"""Proof jobs in a world in memory: create, upload, validate, and a model server that corrects chunks."""

import re
from typing import Any

import boto3

from readdo.proof import job_keys
from support.model_server import Behaviour, ModelRequest, model_answer
from support.world import World

# Six chunks. The first line of each names it. The first chunk has up to 2,000 characters.
SENTENCE = "This sentence is long enough to be checked. "
TEXT = "".join(f"chunk-{n}\n{(SENTENCE * (6 if n else 43)).strip()}\n\n" for n in range(6))
OPTIONS: dict[str, Any] = {"chunk_chars": 300, "rules": {"indent": False, "blank_lines": False}}
NO_RULES = {
    **dict.fromkeys(("line_ends", "trailing_blanks", "ellipses", "dashes", "cjk_punctuation"), False),
    **dict.fromkeys(("cjk_blanks", "quotes", "blank_lines", "indent"), False),
}


def create_job(world: World, text: str | bytes, filename: str = "novel.txt", **options: Any) -> str:
    """Create a job and upload its text."""
    body = text.encode() if isinstance(text, str) else text
    answer = world.api("POST", "/jobs", {"filename": filename, "size": max(1, len(body)), "options": options})
    assert answer.status == 201, answer.json
    job_id = str(answer.json["job"]["id"])
    upload(world, job_id, body)
    return job_id


def upload(world: World, job_id: str, body: bytes) -> None:
    key = f"proof/{world.owner}/{job_id}/input"
    boto3.client("s3").put_object(Bucket=world.outputs["BucketName"], Key=key, Body=body)


def post(world: World, job_id: str, verb: str, body: Any = None, status: int = 202) -> dict[str, Any]:
    answer = world.api("POST", f"/jobs/{job_id}/{verb}", body or {})
    assert answer.status == status, answer.json
    return dict(answer.json)


def get_job(world: World, job_id: str) -> dict[str, Any]:
    return dict(world.api("GET", f"/jobs/{job_id}").json["job"])


def state(world: World, job_id: str) -> tuple[str, str]:
    job = get_job(world, job_id)
    return job["state"], job["phase"]


def validated(world: World, text: str | bytes, filename: str = "novel.txt", **options: Any) -> str:
    job_id = create_job(world, text, filename, **options)
    post(world, job_id, "validate")
    world.settle()
    return job_id


def chunks(world: World, job_id: str, query: str = "") -> list[dict[str, Any]]:
    return list(world.api("GET", f"/jobs/{job_id}/chunks{query}").json["chunks"])


def output(world: World, job_id: str) -> bytes:
    row = world.table.get(job_keys.job(world.owner, job_id))
    assert row is not None
    stored = boto3.client("s3").get_object(Bucket=world.outputs["BucketName"], Key=row["merged"]["at"])
    return bytes(stored["Body"].read())


def finished(world: World, job_id: str, **merge: Any) -> bytes:
    """Process and merge a validated job. Returns the merged file."""
    post(world, job_id, "start")
    world.settle()
    post(world, job_id, "merge", merge)
    world.settle()
    return output(world, job_id)


def fenced_text(request: ModelRequest) -> str:
    """The chunk in the prompt of a call."""
    match = re.search(r"\n<text>\n(.*)</text>$", "\n" + request.turns[-1][1], re.DOTALL)
    assert match is not None
    return match[1]


def completion(change: Any = lambda text: text, **more: Any) -> Behaviour:
    """A model that changes the text of a chunk."""

    def answer(request: ModelRequest) -> Any:
        return model_answer(request, change(fenced_text(request)), **more)

    return answer


def per_chunk(*faults: tuple[str, Behaviour], otherwise: Behaviour | None = None) -> Behaviour:
    """A model that fails for the chunks whose text has a word."""

    def answer(request: ModelRequest) -> Any:
        text = fenced_text(request)
        behaviour = next((fault for word, fault in faults if word in text), otherwise or completion())
        return behaviour(request)

    return answer


def processed(world: World, **options: Any) -> str:
    job_id = validated(world, TEXT, **{**OPTIONS, **options})
    post(world, job_id, "start")
    world.settle()
    return job_id


def chunk(world: World, job_id: str, number: int) -> dict[str, Any]:
    return dict(world.api("GET", f"/jobs/{job_id}/chunks/{number}").json["chunk"])


def chunk_with(world: World, job_id: str, word: str) -> dict[str, Any]:
    total = get_job(world, job_id)["progress"]["total_chunks"]
    return next(found for n in range(total) if word in (found := chunk(world, job_id, n))["pre"])
