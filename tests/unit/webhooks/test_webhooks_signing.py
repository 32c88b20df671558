"""The recipe that receivers are given works, and lets nothing else through."""

import re
import time
from collections.abc import Callable
from typing import Any

import pytest

from readdo.webhooks import signatures
from support.template import ROOT

SECRET, BODY = signatures.new_secret(), '{"title":"栅栏令牌"}'.encode()


@pytest.fixture(scope="module")
def is_from_readdo() -> Callable[..., bool]:
    text = (ROOT / "docs/api.md").read_text(encoding="utf-8")
    (recipe,) = re.findall(r"```python\n(.*?def is_from_readdo.*?)```", text, re.S)
    found: dict[str, Any] = {}
    exec(recipe, found)  # noqa: S102 - our own page
    return found["is_from_readdo"]


def test_what_we_signed_just_now_is_ours(is_from_readdo: Callable[..., bool]) -> None:
    assert is_from_readdo(SECRET, signatures.signature(SECRET, int(time.time()), BODY), BODY)


def test_another_body_secret_or_time_is_not(is_from_readdo: Callable[..., bool]) -> None:
    now = int(time.time())
    signed = signatures.signature(SECRET, now, BODY)
    assert not is_from_readdo(SECRET, signed, BODY + b" ")
    assert not is_from_readdo(signatures.new_secret(), signed, BODY)
    assert not is_from_readdo(SECRET, signed.replace(str(now), str(now + 1)), BODY)
    assert not is_from_readdo(SECRET, signatures.signature(SECRET, now - 400, BODY), BODY), "kept, and sent again later"


def test_a_secret_has_256_bits_of_chance() -> None:
    assert len({signatures.new_secret() for _ in range(100)}) == 100
    assert re.fullmatch(r"rdw_[A-Za-z0-9_-]{43}", SECRET)
