"""Calls of the paper, made again with another number of heads and all else the same: does a loop hide in some of them?

Code can tell one kind of call from another by whatever calls differ in, and the few kinds that are watched do not have
it all. But every call of a paper is counted. Those that did most for their heads are made again, each with its twins.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from grader.exercise import Exercise, in_float64
from grader.guest.execution import LIGHTLY, UNTRACED, Call, CallStatus, Detail, Ending, Gives, Outcome, Session, Tracing
from grader.inprocess import outcomes_of
from grader.manifest import SourceSection
from grader.paper.case import Case

COUNTED = Tracing(Detail.LIGHT, counts_calls=True)
MOST_TRIED = 3
CONFIRMATIONS = 2
CHANCE = 4  # operations: by fewer, some libraries' ways depend on which sizes are equal
Counts = dict[int, int]  # by the number of heads


class _UnseenError(Exception):
    """A call that was right in the paper, or is right for the reference, gave nothing that could be counted."""


def with_counts(source: SourceSection, calls: Sequence[Call]) -> list[Call]:
    """The same, those of the main function counted where they are traced lightly."""
    return [
        replace(call, tracing=COUNTED) if call.tracing == LIGHTLY and call.function == source.main else call
        for call in calls
    ]


@dataclass(frozen=True)
class _Counted:
    """A call of the main function, and how much it did. Its heads share `features`."""

    call: Call
    heads: int
    features: int
    count: int

    @property
    def others(self) -> list[int]:
        """Other numbers of heads that the same tensors could have: the fewest, and one well above. Not a single head,
        which may go a way of its own; and heads of even size stay even, as some exercises take pairs.
        """
        is_even = self.features // self.heads % 2 == 0
        possible = [
            heads
            for heads in range(2, self.features + 1)
            if self.features % heads == 0 and not (is_even and self.features // heads % 2)
        ]
        above = [heads for heads in possible if heads >= self.heads + CHANCE]
        return sorted({*possible[:1], *(above[:1] or possible[-1:])} - {self.heads})


@dataclass(frozen=True)
class Twins:
    """What came of a paper. `reopen` opens a fresh session for the same submission."""

    exercise: Exercise
    cases: Sequence[Case]
    outcomes: Sequence[Outcome]
    reopen: Callable[[], AbstractContextManager[Session]]

    def shows_loop(self, session: Session) -> bool | None:
        """Whether some call does more for more heads; None where a twin could not be counted. Where calls did more in
        the paper than they do now, code may go by what it has seen. Then a fresh session is asked, too, and where this
        one ends before it has answered. One that has ended by now says enough for a verdict.
        """
        tried = _suspects([*self._counted()]) if session.ending is Ending.COMPLETED else []
        if not tried:
            return False
        try:
            now = self._counts(tried, session)
            if session.ending is Ending.COMPLETED:
                if growing := _growing(tried, now):
                    return self._always_grows(growing, session)
                if all(each.count - counts[each.heads] < each.heads for each, counts in zip(tried, now, strict=True)):
                    return False
            with self.reopen() as fresh:
                fresh.load()
                return self._always_grows(_growing(tried, self._counts(tried, fresh)), fresh)
        except _UnseenError:
            return None

    def _always_grows(self, tried: Sequence[_Counted], session: Session) -> bool | None:
        """What happens to be done in one call, such as printing what was not seen before, is no loop."""
        for _ in range(CONFIRMATIONS):
            tried = _growing(tried, self._counts(tried, session))
        return bool(tried) if session.ending is Ending.COMPLETED else None

    def _counted(self) -> Iterator[_Counted]:
        source = self.exercise.challenge.manifest.source
        for case, outcome in zip(self.cases, self.outcomes, strict=True):
            heads, trace = case.call.arguments.get(source.heads_parameter or ""), outcome.trace
            if case.call.function != source.main or case.call.gives is not Gives.TENSORS or not isinstance(heads, int):
                continue
            if heads > 1 and outcome.outputs and outcome.outputs[0].dim() and trace is not None and trace.operations:
                features = outcome.outputs[0].shape[-1]
                if features % heads == 0:
                    yield _Counted(case.call, heads, features, trace.operations)

    def _counts(self, tried: Sequence[_Counted], session: Session) -> list[Counts]:
        """Of each call and its twins, how much was done the second time: the first may fill a cache."""
        asked = [(place, heads) for place, each in enumerate(tried) for heads in (each.heads, *each.others)]
        calls = [self._with_heads(tried[place].call, heads) for place, heads in asked]
        outcomes = session.calls([call for call in calls for _ in range(2)])
        counts: list[Counts] = [{} for _ in tried]
        seconds = [*outcomes][1::2]
        for (place, heads), call, outcome in zip(asked, calls, seconds, strict=True):
            if outcome.status is CallStatus.RETURNED and outcome.trace is not None and outcome.trace.operations:
                counts[place][heads] = outcome.trace.operations
            elif outcome.status is not CallStatus.NOT_RUN and (heads == tried[place].heads or self._is_answered(call)):
                raise _UnseenError
        return counts

    def _with_heads(self, call: Call, heads: int) -> Call:
        arguments = {**call.arguments, str(self.exercise.challenge.manifest.source.heads_parameter): heads}
        return replace(call, arguments=arguments, gradient=None, reused=(), return_arguments=False, tracing=COUNTED)

    def _is_answered(self, call: Call) -> bool:
        (expected,) = outcomes_of(self.exercise.program_with(), [in_float64(replace(call, tracing=UNTRACED))])
        return expected.status is CallStatus.RETURNED


def _suspects(counted: Sequence[_Counted]) -> list[_Counted]:
    """Calls whose counts a loop would explain, those first whose count no other number of heads has. What a harness is
    told in words makes calls of another kind, which are not compared with these.
    """
    found: list[tuple[bool, float, _Counted]] = []
    kinds = defaultdict[tuple[object, ...], list[_Counted]](list)
    for each in counted:
        kinds[tuple(value for value in each.call.arguments.values() if isinstance(value, str))].append(each)
    for calls in kinds.values():
        least = min(each.count for each in calls)
        alike = defaultdict[int, list[_Counted]](list)
        for each in calls:
            alike[each.count].append(each)
        for count, same in alike.items():
            best = max(same, key=lambda each: (len(each.others), each.heads, each.features))
            if best.others and count - least >= best.heads:
                is_usual = len({each.heads for each in same}) > 1
                found.append((is_usual, (least - count) / best.heads, best))
    return [each for *_, each in sorted(found, key=lambda one: one[:2])[:MOST_TRIED]]


def _growing(tried: Sequence[_Counted], now: Sequence[Counts]) -> list[_Counted]:
    return [each for each, counts in zip(tried, now, strict=True) if _grows(counts, each.heads)]


def _grows(counts: Counts, heads: int) -> bool:
    """One operation more for each further head; or one for each head that there is, where fewer heads need none."""
    more = any(counts[other] - counts[heads] >= max(other - heads, CHANCE) for other in counts if other > heads)
    return more or any(counts[heads] - counts[other] >= max(heads, CHANCE) for other in counts if other < heads)
