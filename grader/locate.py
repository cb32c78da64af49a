"""Which line of a submission should a diagnosis point to? An educated guess: the student looks there first."""

from collections.abc import Set

from grader.exercise import Exercise, Misconception
from grader.inspection import EntryKind, Inspection, Place
from grader.landmarks import in_order


def place_of(
    exercise: Exercise, inspection: Inspection, mistake: Misconception, right: Set[str] = frozenset()
) -> Place | None:
    """The line that gives away the step which the mistake is in; else the function that must hold it.

    `right` are entry points that are right on their own: there it cannot be, so the main one must hold it, or another.
    """
    entry = exercise.entry_point_of(mistake)
    if entry in right:
        others = [other.name for other in exercise.challenge.manifest.entry_points]
        wrong = (name for name in (exercise.challenge.manifest.source.main, *others) if name not in right)
        entry = next(wrong, entry)
    functions = _own_functions(exercise, inspection, entry)
    for name, step in exercise.challenge.manifest.steps.items():
        if name not in mistake.redefines:
            continue
        places = sorted(
            {
                place
                for function in functions
                for sign in step.signs
                for place in inspection.landmarks.get(function, {}).get(sign, ())
                if _class_around(exercise, inspection, place) not in right
            },
            key=in_order,
        )
        if places:
            in_first_file = [place for place in places if place.file == places[0].file]
            return in_first_file[-1 if step.last else 0]
    return inspection.places.get(entry)


def _class_around(exercise: Exercise, inspection: Inspection, place: Place) -> str | None:
    """The last entry point to begin before it, where those are classes: their methods have the same names."""
    begins = {
        entry.name: inspection.places[entry.name]
        for entry in exercise.challenge.manifest.entry_points
        if entry.kind is EntryKind.CLASS and entry.name in inspection.places
    }
    before = [name for name, begin in begins.items() if begin.file == place.file and begin.line <= place.line]
    return max(before, key=lambda name: begins[name].line, default=None)


def _own_functions(exercise: Exercise, inspection: Inspection, entry: str) -> set[str]:
    """What `entry` reaches without the other parts: they have their own lines."""
    reached = set(inspection.reachable.get(entry, (entry,)))
    parts = [other.name for other in exercise.challenge.manifest.entry_points if other.name != entry]
    for part in parts:
        if part in reached:
            reached -= set(inspection.reachable.get(part, ()))
    return reached
