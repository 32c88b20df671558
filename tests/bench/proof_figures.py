"""Measure the Proof desk: rules, memory of the validation, looks at large jobs, and units of a chunk."""

import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

from bench.figure import Figure, Figures, Say
from bench.recorder import Record
from bench.story import stage
from bench.usage import Assumptions, Usage, of_record
from readdo import files
from readdo.lifecycle.write import Write
from readdo.proof import job_keys
from readdo.proof.lines import split_lines
from readdo.proof.option_values import OFF_BY_DEFAULT, RULES
from readdo.proof.text_rules import EACH_LINE, TextRules
from support.proof_jobs import create_job, post, validated
from support.proof_model import local_model
from support.world import World, world

PARAGRAPH = "林栀推开门,屋里一个人也没有...她点亮了灯，坐下来等。外面的雨一直没有停，街上的灯一盏一盏地亮起来。\n\n"
SMALL, LARGE = 2, 200  # MB of a text
CHUNKS = 200
FEW, MANY = 10, 10_000
LOOKS = 60


def figures(say: Say) -> Figures:
    say("rules")
    yield Figure("rules over 5 MB of Chinese text", _rule_seconds(5_000_000), "s", target=1)
    say(f"validating {SMALL} MB and {LARGE} MB")
    small, large = (_validation(size) for size in (SMALL, LARGE))
    yield Figure(f"memory to validate {LARGE} MB", large["megabytes"], "MB", small["megabytes"], 1.5)
    yield Figure(f"time to validate {LARGE} MB", large["seconds"], "s")
    say("looks at jobs")
    with world() as opened:
        few, many = (_look(opened, chunks) for chunks in (FEW, MANY))
    yield Figure(f"GET /jobs/{{id}} of {MANY:,} chunks, p50", many, "ms", few, 1.2)
    say(f"processing {CHUNKS} chunks")
    yield from _processing()


def _rule_seconds(size: int) -> float:
    text = PARAGRAPH * (size // len(PARAGRAPH.encode()))
    began = time.perf_counter()
    for _ in TextRules(frozenset(RULES) - OFF_BY_DEFAULT, EACH_LINE).apply(split_lines([text])):
        pass
    return time.perf_counter() - began


def _validation(megabytes: int) -> dict[str, float]:
    """Validate a text in a process of its own, whose peak of memory is that of the validation."""
    call = [sys.executable, __file__, str(megabytes)]
    done = subprocess.run(call, capture_output=True, text=True, check=True)  # noqa: S603 - our own program
    result: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return result


def _look(opened: World, chunks: int) -> float:
    """The time of a look at a job with so many chunks, all in the table."""
    job_id = validated(opened, PARAGRAPH * 20, chunk_chars=200)
    key = job_keys.job(opened.owner, job_id)
    opened.table.write(Write(key, sets={"total_chunks": chunks}))
    for number in range(chunks):
        row = {"n": number, "status": "done", "epoch": 1, "tries": 1, "retries": 0, "llm_model": "m"}
        opened.table.write(Write(job_keys.chunk(opened.owner, job_id, number), "put", row=row))
    opened.table.write(Write(job_keys.progress(opened.owner, job_id), sets={"done": chunks}))
    times = []
    for _ in range(LOOKS):
        began = time.perf_counter()
        assert opened.api("GET", f"/jobs/{job_id}").status == 200
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)


def _processing() -> Figures:
    for calls in (1, 20):
        with stage() as (opened, record):
            began = time.perf_counter()
            total = process_text(opened, record, calls)
            seconds = time.perf_counter() - began
            spent: Counter[Any] = sum((c.meter.writes for c in record.calls if c.room == "proof_slice"), Counter())
        name = f"write units of a chunk, {calls} call{'s' if calls > 1 else ''} at once"
        yield Figure(name, sum(spent.values()) / total, "units", target=8)
    yield Figure("chunks a second with an instant model, on moto", total / seconds, "")


def process_text(opened: World, record: Record, calls: int) -> int:
    """Process a text by an instant model, and record its calls. Returns the number of chunks."""
    text = "".join(f"第{number}段。{'她点亮了灯，坐下来等。' * 18}\n\n" for number in range(CHUNKS))
    with local_model(lambda chunk: chunk.replace("等", "候")):
        job_id = validated(opened, text, chunk_chars=200, max_concurrency=calls)
        record.forget()
        post(opened, job_id, "start")
        opened.settle()
        job = opened.api("GET", f"/jobs/{job_id}").json["job"]
    assert (job["phase"], job["engine"]) == ("merge", "model"), job
    return int(job["progress"]["total_chunks"])


def usage_of_a_chunk(opened: World, record: Record, assumed: Assumptions) -> Usage:
    """Return the billed usage of one chunk. The function waits for the model as long as a slice lasts."""
    total = process_text(opened, record, 20)
    used = of_record(record, assumed)
    return {name: amount / total for name, amount in used.items()}


def _validate_here(megabytes: int) -> None:
    """Validate a text of this size with files on the disk, and print the peak of memory."""
    with tempfile.TemporaryDirectory() as folder, world() as opened:
        path = Path(folder) / "input"
        block = PARAGRAPH.encode() * 1000
        with path.open("wb") as file:
            for _ in range(megabytes * 1_000_000 // len(block)):
                file.write(block)
        job_id = create_job(opened, "x")
        opened.table.write(Write(job_keys.job(opened.owner, job_id), sets={"size": path.stat().st_size}))

        def chunks(_key: str, _first: int, _length: int) -> Iterator[bytes]:
            with path.open("rb") as file:
                yield from iter(lambda: file.read(1024 * 1024), b"")

        def put_parts(_key: str, body: Iterable[bytes], *_: str) -> tuple[int, str]:
            return sum(len(part) for part in files._parts(body)), ""

        began = time.perf_counter()
        with mock.patch.multiple(files, chunks=chunks, put_parts=put_parts, size_of=lambda _: path.stat().st_size):
            post(opened, job_id, "validate")
            opened.settle()
        seconds = time.perf_counter() - began
        row = opened.table.get(job_keys.job(opened.owner, job_id)) or {}
        assert row["status"] == "paused/process", row
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"megabytes": peak, "seconds": seconds}))


if __name__ == "__main__":
    _validate_here(int(sys.argv[1]))
