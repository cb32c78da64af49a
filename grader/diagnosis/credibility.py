"""Whether an explanation is to be believed, and which of several the most: by what it accounts for, and how."""

from collections.abc import Sequence

from grader.comparison.alike import is_of_loading
from grader.comparison.scored_case import ScoredCase
from grader.diagnosis.evidence import Ground, Grounds
from grader.diagnosis.prediction import Explanation, Mistakes, asked, has_numbers, predicted
from grader.diagnosis.trials import Trials
from grader.diagnosis.trying_order import by_family
from grader.misconception import Misconception

ENOUGH_WORDS = 3  # different messages of exceptions that, all met, are no chance


class Credibility:
    """Decides which explanations of one submission's outcomes may be told."""

    def __init__(self, trials: Trials) -> None:
        self._trials = trials
        self._failing = trials.failing
        self._grounds = Grounds(trials.exercise, [*trials.failing, *trials.passing])

    def is_credible(self, explanation: Explanation, left: Sequence[ScoredCase]) -> bool:
        """Whether it may be told of a submission of which these failing cases are not explained yet."""
        return (
            self._is_told(explanation, left)
            and self._is_backed(explanation)
            and (
                len(explanation.mistakes) == 1
                or all(self._is_at_work(mistake, explanation) for mistake in explanation.mistakes)
            )
        )

    def weight(self, explanation: Explanation) -> tuple[int, int, bool]:
        """A key by which the weightiest explanation is chosen: how many cases tell for it, how many it explains, and
        whether it says what the submission said.
        """
        explained = [item for item in self._failing if explanation.explains(item)]
        telling = self._grounds.of(explanation, self._failing).telling
        return len(telling), len(explained), self._has_the_words_of(explanation.mistakes, explained)

    def is_beyond_doubt(self, explanation: Explanation) -> bool:
        """Whether all that fails was compared and is explained: no other mistake can account for more."""
        evidence = self._grounds.of(explanation, self._failing)
        return evidence.count(Ground.VALUES, Ground.REFUSAL) == len(self._failing)

    def _is_told(self, explanation: Explanation, left: Sequence[ScoredCase]) -> bool:
        """A case or two may come out alike by chance; all that is left of a family does not, if it tells anything. One
        case alone must be all that is left.
        """
        telling = self._grounds.of(explanation, self._failing).telling
        if not telling:
            return self._grounds.is_raised_alike(explanation, self._failing)
        if len(telling) == 1 and any(not explanation.explains(item) for item in left):
            return False
        families = [{item.case.id for item in family} for family in by_family(left)]
        return any(cases <= explanation.cases and cases & telling for cases in families)

    def _is_backed(self, explanation: Explanation) -> bool:
        """Any idea may make code raise. Where nothing but exceptions is explained, all that fails must be, or they say
        word for word what code with this mistake says; and where a function raises whatever it is asked, or gives
        nothing but NaN, they do so with sizes that differ from case to case. A module that saves was right before.
        """
        explained = [item for item in self._failing if explanation.explains(item)]
        problems = [item.outcome.problem for item in explained if item.outcome.problem is not None]
        if self._has_the_words_of(explanation.mistakes, explained):
            if len({problem.message for problem in problems}) >= ENOUGH_WORDS:
                return True
            if problems and all(problem.is_of_the_harness for problem in problems):
                return True
        elif not any(has_numbers(item.outcome) for item in explained) and len(explained) < len(self._failing):
            return False
        if problems and all(map(is_of_loading, problems)):
            return True
        of = {asked(item.case) for item in explained}
        right = (item for item in self._trials.passing if asked(item.case) in of and not item.case.raises)
        return any(has_numbers(item.outcome) for item in (*explained, *right))

    def _is_at_work(self, mistake: Misconception, explanation: Explanation) -> bool:
        """Whether one of several accounts for something that the others leave unexplained. Made alone, it breaks most
        of that: where it is right in itself, such as a loop, or a mask that is put on in another precision, that both
        together fit is chance. And it does not break more of what stays unexplained.
        """
        others = tuple(other for other in explanation.mistakes if other is not mistake)
        explained = [item for item in self._failing if explanation.explains(item)]
        unexplained = [item for item in self._failing if not explanation.explains(item)]
        own = [item for item in explained if not self._trials.gives(others, item)]
        at_work = sum(self._trials.breaks((mistake,), item) for item in own)
        against = sum(item.has_returned and self._trials.breaks((mistake,), item) for item in unexplained)
        return at_work > 0 and 2 * at_work >= len(own) and at_work >= against

    def _has_the_words_of(self, mistakes: Mistakes, explained: Sequence[ScoredCase]) -> bool:
        """Of a refusal that was asked for no words are asked."""
        return all(
            item.case.raises
            or (
                (foreseen := predicted(self._trials.exercise, mistakes, item.case).problem) is not None
                and item.outcome.problem is not None
                and foreseen.message == item.outcome.problem.message
            )
            for item in explained
        )
