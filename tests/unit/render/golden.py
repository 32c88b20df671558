"""Reference pictures of cards, and the command that renews them.

After a change of the design: `.venv/bin/python tests/unit/render/golden.py --renew`. Look at each picture in `golden/`
before you commit it: the tests can only detect a difference, not a bad design. Without `--renew` the command prints the
difference of each card from its picture.
"""

import io
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

_ROOT = Path(__file__).parents[3]
if __name__ == "__main__":
    sys.path[:0] = [str(_ROOT / "layers/domain"), str(_ROOT / "tests")]

from PIL import Image  # noqa: E402 - after the path, like the rest

from readdo.render.files import render  # noqa: E402
from readdo.render.render_request import CardSource  # noqa: E402
from unit.render import cards  # noqa: E402
from unit.render.likeness import difference, packed, reduced  # noqa: E402

FOLDER = Path(__file__).with_name("golden")
CARDS: dict[str, Callable[[], dict[str, Any]]] = {
    "english": cards.english,
    "chinese": cards.chinese,
    "mixed": cards.mixed,
}
SOURCE = CardSource("Fencing tokens", "https://example.com/leases", "example.com")


class Case(NamedTuple):
    card: str
    theme: str
    layout: str

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.card}-{self.theme.lower()}-{self.layout[5:8]}.png"

    def rendered(self, form: str) -> bytes:
        files = render(CARDS[self.card](), formats=[form], theme=self.theme, layout=self.layout, source=SOURCE)
        return files[form]


def cases() -> Iterator[Case]:
    for card in CARDS:
        for theme in ("LIGHT", "DARK"):
            for layout in cards.LAYOUTS:
                yield Case(card, theme, layout)


def picture(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB")


def main(renew: bool) -> None:
    FOLDER.mkdir(exist_ok=True)
    for case in cases():
        rendered = reduced(picture(case.rendered("png")))
        if renew:
            case.path.write_bytes(packed(rendered))
        spot, whole = difference(rendered, Image.open(case.path))
        print(f"{case.path.name:32} spot {spot:5.1f}  whole {whole:5.2f}  {case.path.stat().st_size:6} bytes")


if __name__ == "__main__":
    main("--renew" in sys.argv[1:])
