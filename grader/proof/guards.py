"""Wrong only where: a mistake made under one condition, and right otherwise, is what tests forget most easily.

Such a submission is caught when the paper has a call that fulfils the condition and shows the mistake. So thousands of
them need not be written and run: it is enough to know which call shows which mistakes.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice

from grader.comparison.compare import compare
from grader.diagnosis.symptom import Symptom
from grader.exercise import Exercise
from grader.guest.loading import Program, program_of
from grader.guest.perform import perform
from grader.inprocess import fresh_module
from grader.misconception import Misconception
from grader.paper.case import Case, Trait
from grader.paper.combinations import Choice, Pair, Space, fewest, pairs_of
from grader.paper.draw import Draw
from grader.proof.bench import MARGIN, Found

WITNESSES = 300  # of each function: calls that show under which conditions a mistake can be seen at all
PAPERS = 2  # what the numbers of one paper show, and those of another do not, is luck
Guard = tuple[str, Trait]  # a mistake, and the condition under which it is made
Conditional = tuple[str, Pair]  # the same with two conditions that must both hold
Shown = tuple[Choice, frozenset[str]]  # a call, and the mistakes that it shows


@dataclass(frozen=True)
class Guards:
    """What a paper makes of the guarded mistakes of one function: how many can be seen, and those that it lets pass."""

    seen: int
    missed: tuple[Guard, ...]
    pairs_seen: int
    pairs_missed: int


def guards(exercise: Exercise, function: str) -> Guards:
    """Puts each mistake to the combinations of a paper, and to many other calls that the spec allows."""
    space = exercise.spaces[function]
    asked = _shown(exercise, function, exercise.choices[function], least=1.0)
    others = _shown(exercise, function, [*islice(space.drawn(), WITNESSES)])
    seen, caught = {*_guards(space, asked + others)}, {*_guards(space, asked)}
    pairs_seen, pairs_caught = {*_conditionals(space, asked + others)}, {*_conditionals(space, asked)}
    return Guards(len(seen), tuple(sorted(seen - caught)), len(pairs_seen), len(pairs_seen - pairs_caught))


def combined(exercise: Exercise, function: str) -> list[Choice]:
    """Few choices that have all pairs, and between them show each mistake under each condition."""
    space = exercise.spaces[function]
    shown = [*_shown(exercise, function, [*islice(space.drawn(), WITNESSES)])]
    shown += [(choice, frozenset()) for choice in islice(space.drawn(), WITNESSES, None)]
    wanted = [pairs_of(space, [choice]) | {*_guards(space, [(choice, mistakes)])} for choice, mistakes in shown]
    return [shown[place][0] for place in fewest(wanted)]


def _shown(exercise: Exercise, function: str, choices: Sequence[Choice], least: float = MARGIN) -> list[Shown]:
    """Which mistakes the call of each choice shows, by so many tolerances, on each of some papers."""
    shown = [frozenset(mistake.name for mistake in exercise.misconceptions)] * len(choices)
    for seed in range(PAPERS):
        shown = shown_by(exercise, function, calls_of(exercise, function, choices, seed), least, among=shown)
    return [*zip(choices, shown, strict=True)]


def calls_of(exercise: Exercise, function: str, choices: Sequence[Choice], seed: int = 0) -> list[Case]:
    """A call of each choice, always the same one."""
    draw = Draw(seed, f"guards/{function}", exercise.reference)
    return [*exercise.spaces[function].cases(draw, function, choices)]


def shown_by(
    exercise: Exercise,
    function: str,
    cases: Sequence[Case],
    least: float = MARGIN,
    among: Sequence[frozenset[str]] | None = None,
) -> list[frozenset[str]]:
    """Returns, for each call of this function, the mistakes that it shows by so many tolerances; with `among`, only
    which of these.

    What remembers an earlier call shows by the calls before, and is left to the cases that make those.
    """
    expected = exercise.expected(cases)
    mistakes: list[set[str]] = [set() for _ in cases]
    for mistake in exercise.misconceptions:
        if mistake.id == Symptom.REMEMBERS or not exercise.reach.touches(mistake, function):
            continue
        program = _program(exercise, mistake)
        for place, (case, right) in enumerate(zip(cases, expected, strict=True)):
            if among is not None and mistake.name not in among[place]:
                continue
            if Found(case, compare(case, right, perform(case.call, program))).margin >= least:
                mistakes[place].add(mistake.name)
    return [frozenset(found) for found in mistakes]


def _program(exercise: Exercise, mistake: Misconception) -> Program:
    submission = exercise.submission_with(mistake)
    return program_of(fresh_module(submission.main, submission.source), submission)


def _guards(space: Space, shown: Iterable[Shown]) -> Iterator[Guard]:
    return ((mistake, trait) for choice, mistakes in shown for trait in space.traits(choice) for mistake in mistakes)


def _conditionals(space: Space, shown: Iterable[Shown]) -> Iterator[Conditional]:
    return (
        (mistake, pair)
        for choice, mistakes in shown
        for pair in combinations(space.traits(choice), 2)
        for mistake in mistakes
    )
