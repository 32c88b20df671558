"""The first paint of the inbox looks at what it shows, and not at the thousand items behind it."""

from itertools import islice

from bench.inbox_looks import inhabitants, settle_in
from bench.page_looks import AT_MOST, looked
from support.moto import moto_world


def test_the_first_paint_does_not_depend_on_the_thousand() -> None:
    with moto_world() as made:
        rows = inhabitants(made)
        settle_in(made, islice(rows, 300))
        few = looked(made)
        settle_in(made, islice(rows, 700))
        assert looked(made) == few, "or more items are more to look at"
        assert 0 < few <= AT_MOST
