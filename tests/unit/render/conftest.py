import json
from typing import Any

import pytest
import typst

from readdo.render import fonts, picture
from readdo.render.page import page_data
from readdo.render.render_request import CardSource, RenderRequest
from unit.render.cards import Fit


@pytest.fixture
def source() -> CardSource:
    return CardSource("Queues <b>", "https://example.com/q?a=1", "example.com", "why queues lie")


@pytest.fixture
def fit(source: CardSource) -> Fit:
    """What the template says of the sizes it chose."""

    def ask(card: dict[str, Any]) -> dict[str, float]:
        spec = card["render_spec"]
        order = RenderRequest(card, source, spec["theme"], spec["payload"]["layout"]["variant"])
        place = fonts.directory()
        data = page_data(order, fonts.letters(place), "png")
        how = picture.beside_template(place, data)
        answer = typst.query(picture.TEMPLATE.read_bytes(), "<fit>", field="value", one=True, **how)
        found: dict[str, float] = json.loads(answer)
        return found

    return ask
