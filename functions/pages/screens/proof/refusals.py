"""Texts for refused commands on proof jobs."""

from readdo.lifecycle.advance import Refused
from readdo.lifecycle.proof_job import JOB
from screens.i18n import Words


def _refused_job(refused: Refused, words: Words) -> str:
    return words("refused.job", state=words(f"proof.state.{str(refused.status).replace('/', '.')}"))


REFUSALS = {JOB.name: _refused_job}
