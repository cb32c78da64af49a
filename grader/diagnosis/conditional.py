"""A mistake that is made in some calls only: for one query, in inference mode, where two sizes are equal.

All that fails is then what code with the mistake gives, while other tests that would show it pass. The condition is
what calls that fail have in common and those others lack, where a single trait says it. Of mistakes that fit equally
well, one that would show in a function without any failure is out; two that are left name nothing.
"""

from collections.abc import Iterator, Sequence

from grader.comparison.scored_case import ScoredCase
from grader.diagnosis.evidence import Ground, Grounds
from grader.diagnosis.prediction import Explanation
from grader.diagnosis.trials import Trials
from grader.diagnosis.trying_order import effort, size
from grader.guest.execution import Gives
from grader.misconception import Misconception
from grader.paper.case import Case, Trait

ENOUGH = 3  # failing cases whose values agree: fewer may do so by chance


def in_some_calls(trials: Trials) -> Explanation | None:
    """The one mistake that accounts for all that failed."""
    grounds = Grounds(trials.exercise, [*trials.failing, *trials.passing])
    cases = frozenset(item.case.id for item in trials.failing)
    known_first = sorted(trials.failing, key=effort)  # as in the search before this: most are out by its first case
    found = [
        Explanation((mistake,), cases)
        for mistake in trials.mistakes
        if all(trials.gives((mistake,), item) for item in known_first)
    ]
    compared = [item for item in trials.failing if not _is_question(item.case)]
    found = [one for one in found if grounds.of(one, compared).count(Ground.VALUES) >= ENOUGH]
    if _names_of(found) > 1:
        found = [one for one in found if not _shows_where_nothing_fails(trials, one)]
    if _names_of(found) != 1:
        return None
    condition = next(_conditions(trials, *found[0].mistakes), None)
    return Explanation(found[0].mistakes, cases, is_partial=True, condition=condition)


def _is_question(case: Case) -> bool:
    """Whether a tensor answers it, as with the number of weights: such answers agree by chance."""
    return case.what != Case.what and case.call.gives is Gives.TENSORS


def _names_of(found: Sequence[Explanation]) -> int:
    return len({mistake.id for one in found for mistake in one.mistakes})


def _shows_where_nothing_fails(trials: Trials, one: Explanation) -> bool:
    fails = {item.function for item in trials.failing}
    return any(trials.breaks(one.mistakes, item) for item in trials.passing if item.function not in fails)


def _conditions(trials: Trials, mistake: Misconception) -> Iterator[Trait]:
    """Traits that all calls of a function in which the mistake is made have, and none in which it would have shown."""
    failing = sorted(trials.failing, key=size)
    for function in sorted({item.function for item in failing}):
        made = [item.case.traits for item in _in_combination(function, failing)]
        not_made = {
            trait
            for item in _in_combination(function, trials.passing)
            if trials.breaks((mistake,), item)
            for trait in item.case.traits
        }
        if made and not_made:
            yield from (trait for trait in made[0] if trait not in not_made and all(trait in traits for traits in made))


def _in_combination(function: str, items: Sequence[ScoredCase]) -> Iterator[ScoredCase]:
    return (item for item in items if item.case.traits and item.function == function)
