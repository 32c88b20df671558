"""All cases.

Cases of the product's own writes are recorded first, from its complete life cycle in memory.
"""

from functools import cache

from conformance import condition_cases, guarded_cases, reading_cases, writing_cases
from conformance.cases import Case
from conformance.life import Life, record_life

WITHOUT_A_LIFE = [*writing_cases.CASES, *condition_cases.CASES, *reading_cases.CASES, *guarded_cases.CASES]


@cache
def life() -> Life:
    return record_life()


def every() -> list[Case]:
    return [*WITHOUT_A_LIFE, *guarded_cases.written(life())]
