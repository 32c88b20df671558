"""API calls of the Collect desk: assignments, batches, documents, figures and violations."""

from readdo.web.call_spec import CONFLICT, IF_MATCH_OPTIONAL, INVALID, KEY, MISMATCH, NOT_FOUND, REUSED, Call

_ASSIGNMENT, _BATCH, _DOCUMENT = "/assignments/{assignment_id}", "/batches/{batch_name}", "/documents/{document_path}"
_REFUSED = (INVALID, NOT_FOUND, CONFLICT, REUSED)


def _of_assignment(verb: str, does: str, takes: str = "Empty") -> Call:
    name = f"{verb}Assignment"
    path = f"{_ASSIGNMENT}/{verb}"
    return Call("POST", path, name, does, {200: "AssignmentAnswer"}, takes, "", (), (KEY,), _REFUSED)


CALLS = (
    Call(
        "POST",
        "/assignments",
        "addAssignments",
        "Add an assignment, or a list of up to 1,000.",
        {201: "AssignmentsAdded", 200: "AssignmentsAdded"},
        "NewAssignments",
        "If one is not valid, none is stored, and `details.results` has the problems of each. The same id and body is "
        "the same assignment; `errors` lists ids that belong to another one. With `split=true`, more than 5 documents "
        "become several assignments.",
        query=("split",),
        headers=(KEY,),
        refuses=(INVALID, CONFLICT, REUSED, "ID_TAKEN"),
    ),
    Call(
        "POST",
        "/assignments/validate",
        "validateAssignments",
        "Check assignments without storing them.",
        {200: "AssignmentsValidated"},
        "AssignmentsToValidate",
        query=("split",),
        refuses=(INVALID,),
    ),
    Call(
        "POST",
        "/assignments/expand",
        "expandSchedule",
        "Read a schedule, and propose documents to create. Nothing is stored.",
        {200: "DocumentsProposed"},
        "ExpandSchedule",
        refuses=(INVALID,),
    ),
    Call(
        "GET",
        "/assignments",
        "listAssignments",
        "List your assignments, oldest first.",
        {200: "AssignmentsAnswer"},
        query=("status", "type", "priority", "batch", "cursor", "limit"),
        refuses=(INVALID,),
    ),
    Call(
        "GET",
        _ASSIGNMENT,
        "getAssignment",
        "Get an assignment with its history, its attempts and its documents.",
        {200: "WholeAssignmentAnswer"},
        refuses=(NOT_FOUND,),
    ),
    _of_assignment("skip", "Skip a pending assignment that needs a permission. This is final.", "SkipAssignment"),
    _of_assignment("retry", "Make a failed assignment pending again."),
    _of_assignment("continue", "Make a partial assignment pending again. It keeps its rate and its missing items."),
    Call(
        "POST",
        "/batches",
        "pickBatch",
        "Pick a batch: pending assignments by priority and age, at most 20.",
        {201: "CollectBatchAnswer", 204: ""},
        "NewBatch",
        "First, partial assignments are continued, each at most 3 times. 204: nothing is pending. Read the input, and "
        "send the output before the deadline.",
        headers=(KEY,),
        refuses=(INVALID, CONFLICT, REUSED),
    ),
    Call(
        "GET",
        "/batches",
        "listBatches",
        "List your batches, newest first.",
        {200: "BatchesAnswer"},
        query=("status", "cursor", "limit"),
        refuses=(INVALID,),
    ),
    Call(
        "GET",
        _BATCH,
        "getBatch",
        "Get a batch, with what became of its assignments, or the faults of the last refused output.",
        {200: "WholeBatchAnswer"},
        refuses=(NOT_FOUND,),
    ),
    Call("GET", f"{_BATCH}/input", "getInput", "Get the input of a batch.", {200: "BatchInput"}, refuses=(NOT_FOUND,)),
    Call(
        "GET",
        f"{_BATCH}/output",
        "getBatchOutput",
        "Get the output of a batch, as the worker sent it.",
        {200: "WorkerOutput"},
        refuses=(NOT_FOUND,),
    ),
    Call(
        "PUT",
        f"{_BATCH}/output",
        "putOutput",
        "Send the output of a batch. Each result is verified by reading its documents.",
        {200: "AppliedAnswer", 202: "AppliedAnswer"},
        "BatchOutput",
        "A faulty output is refused whole, and `details.faults` names every fault; the batch stays open. An output "
        "that is not JSON fails the batch. The same output again changes nothing. With `dry_run=true`, nothing is "
        "changed.",
        query=("dry_run",),
        refuses=(INVALID, NOT_FOUND, CONFLICT),
    ),
    Call(
        "GET",
        "/documents",
        "listDocuments",
        "List the documents of the library, by path.",
        {200: "DocumentsAnswer"},
        query=("prefix", "status", "cursor", "limit"),
        refuses=(INVALID,),
    ),
    Call(
        "PUT",
        _DOCUMENT,
        "putDocument",
        "Store a document. Each version is kept, and its completeness is checked.",
        {201: "DocumentAnswer", 200: "DocumentAnswer"},
        "PutDocument",
        headers=(KEY, IF_MATCH_OPTIONAL),
        refuses=(INVALID, NOT_FOUND, CONFLICT, MISMATCH, REUSED),
    ),
    Call(
        "GET",
        _DOCUMENT,
        "getDocument",
        "Get a document and its content, the newest version or an older one.",
        {200: "DocumentContentAnswer"},
        query=("version",),
        refuses=(INVALID, NOT_FOUND),
    ),
    Call(
        "GET",
        f"{_DOCUMENT}/completeness",
        "getCompleteness",
        "Get the completeness of a document, part by part.",
        {200: "CompletenessAnswer"},
        refuses=(INVALID, NOT_FOUND),
    ),
    Call(
        "GET", "/collect/stats", "getCollectStats", "Get the figures and warnings of the desk.", {200: "CollectStats"}
    ),
    Call(
        "POST",
        "/collect/recount",
        "recountCollect",
        "Count assignments and documents again, report the drift of the counters and correct them.",
        {200: "CollectRecountAnswer"},
        "Empty",
        headers=(KEY,),
        refuses=(INVALID, CONFLICT, REUSED),
    ),
    Call(
        "GET",
        "/collect/violations",
        "listViolations",
        "List violations of the rules, newest first.",
        {200: "ViolationsAnswer"},
        query=("cursor", "limit"),
        refuses=(INVALID,),
    ),
    Call(
        "GET",
        "/collect/schemas/{file}",
        "getCollectSchema",
        "Get the JSON Schema of the input or the output of a batch.",
        {200: "Description"},
        refuses=(NOT_FOUND,),
    ),
)
