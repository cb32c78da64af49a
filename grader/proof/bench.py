"""Papers with the reference's answers, to put many trusted programs to. Where `grade` says what a student reads, this
says what each case finds.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from grader.comparison.compare import compare
from grader.comparison.tolerance import Finding
from grader.exercise import Exercise
from grader.guest.execution import Outcome
from grader.guest.loading import Program, program_of
from grader.guest.perform import perform
from grader.guest.submission import Submission
from grader.inprocess import fresh_module
from grader.paper.case import Case
from grader.paper.draw import Paper

# A right answer stays this many times below its tolerance, a mistake is this many times above.
MARGIN = 10.0


@dataclass(frozen=True)
class Found:
    """What one case found in a program."""

    case: Case
    finding: Finding

    @property
    def margin(self) -> float:
        """How far off, in tolerances; infinite where it is not a matter of numbers, and 0 where nothing is wrong."""
        if self.finding.mismatch is None:
            return 0.0
        if "tolerance" not in self.finding.metrics:
            return math.inf
        return self.finding.metrics["max_abs_error"] / self.finding.metrics["tolerance"]


class Bench:
    """The papers of one exercise with these seeds."""

    def __init__(self, exercise: Exercise, seeds: Iterable[int]) -> None:
        self.exercise = exercise
        self.papers: Sequence[Paper] = [exercise.paper(seed) for seed in seeds]
        self._expected: Sequence[tuple[Outcome, ...]] = [exercise.expected(paper.cases) for paper in self.papers]

    def program(self, submission: Submission) -> Program:
        """Loads a submission anew. Raises whatever the module raises."""
        return program_of(fresh_module(submission.main, submission.source), submission)

    def findings(self, number: int, program: Program, order: Sequence[int] | None = None) -> Iterator[Found]:
        """Yields what each case of that paper finds in the program, one by one as it is asked for."""
        cases = self.papers[number].cases
        for index in range(len(cases)) if order is None else order:
            outcome = perform(cases[index].call, program)
            yield Found(cases[index], compare(cases[index], self._expected[number][index], outcome))
