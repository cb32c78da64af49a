"""Groups of files that are alike, and which pairs hold them together."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Pair = tuple[int, int]


@dataclass(frozen=True)
class Clusters:
    """The groups, and for each file beyond the first of a group a pair that ties it to the group."""

    members: list[list[int]]
    ties: list[Pair]


def clusters_of(pairs: Iterable[Pair]) -> Clusters:
    """Joins what is connected. The pairs that come first become ties, and their groups come first."""
    group_of: dict[int, list[int]] = {}
    ties: list[Pair] = []
    for left, right in pairs:
        one, other = (group_of.setdefault(each, [each]) for each in (left, right))
        if one is not other:
            ties.append((left, right))
            one += other
            group_of |= dict.fromkeys(other, one)
    return Clusters(list({id(group): group for group in group_of.values()}.values()), ties)


def shared_by(own: Sequence[frozenset[int]], members: Sequence[int]) -> frozenset[int]:
    """The steps that all of these files have."""
    return frozenset.intersection(*(own[each] for each in members))
