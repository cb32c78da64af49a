"""On which line does a mistake that has no name begin? Where the submission first makes, of what comes up in the
reference too, something that does not.

Both make one call that failed, and of each operation a few sums are kept, and what it was made of
(`grader.guest.line_results`). Right code goes other ways than the reference, but comes back to what that has: a result
from which a right one is made is right, too.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.utils._pytree import tree_leaves

from grader.diagnosis.results_by_line import Places, are_among, of_reference, sources_of, with_sources
from grader.exercise import Exercise
from grader.guest.execution import Call, Outcome
from grader.guest.inspection import Place
from grader.guest.line_results import COLUMNS, COUNT, FIRST_FRAME, FIRST_SOURCE, INPUT, SQUARES, SUM, sums_of
from grader.report import where_in

UNIFORM = 1e-9  # relative: between the square of a sum and the sum of squares
ARRANGED = "your numbers are arranged differently from those of a right solution"
OTHER = "what goes into it also comes up in a right solution, but what comes out of it does not"


@dataclass(frozen=True)
class Beginning:
    """A line, and what is to be said of it."""

    place: Place
    message: str


def beginning(exercise: Exercise, places: Places, call: Call, outcome: Outcome) -> Beginning | None:
    """Finds the line on which the values of this outcome of `results_by_line.by_line` begin to be wrong; None where no
    line can be told.
    """
    theirs = outcome.trace.line_results if outcome.trace else None
    right = of_reference(exercise, (), call)
    if theirs is None or right is None or not len(theirs):
        return None
    asked_by = [*places.of(theirs)]
    known = torch.cat([right, _rows_of(call.arguments)])
    value, order = (_first_strange(theirs, known, ordered=ordered) for ordered in (False, True))
    return _told(*(None if row is None else asked_by[row] for row in (value, order)))


def _told(value: Place | None, order: Place | None) -> Beginning | None:
    """Where values begin to be others, and where they begin to be others or to be arranged otherwise."""
    if value is None:
        return None if order is None else Beginning(order, f"Look at {_words(order)} first: {ARRANGED}.")
    if order is None or order == value:
        return Beginning(value, f"Look at {_words(value)} first: {OTHER}.")
    one, other = _words(order), _words(value)
    both = f"Look at {one} and {other} first: from {one} on {ARRANGED}, and from {other} on they are other numbers."
    return Beginning(value, both)


def _words(place: Place) -> str:
    return where_in(place.line, place.file)


def _rows_of(arguments: object) -> Tensor:
    """What a call was given, in the columns of rows."""
    tensors = [leaf for leaf in tree_leaves(arguments) if isinstance(leaf, Tensor)]
    nobody = (-1.0,) * (COLUMNS - FIRST_FRAME)
    return torch.tensor([(*sums_of(tensor), *nobody) for tensor in tensors], dtype=torch.float64).reshape(-1, COLUMNS)


def _first_strange(theirs: Tensor, known: Tensor, *, ordered: bool) -> int | None:
    """The first row that does not come up in what is known, and of which nothing is made that does, but is itself made
    of nothing strange. What the call was not asked about, as a table of angles, comes last.
    """
    sources = sources_of(theirs)
    tells = (theirs[:, COUNT] > 1) & ~_is_uniform(theirs)
    is_known = tells & are_among(theirs, known, ordered=ordered)
    right = with_sources(is_known.nonzero().flatten().tolist(), sources)
    strange: set[int] = set()
    first = []
    for row, tell in enumerate(tells.tolist()):
        is_made_of_strange = not strange.isdisjoint(sources[row])
        if row not in right and (tell or is_made_of_strange):
            strange.add(row)
            first += [] if is_made_of_strange else [row]
    used, given = with_sources([len(theirs) - 1], sources), _made_of_the_given(theirs, sources)
    return min((row for row in first if row in used), key=lambda row: (row not in given, row), default=None)


def _is_uniform(rows: Tensor) -> Tensor:
    """Whether all numbers of a result are the same."""
    squares = rows[:, COUNT] * rows[:, SQUARES]
    return (rows[:, SUM].square() - squares).abs() <= UNIFORM * squares


def _made_of_the_given(theirs: Tensor, sources: Sequence[Sequence[int]]) -> set[int]:
    given: set[int] = set()
    for row, is_given in enumerate((theirs[:, FIRST_SOURCE:] == INPUT).any(dim=1).tolist()):
        if is_given or not given.isdisjoint(sources[row]):
            given.add(row)
    return given
