"""The engine that works without any model: it selects, counts and frames, and never invents."""

from .card import card
from .score import score
from .summary import summarize
from .todos import todos

VERSION = "extractive.2"

__all__ = ["VERSION", "card", "score", "summarize", "todos"]
