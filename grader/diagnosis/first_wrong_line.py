"""On which line does a mistake first show? Where the submission first computes what only code with the mistake does.

The submission, the reference, and the reference with the mistake make one call that failed, and of each operation a few
sums are kept (`grader.guest.line_results`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor

from grader.comparison.scored_case import ScoredCase
from grader.diagnosis.prediction import Explanation
from grader.diagnosis.results_by_line import Places, are_among, by_line, of_reference, plainest
from grader.exercise import Exercise
from grader.guest.execution import Call, Session
from grader.guest.inspection import Inspection, Place
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
    lines = _Lines(exercise, Places.outside_right_parts(submission, inspection, scored))
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
    places: Places

    def first_wrong(
        self, theirs: Tensor, mistake: Misconception, explanation: Explanation, call: Call, guess: Place | None
    ) -> Place | None:
        """Finds the first line that gives what only the mistake gives; `theirs` are results by line, shape (results,
        columns) as in `grader.guest.line_results`. A guess between that line and the last right one before it stands:
        of what is left out nothing is seen.
        """
        others = [other for other in explanation.mistakes if other is not mistake]
        right, wrong = (
            of_reference(self.exercise, others, call),
            of_reference(self.exercise, explanation.mistakes, call),
        )
        if right is None or wrong is None or not len(theirs):
            return None
        is_wrong = are_among(theirs, _not_among(wrong, right, ordered=True), ordered=True)
        is_wrong |= are_among(theirs, _not_among(wrong, right, ordered=False), ordered=False)
        if not is_wrong.any():
            return None
        places = [*self.places.of(theirs)]
        first = int(is_wrong.nonzero()[0])
        is_right = are_among(theirs[:first], right, ordered=False)
        before = [number for number in range(first) if is_right[number] and places[number] != places[first]]
        since = before[-1] if before else 0
        return guess if guess in places[since:first] else places[first]


def _not_among(results: Tensor, others: Tensor, *, ordered: bool) -> Tensor:
    return results[~are_among(results, others, ordered=ordered)]
