"""What keeps calls from giving any result: an exception in one line, or a function without `return`. Where most of
what fails ends there, it is the first thing to tell; whatever else is wrong shows only once it is mended. So is a
slip beside a named mistake.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from grader.comparison.problems import ended, explain_exception, is_unwritten, said_by
from grader.comparison.scored_case import ScoredCase
from grader.grouping import grouped
from grader.guest.execution import Problem
from grader.guest.inspection import Inspection, Place
from grader.manifest import Manifest
from grader.paper.mismatch import Mismatch
from grader.report import Breakdown, Diagnosis, Visibility, where_in

NONE = "NoneType"
# They name what is wrong, whatever the call was given.
SLIPS = {"NameError", "AttributeError", "ImportError", "RecursionError"}


def breakdown_of(manifest: Manifest, inspection: Inspection, scored: Sequence[ScoredCase]) -> Breakdown | None:
    """Returns the one reason for which nearly everything fails. None where most of what fails gave a result, or fails
    for many reasons.
    """
    failing = [item for item in scored if not item.is_right]
    ended_alike = grouped((_key(item, problem), item) for item in failing if (problem := _problem_of(item)) is not None)
    if not ended_alike:
        return None
    most = max(ended_alike.values(), key=len)
    if most[0].function == manifest.source.main and most[0].finding.mismatch is Mismatch.RAISED:
        most = [*_unusable(manifest, failing, most[0]), *most]  # the main function uses what a part returns
    if 2 * len(most) < len(failing):
        most = next(
            (alike for alike in ended_alike.values() if _is_a_whole_part(manifest, inspection, scored, alike)), []
        )
    if not most:
        return None
    right = {item.function for item in scored} - {item.function for item in failing}
    parts = {place: name for name, place in inspection.places.items() if name in right}
    return _told(manifest, inspection, most, parts)


def slip_beside(
    manifest: Manifest, inspection: Inspection, scored: Sequence[ScoredCase], diagnoses: Sequence[Diagnosis]
) -> Breakdown | None:
    """A slip at which most of what the named mistakes do not account for stops: it is certain, and soon mended."""
    told = {test for diagnosis in diagnoses for test in diagnosis.tests}
    left = [item for item in scored if item.case.id not in told]
    found = breakdown_of(manifest, inspection, left) if told else None
    if found is None:
        return None
    problems = [_problem_of(item) for item in left if item.case.id in found.tests]
    return found if all(problem and _names_itself(problem) for problem in problems) else None


def is_plain(breakdown: Breakdown, scored: Sequence[ScoredCase]) -> bool:
    """Whether all that fails ends at a slip of a name, or at a missing `return`: an example would show no more."""
    problems = [_problem_of(item) for item in scored if not item.is_right]
    return len(problems) == len(breakdown.tests) and all(problem and _names_itself(problem) for problem in problems)


def _names_itself(problem: Problem) -> bool:
    return problem.type == NONE or bool(SLIPS & set(problem.bases)) or is_unwritten(problem)


def _problem_of(item: ScoredCase) -> Problem | None:
    return item.outcome.problem if item.finding.mismatch in (Mismatch.RAISED, Mismatch.NOT_A_TENSOR) else None


def _key(item: ScoredCase, problem: Problem) -> tuple[object, ...]:
    """Messages differ with the sizes; the line does not. What passes through no line of the student's has none."""
    if item.finding.mismatch is Mismatch.RAISED and problem.line is not None:
        return problem.type, problem.file, problem.line
    return problem.type, item.function, problem.message


def _is_a_whole_part(
    manifest: Manifest, inspection: Inspection, scored: Sequence[ScoredCase], alike: Sequence[ScoredCase]
) -> bool:
    """Whether it is every call of a part that the main function uses: whatever fails there may come of it."""
    of = {item.function for item in alike}
    is_used = of <= set(inspection.reachable.get(manifest.source.main, ())) - {manifest.source.main}
    return is_used and len(alike) == sum(item.function in of for item in scored)


def _unusable(manifest: Manifest, failing: Sequence[ScoredCase], raised: ScoredCase) -> list[ScoredCase]:
    """Calls of a part that returned no tensor, but what the exception in the main function speaks of."""
    said = _problem_of(raised)
    return [
        item
        for item in failing
        if item.finding.mismatch is Mismatch.NOT_A_TENSOR and item.function != manifest.source.main
        if said is not None and _kind(item) in said.message
    ]


def _kind(item: ScoredCase) -> str:
    """What was returned, by the name of its type."""
    return item.outcome.problem.type if item.outcome.problem else "tuple"


def _told(
    manifest: Manifest, inspection: Inspection, items: Sequence[ScoredCase], right_parts: Mapping[Place, str]
) -> Breakdown:
    """An exception may say what a call was given: in its words it is told of a public test alone."""
    public = [item for item in items if manifest.families[item.case.family].visibility is Visibility.PUBLIC]
    shown = public[0] if public else items[0]
    problem = _problem_of(shown)
    message, meaning = _sentence(shown, problem, is_public=bool(public)), ""
    if public and problem and shown.finding.mismatch is Mismatch.RAISED:
        meaning = explain_exception(problem)
    if problem and shown.finding.mismatch is Mismatch.RAISED:
        meaning = f"{meaning} {_wrong_call(problem, right_parts)}".strip()
    place = _place(inspection, shown, problem)
    return Breakdown(
        message=message,
        meaning=meaning,
        line=None if place is None else place.line,
        file=None if place is None else place.file,
        tests=tuple(item.case.id for item in items),
    )


def _sentence(item: ScoredCase, problem: Problem | None, *, is_public: bool) -> str:
    """One that begins with where it is."""
    if problem is None or item.finding.mismatch is Mismatch.NOT_A_TENSOR or problem.is_of_the_harness:
        said = item.finding.message if is_public else "No tensor came back."
        return said.replace("Your function", f"`{item.function}`", 1)
    if is_unwritten(problem) and problem.line is not None:
        return f"{_capital(where_in(problem.line, problem.file))} still raises NotImplementedError."
    where = f"{_capital(where_in(problem.line, problem.file))}" if problem.line else f"`{item.function}`"
    return f"{where} raises {ended(said_by(problem) if is_public else problem.type)}"


def _wrong_call(problem: Problem, right_parts: Mapping[Place, str]) -> str:
    """Of the outermost part that is right on its own: what it raises lies at whoever calls it."""
    for (file, _, begins), (caller, line, _) in reversed([*pairwise(problem.frames)]):
        if part := right_parts.get(Place(begins, file)):
            return f"`{part}` is right on its own: look at what {where_in(line, caller)} gives it."
    return ""


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _place(inspection: Inspection, item: ScoredCase, problem: Problem | None) -> Place | None:
    if problem and item.finding.mismatch is Mismatch.RAISED and problem.line:
        return Place(problem.line, problem.file)
    if item.finding.mismatch is Mismatch.NOT_A_TENSOR:
        return inspection.ends.get(item.function)
    return inspection.places.get(item.function)
