"""Compute the load at which each AWS limit is reached: `make scale`.

One English page and one task run as in `make cost`. The use of each AWS limit is counted, and the load that reaches
the limit is computed from it. The tables are printed and written into docs/scale.md.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bench import strain, task_life
from bench.limits import LAMBDA, OURS, RATES, SIZES, TASK_RATES, Limit
from bench.recorder import Record
from bench.story import ENGLISH, Life, play, stage
from bench.units import TABLE, Spent
from bench.usage import Assumptions, of_life, seconds
from readdo.store.keys import DUE_INDEX, INBOX_INDEX, owner
from readdo.transfer.imports.lines import WAIT_SECONDS
from readdo.web.request_body import BODY_MAX
from support import template
from support.world import World

PAGE = template.ROOT / "docs/scale.md"
ASSUMPTIONS = Assumptions()
TIMED = ("function_seconds",)  # varies from machine to machine
_IMPORT_LINES = 50_000


def uses() -> tuple[dict[str, float], dict[str, float], dict[str, float]]:
    """Return the use of each limit by one item and by one task, and the heartbeat's throughput."""
    with stage() as (world, record):
        life = play(world, record, ENGLISH)
        item = of_one(life, world) | at_most(record, world)
        task = task_life.uses(world, task_life.play(world, record))
        return item, task, strain.sweep(world, record, ASSUMPTIONS)


def of_one(life: Life, world: World) -> dict[str, float]:
    writes, reads, used = life.whole.writes, life.whole.reads, of_life(life, ASSUMPTIONS)
    partition = owner(world.owner)
    return {
        "owner_writes": _of(writes, TABLE, partition),
        "inbox_writes": _of(writes, INBOX_INDEX, partition),
        "owner_reads": _of(reads, TABLE, partition),
        "due_writes": _of(writes, DUE_INDEX),
        "table_writes": _of(writes, TABLE),
        "table_reads": _of(reads, TABLE),
        "starts": len(life.whole.of("stepfunctions", "StartExecution")),
        "transitions": used["transitions"],
        "function_seconds": sum(seconds(i, ASSUMPTIONS) for i in life.whole.invocations),
        "requests": used["http_requests"],
        "puts": used["s3_puts"],
        "gets": used["s3_gets"],
    }


def at_most(record: Record, world: World) -> dict[str, float]:
    largest = strain.largest_item(world)  # first: its captures are the largest transactions
    return {
        "most_events": max(strain.most_events("process_item"), strain.most_events("export_item")),
        "state": strain.most_state(record),
        "largest_row": largest,
        "actions": strain.largest_transaction(record),
        "body": BODY_MAX,
        "api_timeout": template.functions()["HttpApi"]["Properties"]["Timeout"],
        "name_days": 0,
    }


def met_at(limit: Limit, uses: dict[str, float]) -> float:
    """Return the load, in items per second, that reaches the limit."""
    return limit.limit * limit.times / uses[limit.use]


def _of(spent: Spent, store: str, partition: str = "") -> float:
    return sum(units for place, units in spent.items() if place.store == store and partition in ("", place.partition))


def _stage_throttle() -> Iterator[Limit]:
    """Yield the throttle of the API stage, if the template sets one."""
    rate = int(template.source()["Parameters"]["RequestsPerSecond"]["Default"])
    if rate:
        turn = "`RequestsPerSecond`: it is low so that a client in a loop causes no large bill"
        yield Limit("requests, of our stage", rate, "requests/s", OURS, "requests", "429 from the gateway", turn)


def rates(uses: dict[str, float], of: Sequence[Limit] = RATES, one: str = "item") -> list[str]:
    limits = sorted((*of, *_stage_throttle()), key=lambda limit: met_at(limit, uses))
    lines = [
        f"| Resource | Limit | Use per {one} | Reached at, {one}s/s | Effect | First remedy |",
        "|---|---|---|---|---|---|",
    ]
    for limit in limits:
        shards = f"{limit.times} × " if limit.times > 1 else ""
        load = f"**{_short(met_at(limit, uses))}**{f' per {limit.whose}' if limit.whose else ''}"
        burst = f", {limit.burst:,} burst" if limit.burst else ""
        to = f"{shards}{limit.limit:,.0f} {limit.unit}{burst} [{_note(limit)}]"
        lines.append(_row(limit.what, to, _short(uses[limit.use]), load, limit.seen, limit.turn))
    return lines


def sizes(uses: dict[str, float]) -> list[str]:
    lines = ["| Resource | Limit | Our maximum | Effect | First remedy |", "|---|---|---|---|---|"]
    for limit in SIZES:
        largest = f"{uses[limit.use]:,.0f}" if uses[limit.use] else "never reused"
        to = f"{limit.limit:,.0f} {limit.unit} [{_note(limit)}]"
        lines.append(_row(limit.what, to, largest, limit.seen, limit.turn))
    return lines


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def sweep_lines(result: dict[str, float]) -> list[str]:
    return [
        f"One due item takes {result['calls']:g} calls to AWS (read the row, move the item, start the workflow).",
        f"At {ASSUMPTIONS.call_milliseconds:g} ms per call plus the time of the work itself,",
        f"the {strain.sweep_seconds():g} s of a sweep handle about",
        f"**{_short(result['a_minute'])} items per minute**.",
    ]


def places_lines(uses: dict[str, float]) -> list[str]:
    """How an import uses the places of a new account."""
    parameters = template.source()["Parameters"]
    places, proof = (int(parameters[name]["Default"]) for name in ("MaxInFlight", "ProofJobsAtOnce"))
    account = next(limit.limit for limit in RATES if limit.use == "function_seconds" and limit.limit < 100)
    item = uses["function_seconds"]
    seconds_per_item = item + WAIT_SECONDS
    return [
        "| Place for a function | Functions at once |",
        "|---|---|",
        f"| a new account [{_titles().index(LAMBDA) + 1}] | {account:.0f} |",
        f"| `MaxInFlight`: items of imports, up to {proof} proof jobs, batches of our own worker | {places} |",
        f"| left for the API, the heartbeat and the import itself | {account - places:.0f} |",
        "",
        f"An item takes {_short(item)} s of functions, and an import looks for places every {WAIT_SECONDS} s. So",
        f"{places} places process about {places} ÷ ({_short(item)} + {WAIT_SECONDS}) =",
        f"**{_short(places / seconds_per_item)} items per second**,",
        f"and {_IMPORT_LINES:,} lines in about **{_short(_IMPORT_LINES * seconds_per_item / places / 3600)} hours**.",
    ]


def sources() -> list[str]:
    return [f"{n}. {title}" for n, title in enumerate(_titles(), 1)]


def _titles() -> list[str]:
    return [*dict.fromkeys(limit.source for limit in (*RATES, *TASK_RATES, *SIZES)), OURS]


def _note(limit: Limit) -> int:
    return _titles().index(limit.source) + 1


def _short(number: float) -> str:
    """Format a load with two significant digits, and a count in full."""
    if number == int(number) and number < 1000:
        return f"{number:.0f}"
    return f"{float(f'{number:.2g}'):,g}" if number < 1e6 else f"{number:.1e}"


def blocks() -> dict[str, list[str]]:
    item, task, swept = uses()
    tables = {"rates": rates(item), "tasks": rates(task, TASK_RATES, "task"), "sizes": sizes(item)}
    return tables | {"places": places_lines(item), "sweep": sweep_lines(swept), "sources": sources()}


def replace_blocks(page: str, blocks: Mapping[str, Sequence[str]]) -> str:
    """Return the page with the lines between each block's marks replaced."""
    for name, lines in blocks.items():
        begin, end = f"<!-- made by make scale: {name} -->", "<!-- end -->"
        assert page.count(begin) == 1, f"docs/scale.md has no place for {name}"
        before, rest = page.split(begin)
        page = "\n".join([before + begin, *lines, end + rest.split(end, 1)[1]])
    return page


def main(page: Path = PAGE) -> None:
    tables = blocks()
    for lines in tables.values():
        print("\n".join(lines), end="\n\n")
    page.write_text(replace_blocks(page.read_text("utf-8"), tables), "utf-8")


if __name__ == "__main__":
    main()
