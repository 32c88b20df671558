"""Progress and output of proof jobs."""

from collections.abc import Sequence

from rich.text import Text

from terminal.api import ApiResponse, at
from terminal.polling import Pause, show_progress
from terminal.screen import meter
from terminal.session import Session, put_json
from terminal.time_format import ago, lasted
from terminal.words import Row

_BAR = 20
_WORKING = ("running", "queued")


def wait(session: Session, response: ApiResponse) -> Row:
    pause = Pause(session.outside.sleep, first=0.5, longest=5.0)
    began = session.outside.now()

    def draw(job: Row) -> Text:
        return _draw(job, (session.outside.now() - began).total_seconds())

    first_done = int(response.data["job"]["progress"]["done_chunks"])
    with show_progress(session, draw, _describe_progress) as show_row:
        while response.data["job"]["state"] in _WORKING:
            show_row({**response.data["job"], "first_done": first_done})
            pause()
            newer = session.api.get(at("jobs", str(response.data["job"]["id"])))
            if newer.data["job"]["counts"] != response.data["job"]["counts"]:
                pause.reset()
            response = newer
    job: Row = response.data["job"]
    return job


def _draw(job: Row, seconds: float) -> Text:
    total, done = job["progress"]["total_chunks"], job["progress"]["done_chunks"]
    if job["phase"] != "process" or not total:
        return Text(f"  {job['filename']}: {_phase(job)} …")
    counts = job["counts"]
    active, failed = counts["processing"] + counts["retrying"], counts["error"]
    rest = f"{active} active" + (f", {failed} failed" if failed else "") + _remaining(job, seconds)
    filled = int(_BAR * done // total)
    return Text.assemble("  ", *meter(filled, _BAR, "green"), f" {done}/{total}  ", (rest, "dim"))


def _remaining(job: Row, seconds: float) -> str:
    done = job["progress"]["done_chunks"] - job["first_done"]
    left = job["counts"]["pending"] + job["counts"]["processing"] + job["counts"]["retrying"]
    return f" · about {lasted(seconds / done * left)} left" if done else ""


def _describe_progress(job: Row) -> str:
    total, done = job["progress"]["total_chunks"], job["progress"]["done_chunks"]
    if job["phase"] == "process" and total:
        return f"{job['filename']}: {100 * done // total // 10 * 10} %"
    return f"{job['filename']}: {_phase(job)}"


def _phase(job: Row) -> str:
    if job.get("wait_reason") == "waiting_for_place":
        return "waiting until your other texts are processed"
    return {"validate": "validating", "process": "processing", "merge": "merging"}.get(str(job["phase"]), "")


def show_all(session: Session, jobs: Sequence[Row]) -> None:
    for job in jobs:
        session.screen.line(
            f"{str(job['id'])[-6:].lower()}  {_describe(job)}  {ago(job['created_at'], session.outside.now())}"
        )
    if not jobs:
        session.note("No jobs yet. Check a text: readdo proof FILE")


def _describe(job: Row) -> str:
    total, done = job["progress"]["total_chunks"], job["progress"]["done_chunks"]
    count = f", {done} of {total} chunks done" if total else ""
    return f"{job['filename']}: {job['state']} ({job['phase']}){count}"


def show_one(session: Session, job: Row) -> None:
    if session.json:
        put_json({"job": job})
        return
    session.screen.line(f"{job['id']}  {_describe(job)}")
    if job.get("failure"):
        session.screen.paragraph(str(job["failure"].get("message", "")), "red", first="  ")
    for rule, count in (job.get("changes") or {}).items():
        session.screen.line(f"  {rule}: {count}")
    if job["counts"]["error"]:
        response = session.api.get(at("jobs", str(job["id"]), "chunks"), {"state": "error", "limit": "20"})
        for chunk in response.data["chunks"]:
            session.screen.line(f"  chunk {chunk['n']}: {chunk['last_error_message']} ({chunk['last_error_code']})")


def show_diff(session: Session, chunk: Row) -> None:
    if chunk["out"] is None:
        session.note(f"Chunk {chunk['n']} is {chunk['state']}: there is no output yet.")
        return
    changed = [segment for segment in chunk["diff"] if segment["kind"] == "changed"]
    for segment in changed:
        for text, sign, colour in ((segment["pre"], "-", "red"), (segment["out"], "+", "green")):
            if text:
                session.screen.line((f"{sign} {text}", colour))
    if not changed:
        session.note("Nothing was changed in this chunk.")
