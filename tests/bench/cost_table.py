"""Format the bill as a table."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bench.prices import Price, bill
from bench.usage import Usage


@dataclass(frozen=True)
class Column:
    """Column of the table: a heading, the usage and a multiplier."""

    heading: str
    used: Usage
    times: int = 1


def table(columns: Sequence[Column], at: Mapping[str, Price]) -> Iterator[str]:
    """Yield a line for each meter in use, most expensive service first, then the totals."""
    bills = [{name: cost * c.times for name, cost in bill(c.used, at).items()} for c in columns]
    yield f"{'':38}{''.join(f'{c.heading:>30}' for c in columns)}"
    names = [name for name in at if any(c.used.get(name) for c in columns)]
    services = {at[name].service: 0.0 for name in names}
    for name in names:
        services[at[name].service] += max(dollars.get(name, 0.0) for dollars in bills)
    for service in sorted(services, key=lambda s: -services[s]):
        for name in (n for n in names if at[n].service == service):
            cells = "".join(_cell(c, dollars, name) for c, dollars in zip(columns, bills, strict=True))
            yield f"  {service:15}{at[name].what:21}{cells}"
    yield f"  {'total':36}{''.join(f'{_dollars(sum(dollars.values())):>30}' for dollars in bills)}"
    free = [sum(bill(_times(c), at, free=True).values()) for c in columns]
    yield f"  {'after the free tier':36}{''.join(f'{_dollars(cost):>30}' for cost in free)}"


def _times(column: Column) -> dict[str, float]:
    return {name: quantity * column.times for name, quantity in column.used.items()}


def _cell(column: Column, dollars: Mapping[str, float], name: str) -> str:
    if not column.used.get(name):
        return f"{'–':>30}"
    return f"{_quantity(column.used[name] * column.times):>17}{_dollars(dollars[name]):>13}"


def _quantity(quantity: float) -> str:
    if quantity >= 1000:
        return f"{quantity:,.0f}"
    return f"{quantity:.4g}" if quantity >= 0.001 else f"{quantity:.1e}"


def _dollars(cost: float) -> str:
    return f"${cost:,.2f}" if cost >= 10 else f"${cost:.4f}" if cost >= 0.01 or cost == 0 else f"${cost:.7f}"
