"""Looks for the mistakes that give what a submission gave: one, then two together. Bounded by a number of tries, never
by the clock, so that the same submission and seed always get the same report.
"""

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from functools import cached_property

from grader.comparison.scored_case import ScoredCase
from grader.diagnosis.conditional import in_some_calls
from grader.diagnosis.credibility import Credibility
from grader.diagnosis.prediction import Explanation, Mistakes, asked, gives, has_numbers, is_effective, predicted
from grader.diagnosis.trying_order import (
    by_family,
    effort,
    is_tiny_and_size,
    one_of_each_family,
    size,
    telling_first,
)
from grader.exercise import Exercise
from grader.guest.execution import CallStatus
from grader.misconception import Misconception
from grader.paper.case import Case

MOST_DIAGNOSES = 3
# Pairs that are tried on a small case; on one with more numbers, as many fewer.
MOST_PAIRS = 1500
MOST_UNKNOWN_PAIRS = 400  # of which neither is named: what accounts for some cases alone is among the first
SMALL_CASE = 1000  # numbers in what a small case gives
MOST_SAMPLED = 5  # failing cases, each of another family, that tell which mistakes are tried in pairs first
# A mistake that would show otherwise in this many failing families of a function is not what is there; nor is one that
# would not show in twice as many, where something is wrong.
MOST_CONTRADICTIONS = 2
# Shows only between calls, so that no single call can be compared: the judge tries failing cases alone.
REMEMBERS = "stale-cache"


class Search:
    """One submission's outcomes, and the mistakes that may have led to them."""

    def __init__(self, exercise: Exercise, failing: Sequence[ScoredCase], passing: Sequence[ScoredCase]) -> None:
        self._exercise = exercise
        self._main = exercise.challenge.manifest.source.main
        self._failing = failing
        self._credibility = Credibility(exercise, failing, passing)
        self._passing = telling_first(passing)
        self._few = sorted(one_of_each_family(sorted(passing, key=is_tiny_and_size)), key=effort)
        self._right_functions = {item.case.call.function for item in passing} - {
            item.case.call.function for item in failing
        }
        plain = (item for item in (*failing, *passing) if len(asked(item.case)) == 1)
        self._with_numbers = {item.case.call.function for item in plain if has_numbers(item.outcome)}
        self._sample = [family[0] for family in by_family(failing)][:MOST_SAMPLED]
        self._given: dict[tuple[Mistakes, Case], bool] = {}
        self._plausible: dict[Misconception, bool] = {}
        self._possible: dict[Misconception, bool] = {}

    def explanations(self) -> Iterator[Explanation]:
        """Greedily: what explains most of the failing cases, then most of the rest."""
        left = list(self._failing)
        named: set[str] = set()
        for _ in range(MOST_DIAGNOSES):
            best = self._next(named, left) if left else None
            if best is None and not named:
                best = self._in_some_calls()
            if best is None:
                return
            yield best
            named |= {mistake.id for mistake in best.mistakes}
            left = [item for item in left if item.case.id not in best.cases]

    def _next(self, named: Set[str], left: Sequence[ScoredCase]) -> Explanation | None:
        """One mistake, or two together; at last one that is made beside parts which are right themselves."""
        return (
            (None if named else self._one_for_all())
            or self._best(self._singles, by_family(left), left)
            or self._pair(named, left)
            or (None if named else self._beside_right_parts(left))
        )

    @cached_property
    def _singles(self) -> list[Mistakes]:
        """All that a single call can show: what remembers would also bring a memory of earlier submissions in here."""
        return [(mistake,) for mistake in self._exercise.misconceptions if mistake.id != REMEMBERS]

    def _is_plausible(self, mistake: Misconception) -> bool:
        """Whether it leaves right a few cases that are right: most mistakes are out by that."""
        if mistake not in self._plausible:
            self._plausible[mistake] = self._leaves_right((mistake,), self._few)
        return self._plausible[mistake]

    def _is_possible(self, mistake: Misconception) -> bool:
        """Whether it leaves right all that is right."""
        if mistake not in self._possible:
            self._possible[mistake] = self._is_plausible(mistake) and self._leaves_right((mistake,), self._passing)
        return self._possible[mistake]

    def _one_for_all(self) -> Explanation | None:
        """The usual answer: a single mistake that accounts for everything. Most are out by the first case."""
        failing = sorted(self._failing, key=effort)
        complete = []
        for mistakes in sorted(self._singles, key=self._would_show_elsewhere):
            if all(self._gives(mistakes, item) for item in failing):
                best = self._best([mistakes], [failing[:1]], failing)
                if best is not None and self._credibility.is_beyond_doubt(best):
                    return best
                complete.append(mistakes)
        return self._best(complete, [failing[:1]], failing)

    def _would_show_elsewhere(self, mistakes: Mistakes) -> bool:
        """Whether it may change a function in which nothing is wrong."""
        return any(
            self._exercise.reach.touches(mistake, name) for mistake in mistakes for name in self._right_functions
        )

    def _pair(self, named: Set[str], left: Sequence[ScoredCase]) -> Explanation | None:
        """Two mistakes, tried on one small case that returned a value; once one is named, only pairs with it.

        The parts come first: what is wrong there must be in the main function's results too, so that without knowing
        it nothing can be said of those.
        """
        returned = [item for item in left if item.outcome.status is CallStatus.RETURNED and self._has_numbers(item)]
        functions = sorted({item.case.call.function for item in returned}, key=lambda name: (name == self._main, name))
        for function in functions[:1] if functions != [self._main] and not named else functions:
            cases = [item for item in returned if item.case.call.function == function]
            best = self._pair_on(cases, named, left) or self._pair_with_one_that_is_enough_for_some(cases, left)
            if best is not None:
                return best
        return None

    def _has_numbers(self, item: ScoredCase) -> bool:
        """Whether its function gives any: where all is NaN but answers to questions, no two mistakes would be told."""
        return item.case.call.function in self._with_numbers

    def _pair_on(self, cases: Sequence[ScoredCase], named: Set[str], left: Sequence[ScoredCase]) -> Explanation | None:
        item = min(cases, key=is_tiny_and_size)
        tries = MOST_PAIRS * SMALL_CASE // max(SMALL_CASE, size(item))
        tries = tries if named else min(tries, MOST_UNKNOWN_PAIRS)
        pairs = itertools.islice(self._pairs(named, item), tries)
        # Singles once more: one that explains as much as a pair is better than a pair whose other half is idle.
        return self._best([*self._singles, *pairs], [[item]], left)

    def _pair_with_one_that_is_enough_for_some(
        self, cases: Sequence[ScoredCase], left: Sequence[ScoredCase]
    ) -> Explanation | None:
        """On a small case one of two mistakes may do nothing: then the other alone gives what came."""
        item = min(cases, key=is_tiny_and_size)
        enough = [(one,) for (one,) in self._singles if self._gives((one,), item) and self._is_possible(one)]
        rest = [other for other in cases if not any(self._gives(mistakes, other) for mistakes in enough)]
        ids = {mistake.id for (mistake,) in enough}
        return self._pair_on(rest, ids, left) if enough and rest else None

    def _pairs(self, named: Set[str], item: ScoredCase) -> Iterator[Mistakes]:
        """With one that is named; else of mistakes that each change this case, and leave it the shape that came."""
        tried = [
            mistake
            for (mistake,) in self._singles
            if (named or self._is_effective(mistake, item)) and self._is_plausible(mistake)
        ]
        # Tries are few: first what alone accounts for some cases, then the usual way of each idea.
        tried.sort(key=lambda mistake: (-self._accounted_for(mistake), mistake.name != mistake.id))
        for first, second in itertools.combinations(tried, 2):
            is_new = first.id != second.id and first.is_compatible_with(second)
            if is_new and (not named or {first.id, second.id} & named):
                yield first, second

    def _accounted_for(self, mistake: Misconception) -> int:
        """How many of a few failing cases it gives alone."""
        return sum(self._gives((mistake,), item) for item in self._sample)

    def _is_effective(self, mistake: Misconception, item: ScoredCase) -> bool:
        if not self._exercise.reach.touches_call(mistake, item.case.call):
            return False
        shapes = [output.shape for output in predicted(self._exercise, (mistake,), item.case).outputs]
        return shapes == [output.shape for output in item.outcome.outputs] and (
            is_effective(self._exercise, (mistake,), item)
        )

    def _beside_right_parts(self, left: Sequence[ScoredCase]) -> Explanation | None:
        """A function may not use the parts that are right, or not share with others what the reference shares with
        them, and hold the mistake itself.
        """
        functions = {item.case.call.function for item in self._failing}
        passing = [item for item in self._passing if item.case.call.function in functions]
        if len(passing) == len(self._passing):
            return None
        apart = Search(self._exercise, self._failing, passing)
        return apart._one_for_all() or apart._best(apart._singles, by_family(left), left)

    def _in_some_calls(self) -> Explanation | None:
        singles = [mistake for (mistake,) in self._singles]
        return in_some_calls(self._exercise, singles, sorted(self._failing, key=size), self._passing)

    def _best(
        self,
        candidates: Sequence[Mistakes],
        groups: Sequence[Sequence[ScoredCase]],
        left: Sequence[ScoredCase],
    ) -> Explanation | None:
        """The candidate that accounts for most; few of them, those that give all of some group, are tried on the whole
        paper.
        """
        promising = [
            mistakes
            for mistakes in candidates
            if self._gives_some(mistakes, groups) and all(map(self._is_plausible, mistakes))
        ]
        explanations = [
            Explanation(mistakes, frozenset(item.case.id for item in self._failing if self._gives(mistakes, item)))
            for mistakes in promising
            if all(map(self._is_possible, mistakes))
            and (len(mistakes) == 1 or self._leaves_right(mistakes, self._passing))
        ]
        credible = [
            explanation
            for explanation in explanations
            if self._credibility.is_told(explanation, left)
            and self._credibility.is_backed(explanation)
            and self._are_all_at_work(explanation)
        ]
        return max(credible, key=self._credibility.weight, default=None)

    def _gives_some(self, mistakes: Mistakes, groups: Sequence[Sequence[ScoredCase]]) -> bool:
        """Whether it gives all of some group, in a function where it is not contradicted before."""
        against = Counter[str]()
        for group in groups:
            function = group[0].case.call.function
            if against[function] < 2 * MOST_CONTRADICTIONS:
                if all(self._gives(mistakes, item) for item in group):
                    return True
                against[function] += 2 if self._is_contradicted(mistakes, group[0]) else 1
        return False

    def _is_contradicted(self, mistakes: Mistakes, item: ScoredCase) -> bool:
        """Whether it would show in this failing case, and otherwise."""
        return (
            item.outcome.status is CallStatus.RETURNED
            and not self._gives(mistakes, item)
            and is_effective(self._exercise, mistakes, item)
        )

    def _are_all_at_work(self, explanation: Explanation) -> bool:
        """Whether each of several mistakes accounts for something that the others leave unexplained."""
        if len(explanation.mistakes) == 1:
            return True
        return all(self._is_at_work(mistake, explanation) for mistake in explanation.mistakes)

    def _is_at_work(self, mistake: Misconception, explanation: Explanation) -> bool:
        """Made alone, it breaks most of that: where it is right in itself, such as a loop, or a mask that is put on in
        another precision, that both together fit is chance. And it does not break more of what stays unexplained.
        """
        others = tuple(other for other in explanation.mistakes if other is not mistake)
        is_explained = [item.case.id in explanation.cases for item in self._failing]
        own = [item for item in itertools.compress(self._failing, is_explained) if not self._gives(others, item)]
        at_work = sum(self._breaks(mistake, item) for item in own)
        against = sum(
            not explained and item.outcome.status is CallStatus.RETURNED and self._breaks(mistake, item)
            for item, explained in zip(self._failing, is_explained, strict=True)
        )
        return at_work > 0 and 2 * at_work >= len(own) and at_work >= against

    def _breaks(self, mistake: Misconception, item: ScoredCase) -> bool:
        return is_effective(self._exercise, (mistake,), item)

    def _leaves_right(self, mistakes: Mistakes, passing: Sequence[ScoredCase]) -> bool:
        """Whether all of these would pass with the mistakes. One shows in the same cases of each paper, as a rule:
        those in which it did before are asked first.
        """
        shown = self._exercise.shown_in[mistakes] if len(mistakes) == 1 else set()  # of pairs there are too many
        likely = [item for item in passing if item.case.id in shown]
        for item in (*likely, *passing):
            if not self._gives(mistakes, item):
                shown.add(item.case.id)
                return False
        return True

    def _gives(self, mistakes: Mistakes, item: ScoredCase) -> bool:
        """Asked again and again of the same."""
        asked = mistakes, item.case
        if asked not in self._given:
            self._given[asked] = self._would_give(mistakes, item)
        return self._given[asked]

    def _would_give(self, mistakes: Mistakes, item: ScoredCase) -> bool:
        if not any(self._exercise.reach.touches_call(mistake, item.case.call) for mistake in mistakes):
            return item.finding.mismatch is None
        if item.finding.mismatch is None and not is_effective(self._exercise, mistakes, item):
            return True  # what the case does not look at may be wrong in other ways
        # On a passing case too: a mistake that is hardly larger than rounding may pass once, and fail once.
        return gives(self._exercise, mistakes, item)
