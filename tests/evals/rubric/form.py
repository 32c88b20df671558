"""P0: what a machine can demand. Written out beside the schemas, so that a schema that was loosened is noticed."""

from readdo import artifact_validation

from .judging import Case, Check, Made, listed

_FLOORS = {"READ_NEXT": 80, "WORTH_IT": 60, "IF_TIME": 40, "SKIP": 0}
_CEILINGS = {"READ_NEXT": 100, "WORTH_IT": 80, "IF_TIME": 60, "SKIP": 40}
_SHARES = {"intent_match": 0.40, "content_signal": 0.25, "novelty": 0.20, "effort_fit": 0.15}
_ROUNDING = 0.5
_ETAS = frozenset({"10m", "20m", "30m", "45m", "1h", "2h", "3h+"})


def schemas(case: Case, made: Made) -> str:
    found = (artifact_validation.problem(kind, payload, case.text) for kind, payload in made.payloads().items())
    return "; ".join(problem for problem in found if problem)


def reasons(_case: Case, made: Made) -> str:
    count = sum(1 for reason in made.score["reasons"] if str(reason).strip())
    return "" if count >= 3 else f"{count} reasons, and three are needed"


def priority(_case: Case, made: Made) -> str:
    score, named = made.score["match_score"], made.score["priority"]
    low, high = _FLOORS[named] - _ROUNDING, _CEILINGS[named] + _ROUNDING
    return "" if low <= score <= high else f"{named} does not agree with a score of {score}"


def weighed(_case: Case, made: Made) -> str:
    score = made.score["match_score"]
    due = sum(share * made.score["signals"][name] for name, share in _SHARES.items())
    return "" if abs(score - due) <= _ROUNDING else f"the score is {score}, its signals give {due:.1f}"


def todos(_case: Case, made: Made) -> str:
    tasks = made.todos["todos"]
    if not 3 <= len(tasks) <= 7:
        return f"{len(tasks)} tasks, and three to seven are needed"
    short = [task["title"] for task in tasks if len(task["title"].strip()) < 8]
    if short:
        return f"a title under eight characters: {listed(short)}"
    untimed = [task["title"] for task in tasks if task["eta"] not in _ETAS]
    return f"without a time: {listed(untimed)}" if untimed else ""


def card(_case: Case, made: Made) -> str:
    missing = [name for name in ("headline", "insight", "action") if not made.card[name].strip()]
    points = sum(1 for point in made.card["points"] if point.strip())
    if missing or points != 3:
        return f"the card has {points} points" + "".join(f", no {name}" for name in missing)
    drawn = made.card["render_spec"]["payload"]["content"]
    other = [name for name in ("headline", "points", "insight", "action") if drawn[name] != made.card[name]]
    return f"what would be drawn is not what the card says: {', '.join(other)}" if other else ""


FORM = (
    Check("P0", "schemas, and quotes that occur in the text", schemas),
    Check("P0", "three reasons", reasons),
    Check("P0", "priority agrees with score", priority),
    Check("P0", "score follows from its signals", weighed),
    Check("P0", "three to seven tasks with time and title", todos),
    Check("P0", "card is whole", card),
)
