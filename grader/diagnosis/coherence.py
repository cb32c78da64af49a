"""Do explanations agree with each other, and with the failures that they leave over? Code has all of its mistakes all
of the time: one that would show in a case, and does not, is not there.
"""

from collections import Counter
from collections.abc import Sequence

from grader.comparison.scored_case import ScoredCase
from grader.diagnosis.prediction import Explanation, gives, is_effective
from grader.exercise import Exercise


def coherent(
    exercise: Exercise, found: Sequence[Explanation], failing: Sequence[ScoredCase]
) -> tuple[Explanation, ...]:
    """Drops explanations that do not agree with the other outcomes. One is kept if, in one function at least, as many
    cases bear it out on their own as contradict it. The weakest is looked at first, so that what is there by chance
    cannot contradict what is right.
    """
    kept = list(found)
    for explanation in sorted(found, key=lambda explanation: len(explanation.cases)):
        others = [other for other in kept if other is not explanation]
        if not _is_borne_out(exercise, explanation, others, failing):
            kept = others
    return tuple(kept)


def _is_borne_out(
    exercise: Exercise, explanation: Explanation, others: Sequence[Explanation], failing: Sequence[ScoredCase]
) -> bool:
    support, against = Counter[str](), Counter[str]()
    for item in failing:
        function = item.function
        if explanation.explains(item):
            support[function] += all(
                not other.explains(item) and _goes_together(exercise, explanation, other, item) for other in others
            )
        elif item.has_returned and is_effective(exercise, explanation.mistakes, item):
            against[function] += not any(
                other.explains(item) and _goes_together(exercise, explanation, other, item) for other in others
            )
    return any(count >= against[function] for function, count in support.items() if count)


def _goes_together(exercise: Exercise, one: Explanation, other: Explanation, item: ScoredCase) -> bool:
    """Either the other one does nothing here, or both together give what came."""
    if not is_effective(exercise, other.mistakes, item) or not is_effective(exercise, one.mistakes, item):
        return True
    both = {mistake.name: mistake for mistake in (*one.mistakes, *other.mistakes)}
    together = tuple(both.values())
    return all(
        first.is_compatible_with(second) for place, first in enumerate(together) for second in together[place + 1 :]
    ) and gives(exercise, together, item)
