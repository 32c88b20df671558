"""The inbox is as quick with ten thousand items as with a hundred."""

from bench.inbox_looks import PAGE, figures


def test_a_page_of_the_inbox_looks_at_no_more_than_it_shows() -> None:
    pages = list(figures(lambda _: None, sizes=(100, 10_000), chosen_at=0))
    assert len(pages) == 2
    assert {(found.floor, found.target) for found in pages} == {(PAGE, 1.2)}
    assert [found.name for found in pages if not found.met] == []
    assert min(found.value for found in pages) >= PAGE, "or nothing was counted"
