"""What does not count because too many have it: of a short exercise, much is what everybody has to write."""

from collections import Counter
from collections.abc import Sequence, Set
from typing import Final

COMMON_SHARE: Final = 1 / 3  # of the files: what so many have came from the same lecture
COMMON_FROM: Final = 9  # fewer files have nothing that could be called common


def common_to(files: Sequence[Set[int]]) -> set[int]:
    """Returns what more than a third of the files have."""
    if len(files) < COMMON_FROM:
        return set()
    counts = Counter(value for each in files for value in each)
    return {value for value, count in counts.items() if count > COMMON_SHARE * len(files)}
