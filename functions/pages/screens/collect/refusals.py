"""Texts for refused commands on assignments."""

from readdo.lifecycle.advance import Refused
from readdo.lifecycle.assignment import ASSIGNMENT
from screens.i18n import Words


def _refused_assignment(refused: Refused, words: Words) -> str:
    return words("refused.assignment", state=words(f"collect.state.{refused.status}"))


REFUSALS = {ASSIGNMENT.name: _refused_assignment}
