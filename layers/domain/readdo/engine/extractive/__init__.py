"""The engine that works without any model: it selects, counts and frames, and never invents."""

from .card import card
from .keyterms import terms
from .novelty import novelty
from .score import score
from .summary import summarize
from .todos import todos

VERSION = "extractive.3"

__all__ = ["VERSION", "card", "novelty", "score", "summarize", "terms", "todos"]
