"""The expected state machines, written by hand: trigger → from → to. All other moves are refused."""

_ = "stays"
GONE = "gone"
AT_REST = ("CAPTURED", "READY", "FAILED_EXTRACTION", "FAILED_AI", "FAILED_EXPORT", "SHIPPED", "ARCHIVED")

ITEM = {
    "enqueue": {"CAPTURED": "QUEUED"},
    "process": dict.fromkeys(("CAPTURED", "FAILED_EXTRACTION", "FAILED_AI", "FAILED_EXPORT"), "QUEUED"),
    "retry": dict.fromkeys(("FAILED_EXTRACTION", "FAILED_AI", "FAILED_EXPORT"), "QUEUED"),
    "regenerate": {"READY": "QUEUED", "ARCHIVED": "QUEUED"},
    "auto_retry": {"FAILED_EXTRACTION": "QUEUED", "FAILED_AI": "QUEUED"},
    "start_again": {"QUEUED": "QUEUED"},
    "lease": {"QUEUED": "PROCESSING"},
    "reclaim": {"PROCESSING": "QUEUED"},
    "give_up_extraction": {"PROCESSING": "FAILED_EXTRACTION"},
    "give_up_ai": {"PROCESSING": "FAILED_AI"},
    "make": {"PROCESSING": _},
    "look_later": {"PROCESSING": _},
    "publish": {"PROCESSING": "READY"},
    "fail_extraction": {"PROCESSING": "FAILED_EXTRACTION"},
    "fail_ai": {"PROCESSING": "FAILED_AI"},
    "keep": {"FAILED_EXTRACTION": "READY", "FAILED_AI": "READY"},
    "attach_text": {"CAPTURED": _, "QUEUED": _, "PROCESSING": _, "FAILED_EXTRACTION": _},
    "join": dict.fromkeys((*AT_REST, "QUEUED", "PROCESSING"), _),
    "patch": dict.fromkeys(AT_REST, _),
    "edit": {"READY": _, "SHIPPED": _},
    "unedit": {"READY": _, "SHIPPED": _},
    "accept": {"READY": _, "SHIPPED": _},
    "delete": dict.fromkeys((*AT_REST, "QUEUED"), GONE),
    "export": {"READY": _, "FAILED_EXPORT": _, "SHIPPED": _},
    "export_retry": {"FAILED_EXPORT": _, "SHIPPED": _},
    "export_done": {"READY": "SHIPPED", "FAILED_EXPORT": "SHIPPED", "SHIPPED": "SHIPPED"},
    "export_failed": {"READY": "FAILED_EXPORT", "FAILED_EXPORT": "FAILED_EXPORT"},
    "export_again_failed": {"SHIPPED": "SHIPPED"},
    "ship": {"READY": "SHIPPED"},
    "archive": dict.fromkeys(("CAPTURED", "QUEUED", "READY", "SHIPPED"), "ARCHIVED"),
    "archive_failure": dict.fromkeys(("FAILED_EXTRACTION", "FAILED_AI", "FAILED_EXPORT"), "ARCHIVED"),
    "skip": {"READY": "ARCHIVED"},
    "unarchive": {"ARCHIVED": "READY"},
    "unarchive_anew": {"ARCHIVED": "QUEUED"},
}

EXPORT = {
    "start_again": {"RUNNING": "RUNNING"},
    "give_up": {"RUNNING": "FAILED"},
    "make": {"RUNNING": _},
    "finish": {"RUNNING": "DONE"},
    "fail": {"RUNNING": "FAILED"},
    "let_be": {"FAILED": _},
    "request_again": {"FAILED": "RUNNING"},
    "auto_retry": {"FAILED": "RUNNING"},
}

IMPORT = {
    "start": {"WAITING": "READING", "FAILED": "READING"},
    "let_go": {"WAITING": "FAILED"},
    "read_again": {"READING": "READING"},
    "refuse": {"READING": "FAILED"},
    "run": {"READING": "RUNNING"},
    "go_on": {"RUNNING": "RUNNING"},
    "give_up": {"READING": "FAILED", "RUNNING": "FAILED"},
    "stumble": {"READING": _, "RUNNING": _},
    "note": {"RUNNING": _},
    "finish": {"RUNNING": "DONE"},
    "pause": {"RUNNING": "PAUSED"},
    "resume": {"PAUSED": "RUNNING", "FAILED": "RUNNING"},
    "cancel": dict.fromkeys(("WAITING", "READING", "RUNNING", "PAUSED"), "CANCELLED"),
}

PROVIDER = {
    "fail": {"WELL": _},
    "trip": {"WELL": "DOWN"},
    "probe": {"DOWN": "PROBED"},
    "probe_again": {"PROBED": "PROBED"},
    "recover": {"PROBED": "WELL"},
    "fail_probe": {"PROBED": "DOWN"},
}

WEBHOOK = {
    "change": dict.fromkeys(("ACTIVE", "PAUSED", "DISABLED"), _),
    "pause": {"ACTIVE": "PAUSED"},
    "resume": {"PAUSED": "ACTIVE", "DISABLED": "ACTIVE"},
    "send": {"ACTIVE": _},
    "arrive": {"ACTIVE": _},
    "miss": {"ACTIVE": _},
    "disable": {"ACTIVE": "DISABLED"},
    "dismiss": {"ACTIVE": "DISABLED"},
    "remove": dict.fromkeys(("ACTIVE", "PAUSED", "DISABLED"), GONE),
}

DELIVERY = {
    "try_again": {"WAITING": "WAITING"},
    "give_up": {"WAITING": "FAILED"},
    "arrive": {"WAITING": "DELIVERED"},
    "postpone": {"WAITING": "WAITING"},
    "fail": {"WAITING": "FAILED"},
    "redeliver": dict.fromkeys(("WAITING", "DELIVERED", "FAILED"), "WAITING"),
}

TASK = {
    "enqueue": {"inbox": "todo"},
    "claim": {"todo": "doing", "blocked": "doing"},
    "wait": {"todo": "blocked"},
    "block": {"todo": "blocked"},
    "cancel": dict.fromkeys(("inbox", "todo", "blocked"), "cancelled"),
    "finish": {"doing": "done"},
    **{ends: {"doing": "blocked"} for ends in ("fail", "hand_back", "lapse", "overrun", "stop")},
    "cancel_doing": {"doing": "cancelled"},
    "lift": {"blocked": "todo"},
    "look_later": {"blocked": _},
    "stop_waiting": {"blocked": _},
    "requeue": {"blocked": "todo"},
}

RUN = {
    "start": {"queued": "running"},
    **{says: {"queued": _, "running": _} for says in ("renew", "attach", "look_later")},
    "succeed": {"running": "succeeded"},
    "fail": {"running": "failed"},
    **{ends: {"running": "timeout"} for ends in ("time_out", "overrun")},
    "hand_back": {"running": "cancelled"},
    "file": dict.fromkeys(("succeeded", "failed", "timeout", "cancelled"), _),
    **{ends: {"queued": "cancelled", "running": "cancelled"} for ends in ("lapse", "cancel")},
}

BACKUP = {
    "note": {"RUNNING": _},
    "pause": {"RUNNING": "PAUSED"},
    "go_on": {"PAUSED": "RUNNING"},
    "start_again": {"RUNNING": "RUNNING"},
    "give_up": {"RUNNING": "FAILED"},
    "finish": {"RUNNING": "DONE"},
    "fail": {"RUNNING": "FAILED"},
}

RESTORE = {"start": {"WAITING": "RUNNING"}, **BACKUP}

MIRROR = {
    "wake": {"RESTING": _},
    "tell": {"SYNCING": _},
    "sync": {"RESTING": "SYNCING"},
    "start_again": {"SYNCING": "SYNCING"},
    "take": {"SYNCING": _},
    "note": {"SYNCING": _},
    **{ends: {"SYNCING": "RESTING"} for ends in ("finish", "pause", "postpone")},
    "switch_off": {"RESTING": "OFF", "SYNCING": "OFF"},
    "switch_on": {"OFF": "RESTING"},
}

_VALIDATE, _PROCESS, _MERGE = "running/validate", "running/process", "running/merge"
_QUEUED, _PAUSED, _MERGEABLE = "queued/process", "paused/process", "paused/merge"
JOB = {
    "validate": dict.fromkeys(("queued/validate", "error/validate", _PAUSED), _VALIDATE),
    "finish_validation": {_VALIDATE: _PAUSED},
    **{ends: {_VALIDATE: "error/validate"} for ends in ("fail_validation", "lose_validation")},
    "start": {_PAUSED: _PROCESS},
    "wait_for_place": {_PAUSED: _QUEUED},
    "pause": {_PROCESS: _PAUSED, _QUEUED: _PAUSED},
    **{begins: {_QUEUED: _PROCESS} for begins in ("begin", "begin_waiting")},
    **{waits: {_QUEUED: _} for waits in ("find_no_place", "wait_longer")},
    "lose_start": {_QUEUED: _PAUSED},
    "wait_for_function": {_PROCESS: _QUEUED},
    "begin_slice": {_PROCESS: _},
    "note": {_VALIDATE: _, _PROCESS: _, _PAUSED: _, _MERGE: _},
    **{stops: {_PROCESS: _PAUSED} for stops in ("interrupt", "lose_processing")},
    "lose_drain": {_PAUSED: _},
    "end_with_errors": {_PROCESS: "error/process"},
    "retry_failed": {"error/process": _QUEUED},
    "finish_processing": {_PROCESS: _MERGEABLE},
    "merge": {_MERGEABLE: _MERGE, "error/merge": _MERGE},
    "finish_merge": {_MERGE: "done/done"},
    **{ends: {_MERGE: "error/merge"} for ends in ("fail_merge", "lose_merge")},
    "keep_text": {"queued/validate": _},
    "expire": {"queued/validate": GONE},
    "reset": dict.fromkeys(
        (
            *("queued/validate", _VALIDATE, "error/validate", _PAUSED, _QUEUED, _PROCESS, "error/process"),
            *(_MERGEABLE, _MERGE, "error/merge", "done/done"),
        ),
        GONE,
    ),
}

_ACTIVE = ("processing", "retrying")
CHUNK = {
    "claim": {"pending": "processing"},
    "reclaim": dict.fromkeys(_ACTIVE, "processing"),
    "retry": {"error": "processing"},
    "wait": {"processing": "retrying"},
    "try_again": {"retrying": "processing"},
    "finish": dict.fromkeys(_ACTIVE, "done"),
    "fail": dict.fromkeys(_ACTIVE, "error"),
    "release": {"error": "pending"},
}

ASSIGNMENT = {
    "pick": {"pending": "in_progress"},
    "mark_invalid": {"pending": _},
    "skip": {"pending": "skipped"},
    "verify": {"in_progress": _},
    "finish": {"in_progress": "done"},
    "finish_in_part": {"in_progress": "partial"},
    **{returns: {"in_progress": "pending"} for returns in ("hand_back", "put_back")},
    "fail": {"in_progress": "failed"},
    "skip_in_batch": {"in_progress": "skipped"},
    **{goes_on: {"partial": "pending"} for goes_on in ("continue_at_pick", "continue")},
    "retry": {"failed": "pending"},
}

BATCH = {
    "add": {"picking": _},
    "open": {"picking": "open"},
    "lose_pick": {"picking": "failed"},
    "accept": {"open": "applying"},
    "refuse_output": {"open": _},
    "fail": {"open": "failed"},
    "start_again": {"open": _},
    "lose_work": {"open": "failed"},
    "time_out": {"open": "timed_out"},
    "go_on": {"applying": _},
    "finish": {"applying": "applied"},
    "settle": {"failed": _, "timed_out": _},
}
