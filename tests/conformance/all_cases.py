"""All cases. What the product writes is recorded first, from a whole life of it on moto."""

from functools import cache

from conformance import condition_cases, guarded_cases, reading_cases, writing_cases
from conformance.cases import Case
from conformance.life import Life, lived

WITHOUT_A_LIFE = [*writing_cases.CASES, *condition_cases.CASES, *reading_cases.CASES, *guarded_cases.CASES]


@cache
def life() -> Life:
    return lived()


def every() -> list[Case]:
    return [*WITHOUT_A_LIFE, *guarded_cases.written(life())]
