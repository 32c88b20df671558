"""The first load of the inbox page reads the rows it shows, regardless of how many items there are."""

from itertools import islice

from bench.inbox_looks import insert_rows, sample_rows
from bench.page_looks import AT_MOST, rows_read
from support.moto import moto_world


def test_first_page_load_reads_the_same_rows_for_300_and_1000_items() -> None:
    with moto_world() as world:
        rows = sample_rows(world)
        insert_rows(world, islice(rows, 300))
        few = rows_read(world)
        insert_rows(world, islice(rows, 700))
        assert rows_read(world) == few, "more items cost more reads"
        assert 0 < few <= AT_MOST
