"""Looks for the mistakes that give what a submission gave: one, then two together. Bounded by a number of tries, never
by the clock, so that the same submission and seed always get the same report.
"""

from collections import Counter
from collections.abc import Iterator, Sequence, Set

from grader.comparison.scored_case import ScoredCase
from grader.diagnosis.conditional import in_some_calls
from grader.diagnosis.credibility import Credibility
from grader.diagnosis.pairs import pairs_to_try
from grader.diagnosis.prediction import Explanation, Mistakes
from grader.diagnosis.trials import Trials
from grader.diagnosis.trying_order import by_family, effort
from grader.exercise import Exercise

MOST_DIAGNOSES = 3
# A mistake that would show otherwise in this many failing families of a function is not what is there; nor is one that
# would not show in twice as many, where something is wrong.
MOST_CONTRADICTIONS = 2


class Search:
    """One submission's outcomes, and the mistakes that may have led to them."""

    def __init__(self, exercise: Exercise, failing: Sequence[ScoredCase], passing: Sequence[ScoredCase]) -> None:
        self._trials = Trials(exercise, failing, passing)
        self._credibility = Credibility(self._trials)
        self._singles: list[Mistakes] = [(mistake,) for mistake in self._trials.mistakes]

    def explanations(self) -> Iterator[Explanation]:
        """Yields explanations, greedily: what explains most of the failing cases, then most of the rest."""
        left = list(self._trials.failing)
        named: set[str] = set()
        for _ in range(MOST_DIAGNOSES):
            best = self._next(named, left) if left else None
            if best is None and not named:
                best = in_some_calls(self._trials)
            if best is None:
                return
            yield best
            named |= {mistake.id for mistake in best.mistakes}
            left = [item for item in left if not best.explains(item)]

    def _next(self, named: Set[str], left: Sequence[ScoredCase]) -> Explanation | None:
        """One mistake, or two together; at last one that is made beside parts which are right themselves."""
        return (
            (None if named else self._one_for_all())
            or self._best(self._singles, by_family(left), left)
            or self._pair(named, left)
            or (None if named else self._beside_right_parts(left))
        )

    def _one_for_all(self) -> Explanation | None:
        """The usual answer: a single mistake that accounts for everything. Most are out by the first case."""
        failing = sorted(self._trials.failing, key=effort)
        complete = []
        for mistakes in self._local_first():
            if all(self._trials.gives(mistakes, item) for item in failing):
                best = self._best([mistakes], [failing[:1]], failing)
                if best is not None and self._credibility.is_beyond_doubt(best):
                    return best
                complete.append(mistakes)
        return self._best(complete, [failing[:1]], failing)

    def _local_first(self) -> list[Mistakes]:
        """Those first that cannot change a function in which nothing is wrong."""
        failing = {item.function for item in self._trials.failing}
        right = {item.function for item in self._trials.passing} - failing
        touches = self._trials.exercise.reach.touches
        first = sorted(self._trials.mistakes, key=lambda mistake: any(touches(mistake, function) for function in right))
        return [(mistake,) for mistake in first]

    def _pair(self, named: Set[str], left: Sequence[ScoredCase]) -> Explanation | None:
        for tried in pairs_to_try(self._trials, named, left):
            # Singles once more: one that explains as much as a pair is better than a pair whose other half is idle.
            best = self._best([*self._singles, *tried.pairs], [[tried.item]], left)
            if best is not None:
                return best
        return None

    def _beside_right_parts(self, left: Sequence[ScoredCase]) -> Explanation | None:
        """A function may not use the parts that are right, or not share with others what the reference shares with
        them, and hold the mistake itself.
        """
        trials = self._trials
        functions = {item.function for item in trials.failing}
        passing = [item for item in trials.passing if item.function in functions]
        if len(passing) == len(trials.passing):
            return None
        apart = Search(trials.exercise, trials.failing, passing)
        return apart._one_for_all() or apart._best(apart._singles, by_family(left), left)

    def _best(
        self,
        candidates: Sequence[Mistakes],
        groups: Sequence[Sequence[ScoredCase]],
        left: Sequence[ScoredCase],
    ) -> Explanation | None:
        """The candidate that accounts for most; few of them, those that give all of some group, are tried on the whole
        paper.
        """
        explanations = [
            self._explanation(mistakes)
            for mistakes in candidates
            if self._give_some(mistakes, groups) and self._trials.are_possible(mistakes)
        ]
        credible = [one for one in explanations if self._credibility.is_credible(one, left)]
        return max(credible, key=self._credibility.weight, default=None)

    def _explanation(self, mistakes: Mistakes) -> Explanation:
        given = (item.case.id for item in self._trials.failing if self._trials.gives(mistakes, item))
        return Explanation(mistakes, frozenset(given))

    def _give_some(self, mistakes: Mistakes, groups: Sequence[Sequence[ScoredCase]]) -> bool:
        """Whether they give all of some group, in a function where they are not contradicted before."""
        against = Counter[str]()
        for group in groups:
            function = group[0].function
            if against[function] < 2 * MOST_CONTRADICTIONS:
                if all(self._trials.gives(mistakes, item) for item in group):
                    return True
                against[function] += 2 if self._are_contradicted(mistakes, group[0]) else 1
        return False

    def _are_contradicted(self, mistakes: Mistakes, item: ScoredCase) -> bool:
        """Whether they would show in this failing case, and otherwise."""
        return item.has_returned and not self._trials.gives(mistakes, item) and self._trials.breaks(mistakes, item)
