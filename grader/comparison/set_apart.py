"""Which calls are wrong, and which are right: a condition that all wrong ones fulfil, told where no idea explains them.

Calls of the family `combinations` differ in everything that a spec allows, each with each
(`grader.paper.combinations`), so what sets the wrong ones apart is there to be seen: combinatorial fault localisation
(Kuhn, Kacker and Lei, NIST SP 800-142, 2010, chapter 8).
"""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import combinations

from grader.comparison.scored_case import ScoredCase
from grader.grouping import grouped
from grader.paper.case import Trait
from grader.paper.combinations import OF_SIZES, in_words

MOST_NAMED = 3  # values of one dimension in a sentence
BY_CHANCE = 0.01  # at most: that some condition of its kind holds of as many calls picked at random


@dataclass(frozen=True)
class _Calls:
    """Those of one function, by what tells them apart."""

    wrong: Sequence[dict[str, str]]
    right: Sequence[dict[str, str]]

    @property
    def all(self) -> Sequence[dict[str, str]]:
        return [*self.wrong, *self.right]

    def told(self, which: str) -> str:
        """Says that these calls are wrong, and no others."""
        wrong, right = len(self.wrong), len(self.right)
        others = f"the {right} others pass" if right > 1 else "the other one passes"
        return f"all {wrong} {which} fail, and {others}."

    def could_be_chance(self, fulfilling: int, kinds: int) -> bool:
        return kinds * (fulfilling / len(self.all)) ** len(self.wrong) > BY_CHANCE


def set_apart(scored: Sequence[ScoredCase]) -> str:
    """Says in one sentence what sets the wrong calls apart, for the first function of which that can be said."""
    by_function = grouped((item.function, item) for item in scored)
    conditions = ((name, next(_conditions(_calls(items)), "")) for name, items in by_function.items())
    name, condition = next((one for one in conditions if one[1]), ("", ""))
    of = f" of `{name}`" if len(by_function) > 1 else ""
    return f"Among the tests{of} that combine everything, {condition}" if condition else ""


def _calls(items: Sequence[ScoredCase]) -> _Calls:
    combined = [item for item in items if item.case.traits]
    wrong, right = (
        [dict(item.case.traits) for item in combined if item.is_right is is_right] for is_right in (False, True)
    )
    return _Calls(wrong, right)


def _conditions(calls: _Calls) -> Iterator[str]:
    """The plainest first."""
    if not calls.wrong or not calls.right:
        return
    yield from _by_one_dimension(calls)
    yield from _by_two_traits(calls)
    yield from _only_with(calls)


def _by_one_dimension(calls: _Calls) -> Iterator[str]:
    """All that have one of some values are wrong, and no others."""
    dimensions = _dimensions(calls)
    for name in dimensions:
        wrong, right = _values(name, calls.wrong), _values(name, calls.right)
        if wrong & right or calls.could_be_chance(len(calls.wrong), len(dimensions)):
            continue
        if len(wrong) > len(right) and _can_be_named(right):
            yield f"only the {len(calls.right)} {_any_of(name, right)} pass."
        elif _can_be_named(wrong):
            yield calls.told(_any_of(name, wrong))


def _by_two_traits(calls: _Calls) -> Iterator[str]:
    """All that have both are wrong, and no others."""
    kinds = len(_dimensions(calls)) ** 2
    for first, second in combinations(_shared(calls), 2):
        has_both = any(_has(first, one) and _has(second, one) for one in calls.right)
        if not has_both and not calls.could_be_chance(len(calls.wrong), kinds):
            word, _, told = in_words(*second).partition(" ")
            also = told if in_words(*first).startswith(word) else f"{word} {told}"
            yield calls.told(f"{in_words(*first)} and {also}")


def _only_with(calls: _Calls) -> Iterator[str]:
    """No others are wrong, though some of these are right."""
    dimensions = _dimensions(calls)
    fulfilling = {}
    for name in dimensions:
        wrong = _values(name, calls.wrong)
        if _can_be_named(wrong):
            fulfilling[name] = sum(one.get(name) in wrong for one in calls.all)
    name = min(fulfilling, key=fulfilling.__getitem__, default="")
    if name and not calls.could_be_chance(fulfilling[name], len(dimensions)):
        which = _any_of(name, _values(name, calls.wrong))
        yield f"only those {which} fail: {len(calls.wrong)} of {fulfilling[name]}."


def _dimensions(calls: _Calls) -> Sequence[str]:
    """What is told in words before sizes, and those before how they compare."""
    return list(dict.fromkeys(name for one in calls.all for name in one))


def _shared(calls: _Calls) -> Sequence[Trait]:
    first, *others = calls.wrong
    return [trait for trait in first.items() if all(_has(trait, other) for other in others)]


def _has(trait: Trait, call: dict[str, str]) -> bool:
    name, value = trait
    return call.get(name) == value


def _values(name: str, calls: Sequence[dict[str, str]]) -> Set[str | None]:
    """As they come up."""
    return dict.fromkeys(one.get(name) for one in calls).keys()


def _can_be_named(values: Set[str | None]) -> bool:
    """None is one who has no use for the dimension."""
    return None not in values and len(values) <= MOST_NAMED


def _any_of(name: str, values: Set[str | None]) -> str:
    told = [value for value in values if value is not None]
    if {*told} <= {*OF_SIZES}:
        return in_words(name, told[0])
    *others, last = [in_words(name, told[0]), *(f'"{value}"' for value in told[1:])]
    return f"{', '.join(others)} or {last}" if others else last
