"""Which line of a submission should a diagnosis point to? An educated guess: the student looks there first."""

from collections.abc import Iterable, Mapping, Sequence, Set

from grader.exercise import Exercise, Misconception
from grader.inspection import Inspection, Place
from grader.landmarks import THROWN_AWAY, in_order


def place_of(
    exercise: Exercise, inspection: Inspection, mistake: Misconception, right: Set[str] = frozenset()
) -> Place | None:
    """The line that gives away the step which the mistake is in; else the function that must hold it.

    `right` are entry points that do not show it: there it cannot be, so the main one must hold it, or another. The
    surest sign is a result that nothing takes.
    """
    entry = exercise.entry_point_of(mistake)
    if entry in right:
        others = [other.name for other in exercise.challenge.manifest.entry_points]
        wrong = (name for name in (exercise.challenge.manifest.source.main, *others) if name not in right)
        entry = next(wrong, entry)
    functions = _suspects(exercise, inspection, mistake, entry, right)
    for name, step in exercise.challenge.manifest.steps.items():
        if name not in mistake.redefines:
            continue
        used = [inspection.landmarks.get(function, {}) for function in functions]
        places = _places(used, [sign + THROWN_AWAY for sign in step.signs]) or _places(used, step.signs)
        if places:
            in_first_file = [place for place in places if place.file == places[0].file]
            return in_first_file[-1 if step.last else 0]
    return inspection.places.get(entry)


def _places(used: Sequence[Mapping[str, Iterable[Place]]], signs: Sequence[str]) -> list[Place]:
    return sorted({place for names in used for sign in signs for place in names.get(sign, ())}, key=in_order)


def _suspects(
    exercise: Exercise, inspection: Inspection, mistake: Misconception, entry: str, right: Set[str]
) -> set[str]:
    """What `entry` reaches, without what the mistake cannot be in: what is right although the mistake would show there,
    and parts that have nothing to do with it.
    """
    reached = frozenset(inspection.reachable.get(entry, (entry,)))
    suspects = set(reached)
    for part in {other.name for other in exercise.challenge.manifest.entry_points} - {entry}:
        functions = frozenset(inspection.reachable.get(part, ()))
        if part in right if exercise.touches(mistake, part) else functions <= reached:
            suspects -= functions
    return suspects
