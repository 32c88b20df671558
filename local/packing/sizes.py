"""Measure each function's unzipped size with its layers, and compare it with its limit."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MB = 1_000_000
LIMITS = {"HttpApi": 60, "Export": 150}
OTHERS = 120
FUNCTION, LAYER = "AWS::Serverless::Function", "AWS::Serverless::LayerVersion"


@dataclass(frozen=True)
class Size:
    name: str
    own: int
    layers: Mapping[str, int]

    @property
    def total(self) -> int:
        return self.own + sum(self.layers.values())

    @property
    def limit(self) -> int:
        return LIMITS.get(self.name, OTHERS) * MB

    @property
    def over(self) -> bool:
        return self.total > self.limit


def bytes_in(folder: Path) -> int:
    """Return the sum of file sizes, as Lambda counts, not the used disk blocks."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def measure(template: Mapping[str, Any], built: Path) -> list[Size]:
    """`built` holds a folder for each function and layer, as `sam build` leaves them."""
    resources = template["Resources"]
    layers = {name: bytes_in(built / name) for name, r in resources.items() if r["Type"] == LAYER}
    return [
        Size(name, bytes_in(built / name), {ref["Ref"]: layers[ref["Ref"]] for ref in r["Properties"]["Layers"]})
        for name, r in resources.items()
        if r["Type"] == FUNCTION
    ]


def table(sizes: list[Size]) -> str:
    layers = list(dict.fromkeys(name for size in sizes for name in size.layers))
    head = ["MB unzipped", "code", *(name.removesuffix("Layer") for name in layers), "sum", "at most"]
    rows = [head]
    for size in sizes:
        parts = [_mb(size.layers[name]) if name in size.layers else "" for name in layers]
        verdict = f"{size.limit // MB}{'  TOO LARGE' if size.over else ''}"
        rows.append([size.name, _mb(size.own), *parts, _mb(size.total), verdict])
    widths = [max(len(row[i]) for row in rows) for i in range(len(head) - 1)]
    return "\n".join(_line(row, widths) for row in rows)


def _line(row: list[str], widths: list[int]) -> str:
    first, *numbers, last = row
    return "  ".join([first.ljust(widths[0]), *(n.rjust(w) for n, w in zip(numbers, widths[1:], strict=True)), last])


def _mb(count: int) -> str:
    return f"{count / MB:.2f}"
