"""Which line of a submission should a diagnosis point to? An educated guess: the student looks there first."""

from collections import Counter
from collections.abc import Sequence, Set

from grader.comparison.scored_case import ScoredCase
from grader.diagnosis.symptom import Symptom
from grader.exercise import Exercise
from grader.guest.inspection import Inspection, Landmark, Place
from grader.guest.landmarks import WAYS_OUT_OF_THE_GRAPH, in_order
from grader.guest.overwriting import OVERWRITES
from grader.manifest import Step
from grader.misconception import Misconception
from grader.paper.mismatch import Mismatch


def place_of(
    exercise: Exercise,
    inspection: Inspection,
    mistake: Misconception,
    right: Set[str] = frozenset(),
    shown: Set[str] = frozenset(),
) -> Place | None:
    """The line that gives away the step which the mistake is in; else the function that must hold it.

    `right` are entry points that are right on their own: there it cannot be, so the main one must hold it, or another;
    `shown` are those of which a case shows it, where that is known: others are wrong in ways of their own.
    """
    narrowest = exercise.reach.entry_point_of(mistake)
    manifest = exercise.challenge.manifest
    names = (narrowest, manifest.source.main, *(entry.name for entry in manifest.entry_points))
    entry = next((name for name in names if (name in shown if shown else name not in right)), narrowest)
    if (place := _place_of_its_own(inspection, mistake.id, entry)) is not None:
        return place
    suspects = _suspects(exercise, inspection, mistake, entry, right)
    for name, step in manifest.steps.items():
        if name not in mistake.redefines:
            continue
        places = next((places for functions in suspects if (places := _places(inspection, functions, step))), None)
        if places:
            in_first_file = [place for place in places if place.file == places[0].file]
            return in_first_file[-1 if step.last else 0]
    return inspection.places.get(entry)


def place_where_it_raises(explained: Sequence[ScoredCase]) -> Place | None:
    """The line in which all of these cases raise, or most of them; None where some came back, or were to raise."""
    problems = [item.outcome.problem for item in explained if not item.case.raises]
    places = [Place(one.line, one.file) for one in problems if one is not None and one.line is not None]
    if not explained or len(places) < len(explained):
        return None
    (place, _), *_ = Counter(places).most_common(1)
    return place


def place_of_what_is_returned(inspection: Inspection, explained: Sequence[ScoredCase]) -> Place | None:
    """Finds the end of the function where all of these cases get something else than a tensor."""
    is_all = all(item.finding.mismatch is Mismatch.NOT_A_TENSOR for item in explained)
    return inspection.ends.get(explained[0].function) if explained and is_all else None


def place_of_symptom(inspection: Inspection, symptom: Symptom, function: str) -> Place | None:
    """Finds the place of a mistake that names itself when `function` is called, however the code came to have it."""
    place = _place_of_its_own(inspection, symptom, function)
    return place or (inspection.ends if symptom is Symptom.RETURNS_TUPLE else inspection.places).get(function)


def _place_of_its_own(inspection: Inspection, name: str, entry: str) -> Place | None:
    """Of a mistake that some lines show by themselves."""
    if name == Symptom.DETACHED:
        return _way_out_of_the_graph(inspection, entry)
    if name == Symptom.CHANGES_INPUT:
        functions = inspection.reachable.get(entry, (entry,))
        writes = (mark.place for each in functions for mark in _landmarks(inspection, each) if mark.name == OVERWRITES)
        return min(writes, key=in_order, default=None)
    return None


def _way_out_of_the_graph(inspection: Inspection, entry: str) -> Place | None:
    """Where it is in only one function: tables of angles may leave the graph, too."""
    used = [_landmarks(inspection, function) for function in inspection.reachable.get(entry, (entry,))]
    for ways in WAYS_OUT_OF_THE_GRAPH:
        found = [
            places
            for marks in used
            if (places := [mark.place for mark in marks if mark.name in ways and not mark.is_thrown_away])
        ]
        if found:
            return min(found[0], key=in_order) if len(found) == 1 else None
    return None


def _places(inspection: Inspection, functions: Set[str], step: Step) -> list[Place]:
    """In order, those that show the most of the signs; where the result of a sign is thrown away, only that."""
    marks = {mark for function in functions for mark in _landmarks(inspection, function) if mark.name in step.signs}
    for is_thrown_away in (True, False):
        signs = Counter(mark.place for mark in marks if mark.is_thrown_away is is_thrown_away)
        if signs:
            return sorted((place for place in signs if signs[place] == max(signs.values())), key=in_order)
    return []


def _landmarks(inspection: Inspection, function: str) -> tuple[Landmark, ...]:
    return inspection.landmarks.get(function, ())


def _suspects(
    exercise: Exercise, inspection: Inspection, mistake: Misconception, entry: str, right: Set[str]
) -> tuple[Set[str], Set[str]]:
    """What `entry` reaches, without the parts that it uses, but for those that show the mistake too: first what is not
    shared with others which would show the mistake, and are right.
    """
    reached = frozenset(inspection.reachable.get(entry, (entry,)))
    parts, right_ones = set[str](), set[str]()
    for part in {other.name for other in exercise.challenge.manifest.entry_points} - {entry}:
        functions = frozenset(inspection.reachable.get(part, ()))
        would_show = exercise.reach.touches(mistake, part)
        if functions <= reached and (part in right or not would_show):
            parts |= functions
        if part in right and would_show:
            right_ones |= functions
    return reached - parts - right_ones, reached - parts
