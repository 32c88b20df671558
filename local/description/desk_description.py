"""The part of the API description that a desk adds: topics, models and examples."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from readdo.web.errors import ApiError

from .fields import Answer

Named = dict[str, Any]  # examples by name
Parameter = dict[str, Any]


@dataclass(frozen=True)
class Topic:
    name: str
    words: str
    calls: tuple[str, ...]


@dataclass(frozen=True)
class DeskDescription:
    topics: tuple[Topic, ...]
    answers: tuple[type[Answer], ...]  # response models
    requests: Mapping[str, Named]  # name of the call → examples
    responses: Mapping[tuple[str, int], Named]  # name of the call, status → examples
    places: Mapping[str, tuple[str, dict[str, Any], Any]] = field(default_factory=dict)  # words, schema, example
    queries: Mapping[str, Mapping[str, Parameter]] = field(default_factory=dict)  # by the name of the call
    resources: Mapping[str, str] = field(default_factory=dict)  # name of the call → what its 404 names
    conflicts: Mapping[str, Exception] = field(default_factory=dict)  # name of the call → what its 409 explains
    # Request model → a body that its 400 explains, or the error of a check that is no model's.
    wrong_bodies: Mapping[str, str | ApiError] = field(default_factory=dict)
