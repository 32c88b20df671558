"""Keys and files of the Collect desk.

O#owner#A          A#sequence          assignment; the sequence sorts by age
O#owner#A          N#digest(id)        sequence and fingerprint of the assignment with this id
O#owner#A          R#digest(id)        id of the assignment that resumes this skipped one
O#owner#A          B#name              batch
O#owner#A          W#own               schedule of our own worker
O#owner#A#sequence T#batch             attempt of an assignment in a batch
O#owner#L          D#path              document: its newest version, and how many assignments name it
O#owner#L          T#digest#created#path    document by its text, to find copies
O#owner#L#digest(path)   V#number      version of a document
O#owner#V          V#id                violation
O#owner#CN         A#shard, D#shard    figures of assignments and of documents

collect/owner/batches/name/input.json, output.json
collect/owner/documents/sha256         content of a version
"""

from readdo.clock import digest
from readdo.lifecycle.write import Compare, Key
from readdo.store.keys import owner

ASSIGNMENT_PREFIX, BATCH_PREFIX, ATTEMPT_PREFIX = "A#", "B#", "T#"
DOCUMENT_PREFIX, DOCUMENT_TEXT_PREFIX, VERSION_PREFIX, VIOLATION_PREFIX = "D#", "T#", "V#", "V#"
ASSIGNMENT_FIGURES, DOCUMENT_FIGURES = "A#", "D#"
SCHEDULE_PREFIX = "W#"


def pool(owner_name: str) -> str:
    """The partition of assignments and batches."""
    return f"{owner(owner_name)}#A"


def assignment(owner_name: str, sequence: str) -> Key:
    return Key(pool(owner_name), f"{ASSIGNMENT_PREFIX}{sequence}")


def assignment_id(owner_name: str, name: str) -> Key:
    return Key(pool(owner_name), f"N#{digest(name)}")


def resumed(owner_name: str, name: str) -> Key:
    return Key(pool(owner_name), f"R#{digest(name)}")


def schedule(owner_name: str) -> Key:
    return Key(pool(owner_name), f"{SCHEDULE_PREFIX}own")


def batch(owner_name: str, name: str) -> Key:
    return Key(pool(owner_name), f"{BATCH_PREFIX}{name}")


def attempts(owner_name: str, sequence: str) -> str:
    return f"{pool(owner_name)}#{sequence}"


def attempt(owner_name: str, sequence: str, batch_name: str) -> Key:
    return Key(attempts(owner_name, sequence), f"{ATTEMPT_PREFIX}{batch_name}")


def queue(owner_name: str, state: str) -> str:
    """The partition of the queue index with the assignments of a state, in the order of the next pick."""
    return f"{owner(owner_name)}#C#{state}"


def queue_of(owner_name: str, state: str) -> Compare:
    return Compare("queue", "=", queue(owner_name, state))


def library(owner_name: str) -> str:
    return f"{owner(owner_name)}#L"


def document(owner_name: str, path: str) -> Key:
    return Key(library(owner_name), f"{DOCUMENT_PREFIX}{path}")


def texts(owner_name: str, text_digest: str) -> tuple[str, str]:
    """The partition and the prefix of the documents with a text, the oldest first."""
    return library(owner_name), f"{DOCUMENT_TEXT_PREFIX}{text_digest}#"


def text(owner_name: str, text_digest: str, created_at: str, path: str) -> Key:
    pk, prefix = texts(owner_name, text_digest)
    return Key(pk, f"{prefix}{created_at}#{path}")


def versions(owner_name: str, path: str) -> str:
    return f"{library(owner_name)}#{digest(path)}"


def version(owner_name: str, path: str, number: int) -> Key:
    return Key(versions(owner_name, path), f"{VERSION_PREFIX}{number:08d}")


def violations(owner_name: str) -> str:
    return f"{owner(owner_name)}#V"


def violation(owner_name: str, name: str) -> Key:
    return Key(violations(owner_name), f"{VIOLATION_PREFIX}{name}")


def figures(owner_name: str) -> str:
    return f"{owner(owner_name)}#CN"


def assignment_figures(owner_name: str, shard: int) -> Key:
    return Key(figures(owner_name), f"{ASSIGNMENT_FIGURES}{shard:02d}")


def document_figures(owner_name: str, shard: int) -> Key:
    return Key(figures(owner_name), f"{DOCUMENT_FIGURES}{shard:02d}")


def batch_file(owner_name: str, name: str, kind: str) -> str:
    return f"collect/{owner_name}/batches/{name}/{kind}.json"


def content(owner_name: str, sha256: str) -> str:
    return f"collect/{owner_name}/documents/{sha256}"
