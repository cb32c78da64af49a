"""A mistake that is made in some calls only: for one query, in inference mode, where two sizes are equal.

All that fails is then what code with the mistake gives, while other tests that would show it pass. The condition is
what calls that fail have in common and those others lack, where a single trait says it. Of mistakes that fit equally
well, one that would show in a function without any failure is out; two that are left name nothing.
"""

from collections.abc import Iterator, Sequence

from grader.comparison.scored_case import ScoredCase
from grader.diagnosis.evidence import Ground, Grounds
from grader.diagnosis.prediction import Explanation, gives, is_effective
from grader.diagnosis.trying_order import effort
from grader.exercise import Exercise
from grader.guest.execution import Gives
from grader.misconception import Misconception
from grader.paper.case import Case, Trait

ENOUGH = 3  # failing cases whose values agree: fewer may do so by chance


def in_some_calls(
    exercise: Exercise,
    candidates: Sequence[Misconception],
    failing: Sequence[ScoredCase],
    passing: Sequence[ScoredCase],
) -> Explanation | None:
    """The one mistake that accounts for all that failed."""
    grounds = Grounds(exercise, [*failing, *passing])
    cases = frozenset(item.case.id for item in failing)
    known_first = sorted(failing, key=effort)  # as in the search before this: most are out by its first case
    found = [Explanation((mistake,), cases) for mistake in candidates if _gives_all(exercise, mistake, known_first)]
    compared = [item for item in failing if not _is_question(item.case)]
    found = [one for one in found if grounds.of(one, compared).count(Ground.VALUES) >= ENOUGH]
    if _names_of(found) > 1:
        found = [one for one in found if not _shows_where_nothing_fails(exercise, one, failing, passing)]
    if _names_of(found) != 1:
        return None
    (mistake,) = found[0].mistakes
    condition = next(_conditions(exercise, mistake, failing, passing), None)
    return Explanation((mistake,), cases, is_partial=True, condition=condition)


def _is_question(case: Case) -> bool:
    """Whether a tensor answers it, as with the number of weights: such answers agree by chance."""
    return case.what != Case.what and case.call.gives is Gives.TENSORS


def _names_of(found: Sequence[Explanation]) -> int:
    return len({mistake.id for one in found for mistake in one.mistakes})


def _shows_where_nothing_fails(
    exercise: Exercise, one: Explanation, failing: Sequence[ScoredCase], passing: Sequence[ScoredCase]
) -> bool:
    fails = {item.function for item in failing}
    elsewhere = (item for item in passing if item.function not in fails)
    return any(is_effective(exercise, one.mistakes, item) for item in elsewhere)


def _gives_all(exercise: Exercise, mistake: Misconception, failing: Sequence[ScoredCase]) -> bool:
    return all(
        exercise.reach.touches_call(mistake, item.case.call) and gives(exercise, (mistake,), item) for item in failing
    )


def _conditions(
    exercise: Exercise, mistake: Misconception, failing: Sequence[ScoredCase], passing: Sequence[ScoredCase]
) -> Iterator[Trait]:
    """Traits that all calls of a function in which the mistake is made have, and none in which it would have shown."""
    for function in sorted({item.function for item in failing}):
        made = [item.case.traits for item in _in_combination(function, failing)]
        not_made = {
            trait
            for item in _in_combination(function, passing)
            if is_effective(exercise, (mistake,), item)
            for trait in item.case.traits
        }
        if made and not_made:
            yield from (trait for trait in made[0] if trait not in not_made and all(trait in traits for traits in made))


def _in_combination(function: str, items: Sequence[ScoredCase]) -> Iterator[ScoredCase]:
    return (item for item in items if item.case.traits and item.function == function)
