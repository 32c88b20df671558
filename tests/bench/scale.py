"""Where the limits are, and at what load: `make scale` prints the tables and writes them into docs/scale.md.

One English page and one task are played as in `make cost`; what each takes of each of AWS's limits is counted,
and the load at which the limit is met is computed from it.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bench import strain, task_life
from bench.limits import OURS, RATES, SIZES, TASK_RATES, Limit
from bench.recorder import Record
from bench.story import ENGLISH, Life, play, stage
from bench.units import TABLE, Spent
from bench.usage import Assumed, of_life, seconds
from readdo.store.keys import DUE_INDEX, INBOX_INDEX, owner
from readdo.web.body import BODY_MAX
from support import template
from support.world import World

PAGE = template.ROOT / "docs/scale.md"
GIVEN = Assumed()
TIMED = ("function_seconds",)  # differ from machine to machine


def uses() -> tuple[dict[str, float], dict[str, float], dict[str, float]]:
    """What one item takes of each limit, and one task; what the heartbeat does with items that are due."""
    with stage() as (made, record):
        life = play(made, record, ENGLISH)
        found = of_one(life, made) | at_most(record, made)
        task = task_life.uses(made, task_life.play(made, record))
        return found, task, strain.sweep(made, record, GIVEN)


def of_one(life: Life, made: World) -> dict[str, float]:
    writes, reads, used = life.whole.writes, life.whole.reads, of_life(life, GIVEN)
    mine = owner(made.owner)
    return {
        "owner_writes": _of(writes, TABLE, mine),
        "inbox_writes": _of(writes, INBOX_INDEX, mine),
        "owner_reads": _of(reads, TABLE, mine),
        "due_writes": _of(writes, DUE_INDEX),
        "table_writes": _of(writes, TABLE),
        "table_reads": _of(reads, TABLE),
        "starts": len(life.whole.of("stepfunctions", "StartExecution")),
        "transitions": used["transitions"],
        "function_seconds": sum(seconds(i, GIVEN) for i in life.whole.invocations),
        "requests": used["http_requests"],
        "puts": used["s3_puts"],
        "gets": used["s3_gets"],
    }


def at_most(record: Record, made: World) -> dict[str, float]:
    largest = strain.largest_item(made)  # first: its captures are the largest transactions
    return {
        "most_events": max(strain.most_events("process_item"), strain.most_events("export_item")),
        "state": strain.most_state(record),
        "largest_row": largest,
        "actions": strain.largest_transaction(record),
        "body": BODY_MAX,
        "api_timeout": template.functions()["HttpApi"]["Properties"]["Timeout"],
        "name_days": 0,
    }


def met_at(limit: Limit, found: dict[str, float]) -> float:
    """Items a second."""
    return limit.limit * limit.times / found[limit.use]


def _of(spent: Spent, store: str, partition: str = "") -> float:
    return sum(units for place, units in spent.items() if place.store == store and partition in ("", place.partition))


def _own_door() -> Iterator[Limit]:
    """The stage's own throttle, if the template has one: the same for all that is asked."""
    rate = int(template.source()["Parameters"]["RequestsPerSecond"]["Default"])
    if rate:
        turn = "`RequestsPerSecond`: it is low so that nobody's loop runs up a bill"
        yield Limit("requests, of our stage", rate, "requests/s", OURS, "requests", "429 from the gateway", turn)


def rates(found: dict[str, float], of: Sequence[Limit] = RATES, one: str = "item") -> list[str]:
    limits = sorted((*of, *_own_door()), key=lambda limit: met_at(limit, found))
    lines = [
        f"| what is limited | to | one {one} takes | met at, {one}s/s | what is seen | what to turn first |",
        "|---|---|---|---|---|---|",
    ]
    for limit in limits:
        each = f"{limit.times} × " if limit.times > 1 else ""
        load = f"**{_short(met_at(limit, found))}**{f' of {limit.whose}' if limit.whose else ''}"
        burst = f", {limit.burst:,} in a burst" if limit.burst else ""
        to = f"{each}{limit.limit:,.0f} {limit.unit}{burst} [{_note(limit)}]"
        lines.append(_row(limit.what, to, _short(found[limit.use]), load, limit.seen, limit.turn))
    return lines


def sizes(found: dict[str, float]) -> list[str]:
    lines = ["| what is limited | to | ours at most | what is seen | what to turn first |", "|---|---|---|---|---|"]
    for limit in SIZES:
        ours = f"{found[limit.use]:,.0f}" if found[limit.use] else "none is used twice"
        to = f"{limit.limit:,.0f} {limit.unit} [{_note(limit)}]"
        lines.append(_row(limit.what, to, ours, limit.seen, limit.turn))
    return lines


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def sweeping(swept: dict[str, float]) -> list[str]:
    return [
        f"One due item takes {swept['calls']:g} calls to AWS (its row, its move, its start).",
        f"At {GIVEN.call_milliseconds:g} ms a call and what the work itself takes,",
        f"the {strain.sweeping_seconds():g} s of a sweep attend to about",
        f"**{_short(swept['a_minute'])} items a minute**.",
    ]


def sources() -> list[str]:
    return [f"{n}. {title}" for n, title in enumerate(_titles(), 1)]


def _titles() -> list[str]:
    return [*dict.fromkeys(limit.source for limit in (*RATES, *TASK_RATES, *SIZES)), OURS]


def _note(limit: Limit) -> int:
    return _titles().index(limit.source) + 1


def _short(number: float) -> str:
    """Two figures say enough of a load, and all of a count."""
    if number == int(number) and number < 1000:
        return f"{number:.0f}"
    return f"{float(f'{number:.2g}'):,g}" if number < 1e6 else f"{number:.1e}"


def blocks() -> dict[str, list[str]]:
    found, task, swept = uses()
    made = {"rates": rates(found), "tasks": rates(task, TASK_RATES, "task"), "sizes": sizes(found)}
    return made | {"sweep": sweeping(swept), "sources": sources()}


def put(page: str, made: Mapping[str, Sequence[str]]) -> str:
    """The page with each block between its marks made anew."""
    for name, lines in made.items():
        begin, end = f"<!-- made by make scale: {name} -->", "<!-- end -->"
        assert page.count(begin) == 1, f"docs/scale.md has no place for {name}"
        before, rest = page.split(begin)
        page = "\n".join([before + begin, *lines, end + rest.split(end, 1)[1]])
    return page


def main(page: Path = PAGE) -> None:
    made = blocks()
    for lines in made.values():
        print("\n".join(lines), end="\n\n")
    page.write_text(put(page.read_text("utf-8"), made), "utf-8")


if __name__ == "__main__":
    main()
