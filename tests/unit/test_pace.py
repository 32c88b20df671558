"""The rate limit holds however fast the responses arrive."""

import pytest

from readdo.integrations.notion.notion import RateLimit


class FakeClock:
    def __init__(self) -> None:
        self.now = 100.0

    def pause(self, seconds: float) -> None:
        self.now += seconds


@pytest.mark.parametrize("duration", [0.0, 0.1, 0.5])
def test_rate_limit_allows_three_calls_per_second(duration: float) -> None:
    clock = FakeClock()
    limit = RateLimit(3, clock=lambda: clock.now, pause=clock.pause)
    call_times: list[float] = []
    for _ in range(30):
        limit.wait()
        call_times.append(clock.now)
        clock.pause(duration)
    assert all(later - earlier > 1 - 1e-6 for earlier, later in zip(call_times, call_times[3:], strict=False))
    assert call_times[-1] - call_times[0] == pytest.approx(29 * max(duration, 1 / 3)), (
        "no call waits longer than necessary"
    )


def test_rate_limit_does_not_catch_up_after_a_rest() -> None:
    clock = FakeClock()
    limit = RateLimit(3, clock=lambda: clock.now, pause=clock.pause)
    limit.wait()
    limit.rest(10)
    before = clock.now
    for _ in range(4):
        limit.wait()
    assert clock.now - before == pytest.approx(1)
