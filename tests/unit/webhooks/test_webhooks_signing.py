"""The verification code in docs/api.md accepts our signatures and nothing else."""

import re
import time
from collections.abc import Callable
from typing import Any

import pytest

from readdo.integrations.webhooks import signatures
from support.template import ROOT

SECRET, BODY = signatures.new_secret(), '{"title":"栅栏令牌"}'.encode()


@pytest.fixture(scope="module")
def is_from_readdo() -> Callable[..., bool]:
    text = (ROOT / "docs/api.md").read_text(encoding="utf-8")
    (recipe,) = re.findall(r"```python\n(.*?def is_from_readdo.*?)```", text, re.S)
    namespace: dict[str, Any] = {}
    exec(recipe, namespace)  # noqa: S102 - code from our own docs
    return namespace["is_from_readdo"]


def test_recipe_accepts_a_fresh_signature(is_from_readdo: Callable[..., bool]) -> None:
    assert is_from_readdo(SECRET, signatures.signature(SECRET, int(time.time()), BODY), BODY)


def test_recipe_refuses_another_body_secret_or_time(is_from_readdo: Callable[..., bool]) -> None:
    now = int(time.time())
    signed = signatures.signature(SECRET, now, BODY)
    assert not is_from_readdo(SECRET, signed, BODY + b" ")
    assert not is_from_readdo(signatures.new_secret(), signed, BODY)
    assert not is_from_readdo(SECRET, signed.replace(str(now), str(now + 1)), BODY)
    assert not is_from_readdo(SECRET, signatures.signature(SECRET, now - 400, BODY), BODY), "replayed later"


def test_secret_has_256_random_bits() -> None:
    assert len({signatures.new_secret() for _ in range(100)}) == 100
    assert re.fullmatch(r"rdw_[A-Za-z0-9_-]{43}", SECRET)
