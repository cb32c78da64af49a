"""Which two mistakes may have been made together: there are very many pairs, so few are tried, on one small case."""

import itertools
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from grader.comparison.scored_case import ScoredCase
from grader.diagnosis.prediction import Mistakes, asked, has_numbers, predicted
from grader.diagnosis.trials import Trials
from grader.diagnosis.trying_order import effort, one_of_each_family, size
from grader.guest.execution import Outcome
from grader.misconception import Misconception

# Pairs that are tried on a small case; on one with more numbers, as many fewer.
MOST_PAIRS = 1500
MOST_UNKNOWN_PAIRS = 400  # of which neither is named: what accounts for some cases alone is among the first
SMALL_CASE = 1000  # numbers in what a small case gives
MOST_SAMPLED = 5  # failing cases, each of another family, that tell which mistakes are tried in pairs first


@dataclass(frozen=True)
class PairsOnCase:
    """Pairs, and the failing case on which they are tried first."""

    item: ScoredCase
    pairs: Sequence[Mistakes]


def pairs_to_try(trials: Trials, named: Set[str], left: Sequence[ScoredCase]) -> Iterator[PairsOnCase]:
    """Yields pairs of mistakes to try on cases that are left without an explanation; once mistakes are named (by id),
    only pairs with one of them.
    """
    for cases in _cases_by_function(trials, named, left):
        smallest = min(cases, key=effort)
        yield _pairs_on(trials, named, smallest)
        # On a small case one of two mistakes may do nothing: then the other alone gives what came.
        enough = [one for one in trials.mistakes if trials.gives((one,), smallest) and trials.are_possible((one,))]
        rest = [item for item in cases if not any(trials.gives((one,), item) for one in enough)]
        if enough and rest:
            yield _pairs_on(trials, {one.id for one in enough}, min(rest, key=effort))


def _cases_by_function(trials: Trials, named: Set[str], left: Sequence[ScoredCase]) -> Iterator[list[ScoredCase]]:
    """Cases that returned numbers. The parts come first: what is wrong there must be in the main function's results
    too, so that without knowing it nothing can be said of those.
    """
    # Where all is NaN but answers to questions, no two mistakes would be told.
    plain = (item for item in (*trials.failing, *trials.passing) if len(asked(item.case)) == 1)
    with_numbers = {item.function for item in plain if has_numbers(item.outcome)}
    returned = [item for item in left if item.has_returned and item.function in with_numbers]
    main = trials.exercise.challenge.manifest.source.main
    functions = sorted({item.function for item in returned}, key=lambda name: (name == main, name))
    for function in functions if named else functions[:1]:
        yield [item for item in returned if item.function == function]


def _pairs_on(trials: Trials, named: Set[str], item: ScoredCase) -> PairsOnCase:
    most = MOST_PAIRS * SMALL_CASE // max(SMALL_CASE, size(item))
    pairs = itertools.islice(_pairs(trials, named, item), most if named else min(most, MOST_UNKNOWN_PAIRS))
    return PairsOnCase(item, list(pairs))


def _pairs(trials: Trials, named: Set[str], item: ScoredCase) -> Iterator[Mistakes]:
    """With one that is named, or else accounts for some cases alone; each must change this case, and leave it the shape
    that came.
    """
    sample = one_of_each_family(sorted(trials.failing, key=size))[:MOST_SAMPLED]  # there one of two may do nothing
    tried = [one for one in trials.mistakes if (named or _changes(trials, one, item)) and trials.is_plausible(one)]
    accounts = {one: sum(trials.gives((one,), other) for other in sample) for one in tried}
    in_order = sorted(tried, key=lambda one: (-accounts[one], one.name != one.id))  # then the usual way of each idea
    for first, second in itertools.combinations(in_order, 2):
        is_led = {first.id, second.id} & named if named else accounts[first]
        if is_led and first.id != second.id and first.is_compatible_with(second):
            yield first, second


def _changes(trials: Trials, mistake: Misconception, item: ScoredCase) -> bool:
    """Whether it breaks the case, and leaves it the shape that came."""
    if not trials.exercise.reach.touches_call(mistake, item.case.call):
        return False
    foreseen = predicted(trials.exercise, (mistake,), item.case)
    return _shapes(foreseen) == _shapes(item.outcome) and trials.breaks((mistake,), item)


def _shapes(outcome: Outcome) -> list[tuple[int, ...]]:
    return [output.shape for output in outcome.outputs]
