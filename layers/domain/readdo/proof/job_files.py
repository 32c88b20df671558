"""Files of a proof job in the bucket."""

from collections.abc import Iterator
from typing import Any

from readdo import files
from readdo.proof import job_keys
from readdo.proof.job_rows import JobRow

UPLOAD_TYPE = "application/octet-stream"


def input_of(owner: str, job_id: str) -> str:
    return f"{job_keys.folder(owner, job_id)}/input"


def upload_of(job: JobRow) -> dict[str, Any]:
    return files.upload_link(input_of(job["owner"], job["id"]), UPLOAD_TYPE, job["size"])


def has_text(job: JobRow) -> bool:
    """True after the upload. Only a new job needs a look at the bucket."""
    return bool(job["execution"]) or files.size_of(input_of(job["owner"], job["id"])) is not None


def text_source(job: JobRow) -> str:
    """The file with the text: the validated copy, if there is one."""
    return source_at(job["text_at"]) if "text_at" in job else input_of(job["owner"], job["id"])


def source_at(folder: str) -> str:
    """The copy of the text that was validated. The link of the upload can still replace the input."""
    return f"{folder}/source"


def read_source(job: JobRow, folder: str) -> Iterator[bytes]:
    return files.chunks(source_at(folder), 0, job["size"])


def text_of(job: JobRow) -> str:
    """The text after the rules."""
    return f"{job['text_at']}/text"


def output_at(job: JobRow, number: int, epoch: int, tries: int) -> str:
    return f"{job_keys.folder(job['owner'], job['id'])}/out/{number}/{epoch}-{tries}"


def response_at(job: JobRow, number: int, epoch: int, tries: int) -> str:
    return f"{job_keys.folder(job['owner'], job['id'])}/resp/{number}/{epoch}-{tries}"
