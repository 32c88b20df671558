"""So many questions a second, however fast the answers come."""

import pytest

from readdo.mirror.rate_limit import RateLimit


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def pause(self, seconds: float) -> None:
        self.now += seconds


@pytest.mark.parametrize("takes", [0.0, 0.1, 0.5])
def test_no_second_has_more_than_three(takes: float) -> None:
    clock = Clock()
    pace = RateLimit(3, clock=lambda: clock.now, pause=clock.pause)
    asked: list[float] = []
    for _ in range(30):
        pace.wait()
        asked.append(clock.now)
        clock.pause(takes)
    assert all(later - earlier > 1 - 1e-6 for earlier, later in zip(asked, asked[3:], strict=False))
    assert asked[-1] - asked[0] == pytest.approx(29 * max(takes, 1 / 3)), "and none waits for nothing"


def test_a_pause_in_between_is_not_made_up_for() -> None:
    clock = Clock()
    pace = RateLimit(3, clock=lambda: clock.now, pause=clock.pause)
    pace.wait()
    pace.rest(10)
    before = clock.now
    for _ in range(4):
        pace.wait()
    assert clock.now - before == pytest.approx(1)
