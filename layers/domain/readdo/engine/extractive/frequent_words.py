"""Words that a text uses often: at least three times, with different neighbours on both sides."""

from collections import Counter, defaultdict
from functools import lru_cache

from .lexicon import JOINTS
from .stemming import TOKEN

_READ = 8_000
_SIZES = (4, 3, 2)
_LEAST = 3
# Different neighbours required on each side: 轻人 has only one on its left.
_FREEDOM = 2


@lru_cache(maxsize=64)
def discovered(text: str) -> frozenset[str]:
    runs = [run for match in TOKEN.finditer(text[:_READ]) if (run := match.group("cjk"))]
    accepted: dict[str, int] = {}
    for size in _SIZES:
        count: Counter[str] = Counter()
        left, right = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
        for number, run in enumerate(runs):
            for at in range(len(run) - size + 1):
                word = run[at : at + size]
                count[word] += 1
                # The end of a run counts as a different neighbour.
                left[word].add(run[at - 1] if at else f"<{number}")
                right[word].add(run[at + size] if at + size < len(run) else f">{number}")
        for word, times in count.items():
            free = min(len(left[word]), len(right[word])) >= _FREEDOM
            if times >= _LEAST and free and _could_be(word) and not _part_of(word, times, accepted):
                accepted[word] = times
    return frozenset(accepted)


def _could_be(word: str) -> bool:
    """False for a joint, and for a word that begins or ends with one."""
    if word in JOINTS or word[0] in JOINTS or word[-1] in JOINTS:
        return False
    return not any(word.startswith(joint) or word.endswith(joint) for joint in (word[:2], word[-2:]) if joint in JOINTS)


def _part_of(word: str, times: int, accepted: dict[str, int]) -> bool:
    return any(word in longer and times < 2 * count for longer, count in accepted.items())
