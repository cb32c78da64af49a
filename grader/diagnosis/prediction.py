"""What code with certain mistakes would have given, and whether a submission gave just that."""

from dataclasses import dataclass
from functools import lru_cache

from grader.comparison.alike import alike
from grader.comparison.compare import compare
from grader.comparison.scored_case import ScoredCase
from grader.exercise import Exercise
from grader.guest.execution import Gives, Outcome
from grader.inprocess import outcomes_of
from grader.misconception import Misconception
from grader.paper.case import Case, Trait

Mistakes = tuple[Misconception, ...]


@dataclass(frozen=True)
class Explanation:
    """Mistakes that, made together, give what the submission gave; `cases` are the failing ones they account for.
    They may be made in some calls only; then `condition` is the trait that these have, where one says it.
    """

    mistakes: Mistakes
    cases: frozenset[str]
    is_partial: bool = False
    condition: Trait | None = None

    def explains(self, item: ScoredCase) -> bool:
        """Whether it accounts for this case."""
        return item.case.id in self.cases


def gives(exercise: Exercise, mistakes: Mistakes, item: ScoredCase) -> bool:
    """Would code with these mistakes have given this outcome?"""
    return alike(item.case, predicted(exercise, mistakes, item.case), item.outcome)


def is_effective(exercise: Exercise, mistakes: Mistakes, item: ScoredCase) -> bool:
    """Would code with these mistakes, and no others, fail this case?"""
    return _is_failed_with(exercise, _at_work(exercise, mistakes, item.case), item.case, item.expected)


def asked(case: Case) -> tuple[str, ...]:
    """Returns what a case asks for: its function, and the arguments in words, which ask for something else, such as the
    number of weights, and may be right where nothing is computed. In a call that gives values, a text is an argument
    like any other.
    """
    if case.call.gives is Gives.VALUES:
        return (case.call.function,)
    return case.call.function, *(value for value in case.call.arguments.values() if isinstance(value, str))


def has_numbers(outcome: Outcome) -> bool:
    """Whether it is not NaN and infinity alone. Values of other kinds always tell something."""
    if outcome.values is not None:
        return bool(outcome.values)
    return any(bool(output.isfinite().any()) for output in outcome.outputs)


# These serve many submissions to one paper, as `assay grade --seed` has; a paper of one's own needs each a few times.
@lru_cache(maxsize=16384)
def _is_failed_with(exercise: Exercise, mistakes: Mistakes, case: Case, expected: Outcome) -> bool:
    return compare(case, expected, predicted(exercise, mistakes, case)).mismatch is not None


def predicted(exercise: Exercise, mistakes: Mistakes, case: Case) -> Outcome:
    """The outcome of this case with these mistakes in the reference."""
    return _predicted(exercise, _at_work(exercise, mistakes, case), case)


def _at_work(exercise: Exercise, mistakes: Mistakes, case: Case) -> Mistakes:
    """Those that can change it: for all others one prediction does."""
    return tuple(mistake for mistake in mistakes if exercise.reach.touches_call(mistake, case.call))


@lru_cache(maxsize=16384)
def _predicted(exercise: Exercise, mistakes: Mistakes, case: Case) -> Outcome:
    (outcome,) = outcomes_of(exercise.program_with(*mistakes), [case.call])
    return outcome
