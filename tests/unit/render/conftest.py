import json
from typing import Any

import pytest
import typst

from readdo.render import fonts, picture
from readdo.render.render_request import CardSource, RenderRequest
from readdo.render.typst_data import page_data
from unit.render.cards import Fit


@pytest.fixture
def source() -> CardSource:
    return CardSource("Queues <b>", "https://example.com/q?a=1", "example.com", "why queues lie")


@pytest.fixture
def fit(source: CardSource) -> Fit:
    """Query the sizes that the template chose for a card."""

    def query_sizes(card: dict[str, Any]) -> dict[str, float]:
        spec = card["render_spec"]
        request = RenderRequest(card, source, spec["theme"], spec["payload"]["layout"]["variant"])
        place = fonts.directory()
        data = page_data(request, fonts.letters(place), "png")
        options = picture.beside_template(place, data)
        value = typst.query(picture.TEMPLATE.read_bytes(), "<fit>", field="value", one=True, **options)
        sizes: dict[str, float] = json.loads(value)
        return sizes

    return query_sizes
