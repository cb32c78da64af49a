"""Which idea is wrong? A misconception explains a failure when it gives what the submission gave on the failing cases."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import torch

from grader.compare import Finding, Flaw, compare_values
from grader.execution import CallStatus, Outcome
from grader.exercise import Exercise, Misconception
from grader.inprocess import outcomes_of
from grader.inspection import Inspection
from grader.paper import Aspect, Case
from grader.report import Diagnosis

MOST_DIAGNOSES = 3
# Pairs are tried on this many of the failing cases at first: enough to refuse nearly all of them.
PAIR_SAMPLE = 2
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
class _Explanation:
    misconceptions: tuple[Misconception, ...]
    explained: frozenset[str]  # ids of failing cases


def diagnose(exercise: Exercise, inspection: Inspection, judged: Sequence[Judged]) -> tuple[Diagnosis, ...]:
    """The misconceptions that explain the failing cases, the most telling first."""
    failing = [item for item in judged if item.finding.flaw is not None]
    explanations = list(_explain(exercise, failing, [item for item in judged if item.finding.flaw is None]))
    found = [
        _diagnosis(exercise, inspection, misconception, explanation, failing)
        for explanation in explanations
        for misconception in explanation.misconceptions
    ]
    named = {diagnosis.id for diagnosis in found}
    return tuple(found + [symptom for symptom in _symptoms(exercise, inspection, failing) if symptom.id not in named])


def _explain(exercise: Exercise, failing: Sequence[Judged], passing: Sequence[Judged]) -> Iterator[_Explanation]:
    """Greedily: the misconception that explains most of what is still unexplained, and so on; pairs where none does."""
    candidates = [
        explanation
        for misconception in exercise.misconceptions
        if (explanation := _explanation(exercise, (misconception,), failing, passing)) is not None
    ]
    left = {item.case.id for item in failing}
    for _ in range(MOST_DIAGNOSES):
        best = max(candidates, key=lambda candidate: len(candidate.explained & left), default=None)
        if best is None or not best.explained & left:
            break
        yield best
        left -= best.explained
    unexplained = [item for item in failing if item.case.id in left]
    if len(unexplained) > len(failing) / 2:
        yield from itertools.islice(_pairs(exercise, unexplained, passing), 1)


def _pairs(exercise: Exercise, failing: Sequence[Judged], passing: Sequence[Judged]) -> Iterator[_Explanation]:
    sample = [item for item in failing if item.outcome.status is CallStatus.RETURNED][:PAIR_SAMPLE]
    for first, second in itertools.combinations(exercise.misconceptions, 2):
        if not sample or not first.is_compatible_with(second):
            continue
        if all(_agrees(exercise, (first, second), item) for item in sample):
            explanation = _explanation(exercise, (first, second), failing, passing)
            if explanation is not None and len(explanation.explained) > len(failing) / 2:
                yield explanation


def _explanation(
    exercise: Exercise, mistakes: tuple[Misconception, ...], failing: Sequence[Judged], passing: Sequence[Judged]
) -> _Explanation | None:
    """What these mistakes explain; None when nothing, or when they would have failed a case that was passed."""
    explained = frozenset(item.case.id for item in failing if _agrees(exercise, mistakes, item))
    if not explained or not all(_agrees(exercise, mistakes, item) for item in passing):
        return None
    return _Explanation(mistakes, explained)


def _agrees(exercise: Exercise, mistakes: tuple[Misconception, ...], item: Judged) -> bool:
    """Would code with these mistakes have given this outcome?"""
    (predicted,) = outcomes_of(exercise.module_with(*mistakes), [item.case.call])
    return _same(item.case, predicted, item.outcome)


def _same(case: Case, predicted: Outcome, outcome: Outcome) -> bool:
    if predicted.status is not outcome.status:
        return False
    if outcome.status is not CallStatus.RETURNED:
        return True
    return all(_SAME[aspect](case, predicted, outcome) for aspect in case.aspects)


def _same_output(case: Case, predicted: Outcome, outcome: Outcome) -> bool:
    return len(predicted.outputs) == len(outcome.outputs) and all(
        _close(case, ours, theirs) for ours, theirs in zip(predicted.outputs, outcome.outputs, strict=True)
    )


def _same_gradients(case: Case, predicted: Outcome, outcome: Outcome) -> bool:
    return all(
        _close_or_absent(case, predicted.gradients.get(name), outcome.gradients.get(name))
        for name in case.call.differentiate
    )


def _same_arguments(case: Case, predicted: Outcome, outcome: Outcome) -> bool:
    return all(
        torch.equal(predicted.arguments[name], before) == torch.equal(outcome.arguments[name], before)
        for name, before in _tensors(case.call.arguments)
        if name in predicted.arguments and name in outcome.arguments
    )


_SAME = {
    Aspect.OUTPUT: _same_output,
    Aspect.GRADIENTS: _same_gradients,
    Aspect.ARGUMENTS: _same_arguments,
}


def _tensors(arguments: Mapping[str, object]) -> Iterator[tuple[str, torch.Tensor]]:
    for name, value in arguments.items():
        if isinstance(value, torch.Tensor):
            yield name, value


def _close_or_absent(case: Case, ours: torch.Tensor | None, theirs: torch.Tensor | None) -> bool:
    if ours is None or theirs is None:
        return ours is theirs
    return _close(case, ours, theirs)


def _close(case: Case, ours: torch.Tensor, theirs: torch.Tensor) -> bool:
    if ours.shape != theirs.shape or not torch.equal(torch.isfinite(ours), torch.isfinite(theirs)):
        return False
    finite = torch.isfinite(ours)
    return compare_values(ours[finite], theirs[finite], case.growth, "output").flaw is None


def _diagnosis(
    exercise: Exercise,
    inspection: Inspection,
    misconception: Misconception,
    explanation: _Explanation,
    failing: Sequence[Judged],
) -> Diagnosis:
    cases = f"{len(explanation.explained)} of the {len(failing)} failing tests"
    together = " together with the other one named here" if len(explanation.misconceptions) > 1 else ""
    return Diagnosis(
        id=misconception.id,
        title=misconception.title,
        explanation=misconception.explanation,
        evidence=f"Code with this mistake{together} gives what yours gave, to within rounding, on {cases}.",
        line=inspection.lines.get(exercise.entry_point_of(misconception)),
    )


def _symptoms(exercise: Exercise, inspection: Inspection, failing: Sequence[Judged]) -> Iterator[Diagnosis]:
    """Flaws that name themselves, however the code came to have them."""
    texts = {misconception.id: misconception for misconception in exercise.misconceptions}
    for flaw, name in SYMPTOMS.items():
        shown = [item for item in failing if item.finding.flaw is flaw]
        if shown and name in texts:
            yield Diagnosis(
                id=name,
                title=texts[name].title,
                explanation=texts[name].explanation,
                evidence=f"{shown[0].case.title}: {shown[0].finding.message}",
                line=inspection.lines.get(shown[0].case.call.function),
            )
