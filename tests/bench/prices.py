"""AWS prices from prices.json.

Each row is a meter, with the page that states its price and the day when that page was read.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

TABLE = Path(__file__).with_name("prices.json")


@dataclass(frozen=True)
class Price:
    service: str
    what: str
    unit: str
    price: float
    per: float
    free: float  # monthly allowance, for every account and without an end date
    page: str
    read: str | None = None  # the day; None if the page was not read
    seen: str = ""
    known: str = ""
    note: str = ""

    def of(self, quantity: float) -> float:
        return quantity / self.per * self.price

    def after_free(self, quantity: float) -> float:
        return self.of(max(0.0, quantity - self.free))


def prices() -> dict[str, Price]:
    meters = json.loads(TABLE.read_text("utf-8"))["meters"]
    return {name: Price(**row) for name, row in meters.items()}


def region() -> str:
    return str(json.loads(TABLE.read_text("utf-8"))["region"])


def of_model(price_in: float, price_out: float) -> dict[str, Price]:
    """Return the prices of a model's tokens, from dollars per million tokens."""
    source = "from --price-in and --price-out"
    return {
        "input_tokens": Price("Model", "tokens in", "tokens", price_in, 1e6, 0, source, known=source),
        "output_tokens": Price("Model", "tokens out", "tokens", price_out, 1e6, 0, source, known=source),
    }


def bill(used: Mapping[str, float], at: Mapping[str, Price], *, free: bool = False) -> dict[str, float]:
    """Return the dollars of each meter. A meter without a price raises an error."""
    return {name: at[name].after_free(q) if free else at[name].of(q) for name, q in used.items()}
