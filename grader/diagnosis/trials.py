"""What each mistake would give on the cases of one submission. It is asked again and again, and worked out once."""

from collections.abc import Sequence

from grader.comparison.scored_case import ScoredCase
from grader.diagnosis.prediction import Mistakes, gives, is_effective
from grader.diagnosis.symptom import Symptom
from grader.diagnosis.trying_order import effort, is_tiny_and_size, one_of_each_family, telling_first
from grader.exercise import Exercise
from grader.misconception import Misconception
from grader.paper.case import Case


class Trials:
    """One submission's cases, and the mistakes that are tried on them."""

    def __init__(self, exercise: Exercise, failing: Sequence[ScoredCase], passing: Sequence[ScoredCase]) -> None:
        self.exercise = exercise
        self.failing = failing
        self.passing = telling_first(passing)
        # What remembers would also bring a memory of earlier submissions in here.
        self.mistakes = [mistake for mistake in exercise.misconceptions if mistake.id != Symptom.REMEMBERS]
        self._few = sorted(one_of_each_family(sorted(passing, key=is_tiny_and_size)), key=effort)
        self._given: dict[tuple[Mistakes, Case], bool] = {}
        self._plausible: dict[Misconception, bool] = {}
        self._possible: dict[Mistakes, bool] = {}

    def gives(self, mistakes: Mistakes, item: ScoredCase) -> bool:
        """Whether code with these mistakes would have given what the submission gave."""
        asked = mistakes, item.case
        if asked not in self._given:
            self._given[asked] = self._would_give(mistakes, item)
        return self._given[asked]

    def breaks(self, mistakes: Mistakes, item: ScoredCase) -> bool:
        """Whether code with these mistakes would fail the case."""
        return is_effective(self.exercise, mistakes, item)

    def is_plausible(self, mistake: Misconception) -> bool:
        """Whether it leaves right a few cases that are right: most mistakes are out by that."""
        if mistake not in self._plausible:
            self._plausible[mistake] = self._leave_right((mistake,), self._few)
        return self._plausible[mistake]

    def are_possible(self, mistakes: Mistakes) -> bool:
        """Whether they leave right all that is right: each of them, and all together."""
        if mistakes not in self._possible:
            self._possible[mistakes] = (
                all(map(self.is_plausible, mistakes))
                and (len(mistakes) == 1 or all(self.are_possible((mistake,)) for mistake in mistakes))
                and self._leave_right(mistakes, self.passing)
            )
        return self._possible[mistakes]

    def _leave_right(self, mistakes: Mistakes, passing: Sequence[ScoredCase]) -> bool:
        """Whether all of these would pass. A mistake shows in the same cases of each paper, as a rule: those in which
        it did before are asked first.
        """
        shown = self.exercise.shown_in[mistakes] if len(mistakes) == 1 else set()  # of pairs there are too many
        likely = [item for item in passing if item.case.id in shown]
        for item in (*likely, *passing):
            if not self.gives(mistakes, item):
                shown.add(item.case.id)
                return False
        return True

    def _would_give(self, mistakes: Mistakes, item: ScoredCase) -> bool:
        if not any(self.exercise.reach.touches_call(mistake, item.case.call) for mistake in mistakes):
            return item.is_right
        if item.is_right and not self.breaks(mistakes, item):
            return True  # what the case does not look at may be wrong in other ways
        # On a passing case too: a mistake that is hardly larger than rounding may pass once, and fail once.
        return gives(self.exercise, mistakes, item)
