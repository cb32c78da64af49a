"""What one call gave line by line, as the judge reads it: whose values are like whose, and who asked for them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from grader.comparison.scored_case import ScoredCase
from grader.diagnosis.trying_order import is_tiny_and_size
from grader.exercise import Exercise
from grader.guest.execution import BY_LINE, Call, Gives
from grader.guest.inspection import Inspection, Place, place_in
from grader.guest.line_results import COUNT, FIRST_FRAME, FIRST_SOURCE, IN_ORDER, OF_A_FRAME, SQUARES, SUM
from grader.guest.submission import Submission
from grader.inprocess import outcomes_of
from grader.misconception import Misconception
from grader.paper.mismatch import Mismatch

NEAR = 1e-4  # between sums of the same values, worked out in two ways; relative to what the sum could be at most
CLEAR = 10_000.0  # tolerances that a value is off by: less hardly shows in sums
OF_VALUES = frozenset({Mismatch.VALUES, Mismatch.NOT_FINITE})


def plainest(scored: Iterable[ScoredCase]) -> ScoredCase | None:
    """A small case with a wrong value."""
    return min(_with_wrong_values(scored), key=is_tiny_and_size, default=None)


def clearest(scored: Iterable[ScoredCase]) -> ScoredCase | None:
    """A small case with a clearly wrong value; of one with gradients it may be those alone that are wrong."""

    def order(item: ScoredCase) -> tuple[bool, bool, bool, int]:
        return 0 < item.finding.share < CLEAR, bool(item.case.call.differentiate), *is_tiny_and_size(item)

    return min(_with_wrong_values(scored), key=order, default=None)


def _with_wrong_values(scored: Iterable[ScoredCase]) -> Iterator[ScoredCase]:
    return (
        item
        for item in scored
        if item.case.call.gives is Gives.TENSORS and item.has_returned and item.finding.mismatch in OF_VALUES
    )


def by_line(call: Call) -> Call:
    """Returns the call with its forward pass alone, traced line by line. What a call before it held is made anew."""
    forward = replace(call, gradient=None, differentiate=(), reused=(), return_arguments=False)
    return replace(forward, id=f"{call.id}/by-line", tracing=BY_LINE)


def of_reference(exercise: Exercise, mistakes: Sequence[Misconception], call: Call) -> Tensor | None:
    """Runs the reference with these mistakes and returns its results by line, shape (results, columns) as in
    `grader.guest.line_results`; None where it was not traced.
    """
    (outcome,) = outcomes_of(exercise.program_with(*mistakes), [call])
    return outcome.trace.line_results if outcome.trace else None


def are_among(results: Tensor, others: Tensor, *, ordered: bool) -> Tensor:
    """Marks the results that have the values of one of the others, in any shape; `ordered`, in the same order. A single
    number says too little, and so do truth values out of order. `results` and `others` have shape (results, columns) as
    in `grader.guest.line_results`; returns a bool of shape (results,).
    """
    one, other = results[:, None], others[None]
    count, largest = one[..., COUNT].abs(), torch.maximum(one[..., SQUARES], other[..., SQUARES])
    near = (one[..., COUNT] == other[..., COUNT]) & ((count if ordered else one[..., COUNT]) > 1)
    near &= (one[..., SQUARES] - other[..., SQUARES]).abs() <= NEAR * largest
    for column in (SUM, IN_ORDER) if ordered else (SUM,):
        near &= (one[..., column] - other[..., column]).abs() <= NEAR * (count * largest).sqrt()
    return near.any(dim=1)


def sources_of(results: Tensor) -> list[list[int]]:
    """Of each, the rows above it that it was made of."""
    return [[int(each) for each in row if 0 <= each < at] for at, row in enumerate(results[:, FIRST_SOURCE:].tolist())]


def with_sources(rows: Iterable[int], sources: Sequence[Sequence[int]]) -> set[int]:
    """The rows, what they are made of, what that is made of, and so on."""
    found, left = set[int](), list(rows)
    while left:
        row = left.pop()
        if row not in found:
            found.add(row)
            left += sources[row]
    return found


@dataclass(frozen=True)
class Places:
    """Finds lines of one submission. In parts that are right nobody is pointed to a line: what is wrong comes from
    whoever calls them.
    """

    submission: Submission
    right_parts: frozenset[Place | None]  # where they begin

    @classmethod
    def outside_right_parts(
        cls, submission: Submission, inspection: Inspection, scored: Sequence[ScoredCase]
    ) -> "Places":
        """Finds lines outside the parts whose outcomes are all right."""
        right = {item.function for item in scored} - {item.function for item in scored if not item.is_right}
        return cls(submission, frozenset(map(inspection.places.get, right)))

    def of(self, results: Tensor) -> Iterator[Place | None]:
        """Yields the line that asked for each of the results, shape (results, columns); None for what no line of the
        submission can have given.
        """
        frames_of = results[:, FIRST_FRAME:FIRST_SOURCE].reshape(len(results), -1, OF_A_FRAME)
        for row in frames_of.int().tolist():
            frames = [(self._place(file, line), self._place(file, begins)) for file, line, begins in row]
            within = [number for number, (_, begins) in enumerate(frames) if begins and begins in self.right_parts]
            callers = frames[within[-1] + 1 :] if within else frames
            yield callers[0][0] if callers else None

    def _place(self, file: int, line: int) -> Place | None:
        paths = sorted(self.submission.files)
        if not 0 <= file < len(paths) or not 0 < line <= self.submission.files[paths[file]].count(b"\n") + 1:
            return None
        return place_in(paths[file], line, self.submission.main)
