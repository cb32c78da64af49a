"""Is a challenge's folder whole, and does it speak only of what exists? Each problem is a sentence for its author."""

import ast
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

from grader.challenge import Challenge
from grader.comparison.efficiency import FAMILY
from grader.comparison.scaling import SHORTEST
from grader.exercise import Exercise, exercise_of
from grader.forgeable import source_of
from grader.manifest import ManifestError

CASES_DEFINE = ("FAMILIES", "structure", "workload")


def problems_of(challenge: Challenge) -> Iterator[str]:
    """All problems of the first stage that has any: the stages after it would only repeat them."""
    for stage in (_missing_files, _broken_modules, _misspelt_names, _idle_misconceptions):
        found = list(_told(challenge, stage))
        yield from found
        if found:
            return


def _told(challenge: Challenge, stage: Callable[[Challenge], Iterator[str]]) -> Iterator[str]:
    try:
        yield from stage(challenge)
    except Exception as error:  # noqa: BLE001  the edge to the author's code: whatever it raises is told, not thrown
        yield describe(error, challenge)


def describe(error: BaseException, challenge: Challenge) -> str:
    """What an author's code raised, with the place in the challenge's own files where there is one."""
    if isinstance(error, ManifestError):
        return str(error)
    own = {challenge.manifest.default_path: "reference.py or a misconception"}
    places = [
        f"{own.get(frame.filename, _short(frame.filename, challenge))}, line {frame.lineno}"
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename in own or any(str(folder) in frame.filename for folder in challenge.folders)
    ]
    if isinstance(error, SyntaxError) and error.filename:
        places.append(f"{_short(error.filename, challenge)}, line {error.lineno}")
    where = f" ({places[-1]})" if places else ""
    first_line = (str(error).splitlines() or [""])[0]
    return f"{type(error).__name__}: {first_line}{where}"


def _short(filename: str, challenge: Challenge) -> str:
    path = Path(filename)
    return str(path.relative_to(challenge.folder.parent)) if path.is_relative_to(challenge.folder.parent) else path.name


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
    exercise = exercise_of(challenge)
    for path in (*challenge.modules("reference"), *challenge.modules("cases")):
        ast.parse(path.read_bytes(), filename=str(path))
    for entry in challenge.manifest.entry_points:
        if not callable(getattr(exercise.reference, entry.name, None)):
            yield f"reference.py does not define the entry point {entry.name}"
    sources = [ast.parse(path.read_bytes()) for path in challenge.modules("cases")]
    for name in CASES_DEFINE:
        if name not in set().union(*(_names_bound(tree) for tree in sources)):
            yield f"cases.py does not define {name}"


def _misspelt_names(challenge: Challenge) -> Iterator[str]:
    exercise, manifest = exercise_of(challenge), challenge.manifest
    exercise.paper(0)  # which tells of rules about cases that it does not have
    seq = exercise.workload_seq
    if seq is not None and not (isinstance(seq, int) and seq >= SHORTEST):
        yield f"workload of cases.py takes seq, the length that is timed: it needs a default of {SHORTEST} or more"
    for name in manifest.forgeable:
        source_of(challenge, name)  # which tells of what is missing
    drawn = {*exercise.families, FAMILY}
    for name in manifest.families.keys() - drawn:
        yield f"challenge.toml has the family {name}, which has no generator in cases.py"
    if FAMILY not in manifest.families:
        yield f"challenge.toml lacks [families.{FAMILY}]: time is always measured, with 0 points if you like"
    steps = _steps(exercise)
    for name in manifest.steps.keys() - steps:
        yield f"challenge.toml has [steps.{name}], and reference.py defines no {name}"
    entries = {entry.name for entry in manifest.entry_points}
    for name, rule in manifest.rules.items():
        if rule.part is not None and rule.part not in entries:
            yield f"the rule {name} speaks of the part {rule.part}, which is no entry point"
    mistakes = {mistake.id for mistake in exercise.misconceptions}
    for name, family in manifest.misreadings.items():
        if name not in mistakes:
            yield f"[misreadings] names {name}, which is no misconception"
        if family not in manifest.families:
            yield f"[misreadings] charges {name} to {family}, which is no family"
    inherited = {path.stem for folder in challenge.folders[:-1] for path in folder.glob("misconceptions/*.py")}
    for name in sorted(set(manifest.without) - inherited):
        yield f"`without` names {name}, which {manifest.extends or 'no other challenge'} does not have"


def _idle_misconceptions(challenge: Challenge) -> Iterator[str]:
    exercise = exercise_of(challenge)
    steps = _steps(exercise)
    for mistake in exercise.misconceptions:
        if not mistake.redefines & steps:
            told = ", ".join(sorted(mistake.redefines)) or "nothing"
            yield f"misconceptions/{mistake.name}.py redefines no step of reference.py: it defines {told}"


def _steps(exercise: Exercise) -> set[str]:
    """What reference.py defines at the top: functions and classes."""
    body = ast.parse(exercise.reference_source).body
    return {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}


def _names_bound(tree: ast.Module) -> set[str]:
    assigned = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return assigned | {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
