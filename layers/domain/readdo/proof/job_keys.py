"""Keys and files of proof jobs.

O#owner            J#id                job
O#owner            P                   places: which jobs are being processed
O#owner#J#id       P                   progress of the job: its epoch and its counts
O#owner#J#id       C#number            chunk

proof/owner/id/input                   the uploaded file
proof/owner/id/E/source, E/text        validated text, and the text after the rules; E is the epoch of the validation
proof/owner/id/E/index                 places of the chunks in the text
proof/owner/id/out/number/E-try        output of a chunk
proof/owner/id/resp/number/E-try       raw response of the model
proof/owner/id/merged/E/…              merged file, report and diff
"""

from readdo.lifecycle.write import Key
from readdo.store.keys import owner

JOB_PREFIX, CHUNK_PREFIX = "J#", "C#"


def job(owner_name: str, job_id: str) -> Key:
    return Key(owner(owner_name), f"{JOB_PREFIX}{job_id}")


def places(owner_name: str) -> Key:
    return Key(owner(owner_name), "P")


def partition(owner_name: str, job_id: str) -> str:
    return f"{owner(owner_name)}#{JOB_PREFIX}{job_id}"


def progress(owner_name: str, job_id: str) -> Key:
    return Key(partition(owner_name, job_id), "P")


def chunk(owner_name: str, job_id: str, number: int) -> Key:
    return Key(partition(owner_name, job_id), f"{CHUNK_PREFIX}{number:07d}")


def folder(owner_name: str, job_id: str) -> str:
    return f"proof/{owner_name}/{job_id}"
