"""Is an outcome what the reference gives? Tolerances are derived, not chosen: docs/tolerance.md."""

from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor

from grader.comparison.problems import describe, ended, explained, is_slip
from grader.comparison.shapes import explain_shape
from grader.comparison.shown import compare_shown
from grader.comparison.tolerance import Finding, agreeing, compare_values, told_apart, tolerance
from grader.guest.execution import CallStatus, Gives, Outcome, Problem
from grader.paper.case import Aspect, Case
from grader.paper.mismatch import Mismatch

CHANGED_EARLIER = (
    "The call changed a result that an earlier call returned, and callers still need it. Return a new tensor each "
    "time, never one that you keep and write into."
)
ORDINALS = ("first", "second", "third", "fourth")


GRADIENT_MISMATCHES = frozenset({Mismatch.NO_GRADIENT, Mismatch.GRADIENT_RAISED, Mismatch.GRADIENT_VALUES})


def compare(case: Case, expected: Outcome, outcome: Outcome) -> Finding:
    """`outcome` is finished: it returned, raised or was mistyped. `expected` is the reference's, in float64."""
    if case.raises:
        return _compare_refusal(case, outcome)
    if case.call.gives is Gives.VALUES:
        return compare_shown(case, expected, outcome)
    if outcome.status is CallStatus.RAISED and outcome.problem is not None:
        return Finding(Mismatch.RAISED, _raised(outcome.problem))
    if outcome.status is CallStatus.MISTYPED and outcome.problem is not None:
        return Finding(Mismatch.NOT_A_TENSOR, _mistyped(outcome.problem))
    findings = [_ASPECTS[aspect](case, expected, outcome) for aspect in Aspect if aspect in case.aspects]
    wrong = next((finding for finding in findings if finding.mismatch), None)
    if wrong is None and outcome.changed_earlier:
        return Finding(Mismatch.CHANGED_EARLIER, CHANGED_EARLIER)
    if wrong is None:
        return max(findings, key=lambda finding: finding.share)  # how near it came, in whatever was compared
    is_right_before = wrong.mismatch in GRADIENT_MISMATCHES and Aspect.OUTPUT in case.aspects
    if not is_right_before:
        return wrong
    return replace(wrong, message=f"The {agreeing(case.what, 'is', 'are')} right. {wrong.message}")


def _raised(problem: Problem) -> str:
    """What an exercise's harness did not find, it says itself."""
    if problem.is_of_the_harness and problem.message:
        return f"{problem.message[0].upper()}{problem.message[1:].rstrip('.')}."
    return f"Your code raised {explained(problem)}"


def _mistyped(problem: Problem) -> str:
    if problem.type == "NoneType":
        return "Your function returned None, not a tensor: some path through it has no `return`."
    return f"Your function {ended(problem.message)}"


def _compare_refusal(case: Case, outcome: Outcome) -> Finding:
    accepted = " or ".join(case.raises)
    if outcome.status is not CallStatus.RAISED or outcome.problem is None:
        return Finding(Mismatch.NOT_RAISED, f"Your code accepted it; it must raise {accepted}.")
    if is_slip(outcome.problem):
        return Finding(Mismatch.RAISED, _raised(outcome.problem))
    if not set(case.raises) & set(outcome.problem.bases):
        return Finding(
            Mismatch.RAISED_OTHERWISE, f"Your code raised {describe(outcome.problem)} instead of {accepted}."
        )
    return Finding()


def _compare_output(case: Case, expected: Outcome, outcome: Outcome) -> Finding:
    if len(outcome.outputs) != len(expected.outputs):
        return Finding(Mismatch.NOT_A_TENSOR, _miscounted(expected.outputs, outcome.outputs))
    findings = []
    for name, right, found in zip(_names_of(case, expected.outputs), expected.outputs, outcome.outputs, strict=True):
        finding = _compare_one_output(case, name, right, found)
        if finding.mismatch:
            return finding
        findings.append(finding)
    return max(findings, key=lambda finding: finding.share)


def _compare_one_output(case: Case, name: str, right: Tensor, found: Tensor) -> Finding:
    wanted = output_dtype(case)
    if found.shape != right.shape:
        has = agreeing(name, "has", "have")
        said = f"The {has} shape {tuple(found.shape)}; it should be {tuple(right.shape)}."
        meaning = explain_shape(case.call, tuple(right.shape), tuple(found.shape))
        return Finding(Mismatch.SHAPE, f"{said} {meaning}".strip())
    if found.dtype != wanted:
        has = agreeing(name, "has", "have")
        return Finding(Mismatch.DTYPE, f"The {has} dtype {found.dtype}; it should be {wanted}, like the input.")
    finding = compare_values(right, found, case.growth, name, case.output_scale)
    return replace(finding, message=_answered(case, right, found)) if finding.mismatch and case.questions else finding


def _answered(case: Case, right: Tensor, found: Tensor) -> str:
    """Says the first wrong answer."""
    allowed = tolerance(right, case.growth, case.output_scale)
    place = int(((found.double() - right.double()).abs() <= allowed).long().argmin())
    got, wanted = told_apart(found[place].item(), right[place].item())
    means = " (1 is yes, 0 is no)" if wanted in ("0", "1") else ""
    says = "could not be measured" if got == "-1" else f"is {got}"
    return f'The answer to "{case.questions[place]}" {says}; it should be {wanted}{means}.'


def _names_of(case: Case, outputs: Sequence[Tensor]) -> list[str]:
    return [case.what] if len(outputs) == 1 else [f"{ORDINALS[place]} {case.what}" for place in range(len(outputs))]


def _miscounted(right: Sequence[Tensor], found: Sequence[Tensor]) -> str:
    """A tuple of another length than asked for; often what is asked for is in it."""
    if len(right) > 1:
        number = "one tensor" if len(found) == 1 else f"{len(found)} tensors"
        return f"Your function returned {number}; {len(right)} are expected, as a tuple."
    said = f"Your function returned a tuple of {len(found)}, not one tensor."
    if found[0].shape == right[0].shape and len(found) > 1:
        return f"{said} The first of them has the shape of the result: return only that one."
    return said


def output_dtype(case: Case) -> torch.dtype:
    """The dtype of the call's floating tensors."""
    return next(
        value.dtype for value in case.call.arguments.values() if isinstance(value, Tensor) and value.is_floating_point()
    )


def _compare_gradients(case: Case, expected: Outcome, outcome: Outcome) -> Finding:
    findings: list[Finding] = []
    for name in case.call.differentiate:
        right, found = expected.gradients.get(name), outcome.gradients.get(name)
        if found is None:
            return missing_gradient(name, outcome.gradient_problem)
        if right is None or found.shape != right.shape:
            return Finding(Mismatch.GRADIENT_VALUES, f"The gradient of {name} has shape {tuple(found.shape)}.")
        finding = compare_values(right, found, case.growth, f"gradient of {name}", case.scale)
        if finding.mismatch:
            return Finding(Mismatch.GRADIENT_VALUES, finding.message, finding.metrics)
        findings.append(finding)
    return max(findings, key=lambda finding: finding.share, default=Finding())


def missing_gradient(name: str, problem: Problem | None) -> Finding:
    """Tells why no gradient came back for this argument: was the graph cut, or did the backward pass fail?"""
    if problem is not None and "does not require grad" not in problem.message:
        return Finding(Mismatch.GRADIENT_RAISED, f"The backward pass raised {explained(problem)}")
    return Finding(Mismatch.NO_GRADIENT, f"No gradient reaches {name}: the graph is cut somewhere.")


def _compare_arguments(case: Case, expected: Outcome, outcome: Outcome) -> Finding:
    del expected  # the arguments themselves are what is right
    for what in changed_arguments(case, outcome):
        return Finding(Mismatch.CHANGED_ARGUMENT, f"The call {what}; callers still need the original.")
    return Finding()


def changed_arguments(case: Case, outcome: Outcome) -> list[str]:
    """Says what the call did to each argument that it changed. One that requires a gradient since then did not come
    back.
    """
    found = []
    for name, before in case.call.arguments.items():
        if isinstance(before, Tensor):
            after = outcome.arguments.get(name)
            if after is None:
                found.append(f"made its argument {name} require a gradient")
            elif before.dtype is not after.dtype or not torch.equal(before, after):  # that asks for equal numbers alone
                found.append(f"changed its argument {name}")
    return found


_ASPECTS = {
    Aspect.OUTPUT: _compare_output,
    Aspect.GRADIENTS: _compare_gradients,
    Aspect.ARGUMENTS: _compare_arguments,
}
