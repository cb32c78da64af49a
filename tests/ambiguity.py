"""Whether a regular expression can be made to take long: by the theory of ambiguous automata.

A backtracking matcher takes exponential time where one state comes back to itself in two ways over the same text, and
polynomial time where one loop can hand over to a later one anywhere within the same text. Both are found in the product
of the automaton with itself; lookarounds, anchors and references are taken for empty, which can only find more.
"""

import re
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any, Final

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    import sre_compile
    import sre_constants as sre  # the tree of a pattern; Python has no other way to it
    import sre_parse

SIGNS: Final = frozenset(map(chr, range(128))) | frozenset("éßµ²\u0663\u2003\u2028Ω中")
MANY: Final = 8  # a repeat that may be so long counts as endless
EMPTY: Final = frozenset({sre.AT, sre.ASSERT, sre.ASSERT_NOT, sre.GROUPREF})


@dataclass
class Automaton:
    """States by number; 0 is the start. What leads on without a sign is kept apart."""

    steps: dict[int, list[tuple[frozenset[str], int]]] = field(default_factory=lambda: defaultdict(list))
    free: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    size: int = 1

    def state(self) -> int:
        self.size += 1
        return self.size - 1


def ambiguity_of(pattern: "re.Pattern[str]", *, searches: bool, whole: bool) -> str | None:
    """What makes it slow, if anything. `searches`: it may begin anywhere. `whole`: it must reach the end."""
    automaton = Automaton()
    start = automaton.state()
    automaton.free[0].append(start)
    if searches:
        automaton.steps[0].append((SIGNS, 0))
    tree = sre_parse.parse(pattern.pattern, pattern.flags)
    may_fail_at_the_end = whole or any(kind in EMPTY for kind, _ in _leaves(tree))
    end = _build(automaton, tree, start, pattern.flags)
    moves = {state: list(_moves(automaton, state)) for state in range(automaton.size)}
    if any(_is_exponential(moves, state) for state in _looping(moves)):
        return "exponential"
    if not may_fail_at_the_end:  # who has come past a match has one: nothing that follows sends them back
        moves = {state: [] if end in _ways(automaton, state) else there for state, there in moves.items()}
    loops = _looping(moves)
    return "polynomial" if any(_hands_over(moves, *two) for two in permutations(loops, 2)) else None


def _looping(moves: "Moves") -> list[int]:
    return [state for state in moves if state in _reached(moves, moves_of(moves, state))]


def _leaves(tree: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
    for kind, what in tree:
        yield kind, what
        for inner in what if isinstance(what, tuple) else ():
            for part in inner if isinstance(inner, list) else (inner,):
                if isinstance(part, sre_parse.SubPattern):
                    yield from _leaves(part)


def _build(automaton: Automaton, tree: Iterable[Any], start: int, flags: int) -> int:
    for kind, what in tree:
        start = _build_one(automaton, kind, what, start, flags)
    return start


def _build_one(automaton: Automaton, kind: Any, what: Any, start: int, flags: int) -> int:
    if kind in EMPTY:
        return start
    if kind is sre.SUBPATTERN:
        return _build(automaton, what[3], start, flags | what[1])
    if kind is sre.ATOMIC_GROUP:
        return _build(automaton, what, start, flags)
    if kind is sre.BRANCH:
        end = automaton.state()
        for branch in what[1]:
            automaton.free[_build(automaton, branch, start, flags)].append(end)
        return end
    if kind in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
        return _build_repeat(automaton, *what, start, flags)
    end = automaton.state()
    automaton.steps[start].append((_signs(kind, what, flags), end))
    return end


def _build_repeat(automaton: Automaton, least: int, most: int, body: Any, start: int, flags: int) -> int:
    for _ in range(min(least, MANY)):
        start = _build(automaton, body, start, flags)
    if most >= MANY:
        head, end = automaton.state(), automaton.state()
        automaton.free[start].append(head)
        automaton.free[_build(automaton, body, head, flags)].append(head)
        automaton.free[head].append(end)
        return end
    end = automaton.state()
    for _ in range(most - least):
        automaton.free[start].append(end)
        start = _build(automaton, body, start, flags)
    automaton.free[start].append(end)
    return end


def _signs(kind: Any, what: Any, flags: int) -> frozenset[str]:
    """Those that this leaf of the tree takes, as the matcher itself says."""
    state = sre_parse.State()
    state.flags = flags
    state.str = ""
    leaf = sre_parse.SubPattern(state, [(kind, what)])
    compiled = sre_compile.compile(leaf, flags)
    return frozenset(sign for sign in SIGNS if compiled.fullmatch(sign))


def _ways(automaton: Automaton, state: int) -> Iterator[int]:
    """Where it may be without a sign, once for each way there: two ways are two things to try."""
    waiting: list[tuple[int, frozenset[tuple[int, int]]]] = [(state, frozenset())]
    while waiting:
        here, taken = waiting.pop()
        yield here
        for place, there in enumerate(automaton.free[here]):
            if (here, place) not in taken:
                waiting.append((there, taken | {(here, place)}))


def _moves(automaton: Automaton, state: int) -> Iterator[tuple[frozenset[str], int]]:
    for here in _ways(automaton, state):
        yield from automaton.steps[here]


Moves = dict[int, list[tuple[frozenset[str], int]]]


def moves_of(moves: Moves, state: int) -> set[int]:
    return {there for _, there in moves[state]}


def _reached(moves: Moves, states: set[int]) -> set[int]:
    seen, waiting = set(states), list(states)
    while waiting:
        for there in moves_of(moves, waiting.pop()) - seen:
            seen.add(there)
            waiting.append(there)
    return seen


def _pairs(moves: Moves, begin: set[tuple[int, ...]]) -> set[tuple[int, ...]]:
    """What several walkers reach who are given the same signs."""
    seen, waiting = set(begin), list(begin)
    while waiting:
        here = waiting.pop()
        for there in _together(moves, here, SIGNS):
            if there not in seen:
                seen.add(there)
                waiting.append(there)
    return seen


def _together(moves: Moves, here: tuple[int, ...], signs: frozenset[str]) -> Iterator[tuple[int, ...]]:
    first, *rest = here
    for taken, there in moves[first]:
        common = taken & signs
        if common and rest:
            yield from ((there, *others) for others in _together(moves, tuple(rest), common))
        elif common:
            yield (there,)


def _is_exponential(moves: Moves, state: int) -> bool:
    """Two walkers leave it, part, and come back to it together."""
    if _has_twin_moves(moves, state):
        return True
    apart = {pair for pair in _pairs(moves, {(state, state)}) if pair[0] != pair[1]}
    return any((state, state) in _pairs(moves, {pair}) for pair in apart)


def _has_twin_moves(moves: Moves, state: int) -> bool:
    """Two moves over one sign to the same place, from which it comes back."""
    for place, (signs, there) in enumerate(moves[state]):
        for others, elsewhere in moves[state][place + 1 :]:
            if there == elsewhere and signs & others and state in _reached(moves, {there}):
                return True
    return False


def _hands_over(moves: Moves, one: int, other: int) -> bool:
    """Over one text: from the first to the first, from the first to the second, from the second to the second."""
    if other not in _reached(moves, {one}):
        return False
    return (one, other, other) in _pairs(moves, {(one, one, other)})
