"""Request models of the Proof desk."""

import json
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from readdo.proof.option_values import OFF_BY_DEFAULT, RULES, known_codec
from readdo.web.request_body import Body, Line, Whole

EXTRA_MAX = 4096  # bytes, as JSON
_OWN_PARAMS = ("model", "messages", "stream")


def _check_encoding(value: str) -> str:
    """Return Python's name of the encoding."""
    name = known_codec(value) if value else ""
    if name is None:
        raise ValueError("is not an encoding that Python knows, such as utf-8, gb18030, big5 or cp1252")
    return name


def _check_rules(value: dict[str, bool]) -> dict[str, bool]:
    unknown = [name for name in value if name not in RULES]
    if unknown:
        raise ValueError(f"has no rule {unknown[0][:40]!r}; the rules are {', '.join(RULES)}")
    return value


def _check_extra(value: dict[str, Any]) -> dict[str, Any]:
    if own := [name for name in _OWN_PARAMS if name in value]:
        raise ValueError(f"may not set {own[0]}")
    try:
        size = len(json.dumps(value, ensure_ascii=False, allow_nan=False).encode())
    except (ValueError, RecursionError):
        raise ValueError("is not valid JSON: a lone surrogate, an infinite number, or too many levels") from None
    if size > EXTRA_MAX:
        raise ValueError(f"is larger than {EXTRA_MAX} bytes as JSON")
    return value


def _check_cost(value: float | str) -> str:
    try:
        cost = Decimal(str(value) or "0")
    except InvalidOperation:
        cost = Decimal(-1)
    if not (cost.is_finite() and 0 <= cost <= 1_000_000):
        raise ValueError("must be a number from 0 to 1,000,000, in the currency of the prices; 0 is no limit")
    return f"{cost.normalize():f}" if cost else ""


Encoding = Annotated[
    str,
    Field(max_length=40, description="The encoding of the text, as Python names it; detected if empty."),
    AfterValidator(_check_encoding),
]
Model = Annotated[str, Field(max_length=200, description="The model; the configured one if empty."), Line]


class JobOptions(Body):
    engine: Annotated[
        Literal["", "rules", "model"],
        Field(description="`rules` without a model. If empty, `model` if one is configured, else `rules`."),
    ] = ""
    rules: Annotated[
        dict[str, bool],
        Field(description=f"Rules to switch on or off, by name: {', '.join(RULES)}. All but `quotes` are on."),
        AfterValidator(_check_rules),
    ] = Field(default_factory=dict)
    chunk_chars: Annotated[int, Field(ge=200, le=4000, description="Characters of a chunk."), Whole] = 2000
    encoding: Encoding = ""
    model: Model = ""
    timeout: Annotated[int, Field(ge=10, le=600, description="Seconds for one chunk, with its retries."), Whole] = 180
    max_concurrency: Annotated[int, Field(ge=1, le=50, description="Calls to the model at once."), Whole] = 20
    keep_raw: Annotated[bool, Field(description="Keep each response of the model, not only failed ones.")] = False
    extra_params: Annotated[
        dict[str, Any],
        Field(description="More parameters of the call. `null` removes one, such as `temperature`."),
        AfterValidator(_check_extra),
    ] = Field(default_factory=dict)
    paragraphs: Annotated[
        Literal["", "keep", "each_line"],
        Field(description="`each_line`: each line is a paragraph. Detected if empty."),
    ] = ""
    mode: Annotated[Literal["proofread"], Field(description="`proofread` corrects words, too.")] = "proofread"
    max_cost: Annotated[
        float | str,
        Field(description="The job is paused at this cost. It needs prices in the settings."),
        AfterValidator(_check_cost),
    ] = ""

    @property
    def all_rules(self) -> dict[str, bool]:
        return {name: self.rules.get(name, name not in OFF_BY_DEFAULT) for name in RULES}


class NewJob(Body):
    filename: Annotated[str, Field(min_length=1, max_length=200, description="The name of the file."), Line]
    size: Annotated[int, Field(ge=1, description="The exact size in bytes; at most 200 MB."), Whole]
    options: Annotated[JobOptions, Field(description="All options have defaults.")] = Field(default_factory=JobOptions)


class ValidateJob(Body):
    encoding: Encoding = ""


class StartJob(Body):
    model: Model = ""


class PauseJob(Body):
    drain: Annotated[bool, Field(description="Finish the chunks in progress and keep their results.")] = False


class MergeJob(Body):
    as_input: Annotated[bool, Field(description="Use the encoding, the mark and the line ends of the input.")] = False


class ResetJob(Body):
    confirm: Annotated[bool, Field(description="Required for a job that is done: its output is deleted, too.")] = False
