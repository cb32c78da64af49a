"""Which idea is wrong? A misconception explains a failure when it gives what the submission gave on the failing
cases.
"""

import itertools
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache

from grader.alike import alike
from grader.compare import Finding, Flaw, compare
from grader.execution import CallStatus, Outcome
from grader.exercise import Exercise, Misconception
from grader.inprocess import outcomes_of
from grader.inspection import Inspection, Place
from grader.locate import place_of
from grader.paper import Aspect, Case
from grader.report import Diagnosis

Mistakes = tuple[Misconception, ...]
MOST_DIAGNOSES = 3
# Shows only between calls, so that no single call can be compared: the judge tries failing cases alone.
REMEMBERS = "stale-cache"
SYMPTOMS = {
    Flaw.NO_GRADIENT: "detached-gradient",
    Flaw.CHANGED_ARGUMENT: "input-mutated",
}


@dataclass(frozen=True)
class Judged:
    """One case with what was expected, what came, and what comparing them found."""

    case: Case
    expected: Outcome
    outcome: Outcome
    finding: Finding


@dataclass(frozen=True)
class Explanation:
    """Mistakes that, made together, give what the submission gave; `cases` are the failing ones they account for."""

    mistakes: Mistakes
    cases: frozenset[str]


@dataclass(frozen=True)
class Explained:
    """What diagnosing found: for the report, and for whoever wants to grade against a misreading."""

    diagnoses: tuple[Diagnosis, ...]
    explanations: tuple[Explanation, ...]
    unexplained: tuple[Judged, ...] = ()


def diagnose(exercise: Exercise, inspection: Inspection, judged: Sequence[Judged]) -> Explained:
    """The misconceptions that explain the failing cases, the most telling first."""
    failing = [item for item in judged if item.finding.flaw is not None]
    passing = [item for item in judged if item.finding.flaw is None]
    explanations = tuple(_explain(exercise, failing, passing))
    right = {item.case.call.function for item in passing} - {item.case.call.function for item in failing}
    found = {
        mistake.id: _diagnosis(exercise, inspection, mistake, explanation, len(failing), right)
        for explanation in sorted(explanations, key=lambda explanation: len(explanation.cases))
        for mistake in explanation.mistakes
    }
    accounted = frozenset[str]().union(*(explanation.cases for explanation in explanations))
    unexplained = tuple(item for item in failing if item.case.id not in accounted)
    symptoms = [
        diagnosis
        for diagnosis in _symptoms(exercise, inspection, explanations, unexplained)
        if diagnosis.id not in found
    ]
    return Explained((*reversed(found.values()), *symptoms), explanations, unexplained)


def remembers(exercise: Exercise, inspection: Inspection, item: Judged) -> tuple[Diagnosis, ...]:
    """The diagnosis for a case that fails in the paper, and is right when it is the only call."""
    if REMEMBERS not in {mistake.id for mistake in exercise.misconceptions}:
        return ()
    evidence = f"{item.case.title}: right when it is the first call."
    return (_from_symptom(exercise, inspection, REMEMBERS, item, evidence),)


def _explain(exercise: Exercise, failing: Sequence[Judged], passing: Sequence[Judged]) -> Iterator[Explanation]:
    """Greedily: what explains most of the failing cases, then most of the rest; pairs of mistakes where one is not
    enough.
    """
    left = list(failing)
    named: set[str] = set()
    for _ in range(MOST_DIAGNOSES):
        best = _next(exercise, named, left, failing, passing)
        if best is None:
            return
        yield best
        named |= {mistake.id for mistake in best.mistakes}
        left = [item for item in left if item.case.id not in best.cases]


def _next(
    exercise: Exercise, named: Set[str], left: Sequence[Judged], failing: Sequence[Judged], passing: Sequence[Judged]
) -> Explanation | None:
    """One mistake, or two together; at last one that is made beside parts which are right themselves."""
    main = exercise.challenge.manifest.source.main
    singles, sample = _singles(exercise), _one_of_each_family(left)
    best = _best(exercise, singles, sample, left, failing, passing)
    # Singles once more: one that explains as much as a pair is better than a pair whose other half is idle.
    best = best or _best(exercise, [*singles, *_pairs(exercise, named)], _smallest(left), left, failing, passing)
    if best is None and not named and all(item.case.call.function == main for item in failing):
        passing_in_main = [item for item in passing if item.case.call.function == main]
        best = _best(exercise, singles, sample, left, failing, passing_in_main)
    return best


def _singles(exercise: Exercise) -> list[tuple[Misconception]]:
    """All that a single call can show: what remembers would also bring a memory of earlier submissions in here."""
    return [(mistake,) for mistake in exercise.misconceptions if mistake.id != REMEMBERS]


def _pairs(exercise: Exercise, named: Set[str]) -> list[Mistakes]:
    """Two mistakes made together; once one is named, only pairs with it."""
    return [
        (first, second)
        for (first,), (second,) in itertools.combinations(_singles(exercise), 2)
        if first.is_compatible_with(second) and (not named or {first.id, second.id} & named)
    ]


def _one_of_each_family(left: Sequence[Judged]) -> list[Judged]:
    return list({item.case.family: item for item in reversed(left)}.values())


def _smallest(left: Sequence[Judged]) -> list[Judged]:
    """A thousand pairs are to be tried: one small case that returned a value refuses nearly all of them."""
    values = [item for item in left if item.outcome.status is CallStatus.RETURNED]
    return sorted(values, key=lambda item: sum(output.numel() for output in item.expected.outputs))[:1]


def _best(
    exercise: Exercise,
    candidates: Sequence[Mistakes],
    sample: Sequence[Judged],
    left: Sequence[Judged],
    failing: Sequence[Judged],
    passing: Sequence[Judged],
) -> Explanation | None:
    """The candidate that accounts for most; all are tried on the sample, few of them on the whole paper."""
    promising = [mistakes for mistakes in candidates if any(_gives(exercise, mistakes, item) for item in sample)]
    explanations = [
        Explanation(mistakes, frozenset(item.case.id for item in failing if _gives(exercise, mistakes, item)))
        for mistakes in promising
        if all(_gives(exercise, mistakes, item) for item in passing)
    ]
    credible = [explanation for explanation in explanations if _explains_a_family(explanation, left)]
    return max(credible, key=lambda explanation: len(explanation.cases), default=None)


def _explains_a_family(explanation: Explanation, left: Sequence[Judged]) -> bool:
    """A case or two may come out alike by chance, as where both raise; all that is left of a family does not."""
    families: dict[str, set[str]] = {}
    for item in left:
        families.setdefault(item.case.family, set()).add(item.case.id)
    return any(cases <= explanation.cases for cases in families.values())


def _gives(exercise: Exercise, mistakes: Mistakes, item: Judged) -> bool:
    """Would code with these mistakes have given this outcome?"""
    return alike(item.case, _predicted(exercise, mistakes, item.case), item.outcome)


# Serves many submissions to one paper, as `assay grade --seed` has; a paper of one's own needs each about once.
@lru_cache(maxsize=4096)
def _predicted(exercise: Exercise, mistakes: Mistakes, case: Case) -> Outcome:
    (outcome,) = outcomes_of(exercise.program_with(*mistakes), [case.call])
    return outcome


def _diagnosis(
    exercise: Exercise,
    inspection: Inspection,
    mistake: Misconception,
    explanation: Explanation,
    failing: int,
    right: Set[str],
) -> Diagnosis:
    together = " together with the other one named here" if len(explanation.mistakes) > 1 else ""
    count = len(explanation.cases)
    where = "the failing test" if failing == 1 else f"{count} of the {failing} failing tests"
    evidence = f"Code with this mistake{together} gives what yours gave on {where}, to within rounding."
    return _told(mistake, evidence, place_of(exercise, inspection, mistake, right))


def _symptoms(
    exercise: Exercise, inspection: Inspection, explanations: Sequence[Explanation], failing: Sequence[Judged]
) -> Iterator[Diagnosis]:
    """Flaws that name themselves, however the code came to have them."""
    known = {mistake.id for mistake in exercise.misconceptions}
    for flaw, name in SYMPTOMS.items():
        if name not in known:
            continue
        item = next((item for item in failing if item.finding.flaw is flaw), None)
        if item is not None and _is_output_understood(exercise, explanations, item):
            yield _from_symptom(exercise, inspection, name, item, f"{item.case.title}: {item.finding.message}")


def _is_output_understood(exercise: Exercise, explanations: Sequence[Explanation], item: Judged) -> bool:
    """Where the output is wrong for no known reason, a missing gradient may come from a weight that is not used."""
    if Aspect.GRADIENTS not in item.case.aspects:
        return True
    forward = replace(item, case=replace(item.case, aspects=frozenset({Aspect.OUTPUT})))
    return compare(forward.case, item.expected, item.outcome).flaw is None or any(
        _gives(exercise, explanation.mistakes, forward) for explanation in explanations
    )


def _from_symptom(exercise: Exercise, inspection: Inspection, name: str, item: Judged, evidence: str) -> Diagnosis:
    mistake = next(mistake for mistake in exercise.misconceptions if mistake.id == name)
    return _told(mistake, evidence, inspection.places.get(item.case.call.function))


def _told(mistake: Misconception, evidence: str, place: Place | None) -> Diagnosis:
    return Diagnosis(
        id=mistake.id,
        title=mistake.title,
        explanation=mistake.explanation,
        evidence=evidence,
        line=None if place is None else place.line,
        file=None if place is None else place.file,
    )
