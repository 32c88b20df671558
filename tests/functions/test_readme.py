"""What the README tells to type, typed: in a real shell, with a program in curl's place that says what it was given."""

import json
import re
import subprocess
from pathlib import Path

from support.template import ROOT
from support.world import World

README = (ROOT / "README.md").read_text(encoding="utf-8")
CURL = """#!/bin/sh
for word in "$@"; do printf '%s\\0' "$word"; done
"""


def blocks(with_words: str) -> list[str]:
    return [text for text in re.findall(r"```sh\n(.*?)```", README, re.DOTALL) if with_words in text]


def typed(block: str, home: Path, address: str, token: str) -> list[str]:
    """The words that curl gets, once the shell has read the endpoint and put in its values."""
    (home / ".local").mkdir()
    (home / ".local/endpoint.json").write_text(json.dumps({"url": address, "token": token}) + "\n", encoding="utf-8")
    (home / "curl").write_text(CURL, encoding="utf-8")
    (home / "curl").chmod(0o700)
    call, path = ["/bin/sh", "-euc", block], {"PATH": f"{home}:/usr/bin:/bin"}
    done = subprocess.run(call, cwd=home, env=path, capture_output=True, text=True, check=True)  # noqa: S603 - our own words
    return done.stdout.split("\0")[:-1]


def after(words: list[str], flag: str) -> list[str]:
    return [words[place + 1] for place, word in enumerate(words) if word == flag]


def test_the_capture_by_curl(shared: World, tmp_path: Path) -> None:
    address = "http://127.0.0.1:4600/_aws/execute-api/5368577d"
    (block,) = blocks("/capture")
    words = typed(block, tmp_path, address, shared.token)
    assert words[0] == f"{address}/capture"
    headers = dict(line.split(": ", 1) for line in after(words, "-H"))
    (raw,) = after(words, "-d")
    token = headers["Authorization"].removeprefix("Bearer ")
    made = shared.api("POST", "/capture", raw=raw, token=token, headers={"content-type": headers["Content-Type"]})
    assert (made.status, headers["Content-Type"]) == (201, "application/json")
    item = shared.api("GET", f"/items/{made.json['item']['id']}").json["item"]
    assert (item["url"], item["intent_text"]) == ("https://example.com/leases", "make our job queue safe")
