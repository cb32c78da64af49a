"""Is a challenge's folder whole, and does it speak only of what exists? Each problem is a sentence for its author."""

import ast
from collections.abc import Callable, Iterable, Iterator
from inspect import Parameter, signature
from types import FunctionType

from grader.challenge import Challenge
from grader.comparison.efficiency import FAMILY
from grader.comparison.scaling import SHORTEST
from grader.exercise import Exercise, exercise_of
from grader.forgeable import source_of
from grader.manifest import EntryPointSection
from grader.proof.cases import problems_of_cases
from grader.proof.places import describe, in_manifest, of_function

CASES_DEFINE = ("FAMILIES", "structure", "workload")
DEFINITION = ast.FunctionDef | ast.ClassDef


def problems_of(challenge: Challenge) -> Iterator[str]:
    """All problems of the first stage that has any: the stages after it would only repeat them."""
    for stage in (_missing_files, _broken_modules, _wrong_length, _wrong_cases, _misspelt_names, _idle_misconceptions):
        found = list(_told(challenge, stage))
        yield from found
        if found:
            return


def _told(challenge: Challenge, stage: Callable[[Challenge], Iterator[str]]) -> Iterator[str]:
    try:
        yield from stage(challenge)
    except Exception as error:  # noqa: BLE001  the edge to the author's code: whatever it raises is told, not thrown
        yield describe(error, challenge)


def _missing_files(challenge: Challenge) -> Iterator[str]:
    manifest = challenge.manifest
    own = ("spec.md", f"starter/{manifest.upload}", "questions.toml", manifest.baseline)
    for name in own:
        if not (challenge.folder / name).is_file():
            yield f"{challenge.slug}/{name} is missing"
    for name in ("reference", "cases"):
        if not any(challenge.modules(name)):
            yield f"{challenge.slug}/{name}.py is missing"


def _broken_modules(challenge: Challenge) -> Iterator[str]:
    """What cannot be read or run, and what it should define."""
    for path in sorted(challenge.folder.rglob("*.py")):
        ast.parse(path.read_bytes(), filename=str(path))
    exercise = exercise_of(challenge)
    for number, entry in enumerate(challenge.manifest.entry_points):
        function = getattr(exercise.reference, entry.name, None)
        if not callable(function):
            where = in_manifest(challenge, "entry_points", number)
            defined = _listed(_steps(exercise))
            yield f"{where}: reference.py does not define the entry point {entry.name}: it defines {defined}"
        elif isinstance(function, FunctionType) and not exercise.has_harness:
            yield from _unlike(function, entry, challenge)
    sources = [ast.parse(path.read_bytes()) for path in challenge.modules("cases")]
    for name in CASES_DEFINE:
        if name not in set().union(*(_names_bound(tree) for tree in sources)):
            yield f"{challenge.slug}/cases.py does not define {name}"


def _unlike(function: FunctionType, entry: EntryPointSection, challenge: Challenge) -> Iterator[str]:
    """The reference is called as challenge.toml says: by these names."""
    wanted, taken = [*entry.parameters, *entry.keywords], signature(function).parameters
    missing = [name for name in wanted if name not in taken]
    if missing and not any(parameter.kind is Parameter.VAR_KEYWORD for parameter in taken.values()):
        line = function.__code__.co_firstlineno
        yield (
            f"{challenge.slug}/reference.py, line {line}: {entry.name} takes {_listed(taken)}, and challenge.toml says "
            f"{_listed(wanted)}: give both the same names"
        )


def _wrong_length(challenge: Challenge) -> Iterator[str]:
    exercise = exercise_of(challenge)
    seq = exercise.workload_seq
    if seq is not None and not (isinstance(seq, int) and seq >= SHORTEST):
        where = of_function(exercise.cases.workload, challenge)
        yield f"{where}: `workload` takes seq, the length that is timed: it needs a default of {SHORTEST} or more"


def _wrong_cases(challenge: Challenge) -> Iterator[str]:
    yield from problems_of_cases(exercise_of(challenge))


def _misspelt_names(challenge: Challenge) -> Iterator[str]:
    exercise, manifest = exercise_of(challenge), challenge.manifest
    exercise.paper(0)  # which tells of rules about cases that it does not have
    for name in manifest.forgeable:
        source_of(challenge, name)  # which tells of what is missing
    drawn = {*exercise.families, FAMILY}
    for name in manifest.families.keys() - drawn:
        where = in_manifest(challenge, "families", name)
        yield f"{where}: the family {name} has no generator: add one to FAMILIES of cases.py, or remove the table"
    if FAMILY not in manifest.families:
        where = in_manifest(challenge, "families")
        yield f"{where}: [families.{FAMILY}] is missing: time is always measured, with 0 points if you like"
    steps = _steps(exercise)
    for name in manifest.steps.keys() - steps:
        where = in_manifest(challenge, "steps", name)
        yield f"{where}: reference.py defines no step {name}: it defines {_listed(steps)}"
    entries = {entry.name for entry in manifest.entry_points}
    for name, rule in manifest.rules.items():
        if rule.part is not None and rule.part not in entries:
            where = in_manifest(challenge, "rules", name, "part")
            known = _listed(entries)
            yield f"{where}: the rule {name} speaks of the part {rule.part}, which is no entry point; there are {known}"
    mistakes = {mistake.id for mistake in exercise.misconceptions}
    for name, family in manifest.misreadings.items():
        where = in_manifest(challenge, "misreadings", name)
        if name not in mistakes:
            yield f"{where}: [misreadings] names {name}, which is no misconception; there are {_listed(mistakes)}"
        if family not in manifest.families:
            known = _listed(manifest.families)
            yield f"{where}: [misreadings] charges {name} to {family}, which is no family; there are {known}"
    inherited = {path.stem for folder in challenge.folders[:-1] for path in folder.glob("misconceptions/*.py")}
    for name in sorted(set(manifest.without) - inherited):
        where = in_manifest(challenge, "without")
        yield f"{where}: `without` names {name}, which {manifest.extends or 'no other challenge'} does not have"


def _idle_misconceptions(challenge: Challenge) -> Iterator[str]:
    exercise = exercise_of(challenge)
    steps = _steps(exercise)
    for mistake in exercise.misconceptions:
        if not mistake.redefines & steps:
            defined = {
                node.name: node.lineno for node in ast.parse(mistake.source).body if isinstance(node, DEFINITION)
            }
            where = f"{challenge.slug}/misconceptions/{mistake.name}.py, line {min(defined.values(), default=1)}"
            yield (
                f"{where}: it redefines no step of reference.py: it defines {_listed(defined) or 'nothing'}, and the "
                f"steps are {_listed(steps)}"
            )


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))


def _steps(exercise: Exercise) -> set[str]:
    """What reference.py defines at the top: functions and classes."""
    body = ast.parse(exercise.reference_source).body
    return {node.name for node in body if isinstance(node, DEFINITION)}


def _names_bound(tree: ast.Module) -> set[str]:
    assigned = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return assigned | {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
