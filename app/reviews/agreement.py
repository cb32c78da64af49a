"""How far two readers agree: concept by concept, over all answers that both have read."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

Pair = tuple[float, float]  # what the first and the second reader gave for one concept, as a share of its points


@dataclass(frozen=True)
class Agreement:
    """How far two readers agree. `share` is how many decisions are equal. `kappa` is Cohen's, unweighted: what is left
    of that beyond chance; None where chance alone would have them agree, because both always decided alike.
    """

    decisions: int
    share: float
    kappa: float | None


def agreement(pairs: Sequence[Pair]) -> Agreement | None:
    """Returns the agreement of pairs of decisions; None without any."""
    if not pairs:
        return None
    count = len(pairs)
    share = sum(first == second for first, second in pairs) / count
    firsts, seconds = Counter(first for first, _ in pairs), Counter(second for _, second in pairs)
    chance = sum(firsts[given] * seconds[given] for given in firsts) / count**2
    kappa = None if chance == 1 else round((share - chance) / (1 - chance), 3)
    return Agreement(count, round(share, 3), kappa)
