"""What AWS asks for: prices.json, a row a meter, each with the page it stands on and the day that it was read."""

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
    free: float  # of each month, for every account and for ever
    page: str
    read: str | None = None  # the day; none if nobody could look
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
    """A model's tokens, at what its provider asks for a million."""
    said = "as you say: --price-in, --price-out"
    return {
        "input_tokens": Price("Model", "tokens in", "tokens", price_in, 1e6, 0, said, known=said),
        "output_tokens": Price("Model", "tokens out", "tokens", price_out, 1e6, 0, said, known=said),
    }


def bill(used: Mapping[str, float], at: Mapping[str, Price], *, free: bool = False) -> dict[str, float]:
    """meter → dollars. A meter without a price is an error, not a gift."""
    return {name: at[name].after_free(q) if free else at[name].of(q) for name, q in used.items()}
