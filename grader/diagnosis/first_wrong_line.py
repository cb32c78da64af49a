"""On which line does a mistake first show? Where the submission first computes what only code with the mistake does.

The submission, the reference, and the reference with the mistake make one call that failed, and of each operation a few
sums are kept (`grader.guest.line_results`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor

from grader.comparison.scored_case import ScoredCase
from grader.diagnosis.prediction import Explanation
from grader.diagnosis.results_by_line import (
    Places,
    are_among,
    by_line,
    of_reference,
    plainest,
    sources_of,
    with_sources,
)
from grader.exercise import Exercise
from grader.guest.execution import Call, Session
from grader.guest.inspection import Inspection, Place
from grader.guest.line_results import FIRST_SOURCE
from grader.guest.submission import Submission
from grader.misconception import Misconception
from grader.report import Diagnosis

MOST_CALLS = 4


def with_first_wrong_lines(
    exercise: Exercise,
    submission: Submission,
    inspection: Inspection,
    session: Session,
    scored: Sequence[ScoredCase],
    explanations: Sequence[Explanation],
    diagnoses: Sequence[Diagnosis],
) -> tuple[Diagnosis, ...]:
    """The diagnoses, with the line where that is known. `session` is asked as far as it goes."""
    asked = [
        (mistake, explanation, by_line(item.case.call))
        for explanation in explanations
        if (item := plainest(filter(explanation.explains, scored))) is not None
        for mistake in explanation.mistakes
        if exercise.reach.is_of_computing(mistake)
    ][:MOST_CALLS]
    outcomes = [*session.calls([call for _, _, call in asked])] if asked else []
    lines = _Lines(exercise, inspection, Places.outside_right_parts(submission, inspection, scored))
    found: dict[str, Place] = {}
    for (mistake, explanation, call), outcome in zip(asked, outcomes, strict=True):
        guess = next((Place(one.line, one.file) for one in diagnoses if one.id == mistake.id and one.line), None)
        theirs = outcome.trace.line_results if outcome.trace else None
        place = None if theirs is None else lines.first_wrong(theirs, mistake, explanation, call, guess)
        if place is not None:
            found.setdefault(mistake.id, place)
    return tuple(
        one.model_copy(update={"line": found[one.id].line, "file": found[one.id].file}) if one.id in found else one
        for one in diagnoses
    )


@dataclass(frozen=True)
class _Lines:
    """Lines of one submission."""

    exercise: Exercise
    inspection: Inspection
    places: Places

    def first_wrong(
        self, theirs: Tensor, mistake: Misconception, explanation: Explanation, call: Call, guess: Place | None
    ) -> Place | None:
        """Finds the first line that gives what only the mistake gives; `theirs` are results by line, shape (results,
        columns) as in `grader.guest.line_results`. A guess between that line and the last right one before it stands:
        of what is left out nothing is seen. What comes to something on the way to what is right ends too early.
        """
        others = [other for other in explanation.mistakes if other is not mistake]
        right, wrong = (
            of_reference(self.exercise, others, call),
            of_reference(self.exercise, explanation.mistakes, call),
        )
        if right is None or wrong is None or not len(theirs):
            return None
        results = _Results(theirs, right, wrong, [*self.places.of(theirs)])
        first = results.first_wrong
        if first is None:
            return self.inspection.ends.get(call.function) if results.end_too_early else None
        if guess is not None and guess in results.places_before(first):
            return guess
        return results.places[first if (row := results.before_what_is_left_out(first)) is None else row]


@dataclass(frozen=True)
class _Results:
    """What one call gave line by line: of a submission with `places`, of right code, and of code with the mistake."""

    theirs: Tensor
    right: Tensor
    wrong: Tensor
    places: Sequence[Place | None]

    @property
    def first_wrong(self) -> int | None:
        """The first row that only code with the mistake gives."""
        is_wrong = are_among(self.theirs, _not_among(self.wrong, self.right, ordered=True), ordered=True)
        is_wrong |= are_among(self.theirs, _not_among(self.wrong, self.right, ordered=False), ordered=False)
        return int(is_wrong.nonzero()[0]) if is_wrong.any() else None

    @property
    def end_too_early(self) -> bool:
        """Whether right code goes on from what the mistake comes to."""
        right, wrong = self.right[-1:], self.wrong[-1:]
        goes_on = (
            are_among(wrong, self.right, ordered=True).all() and not are_among(right, self.wrong, ordered=True).all()
        )
        return bool(goes_on)

    def places_before(self, first: int) -> set[Place | None]:
        """Those after the last right line before this row; and that line, if it is one of those that lead here, and
        gives more than a piece of what was given.
        """
        rows = self.theirs[:first]
        is_right = are_among(rows, self.right, ordered=False) | are_among(rows, self.right, ordered=True)
        right = [row for row in range(first) if is_right[row] and self.places[row] != self.places[first]]
        if not right:
            return {*self.places[:first]}
        sources = sources_of(self.theirs)
        leading = with_sources([first], sources)
        last = {self.places[row] for row in right if row in leading and sources[row]} & {self.places[right[-1]]}
        return last.union(self.places[right[-1] + 1 : first])

    def before_what_is_left_out(self, first: int) -> int | None:
        """The last row of those of which right code makes the first thing that is left out, if anything is."""
        missing = ~are_among(self.right, self.wrong, ordered=False)
        if len(self.wrong) >= len(self.right) or not missing.any():
            return None
        sources = [int(each) for each in self.right[int(missing.nonzero()[0]), FIRST_SOURCE:] if each >= 0]
        found = [are_among(self.theirs[:first], self.right[[each]], ordered=False).nonzero() for each in sources]
        return max((int(rows[0]) for rows in found if len(rows)), default=None)


def _not_among(results: Tensor, others: Tensor, *, ordered: bool) -> Tensor:
    return results[~are_among(results, others, ordered=ordered)]
