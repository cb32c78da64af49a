"""Proves that a challenge's paper asks for what its calls can vary in, and that its spec says so."""

from collections.abc import Iterator
from dataclasses import dataclass

from grader.exercise import Exercise
from grader.paper.combinations import Space, coverage
from grader.proof.guards import guards

TOLD = 3  # of the holes


@dataclass(frozen=True)
class Covered:
    """What was proven of one function's calls."""

    function: str
    detail: str
    problems: tuple[str, ...]


def covered(exercise: Exercise) -> Iterator[Covered]:
    """Checks for each function that every pair is asked for, every mistake shows under every condition, and the spec
    speaks of each dimension. Yields nothing for a challenge that has no `space.py`.
    """
    entries = {entry.name for entry in exercise.challenge.manifest.entry_points if exercise.spaces}
    for function in sorted(entries - exercise.spaces.keys()):
        yield Covered(function, "", ("`SPACES` of space.py lacks it",))
    for function in sorted(exercise.spaces.keys() - entries):
        yield Covered(function, "", ("`SPACES` of space.py has it, and challenge.toml no such entry point",))
    for function in (name for name in exercise.spaces if name in entries):
        if function not in exercise.choices:
            path = exercise.challenge.combinations_path(function)
            yield Covered(function, "", (f"{path.name} is missing: `assay challenge combine` writes it",))
            continue
        yield _covered(exercise, function)


def _covered(exercise: Exercise, function: str) -> Covered:
    space, choices = exercise.spaces[function], exercise.choices[function]
    pairs, guarded = coverage(space, choices), guards(exercise, function)
    caught = 1 - guarded.pairs_missed / max(guarded.pairs_seen, 1)
    caught_once = guarded.seen - len(guarded.missed)
    detail = (
        f"{len(choices)} calls have all {pairs.pairs} pairs of what calls can vary in; a mistake made under one "
        f"condition only is caught in {caught_once} of {guarded.seen}, under two in {caught:.1%} "
        f"of {guarded.pairs_seen}"
    )
    problems = [
        *_told(f"no call has {_words(first)} and {_words(second)}" for first, second in pairs.missing),
        *_told(f"{mistake} is not seen where {_words(trait)}" for mistake, trait in guarded.missed),
        *unsaid(exercise.challenge.spec(), space),
    ]
    return Covered(function, detail, tuple(problems))


def unsaid(spec: str, space: Space) -> Iterator[str]:
    """Yields where the spec does not say that calls differ in something, or not in the words that `stated` quotes."""
    for dimension, said in space.stated.items():
        if said not in spec:
            yield f"spec.md does not say {said!r}, which is to say that calls differ in the {dimension}"
    for dimension, values in space.dimensions.items():
        if isinstance(values[0], str) and dimension not in space.stated:
            yield f"`stated` lacks the spec's words on the {dimension}"


def _words(trait: tuple[str, str]) -> str:
    return " is ".join(trait)


def _told(problems: Iterator[str]) -> Iterator[str]:
    """The first few, and how many more there are."""
    found = list(problems)
    yield from found[:TOLD]
    if len(found) > TOLD:
        yield f"and {len(found) - TOLD} more such holes: `assay challenge combine` finds calls that close them"
