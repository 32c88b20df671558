"""Places of an owner: how many jobs are processed at once."""

from readdo.lifecycle.write import Missing, Table, Write
from readdo.proof import job_keys
from readdo.proof.job_rows import JobRow
from readdo.runtime import setting


def _names() -> list[str]:
    return [f"place_{number}" for number in range(1, int(setting("PROOF_JOBS_AT_ONCE", "2")) + 1)]


def free_places(table: Table, owner: str) -> list[str]:
    row = table.get(job_keys.places(owner)) or {}
    return [name for name in _names() if name not in row]


def taken(table: Table, owner: str) -> int:
    return len(_names()) - len(free_places(table, owner))


def take(job: JobRow, place: str) -> Write:
    return Write(job_keys.places(job["owner"]), condition=Missing(place), sets={place: job["id"]})


def give_back(job: JobRow) -> list[Write]:
    """In the same transaction as the move that ends or pauses the processing."""
    return [Write(job_keys.places(job["owner"]), removes=(job["place"],))] if "place" in job else []
