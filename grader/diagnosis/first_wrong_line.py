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
        columns) as in `grader.guest.line_results`. A guess between that line and the last right one before it stands,
        or on the last right one if that leads to it: of what is left out nothing is seen. Where what the mistake comes
        to is on the way to what is right, the end was left out.
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
            is_cut = _is_last_among(wrong, right) and not _is_last_among(right, wrong)
            return self.inspection.ends.get(call.function) if is_cut else None
        first = int(is_wrong.nonzero()[0])
        places = [*self.places.of(theirs)]
        is_right = are_among(theirs[:first], right, ordered=False) | are_among(theirs[:first], right, ordered=True)
        before = [row for row in range(first) if is_right[row] and places[row] != places[first]]
        last = before[-1] if before else -1
        lead = [row for row in before if places[row] == places[last] and _leads_to(theirs, row, first)]
        if guess in (*places[last + 1 : first], *(places[row] for row in lead)):
            return guess
        left_out = _left_out(theirs[:first], right, wrong)
        return places[first if left_out is None else left_out]


def _is_last_among(results: Tensor, others: Tensor) -> bool:
    return bool(are_among(results[-1:], others, ordered=True).all())


def _leads_to(theirs: Tensor, row: int, later: int) -> bool:
    """Whether the later result is made of this one, which is more than a piece of what was given."""
    sources = sources_of(theirs)
    return bool(sources[row]) and row in with_sources([later], sources)


def _left_out(theirs: Tensor, right: Tensor, wrong: Tensor) -> int | None:
    """The last row of those of which right code makes the first thing that is left out, if anything is."""
    missing = ~are_among(right, wrong, ordered=False)
    if len(wrong) >= len(right) or not missing.any():
        return None
    first = int(missing.nonzero()[0])
    sources = [int(each) for each in right[first, FIRST_SOURCE:] if each >= 0]
    found = [are_among(theirs, right[[source]], ordered=False).nonzero() for source in sources]
    return max((int(rows[0]) for rows in found if len(rows)), default=None)


def _not_among(results: Tensor, others: Tensor, *, ordered: bool) -> Tensor:
    return results[~are_among(results, others, ordered=ordered)]
