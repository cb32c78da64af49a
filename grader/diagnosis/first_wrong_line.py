"""On which line does a mistake first show? Where the submission first computes what only code with the mistake does.

The submission, the reference, and the reference with the mistake make one call that failed, and of each operation a few
sums are kept (`grader.guest.line_results`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from grader.comparison.scored_case import ScoredCase
from grader.diagnosis.prediction import Explanation
from grader.diagnosis.trying_order import is_tiny_and_size
from grader.exercise import Exercise
from grader.guest.execution import BY_LINE, Call, Gives, Session
from grader.guest.inspection import Inspection, Place, place_in
from grader.guest.line_results import COUNT, IN_ORDER, OF_A_FRAME, SQUARES, SUM
from grader.guest.submission import Submission
from grader.inprocess import outcomes_of
from grader.misconception import Misconception
from grader.paper.mismatch import Mismatch
from grader.report import Diagnosis

MOST_CALLS = 4
NEAR = 1e-4  # between sums of the same values, worked out in two ways; relative to what the sum could be at most
OF_VALUES = frozenset({Mismatch.VALUES, Mismatch.NOT_FINITE})


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
        (mistake, explanation, _by_line(item.case.call))
        for explanation in explanations
        if (item := _plainest(explanation, scored)) is not None
        for mistake in explanation.mistakes
        if exercise.reach.is_of_computing(mistake)
    ][:MOST_CALLS]
    outcomes = [*session.calls([call for _, _, call in asked])] if asked else []
    right = {item.function for item in scored} - {item.function for item in scored if not item.is_right}
    lines = _Lines(exercise, submission, frozenset(map(inspection.places.get, right)))
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


def _plainest(explanation: Explanation, scored: Sequence[ScoredCase]) -> ScoredCase | None:
    """A small case with a wrong value, of those that it accounts for."""
    shown = (
        item
        for item in scored
        if explanation.explains(item)
        and item.case.call.gives is Gives.TENSORS
        and item.has_returned
        and item.finding.mismatch in OF_VALUES
    )
    return min(shown, key=is_tiny_and_size, default=None)


def _by_line(call: Call) -> Call:
    """The forward pass alone. What a call before it held is made anew."""
    forward = replace(call, gradient=None, differentiate=(), reused=(), return_arguments=False)
    return replace(forward, id=f"{call.id}/by-line", tracing=BY_LINE)


@dataclass(frozen=True)
class _Lines:
    """Lines of one submission."""

    exercise: Exercise
    submission: Submission
    right_parts: frozenset[Place | None]  # where they begin: what is wrong comes from whoever calls them

    def first_wrong(
        self, theirs: Tensor, mistake: Misconception, explanation: Explanation, call: Call, guess: Place | None
    ) -> Place | None:
        """The first line that gives what only the mistake gives. A guess between that and the last right line before it
        stands: of what is left out nothing is seen.
        """
        others = [other for other in explanation.mistakes if other is not mistake]
        right, wrong = self._of_reference(others, call), self._of_reference(explanation.mistakes, call)
        if right is None or wrong is None or not len(theirs):
            return None
        is_wrong = _are_among(theirs, _not_among(wrong, right, ordered=True), ordered=True)
        is_wrong |= _are_among(theirs, _not_among(wrong, right, ordered=False), ordered=False)
        if not is_wrong.any():
            return None
        places = [*self._places(theirs)]
        first = int(is_wrong.nonzero()[0])
        is_right = _are_among(theirs[:first], right, ordered=False)
        before = [number for number in range(first) if is_right[number] and places[number] != places[first]]
        since = before[-1] if before else 0
        return guess if guess in places[since:first] else places[first]

    def _of_reference(self, mistakes: Sequence[Misconception], call: Call) -> Tensor | None:
        (outcome,) = outcomes_of(self.exercise.program_with(*mistakes), [call])
        return outcome.trace.line_results if outcome.trace else None

    def _places(self, results: Tensor) -> Iterator[Place | None]:
        """None for what no line of the submission can have given."""
        for row in results[:, IN_ORDER + 1 :].reshape(len(results), -1, OF_A_FRAME).int().tolist():
            frames = [(self._place(file, line), self._place(file, begins)) for file, line, begins in row]
            within = [number for number, (_, begins) in enumerate(frames) if begins and begins in self.right_parts]
            callers = frames[within[-1] + 1 :] if within else frames
            yield callers[0][0] if callers else None

    def _place(self, file: int, line: int) -> Place | None:
        paths = sorted(self.submission.files)
        if not 0 <= file < len(paths) or not 0 < line <= self.submission.files[paths[file]].count(b"\n") + 1:
            return None
        return place_in(paths[file], line, self.submission.main)


def _not_among(results: Tensor, others: Tensor, *, ordered: bool) -> Tensor:
    return results[~_are_among(results, others, ordered=ordered)]


def _are_among(results: Tensor, others: Tensor, *, ordered: bool) -> Tensor:
    """Which of them have the values of one of the others, in any shape; `ordered`, in the same order. A single number
    says too little, and so do truth values out of order. Shape (results,), bool.
    """
    one, other = results[:, None], others[None]
    count, largest = one[..., COUNT].abs(), torch.maximum(one[..., SQUARES], other[..., SQUARES])
    near = (one[..., COUNT] == other[..., COUNT]) & ((count if ordered else one[..., COUNT]) > 1)
    near &= (one[..., SQUARES] - other[..., SQUARES]).abs() <= NEAR * largest
    for column in (SUM, IN_ORDER) if ordered else (SUM,):
        near &= (one[..., column] - other[..., column]).abs() <= NEAR * (count * largest).sqrt()
    return near.any(dim=1)
