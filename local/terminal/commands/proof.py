"""`readdo proof`: check a long text, from the file to the merged file, or step by step."""

from io import BytesIO
from pathlib import Path
from typing import Any

import click

from terminal import downloads, transfers
from terminal.api import at
from terminal.command import verb
from terminal.failures import FAILED, CommandFailure, missing, usage
from terminal.proof_output import show_all, show_diff, show_one, wait
from terminal.session import Session, put_json
from terminal.words import Row

_LISTED = 50
_ID = 26
_WAITS = {
    "provider": "The model could not be reached, so the job was paused.",
    "budget": "Today's token budget is used up, so the job was paused.",
    "max_cost": "The maximum cost is reached, so the job was paused.",
    "recovered": "The processing stopped unexpectedly; nothing is lost.",
    "user_paused": "The job was paused.",
}


class _FileOrCommand(click.Group):
    """A group whose first argument may be a file instead of a command."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in self.commands:
            args = ["check", *args]
        return super().resolve_command(ctx, args)


@click.group("proof", cls=_FileOrCommand, subcommand_metavar="FILE | COMMAND [ARGS]…")
def proof() -> None:
    """Check a long text: rules, then the model chunk by chunk, then one merged file.

    readdo proof FILE does all steps. The other commands do one step of a job: readdo proof list
    """


@verb("check")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--rules-only", is_flag=True, help="Do not use a model.")
@click.option("--model", metavar="NAME", help="Use another model.")
@click.option("--encoding", metavar="NAME", help="Encoding of the file, such as gb18030.  [detected]")
@click.option("--off", metavar="RULE", multiple=True, help="Switch a rule off. Repeat it for more rules.")
@click.option("--max-cost", metavar="AMOUNT", help="Pause at this cost. Needs prices in the settings.")
@click.option("--as-input", is_flag=True, help="Keep the encoding and the line ends of the input.")
@click.option("--to", "folder", type=click.Path(file_okay=False, path_type=Path), default=Path(), help="Save here.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask before the processing.")
@click.pass_obj
def check(session: Session, /, file: Path, folder: Path, yes: bool, **chosen: Any) -> int:
    """Check FILE and save the result beside it: FILE_rev."""
    if not yes and not session.can_prompt:
        raise usage("This needs a confirmation, and there is no terminal.", "To go on without one: --yes")
    options: dict[str, Any] = {"engine": "rules"} if chosen["rules_only"] else {}
    options |= {name: chosen[name] for name in ("model", "encoding", "max_cost") if chosen[name]}
    options |= {"rules": dict.fromkeys(chosen["off"], False)} if chosen["off"] else {}
    job_id = _create(session, file, options)
    job = _step(session, job_id, "validate", {})
    if not _agreed(session, job, yes=yes):
        session.note(f"Nothing was processed. To go on later: readdo proof start {job_id}")
        return FAILED
    _step(session, job_id, "start", {})
    _step(session, job_id, "merge", {"as_input": True} if chosen["as_input"] else {})
    return _download(session, job_id, folder)


@verb("list")
@click.pass_obj
def listed(session: Session) -> None:
    """List jobs, newest first."""
    response = session.api.get("/jobs", {"limit": _LISTED})
    session.tell(response, lambda data: show_all(session, data["jobs"]))


@verb("show")
@click.argument("name", metavar="ID")
@click.pass_obj
def show(session: Session, name: str) -> None:
    """Show a job and its failed chunks."""
    job_id = _find(session, name)
    session.tell(session.api.get(at("jobs", job_id)), lambda data: show_one(session, data["job"]))


@verb("diff")
@click.argument("name", metavar="ID")
@click.argument("number", metavar="CHUNK", type=click.IntRange(min=0))
@click.pass_obj
def diff(session: Session, name: str, number: int) -> None:
    """Show what changed in a chunk."""
    response = session.api.get(at("jobs", _find(session, name), "chunks", str(number)))
    session.tell(response, lambda data: show_diff(session, data["chunk"]))


@verb("reset")
@click.argument("name", metavar="ID")
@click.option("--yes", "-y", is_flag=True, help="Delete without confirmation.")
@click.pass_obj
def reset(session: Session, name: str, yes: bool) -> int:
    """Delete a job with its text and its output. Asks for confirmation."""
    job_id = _find(session, name)
    if not yes and not session.can_prompt:
        raise usage("This needs a confirmation, and there is no terminal.", "To delete without confirmation: --yes")
    if not yes and not click.confirm("Delete this job with its text and its output?", default=False, err=True):
        session.note("Nothing was deleted.")
        return FAILED
    session.tell(session.api.post(at("jobs", job_id, "reset"), {"confirm": True}), lambda _: session.note("Deleted."))
    return 0


@verb("download")
@click.argument("name", metavar="ID")
@click.option("--to", "folder", type=click.Path(file_okay=False, path_type=Path), default=Path(), help="Save here.")
@click.pass_obj
def download(session: Session, name: str, folder: Path) -> int:
    """Save the merged file of a job."""
    return _download(session, _find(session, name), folder)


def _command(name: str, call: str, does: str, *, takes_model: bool = False, drains: bool = False) -> click.Command:
    @verb(name, help=does)
    @click.argument("job", metavar="ID")
    @click.pass_obj
    def run(session: Session, job: str, model: str | None = None, drain: bool = False) -> None:
        body = ({"model": model} if model else {}) | ({"drain": True} if drain else {})
        job_id = _find(session, job)
        if drains:
            session.tell(session.api.post(at("jobs", job_id, call), body), lambda data: show_one(session, data["job"]))
        else:
            show_one(session, _step(session, job_id, call, body))

    if takes_model:
        run.params.append(click.Option(["--model"], metavar="NAME", help="Use another model."))
    if drains:
        run.params.append(click.Option(["--drain"], is_flag=True, help="Finish the chunks in progress."))
    return run


for command in (listed, show, diff, reset, download, check):
    proof.add_command(command)
proof.add_command(_command("validate", "validate", "Validate the uploaded text again."))
proof.add_command(_command("start", "start", "Process a validated text.", takes_model=True))
proof.add_command(_command("pause", "pause", "Pause the processing.", drains=True))
proof.add_command(_command("resume", "resume", "Continue the processing.", takes_model=True))
proof.add_command(_command("retry", "retry-failed", "Process the failed chunks again.", takes_model=True))
proof.add_command(_command("merge", "merge", "Merge the chunks into one file."))


def _create(session: Session, file: Path, options: dict[str, Any]) -> str:
    body = file.read_bytes()
    if not body:
        raise CommandFailure(f"{file} is empty.", code="EMPTY")
    request = {"filename": file.name[-200:], "size": len(body), "options": options}
    response = session.api.post("/jobs", request)
    job_id = str(response.raw["job"]["id"])
    transfers.upload(session, response.raw["upload"], BytesIO(body), "Try again; nothing was processed.")
    return job_id


def _step(session: Session, job_id: str, call: str, body: dict[str, Any]) -> Row:
    """Run a step and wait for its end. Ctrl-C ends only the wait."""
    response = session.api.post(at("jobs", job_id, call), body)
    try:
        job = wait(session, response)
    except KeyboardInterrupt:
        session.note(f"The job goes on. To pause it: readdo proof pause {job_id}")
        raise
    if job["state"] == "error":
        failure = job.get("failure") or {}
        steps = [f"Retry them: readdo proof retry {job_id}"] if failure.get("error_code") == "CHUNKS_FAILED" else []
        raise CommandFailure(
            str(failure.get("message")),
            *steps,
            f"Details: readdo proof show {job_id}",
            code=str(failure.get("error_code")),
        )
    if job["phase"] == "process" and job.get("wait_reason") in _WAITS:
        raise CommandFailure(_WAITS[job["wait_reason"]], f"To go on: readdo proof resume {job_id}", code="PAUSED")
    return job


def _agreed(session: Session, job: Row, *, yes: bool) -> bool:
    """Show the estimate and ask before anything costs money."""
    estimate = job.get("estimate") or {}
    engine = f"model {job['llm_model']}" if job["engine"] == "model" else "rules only"
    session.note(f"{estimate.get('characters', 0):,} characters, {estimate.get('chunks', 0):,} chunks; {engine}.")
    if "tokens_in" in estimate:
        cost = f", cost about {estimate['cost']}" if "cost" in estimate else ""
        session.note(f"About {estimate['tokens_in']:,} tokens sent, {estimate['tokens_out']:,} received{cost}.")
    if job.get("max_cost_watched") is False:
        session.note("The maximum cost cannot be watched, because no prices are set.")
    if yes or job["engine"] == "rules":
        return True
    return click.confirm("Process it now?", default=True, err=True)


def _download(session: Session, job_id: str, folder: Path) -> int:
    response = session.api.get(at("jobs", job_id))
    file = response.data["job"].get("output")
    if not file:
        raise CommandFailure("The job has no merged file yet.", f"Merge it first: readdo proof merge {job_id}")
    path, is_new = downloads.save(session, f"/jobs/{job_id}/output", str(file["filename"]), file, folder)
    if session.json:
        put_json({**response.raw, "path": str(path)})
    downloads.say(session, path, is_new)
    return 0


def _find(session: Session, name: str) -> str:
    """Return the id of a job by its complete id or by its last characters."""
    if len(name) == _ID:
        return name
    ids = [str(job["id"]) for job in session.api.get("/jobs", {"limit": 100}).raw["jobs"]]
    found = [job_id for job_id in ids if job_id.endswith(name.upper())]
    if len(found) == 1:
        return found[0]
    problem = "matches several jobs" if found else "matches no job"
    raise missing(f"{name} {problem}.", "List all jobs: readdo proof list")
