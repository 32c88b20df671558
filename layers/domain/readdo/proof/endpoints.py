"""API calls of the Proof desk: jobs and their chunks."""

from readdo.web.call_spec import CONFLICT, INVALID, KEY, NOT_FOUND, REUSED, Call

NOT_UPLOADED, INCOMPLETE, FAILED_CHUNKS = "JOB_NOT_UPLOADED", "CHUNKS_INCOMPLETE", "FAILED_CHUNKS"
_JOB = "/jobs/{job_id}"
_REFUSED = (INVALID, NOT_FOUND, CONFLICT, REUSED)


def _of_job(verb: str, name: str, does: str, takes: str, *codes: str, more: str = "", status: int = 202) -> Call:
    return Call(
        "POST", f"{_JOB}/{verb}", name, does, {status: "JobAnswer"}, takes, more, (), (KEY,), (*_REFUSED, *codes)
    )


CALLS = (
    Call(
        "POST",
        "/jobs",
        "createJob",
        "Create a proof job: announce a text of up to 200 MB and get an upload URL.",
        {201: "JobAnswer"},
        "NewJob",
        "PUT the file to `upload.url` with `upload.headers` within 15 minutes, without the Authorization header "
        "(`GET /jobs/{job_id}` has a new link). Then validate the job.",
        headers=(KEY,),
        refuses=(INVALID, CONFLICT, REUSED),
    ),
    Call(
        "GET",
        "/jobs",
        "listJobs",
        "List your proof jobs, newest first.",
        {200: "JobsAnswer"},
        query=("state", "phase", "cursor", "limit"),
        refuses=(INVALID,),
    ),
    Call(
        "GET",
        _JOB,
        "getJob",
        "Get a proof job with its counts and the available actions.",
        {200: "JobAnswer"},
        refuses=(NOT_FOUND,),
    ),
    _of_job(
        "validate",
        "validateJob",
        "Validate the text: decode it, apply the rules and cut it into chunks. No model is called.",
        "ValidateJob",
        NOT_UPLOADED,
        more="A text that failed can be validated again with another `encoding`.",
    ),
    _of_job(
        "start",
        "startJob",
        "Process the chunks.",
        "StartJob",
        FAILED_CHUNKS,
        more="At most 2 of your jobs are processed at once. Another one waits with `wait_reason: waiting_for_place`.",
    ),
    _of_job("resume", "resumeJob", "Continue to process the chunks. The same as start.", "StartJob", FAILED_CHUNKS),
    _of_job(
        "pause",
        "pauseJob",
        "Pause the processing. Calls in progress are ended, and their chunks are pending again.",
        "PauseJob",
        status=200,
        more="With `drain`, no new chunk begins, and the chunks in progress are finished.",
    ),
    _of_job("retry-failed", "retryFailedChunks", "Process the failed chunks again.", "StartJob"),
    _of_job(
        "merge",
        "mergeJob",
        "Merge the outputs of all chunks into one file.",
        "MergeJob",
        INCOMPLETE,
        FAILED_CHUNKS,
    ),
    Call(
        "POST",
        f"{_JOB}/reset",
        "resetJob",
        "Delete a job with its text, its chunks and its output.",
        {204: ""},
        "ResetJob",
        "A job that is done needs `confirm: true`.",
        headers=(KEY,),
        refuses=_REFUSED,
    ),
    Call(
        "POST",
        f"{_JOB}/rerun",
        "rerunJob",
        "Create a new job with the same text and options.",
        {201: "JobAnswer"},
        "Empty",
        headers=(KEY,),
        refuses=(*_REFUSED, NOT_UPLOADED),
    ),
    Call(
        "GET",
        f"{_JOB}/chunks",
        "listChunks",
        "List the chunks of a job in their order.",
        {200: "ChunksAnswer"},
        more="`state` may also be `active`, for processing and retrying. A page may be short and still have a "
        "`next_cursor`: continue.",
        query=("state", "cursor", "limit"),
        refuses=(INVALID, NOT_FOUND),
    ),
    Call(
        "GET",
        f"{_JOB}/chunks/{{chunk_number}}",
        "getChunk",
        "Get a chunk: its text before and after, and the differences.",
        {200: "ChunkAnswer"},
        refuses=(NOT_FOUND,),
    ),
    Call(
        "GET",
        f"{_JOB}/output",
        "getOutput",
        "Get the merged file: a redirect to a link that is valid for 15 minutes.",
        {302: ""},
        more="Follow it without the Authorization header.",
        refuses=(NOT_FOUND, CONFLICT),
    ),
    Call(
        "GET",
        f"{_JOB}/report",
        "getReport",
        "Get the report of the merge: changes, retries, models, tokens, and a link to a diff.",
        {200: "ReportAnswer"},
        refuses=(NOT_FOUND, CONFLICT),
    ),
)
