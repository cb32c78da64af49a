"""Is what a call showed what the reference shows: a result, its arguments after it, or each thing that a sequence of
calls lets be seen?
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from grader.comparison.chance import compare_sample, is_alike_sample
from grader.comparison.difference import Differ, Difference, told
from grader.comparison.problems import describe, explained
from grader.comparison.statistic import built_alike, statistic_if_any, statistic_of
from grader.comparison.tolerance import Finding
from grader.guest.execution import Call, CallStatus, Outcome
from grader.guest.values import Data, Raised, frozen
from grader.paper.case import Aspect, Case
from grader.paper.in_float64 import doubled, floating_dtypes
from grader.paper.mismatch import Mismatch

ROUGHLY = 1e4  # roundings: a thousandth of what is compared


@dataclass(frozen=True)
class SeenItem:
    """One thing that is seen: what it is, in words, and which exceptions are right."""

    what: str
    raises: tuple[str, ...] = ()
    number: int = 0  # of the call in a sequence of several, from 1
    is_argument: bool = False


def seen_items_of(case: Case) -> list[SeenItem]:
    """Everything that the case's call lets be seen, in order."""
    if not case.call.moves:
        arguments = case.call.arguments if case.call.return_arguments else ()
        return [SeenItem(case.what), *(SeenItem(name, is_argument=True) for name in arguments)]
    return [
        SeenItem(move.what, move.raises, number) for number, move in enumerate(case.call.moves, start=1) if move.is_seen
    ]


def compare_shown(case: Case, expected: Outcome, outcome: Outcome) -> Finding:
    """Compares what a call let be seen with what is right, in the order in which it was seen: the first mismatch is
    told.
    """
    places, seen = seen_items_of(case), outcome.values or ()
    nearest = Difference()
    for place, right, found in zip(places, _right(case, expected), seen, strict=False):
        one = _compared(case, place, right, found)
        if one.mismatch is not None:
            return Finding(one.mismatch, _sentence(place, one), one.metrics)
        nearest = max(nearest, one, key=lambda item: item.share)
    if outcome.problem is None:
        return Finding(metrics=nearest.metrics)
    who = _who(case.call, places, len(seen))
    if outcome.status is CallStatus.MISTYPED:
        return Finding(Mismatch.KIND, f"{who} {outcome.problem.message}.")
    return Finding(Mismatch.RAISED, f"{who} raised {explained(outcome.problem)}")


def alike_shown(case: Case, predicted: Outcome, outcome: Outcome) -> bool:
    """Whether both showed the same, to within rounding, as far as the case looks at it."""
    ours, theirs = predicted.values or (), outcome.values or ()
    if len(ours) != len(theirs):
        return False
    looked_at = [
        pair for place, *pair in zip(seen_items_of(case), ours, theirs, strict=False) if _is_asked(case, place)
    ]
    if (statistic := case.statistic) is not None:
        if any(built_alike(one, other).mismatch is not None for one, other in looked_at):
            return False
        looked_at = [[statistic_if_any(statistic, each) for each in pair] for pair in looked_at]
    if case.distribution is not None:
        return all(is_alike_sample(one, other) for one, other in looked_at)
    return all(_differ(case).first(one, other).mismatch is None for one, other in looked_at)


def is_roughly_alike(one: Outcome, other: Outcome, growth: float = ROUGHLY) -> bool:
    """Whether they showed the same values, in whatever dtype: of what was tested before."""
    ours, theirs = one.values or (), other.values or ()
    pairs = zip(ours, theirs, strict=False)
    return len(ours) == len(theirs) and all(
        Differ(growth).first(doubled(right), doubled(found)).mismatch is None for right, found in pairs
    )


def _is_asked(case: Case, place: SeenItem) -> bool:
    return (Aspect.ARGUMENTS if place.is_argument else Aspect.OUTPUT) in case.aspects


def _right(case: Case, expected: Outcome) -> Sequence[Data]:
    """What the reference showed; of arguments, what they were before, for the reference may round them."""
    if case.call.moves or not expected.values:
        return expected.values or ()
    return (expected.values[0], *(frozen(value) for value in case.call.arguments.values()))


def _compared(case: Case, place: SeenItem, right: Data, found: Data) -> Difference:
    if place.raises:
        return _refusal(place, found)
    if not _is_asked(case, place):
        return Difference()
    if place.is_argument:
        one = Differ(0.0, is_exact=True).first(right, found)
        return one if one.mismatch is None else replace(one, mismatch=Mismatch.CHANGED_ARGUMENT)
    if case.statistic is not None:
        built = built_alike(right, found, floating_dtypes(case.call))
        if built.mismatch is not None:
            return built
        of_found = statistic_if_any(case.statistic, found)
        if of_found is None:
            return Difference("", Mismatch.VALUES, f"got {told(found)}, with values that no right answer has")
        right, found = statistic_of(case.statistic, right), of_found
    if case.distribution is not None:
        return compare_sample(case.distribution, right, found)
    return _differ(case).first(right, found)


def _differ(case: Case) -> Differ:
    return Differ(case.growth, case.scale, floating_dtypes(case.call))


def _refusal(place: SeenItem, found: Data) -> Difference:
    accepted = " or ".join(place.raises)
    if not isinstance(found, Raised):
        return Difference("", Mismatch.NOT_RAISED, f"got {told(found)}, expected {accepted} to be raised")
    if not set(place.raises) & set(found.problem.bases):
        return Difference("", Mismatch.RAISED_OTHERWISE, f"raised {describe(found.problem)}, expected {accepted}")
    return Difference()


def _sentence(place: SeenItem, one: Difference) -> str:
    if place.is_argument:
        at = f" at `{one.path}`" if one.path else ""
        return f"The call changed its argument {place.what}{at}; callers still need the original ({one.message})."
    at = f", at `{one.path}`" if one.path else ""
    of = f" in call {place.number}" if place.number else ""
    return f"Wrong {place.what}{of}{at}: {one.message}."


def _who(call: Call, places: Sequence[SeenItem], seen: int) -> str:
    """The subject of what is told of a call that did not come to its end. In a sequence, what was not to be seen lies
    between two things that were.
    """
    if not call.moves:
        return "Your code"
    if seen == len(places):
        return "After all that was compared, your code"
    return f"At call {places[seen].number} ({places[seen].what}), your code"
