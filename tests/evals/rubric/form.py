"""P0: formal requirements, written independently of the schemas to notice a loosened schema."""

from readdo import schemas

from .judging import Case, Check, Results, listed

_FLOORS = {"READ_NEXT": 80, "WORTH_IT": 60, "IF_TIME": 40, "SKIP": 0}
_CEILINGS = {"READ_NEXT": 100, "WORTH_IT": 80, "IF_TIME": 60, "SKIP": 40}
_SHARES = {"intent_match": 0.40, "content_signal": 0.25, "novelty": 0.20, "effort_fit": 0.15}
_ROUNDING = 0.5
_ETAS = frozenset({"10m", "20m", "30m", "45m", "1h", "2h", "3h+"})


def match_schemas(case: Case, results: Results) -> str:
    problems = (schemas.artifact_problem(kind, payload, case.text) for kind, payload in results.payloads().items())
    return "; ".join(problem for problem in problems if problem)


def reasons(_case: Case, results: Results) -> str:
    count = sum(1 for reason in results.score["reasons"] if str(reason).strip())
    return "" if count >= 3 else f"{count} reasons; three are required"


def priority(_case: Case, results: Results) -> str:
    score, band = results.score["match_score"], results.score["priority"]
    low, high = _FLOORS[band] - _ROUNDING, _CEILINGS[band] + _ROUNDING
    return "" if low <= score <= high else f"{band} does not agree with a score of {score}"


def weighed(_case: Case, results: Results) -> str:
    score = results.score["match_score"]
    weighted = sum(share * results.score["signals"][name] for name, share in _SHARES.items())
    return "" if abs(score - weighted) <= _ROUNDING else f"the score is {score}, but its signals give {weighted:.1f}"


def todos(_case: Case, results: Results) -> str:
    tasks = results.todos["todos"]
    if not 3 <= len(tasks) <= 7:
        return f"{len(tasks)} tasks; three to seven are required"
    short = [task["title"] for task in tasks if len(task["title"].strip()) < 8]
    if short:
        return f"title shorter than eight characters: {listed(short)}"
    untimed = [task["title"] for task in tasks if task["eta"] not in _ETAS]
    return f"without a valid time: {listed(untimed)}" if untimed else ""


def card(_case: Case, results: Results) -> str:
    missing = [name for name in ("headline", "insight", "action") if not results.card[name].strip()]
    points = sum(1 for point in results.card["points"] if point.strip())
    if missing or points != 3:
        return f"the card has {points} points" + "".join(f", no {name}" for name in missing)
    rendered = results.card["render_spec"]["payload"]["content"]
    different = [name for name in ("headline", "points", "insight", "action") if rendered[name] != results.card[name]]
    return f"the render spec differs from the card: {', '.join(different)}" if different else ""


FORM = (
    Check("P0", "schemas, and quotes that occur in the text", match_schemas),
    Check("P0", "three reasons", reasons),
    Check("P0", "priority agrees with score", priority),
    Check("P0", "score follows from its signals", weighed),
    Check("P0", "three to seven tasks with time and title", todos),
    Check("P0", "card is complete", card),
)
