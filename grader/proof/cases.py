"""Does `cases.py` give what a paper is made of? What a generator yields is looked at before anything is graded."""

from collections.abc import Callable, Iterator, Mapping
from inspect import signature
from types import GeneratorType
from typing import Any

from grader.exercise import Exercise
from grader.guest.execution import Call, Gives
from grader.guest.inspection import EntryKind
from grader.manifest import EntryPointSection
from grader.paper.case import Case, StructureCall
from grader.paper.combinations import Space
from grader.paper.draw import Draw
from grader.proof.places import in_manifest, of_code, of_function

SEED = 0


def problems_of_cases(exercise: Exercise) -> Iterator[str]:
    """A sentence each, with file and line. What the author's code raises is raised."""
    challenge = exercise.challenge
    families: object = exercise.cases.FAMILIES
    if not isinstance(families, Mapping) or not all(map(callable, families.values())):
        yield f'{challenge.slug}/cases.py: FAMILIES must be a dictionary of generators, such as {{"values": values}}'
        return
    for function, space in exercise.spaces.items():
        if not isinstance(space, Space):
            yield f"{challenge.slug}/space.py: SPACES[{function!r}] must be a Space, and is {_kind(space)}"
            return
    for name, generator in families.items():
        if name not in challenge.manifest.families:
            yield (
                f"{of_function(generator, challenge)}: FAMILIES has {name!r}, and challenge.toml no "
                f"[families.{name}]: add the table, with a title and points"
            )
        yield from _problems_of_family(exercise, name, generator)
    if exercise.spaces and "combinations" not in challenge.manifest.families:
        where = in_manifest(challenge, "families")
        yield f"{where}: space.py needs a table [families.combinations], with a title and points"
    yield from _problems_of_the_rest(exercise)


def _problems_of_family(exercise: Exercise, name: str, generator: Callable[[Draw], Any]) -> Iterator[str]:
    challenge, seen = exercise.challenge, set[str]()
    draw = Draw(SEED, name, exercise.reference)
    where, called = of_function(generator, challenge), getattr(generator, "__name__", name)
    try:
        signature(generator).bind(draw)
    except TypeError:
        yield f"{where}: `{called}` must take one argument, from which it draws: `def {called}(draw)`"
        return
    cases = generator(draw)
    if not hasattr(cases, "__iter__"):
        yield f"{where}: `{called}` gives {_kind(cases)}, not cases: write `yield Case(...)` in it"
        return
    for case in cases:
        if isinstance(cases, GeneratorType) and cases.gi_frame is not None:
            where = of_code(cases.gi_frame.f_code, challenge, cases.gi_frame.f_lineno)
        if not isinstance(case, Case):
            yield f"{where}: `{called}` yields {_kind(case)}, and must yield cases: `yield Case(id, title, call)`"
            return
        if case.id in seen:
            yield f"{where}: `{called}` yields two cases with the id {case.id!r}: give each an id of its own"
            return
        seen.add(case.id)
        if wrong := next(_problems_of_call(exercise, case.call), ""):
            yield f"{where}: the case {name}/{case.id} {wrong}"
            return
    if not seen:
        yield f"{where}: `{called}` yields no case with seed {SEED}: a family needs at least one for every seed"


def _problems_of_call(exercise: Exercise, call: Call) -> Iterator[str]:
    """What the manifest or the call itself rules out."""
    entries = {entry.name: entry for entry in exercise.challenge.manifest.entry_points}
    entry = entries.get(call.function)
    if entry is None:
        yield f"calls {call.function!r}, which is no entry point of challenge.toml: write {' or '.join(entries)}"
        return
    for name in call.differentiate:
        if name not in call.arguments:
            yield f"differentiates {name!r}, and its call has no such argument: {', '.join(call.arguments)}"
    is_plain = entry.kind is EntryKind.FUNCTION and not exercise.has_harness and not call.moves
    if is_plain and call.gives is not Gives.VALUES:
        yield from _problems_of_arguments(call, entry)


def _problems_of_arguments(call: Call, entry: EntryPointSection) -> Iterator[str]:
    known = (*entry.parameters, *entry.keywords)
    needed = entry.parameters[: len(entry.parameters) - entry.optional]
    strange = [name for name in call.arguments if name not in known]
    missing = [name for name in needed if name not in call.arguments]
    if strange:
        yield f"gives {entry.name} an argument {strange[0]!r}, and its parameters are {', '.join(known)}"
    elif missing:
        yield f"gives {entry.name} no {missing[0]!r}, and its parameters are {', '.join(known)}"


def _problems_of_the_rest(exercise: Exercise) -> Iterator[str]:
    """`structure` and `workload`."""
    challenge, cases = exercise.challenge, exercise.cases
    calls = cases.structure(Draw(SEED, "structure", exercise.reference))
    if not isinstance(calls, list | tuple) or not all(isinstance(call, StructureCall) for call in calls):
        where = of_function(cases.structure, challenge)
        yield f"{where}: `structure` must return a list of calls: [StructureCall(Call(...))]"
    call = cases.workload(Draw(SEED, "workload", exercise.reference))
    if not isinstance(call, Call):
        yield f"{of_function(cases.workload, challenge)}: `workload` must return a Call, and returns {_kind(call)}"


def _kind(value: object) -> str:
    name = type(value).__name__
    if value is None:
        return "None"
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"
