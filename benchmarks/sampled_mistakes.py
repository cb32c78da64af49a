"""Wrong programs that no list of mistakes has, put to a whole paper: two mistakes in one program, which may cancel on
it, and programs that are right but where a condition on the call holds.

The conditions are taken from what code can see of its arguments, not from what the challenge's space says of them, and
the programs are made and run: so the second kind also proves what `grader.proof.guards` concludes without running any.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, islice
from types import ModuleType
from typing import Any

import torch
from torch import Tensor

from grader.comparison.compare import compare
from grader.exercise import Exercise
from grader.grade import grade
from grader.guest.binding import call_with
from grader.guest.loading import Program
from grader.guest.perform import perform
from grader.inprocess import InProcess
from grader.misconception import Misconception
from grader.paper.case import Case
from grader.proof.bench import MARGIN, Bench, Found
from grader.proof.guards import WITNESSES, calls_of, shown_by
from grader.report import Verdict

Condition = tuple[str, str]  # a kind, and what must hold
Guarded = tuple[str, str, Condition]  # a function, and a mistake that is made in it where the condition holds
AFTERWARDS: tuple[Condition, ...] = tuple(
    ("calls", text) for text in ("the second call", "all calls but the first", "sizes as before", "sizes not as before")
)

# The share of calls that have a value which was drawn at random; what a space chooses between, more of them have.
RARE = 0.05


@dataclass(frozen=True)
class Pairs:
    """How many pairs of mistakes were tried, how many are right after all or left to rules, which wrong ones pass."""

    tried: int
    right: int
    passed: tuple[str, ...]


@dataclass(frozen=True)
class Tried:
    """A mistake made under one condition, and what became of it. `is_claimed`: `proof.guards` says it is caught."""

    name: str
    is_of_calls_before: bool
    is_claimed: bool
    is_caught: bool


def compositions(exercise: Exercise, count: int, seed: int) -> Pairs:
    """Pairs of mistakes in different steps of the reference."""
    pairs = [pair for pair in combinations(exercise.misconceptions, 2) if pair[0].is_compatible_with(pair[1])]
    sampled = random.Random(seed).sample(pairs, min(count, len(pairs)))
    bench, passed, right = Bench(exercise, [seed]), [], 0
    witnesses = [case for function in exercise.spaces for case in _witnesses(exercise, function)]
    for pair in sampled:
        if _is_caught(bench, bench.program(exercise.submission_with(*pair))):
            continue
        if not _shows(exercise, exercise.program_with(*pair), witnesses):
            right += 1
        elif grade(exercise.challenge, exercise.submission_with(*pair), seed, InProcess()).verdict is Verdict.PASSED:
            passed.append(" and ".join(mistake.name for mistake in pair))
    return Pairs(len(sampled), right, tuple(passed))


def guarded(exercise: Exercise, count: int, seed: int) -> Iterator[Tried]:
    """Mistakes that are made only where a condition holds: as many of each kind of condition, as far as there are."""
    visible, claimed = set[Guarded](), set[Guarded]()
    for function in exercise.spaces:
        seen_here, claimed_here = _bookkeeping(exercise, function)
        visible |= seen_here
        claimed |= claimed_here
    bench, mistakes = Bench(exercise, [seed]), {mistake.name: mistake for mistake in exercise.misconceptions}
    for one in _evenly(sorted(visible), count, seed):
        function, mistake, condition = one
        is_caught = _is_caught(bench, _program(exercise, function, mistakes[mistake], condition=condition))
        yield Tried(f"{mistake} in {function}, {condition[1]}", condition in AFTERWARDS, one in claimed, is_caught)


def _evenly(found: Sequence[Guarded], count: int, seed: int) -> list[Guarded]:
    """In turn of each kind of condition."""
    source, kinds = random.Random(seed), defaultdict(list)
    for one in found:
        kinds[one[2][0]].append(one)
    left = [source.sample(ones, len(ones)) for ones in kinds.values()]
    sampled: list[Guarded] = []
    while any(left) and len(sampled) < count:
        sampled += [ones.pop() for ones in left if ones]
    return sampled[:count]


def _witnesses(exercise: Exercise, function: str) -> list[Case]:
    return calls_of(exercise, function, [*islice(exercise.spaces[function].drawn(), WITNESSES)])


def _is_caught(bench: Bench, program: Program) -> bool:
    """By a required case of the paper, all in their order."""
    families = bench.exercise.challenge.manifest.families
    return any(found.margin > 0 and families[found.case.family].required for found in bench.findings(0, program))


def _shows(exercise: Exercise, program: Program, cases: Sequence[Case]) -> bool:
    """Whether it is clearly wrong in one of these."""
    expected = exercise.expected(cases)
    return any(
        Found(case, compare(case, right, perform(case.call, program))).margin >= MARGIN
        for case, right in zip(cases, expected, strict=True)
    )


def _bookkeeping(exercise: Exercise, function: str) -> tuple[set[Guarded], set[Guarded]]:
    """What some call shows, and what one of the table's shows, so that the paper is said to catch it."""
    table, others = calls_of(exercise, function, exercise.choices[function]), _witnesses(exercise, function)
    conditions = _conditions(exercise, function, [*table, *others])
    left_out = frozenset.intersection(*conditions) | drawn_anew(conditions)
    shown = [*shown_by(exercise, function, table, least=1.0), *shown_by(exercise, function, others)]
    found = [
        {(function, mistake, condition) for mistake in mistakes for condition in here - left_out}
        for mistakes, here in zip(shown, conditions, strict=True)
    ]
    seen, claimed = set[Guarded]().union(*found), set[Guarded]().union(*found[: len(table)])
    remembered = {(function, mistake, condition) for _, mistake, _ in seen for condition in AFTERWARDS}
    return seen | remembered, claimed


def drawn_anew(conditions: Sequence[frozenset[Condition]]) -> set[Condition]:
    """Of the values of numbers and the like those that hardly any call has: nobody writes code for one of them."""
    counts = Counter(condition for condition in chain(*conditions) if condition[0] == "values")
    return {condition for condition, count in counts.items() if count <= RARE * len(conditions)}


def _conditions(exercise: Exercise, function: str, cases: Sequence[Case]) -> list[frozenset[Condition]]:
    """What code can see of each of these calls."""
    notes: list[frozenset[Condition]] = []
    program = _program(exercise, function, notes=notes)
    for case in cases:
        perform(case.call, program)
    return notes


def _program(
    exercise: Exercise,
    function: str,
    *mistakes: Misconception,
    condition: Condition | None = None,
    notes: list[frozenset[Condition]] | None = None,
) -> Program:
    """The reference, but for this function where the condition holds; `notes` takes what each of its calls fulfils."""
    bench = Bench(exercise, ())
    right, wrong = bench.program(exercise.submission_with()), bench.program(exercise.submission_with(*mistakes))
    entries = {entry.name: entry.parameters for entry in exercise.challenge.manifest.entry_points}
    calls: list[Mapping[str, int]] = []

    def chosen(*given: Any, **named: Any) -> Any:
        arguments = dict(zip(entries[function], given, strict=False)) | named
        sizes = _sizes(arguments)
        here = _seen(arguments, sizes, entries[function]) | _remembered(calls, sizes)
        calls.append(sizes)
        if notes is not None:
            notes.append(here - {*AFTERWARDS})
        return call_with((wrong if condition in here else right).function(function), arguments)

    module = ModuleType("guarded")
    module.__getattr__ = right.function  # type: ignore[method-assign]  what is not guarded
    setattr(module, function, chosen)
    return Program(module)


def _seen(arguments: Mapping[str, Any], sizes: Mapping[str, int], names: Sequence[str]) -> frozenset[Condition]:
    """Whatever can be told of one call, in both ways: that it is so, and that it is not."""
    tensors = {name: value for name, value in arguments.items() if isinstance(value, Tensor)}
    plain = {name: value for name, value in arguments.items() if name not in tensors and name not in sizes}
    inference, grad = torch.is_inference_mode_enabled(), torch.is_grad_enabled()
    return frozenset(
        (
            ("modes", "inference mode" if inference else "grad mode" if grad else "no_grad"),
            *(("arguments", f"{name} is left out") for name in names if name not in arguments),
            *(("values", f"{name} is {value!r}") for name, value in plain.items()),
            *(("arguments", f"{name} is a tensor") for name in tensors),
            *(("axes", f"{name} has {x.dim()} axes") for name, x in tensors.items()),
            *(("dtypes", f"{name} is {x.dtype}") for name, x in tensors.items()),
            *(("gradients", f"{name}.requires_grad is {x.requires_grad}") for name, x in tensors.items()),
            *(("layouts", f"{name}.is_contiguous() is {x.is_contiguous()}") for name, x in tensors.items()),
            *(("layouts", f"{name} is expanded") for name, x in tensors.items() if 0 in x.stride()),
            *(("identity", f"{a} {_is(tensors[a] is tensors[b])} {b}") for a, b in combinations(tensors, 2)),
            *(("sizes of 1", f"{name} {_is(size == 1)} 1") for name, size in sizes.items()),
            *(("equal sizes", f"{a} {_is(sizes[a] == sizes[b])} {b}") for a, b in combinations(sizes, 2)),
        )
    )


def _is(holds: bool) -> str:
    return "is" if holds else "is not"


def _sizes(arguments: Mapping[str, Any]) -> dict[str, int]:
    """Whole numbers among the arguments, and each axis, counted from the end as code with any number of them does."""
    whole = {name: value for name, value in arguments.items() if isinstance(value, int) and not isinstance(value, bool)}
    axes = {
        f"{name}.shape[{axis}]": value.shape[axis]
        for name, value in arguments.items()
        if isinstance(value, Tensor)
        for axis in range(-value.dim(), 0)
    }
    return whole | axes


def _remembered(before: Sequence[Mapping[str, int]], sizes: Mapping[str, int]) -> frozenset[Condition]:
    """What only code can tell that remembers the calls before this one."""
    if not before:
        return frozenset()
    second, later, same, other = AFTERWARDS
    return frozenset((later, same if before[-1] == sizes else other, *((second,) if len(before) == 1 else ())))
