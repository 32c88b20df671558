"""Runs the whole engine as the pipeline does, and checks what every output must be."""

import json
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from readdo.engine.extractive import card, score, summarize, todos
from readdo.errors import StepFailed

SCHEMAS = Path(__file__).parents[3] / "schemas" / "artifacts"
VALIDATORS = {
    name: Draft202012Validator(json.loads((SCHEMAS / f"{name}.json").read_text("utf-8")))
    for name in ("summary", "score", "todos", "card")
}
OTHER = ("A first point of another engine.", "Its second point, on caches.", "And a third one, on locks.")
Outputs = dict[str, dict[str, Any]]


def run(
    intent: str,
    text: str,
    title: str = "",
    profile: str = "engineer",
    language: str = "",
    recent: Sequence[str] = (),
) -> Outputs:
    summary = summarize(intent=intent, text=text, title=title, profile=profile, language=language)
    return after(summary, intent, text, title, profile, language, recent)


def whatever(intent: str, text: str, title: str = "", profile: str = "engineer", language: str = "") -> Outputs:
    """As run, but where the summary is refused for want of anything to say, the rest is made from another engine's."""
    try:
        summary = summarize(intent=intent, text=text, title=title, profile=profile, language=language)
    except StepFailed as refused:
        assert (refused.code, refused.retryable) == ("AI_SCHEMA_INVALID", False)
        assert "aste the text" in refused.message
        summary = {"bullets": list(OTHER), "insight": "What another engine has to say.", "evidence": []}
    return after(summary, intent, text, title, profile, language)


def after(
    summary: dict[str, Any],
    intent: str,
    text: str,
    title: str = "",
    profile: str = "engineer",
    language: str = "",
    recent: Sequence[str] = (),
) -> Outputs:
    scored = score(intent=intent, text=text, summary=summary, recent=recent, title=title, language=language)
    tasks = todos(intent=intent, summary=summary, score=scored, title=title, profile=profile, language=language)
    made = card(intent=intent, summary=summary, score=scored, todos=tasks, title=title, language=language)
    return {"summary": summary, "score": scored, "todos": tasks, "card": made}


def check(outputs: Outputs, text: str) -> None:
    for name, validator in VALIDATORS.items():
        validator.validate(outputs[name])
    json.dumps(outputs, ensure_ascii=False).encode("utf-8")
    for name in ("summary", "score", "card"):
        for one in outputs[name]["evidence"]:
            assert one["quote"] in text
    for one in outputs["score"]["evidence"]:
        assert 1 <= int(one["supports"].split("#")[1]) <= len(outputs["score"]["reasons"])
    for line in strings({**outputs, "card": {**outputs["card"], "caption": ""}}):
        assert line == line.strip()
        assert not [c for c in line if unicodedata.category(c) in {"Cc", "Cs", "Zl", "Zp"}]
    assert len(set(outputs["summary"]["bullets"])) == 3
    assert sum(one["type"] in {"WRITE", "BUILD", "SHARE", "DECIDE"} for one in outputs["todos"]["todos"]) >= 2
    content = outputs["card"]["render_spec"]["payload"]["content"]
    assert content == {key: outputs["card"][key] for key in ("headline", "points", "insight", "action")}


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from strings(one)
    elif isinstance(value, list):
        for one in value:
            yield from strings(one)
