"""Numbers that differ when the same call is made again: whether they do, and what makes them."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from grader.comparison.alike import alike
from grader.comparison.scored_case import ScoredCase
from grader.diagnosis.trying_order import size
from grader.guest.inspection import Inspection, Place
from grader.guest.landmarks import DRAWING, DROPPING, LAYERS, NOT_WRITTEN, in_order
from grader.paper.case import Case
from grader.report import where_in

UNSTEADY = "Repeating the same call gives different numbers"
UNKNOWN = (
    f"{UNSTEADY}: something is random, such as dropout or weights that your code draws itself, or something is kept "
    "from one call to the next. Look for that first."
)
# What torch is asked for, by its own word and by those in the source, and what to know of it.
CAUSES = (
    (
        DROPPING,
        "`F.dropout` drops numbers unless you pass `training=False`, and a new `nn.Dropout` until `eval()` is called.",
    ),
    (DRAWING, "`{name}` draws new ones each time."),
    (NOT_WRITTEN, "what `{name}` makes holds whatever lay in memory, until every element has been written."),
    (LAYERS, "a new `{name}` has random weights of its own."),
)


def once_more(scored: Sequence[ScoredCase]) -> list[Case]:
    """A wrong call, twice: neither so small that numbers agree by chance, nor so large that it takes long."""
    wrong = sorted(filter(_is_wrong, scored), key=size)
    if not wrong:
        return []
    case = wrong[len(wrong) // 2].case
    call = case.alone or case.call
    return [replace(case, id=name, call=replace(call, id=name)) for name in ("again/1", "again/2")]


def is_unsteady(scored: Sequence[ScoredCase], twice: Sequence[ScoredCase]) -> bool:
    """Whether a call was wrong both times, in two ways: one that the paper makes twice, or one made `twice` since."""
    returned = [item for item in twice if item.has_returned]
    pairs = (*combinations(filter(_is_wrong, scored), 2), *combinations(returned, 2))
    return any(
        not alike(one.case, one.outcome, other.outcome)
        for one, other in pairs
        if one.case.call.arguments is other.case.call.arguments
        and one.outcome.changed_earlier is other.outcome.changed_earlier
    )


def what_to_look_for(inspection: Inspection, scored: Sequence[ScoredCase]) -> tuple[str, Place | None]:
    """In words, and the first line with a name that torch was seen to be asked for in a wrong call, if there is one."""
    traces = [item.outcome.trace for item in scored if _is_wrong(item)]
    ran = {_plain(name) for trace in traces if trace for name in trace.torch_functions}
    reached = {function for functions in inspection.reachable.values() for function in functions}
    marks = [mark for function in reached for mark in inspection.landmarks.get(function, ())]
    for names, meaning in CAUSES:
        found = [mark for mark in marks if mark.name in names and _plain(mark.name) in ran]
        if found:
            first = min(found, key=lambda mark: in_order(mark.place))
            where = where_in(first.place.line, first.place.file)
            return f"{UNSTEADY}. Look at {where} first: {meaning.format(name=first.name)}", first.place
    return UNKNOWN, None


def _is_wrong(item: ScoredCase) -> bool:
    return not item.is_right and item.has_returned


def _plain(name: str) -> str:
    """`Dropout` and `bernoulli_` run as `dropout` and `bernoulli`, or the other way round."""
    return name.lower().rstrip("_")
