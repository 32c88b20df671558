"""Check the output of a worker. It is refused whole, with every fault and its JSON pointer."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from readdo.clock import digest
from readdo.collect.assignment_validation import id_of, levels_of

STATUSES = ("success", "partial", "pending", "failed", "skipped")
FAULTS_MAX = 5_000
LEVELS_MAX = 64
_DATE_LENGTH = 10
Fault = dict[str, str]


class NotJson(ValueError):
    pass


@dataclass(frozen=True)
class Output:
    results: Mapping[str, dict[str, Any]]  # by id
    digest: str
    processed_at: str


@dataclass
class _Faults:
    found: list[Fault] = field(default_factory=list)

    def add(self, pointer: str, words: str) -> None:
        if len(self.found) < FAULTS_MAX:
            self.found.append({"pointer": pointer, "message": words})


def parse_json(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_reject)
    except (ValueError, RecursionError) as error:
        raise NotJson(str(error)) from error


def _reject(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")


def digest_of(value: Any) -> str:
    """The same for outputs that are equal as JSON, such as 1 and 1.0, whatever the order of fields."""
    return digest(json.dumps(_normal(value), sort_keys=True, ensure_ascii=False))


def _normal(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {name: _normal(inner) for name, inner in value.items()}
    return [_normal(inner) for inner in value] if isinstance(value, list) else value


def check_output(value: Any, batch_name: str, ids: Sequence[str]) -> tuple[Output | None, list[Fault]]:
    """The output, or its faults."""
    faults = _Faults()
    if not isinstance(value, dict):
        faults.add("", "must be a JSON object with batch_name, processed_at, results and summary")
        return None, faults.found
    if problem := _json_problem(value):
        faults.add("", problem)
        return None, faults.found
    if value.get("batch_name") != batch_name:
        faults.add("/batch_name", f"must be {batch_name}" if "batch_name" in value else "is missing")
    if not _is_time(value.get("processed_at")):
        faults.add("/processed_at", "must be a time in ISO 8601" if "processed_at" in value else "is missing")
    results = value.get("results")
    checked: dict[str, dict[str, Any]] = {}
    if isinstance(results, list):
        checked = _check_results(results, ids, faults)
        _check_summary(value.get("summary"), results, faults)
    else:
        faults.add("/results", "must be a list with a result for each assignment")
        if not isinstance(value.get("summary"), dict):
            faults.add("/summary", "must be an object with total and a number for each status")
    if faults.found:
        return None, faults.found
    return Output(checked, digest_of(value), _in_utc(value["processed_at"])), []


def _json_problem(value: Any) -> str:
    if levels_of(value, LEVELS_MAX) > LEVELS_MAX:
        return f"is nested more than {LEVELS_MAX} levels deep"
    try:
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeError:
        return "contains a lone surrogate; send valid UTF-8 text"
    except ValueError:
        return "contains a number that is too large"
    return ""


def _in_utc(value: str) -> str:
    """Without an offset it is UTC."""
    time = datetime.fromisoformat(value.strip())
    try:
        in_utc = time.replace(tzinfo=time.tzinfo or UTC).astimezone(UTC)
    except OverflowError:  # the year 1 or 9999, moved by its offset
        in_utc = time.replace(tzinfo=UTC)
    return in_utc.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _is_time(value: Any) -> bool:
    text = value.strip() if isinstance(value, str) else ""
    if len(text) <= _DATE_LENGTH or text[_DATE_LENGTH] not in "Tt ":
        return False
    try:
        return bool(datetime.fromisoformat(text))
    except ValueError:
        return False


def _check_results(results: list[Any], ids: Sequence[str], faults: _Faults) -> dict[str, dict[str, Any]]:
    checked: dict[str, dict[str, Any]] = {}
    for place, result in enumerate(results):
        pointer = f"/results/{place}"
        if not isinstance(result, dict):
            faults.add(pointer, "must be an object with id, status and result")
            continue
        for name, words in _result_problems(result):
            faults.add(f"{pointer}{name}", words)
        name = id_of(result.get("id")) or ""
        if "id" not in result:
            faults.add(f"{pointer}/id", "is missing")
        elif name not in ids:
            faults.add(f"{pointer}/id", "is not an assignment of this batch")
        elif name in checked:
            faults.add(f"{pointer}/id", "comes twice")
        else:
            checked[name] = result
    return checked


def _result_problems(result: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    status = result.get("status")
    if status not in STATUSES:
        yield "/status", f"must be one of {', '.join(STATUSES)}" if "status" in result else "is missing"
    if not isinstance(result.get("result"), dict):
        yield "/result", "must be an object; it may be empty" if "result" in result else "is missing"
    elif not _are_paths(result["result"].get("documents")):
        yield "/result/documents", "must be a list of paths"
    reason = result.get("reason")
    if status == "skipped" and not (isinstance(reason, str) and reason.strip()):
        yield "/reason", "is required for a skipped assignment: say which permission is needed"
    for name in ("reason", "error"):
        if not isinstance(result.get(name), str | None):
            yield f"/{name}", "must be a text"


def _are_paths(value: Any) -> bool:
    return value is None or (isinstance(value, list) and all(isinstance(path, str) for path in value))


def _check_summary(summary: Any, results: list[Any], faults: _Faults) -> None:
    if not isinstance(summary, dict):
        faults.add("/summary", "must be an object with total and a number for each status")
        return
    reported = Counter(str(result.get("status")) for result in results if isinstance(result, dict))
    for name, count in {"total": len(results), **{status: reported[status] for status in STATUSES}}.items():
        value = summary.get(name)
        number = int(value) if isinstance(value, float) and value.is_integer() else value
        if isinstance(number, bool) or number != count:
            words = f"must be {count}, as in results" if name in summary else f"is missing; it is {count} in results"
            faults.add(f"/summary/{name}", words)
