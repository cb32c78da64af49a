"""Which line of a submission should a diagnosis point to? An educated guess: the student looks there first."""

from grader.exercise import Exercise, Misconception
from grader.inspection import Inspection


def line_of(exercise: Exercise, inspection: Inspection, mistake: Misconception) -> int | None:
    """The line that gives away the step which the mistake is in; else the function that must hold it."""
    entry = exercise.entry_point_of(mistake)
    functions = _own_functions(exercise, inspection, entry)
    for name, step in exercise.challenge.manifest.steps.items():
        if name not in mistake.redefines:
            continue
        lines = sorted(
            line
            for function in functions
            for sign in step.signs
            for line in inspection.landmarks.get(function, {}).get(sign, ())
        )
        if lines:
            return lines[-1 if step.last else 0]
    return inspection.lines.get(entry)


def _own_functions(exercise: Exercise, inspection: Inspection, entry: str) -> set[str]:
    """What `entry` reaches without the other parts: they have their own lines."""
    reached = set(inspection.reachable.get(entry, (entry,)))
    parts = [other.name for other in exercise.challenge.manifest.entry_points if other.name != entry]
    for part in parts:
        if part in reached:
            reached -= set(inspection.reachable.get(part, ()))
    return reached
