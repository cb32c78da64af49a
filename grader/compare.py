"""Is an outcome what the reference gives? Tolerances are derived, not chosen: docs/tolerance.md."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import torch
from torch import Tensor

from grader.execution import CallStatus, Outcome, Problem
from grader.paper import Aspect, Case

# float64 submissions are held to float32 accuracy too: tables in float32 are no mistake (CONTRACT.md).
ROUNDING = torch.finfo(torch.float32).eps


class Flaw(StrEnum):
    """How an outcome differs."""

    VALUES = "values"
    NOT_FINITE = "not_finite"
    SHAPE = "shape"
    DTYPE = "dtype"
    RAISED = "raised"
    NOT_RAISED = "not_raised"
    RAISED_OTHERWISE = "raised_otherwise"
    NOT_A_TENSOR = "not_a_tensor"
    NO_GRADIENT = "no_gradient"
    GRADIENT_RAISED = "gradient_raised"
    GRADIENT_VALUES = "gradient_values"
    CHANGED_ARGUMENT = "changed_argument"


@dataclass(frozen=True)
class Finding:
    """What comparing one case found. Without a flaw the case is passed."""

    flaw: Flaw | None = None
    message: str = ""
    metrics: Mapping[str, float] = field(default_factory=dict)


def tolerance(expected: Tensor, growth: float) -> float:
    """The largest absolute error that rounding explains: `growth` roundings of the largest expected value."""
    largest = expected.abs().amax().item() if expected.numel() else 0.0
    return ROUNDING * growth * max(largest, torch.finfo(torch.float32).tiny)


def compare(case: Case, expected: Outcome, outcome: Outcome) -> Finding:
    """`outcome` is finished: it returned, raised or was mistyped. `expected` is the reference's, in float64."""
    if case.raises:
        return _compare_refusal(case, outcome)
    if outcome.status is CallStatus.RAISED and outcome.problem is not None:
        return Finding(Flaw.RAISED, f"Your code raised {describe(outcome.problem)}.")
    if outcome.status is CallStatus.MISTYPED and outcome.problem is not None:
        return Finding(Flaw.NOT_A_TENSOR, f"Your function {outcome.problem.message}.")
    findings = [_ASPECTS[aspect](case, expected, outcome) for aspect in Aspect if aspect in case.aspects]
    return next((finding for finding in findings if finding.flaw), findings[0])


def describe(problem: Problem) -> str:
    """An exception in half a sentence, with the line."""
    where = f" in line {problem.line}" if problem.line else ""
    what = f": {problem.message.splitlines()[0][:300]}" if problem.message.strip() else ""
    return f"{problem.type}{where}{what}".rstrip(".")


def _compare_refusal(case: Case, outcome: Outcome) -> Finding:
    accepted = " or ".join(case.raises)
    if outcome.status is not CallStatus.RAISED or outcome.problem is None:
        return Finding(Flaw.NOT_RAISED, f"Your code accepted it; it must raise {accepted}.")
    if not set(case.raises) & set(outcome.problem.bases):
        return Finding(Flaw.RAISED_OTHERWISE, f"Your code raised {describe(outcome.problem)}; ask for it: {accepted}.")
    return Finding()


def _compare_output(case: Case, expected: Outcome, outcome: Outcome) -> Finding:
    if len(outcome.outputs) != len(expected.outputs):
        return Finding(Flaw.NOT_A_TENSOR, f"Your function returned {len(outcome.outputs)} tensors, not one.")
    wanted = output_dtype(case)
    for right, found in zip(expected.outputs, outcome.outputs, strict=True):
        if found.shape != right.shape:
            return Finding(Flaw.SHAPE, f"The output has shape {tuple(found.shape)}; it should be {tuple(right.shape)}.")
        if found.dtype != wanted:
            return Finding(Flaw.DTYPE, f"The output has dtype {found.dtype}; it should be {wanted}, like the input.")
        finding = compare_values(right, found, case.growth, "output")
        if finding.flaw:
            return finding
    return finding


def output_dtype(case: Case) -> torch.dtype:
    """The dtype of the call's floating tensors."""
    return next(
        value.dtype for value in case.call.arguments.values() if isinstance(value, Tensor) and value.is_floating_point()
    )


def compare_values(right: Tensor, found: Tensor, growth: float, what: str) -> Finding:
    """Shapes agree already. NaN and infinity are told apart from wrong numbers: the remedy differs."""
    bound = tolerance(right, growth)
    difference = (found.to(torch.float64) - right.to(torch.float64)).abs()
    if not torch.isfinite(found).all():
        count = int((~torch.isfinite(found)).sum())
        return Finding(Flaw.NOT_FINITE, f"{count} of {found.numel()} values of the {what} are NaN or infinite.")
    error = difference.amax().item() if difference.numel() else 0.0
    metrics = {"max_abs_error": error, "tolerance": bound}
    if math.isfinite(error) and error <= bound:
        return Finding(metrics=metrics)
    place = tuple(int(index) for index in torch.unravel_index(difference.argmax(), difference.shape))
    message = (
        f"The {what} is off by up to {error:.2g} (at index {place}: {found[place].item():.4g} instead of "
        f"{right[place].item():.4g}); rounding explains {bound:.1g}."
    )
    return Finding(Flaw.VALUES, message, metrics)


def _compare_gradients(case: Case, expected: Outcome, outcome: Outcome) -> Finding:
    finding = Finding()
    for name in case.call.differentiate:
        right, found = expected.gradients.get(name), outcome.gradients.get(name)
        if found is None:
            return missing_gradient(name, outcome.gradient_problem)
        if right is None or found.shape != right.shape:
            return Finding(Flaw.GRADIENT_VALUES, f"The gradient of {name} has shape {tuple(found.shape)}.")
        finding = compare_values(right, found, case.growth, f"gradient of {name}")
        if finding.flaw:
            return Finding(Flaw.GRADIENT_VALUES, finding.message, finding.metrics)
    return finding


def missing_gradient(name: str, problem: Problem | None) -> Finding:
    """No gradient came back for this argument: was the graph cut, or did the backward pass fail?"""
    if problem is not None and "does not require grad" not in problem.message:
        return Finding(Flaw.GRADIENT_RAISED, f"The backward pass raised {describe(problem)}.")
    return Finding(Flaw.NO_GRADIENT, f"No gradient reaches {name}: somewhere the graph is cut.")


def _compare_arguments(case: Case, expected: Outcome, outcome: Outcome) -> Finding:
    del expected  # the arguments themselves are what is right
    for name, before in case.call.arguments.items():
        after = outcome.arguments.get(name)
        if isinstance(before, Tensor) and (after is None or not torch.equal(before, after)):
            return Finding(Flaw.CHANGED_ARGUMENT, f"The call changed its argument {name}; callers still need it.")
    return Finding()


_ASPECTS = {
    Aspect.OUTPUT: _compare_output,
    Aspect.GRADIENTS: _compare_gradients,
    Aspect.ARGUMENTS: _compare_arguments,
}
