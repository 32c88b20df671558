"""Run the README's curl command in a real shell, with a fake curl that prints its arguments."""

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


def find_blocks(text_part: str) -> list[str]:
    return [text for text in re.findall(r"```sh\n(.*?)```", README, re.DOTALL) if text_part in text]


def run_in_shell(block: str, home: Path, address: str, token: str) -> list[str]:
    """The arguments that curl gets after the shell has read the endpoint's file."""
    (home / ".local").mkdir()
    (home / ".local/endpoint.json").write_text(json.dumps({"url": address, "token": token}) + "\n", encoding="utf-8")
    (home / "curl").write_text(CURL, encoding="utf-8")
    (home / "curl").chmod(0o700)
    command, path = ["/bin/sh", "-euc", block], {"PATH": f"{home}:/usr/bin:/bin"}
    shell = subprocess.run(command, cwd=home, env=path, capture_output=True, text=True, check=True)  # noqa: S603 - our own words
    return shell.stdout.split("\0")[:-1]


def values_of(words: list[str], flag: str) -> list[str]:
    return [words[place + 1] for place, word in enumerate(words) if word == flag]


def test_readme_capture_by_curl_works(world: World, tmp_path: Path) -> None:
    address = "http://127.0.0.1:4600/_aws/execute-api/5368577d"
    (block,) = find_blocks("/capture")
    words = run_in_shell(block, tmp_path, address, world.token)
    assert words[0] == f"{address}/capture"
    headers = dict(line.split(": ", 1) for line in values_of(words, "-H"))
    (raw,) = values_of(words, "-d")
    token = headers["Authorization"].removeprefix("Bearer ")
    response = world.api("POST", "/capture", raw=raw, token=token, headers={"content-type": headers["Content-Type"]})
    assert (response.status, headers["Content-Type"]) == (201, "application/json")
    item = world.api("GET", f"/items/{response.json['item']['id']}").json["item"]
    assert (item["url"], item["intent_text"]) == ("https://example.com/leases", "make our job queue safe")
