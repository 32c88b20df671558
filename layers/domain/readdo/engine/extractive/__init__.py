"""Extractive engine: works without a model, by selecting sentences and counting facts of the text."""

from .card import card
from .keyterms import terms
from .score import novelty, score
from .summary import summarize
from .todos import todos

VERSION = "extractive.5"

__all__ = ["VERSION", "card", "novelty", "score", "summarize", "terms", "todos"]
