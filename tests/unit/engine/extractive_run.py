"""Run the complete engine as the pipeline does, and check its outputs."""

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
FALLBACK_BULLETS = ("A first point of another engine.", "Its second point, on caches.", "And a third one, on locks.")
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
    return remaining_steps(summary, intent, text, title, profile, language, recent)


def run_with_fallback(
    intent: str, text: str, title: str = "", profile: str = "engineer", language: str = ""
) -> Outputs:
    """Run the engine; if it refuses the summary for lack of content, continue with a fixed summary."""
    try:
        summary = summarize(intent=intent, text=text, title=title, profile=profile, language=language)
    except StepFailed as refused:
        assert (refused.code, refused.retryable) == ("AI_SCHEMA_INVALID", False)
        assert "aste the text" in refused.message
        summary = {"bullets": list(FALLBACK_BULLETS), "insight": "What another engine has to say.", "evidence": []}
    return remaining_steps(summary, intent, text, title, profile, language)


def remaining_steps(
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
    card_payload = card(intent=intent, summary=summary, score=scored, todos=tasks, title=title, language=language)
    return {"summary": summary, "score": scored, "todos": tasks, "card": card_payload}


def check(outputs: Outputs, text: str) -> None:
    for name, validator in VALIDATORS.items():
        validator.validate(outputs[name])
    json.dumps(outputs, ensure_ascii=False).encode("utf-8")
    for name in ("summary", "score", "card"):
        for evidence in outputs[name]["evidence"]:
            assert evidence["quote"] in text
    for evidence in outputs["score"]["evidence"]:
        assert 1 <= int(evidence["supports"].split("#")[1]) <= len(outputs["score"]["reasons"])
    for line in strings({**outputs, "card": {**outputs["card"], "caption": ""}}):
        assert line == line.strip()
        assert not [c for c in line if unicodedata.category(c) in {"Cc", "Cs", "Zl", "Zp"}]
    assert len(set(outputs["summary"]["bullets"])) == 3
    assert sum(evidence["type"] in {"WRITE", "BUILD", "SHARE", "DECIDE"} for evidence in outputs["todos"]["todos"]) >= 2
    content = outputs["card"]["render_spec"]["payload"]["content"]
    assert content == {key: outputs["card"][key] for key in ("headline", "points", "insight", "action")}


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)
