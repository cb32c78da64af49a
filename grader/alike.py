"""Are two outcomes the same, to within rounding? For diagnosis: a mistake is recognised by what it gives."""

import torch
from torch import Tensor

from grader.compare import compare, missing_gradient, tolerance
from grader.execution import CallStatus, Outcome, Problem
from grader.paper import Aspect, Case

# Exceptions that come from sizes and values, as a wrong idea makes them. A misspelt name raises too, and tells nothing.
TELLING = {"RuntimeError", "ValueError", "IndexError", "TypeError", "AssertionError"}
SILENT = {"NotImplementedError", "RecursionError"}


def alike(case: Case, predicted: Outcome, outcome: Outcome) -> bool:
    """Both refused the sizes, or both gave equal values in what the case looks at."""
    if predicted.status is not outcome.status:
        return False
    if case.raises:
        return compare(case, predicted, predicted).flaw is compare(case, predicted, outcome).flaw
    if outcome.status is not CallStatus.RETURNED:
        return _is_telling(outcome.problem) and _is_type_error(predicted.problem) == _is_type_error(outcome.problem)
    return all(_ALIKE[aspect](case, predicted, outcome) for aspect in case.aspects)


def _is_telling(problem: Problem | None) -> bool:
    return problem is not None and bool(TELLING & set(problem.bases)) and not SILENT & set(problem.bases)


def _is_type_error(problem: Problem | None) -> bool:
    """The wrong kind of thing, and not the wrong size: that is never the same mistake."""
    return problem is not None and "TypeError" in problem.bases


def _output(case: Case, predicted: Outcome, outcome: Outcome) -> bool:
    return len(predicted.outputs) == len(outcome.outputs) and all(
        _close(case, ours, theirs) for ours, theirs in zip(predicted.outputs, outcome.outputs, strict=True)
    )


def _gradients(case: Case, predicted: Outcome, outcome: Outcome) -> bool:
    """Of an equal output: the gradient of something else tells nothing about a mistake."""
    if not _output(case, predicted, outcome):
        return False
    for name in case.call.differentiate:
        ours, theirs = predicted.gradients.get(name), outcome.gradients.get(name)
        if ours is None or theirs is None:
            problems = (predicted.gradient_problem, outcome.gradient_problem)
            if ours is not theirs or len({missing_gradient(name, problem).flaw for problem in problems}) > 1:
                return False
        elif not _close(case, ours, theirs):
            return False
    return True


def _arguments(case: Case, predicted: Outcome, outcome: Outcome) -> bool:
    return _changed(case, predicted) == _changed(case, outcome)


def _changed(case: Case, outcome: Outcome) -> set[str]:
    return {
        name
        for name, before in case.call.arguments.items()
        if isinstance(before, Tensor) and (after := outcome.arguments.get(name)) is not None
        if not torch.equal(before, after)
    }


def _close(case: Case, ours: Tensor, theirs: Tensor) -> bool:
    """Equal to within rounding, and not finite in the same places; the usual answer comes first."""
    if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
        return False
    if _is_within(case, ours, theirs):
        return True
    finite = torch.isfinite(ours)
    if finite.all() or not torch.equal(finite, torch.isfinite(theirs)):
        return False
    return _is_within(case, ours[finite], theirs[finite])


def _is_within(case: Case, ours: Tensor, theirs: Tensor) -> bool:
    """False too where a difference is not a number."""
    difference = (ours.double() - theirs.double()).abs()
    return difference.numel() == 0 or difference.amax().item() <= tolerance(ours, case.growth)


_ALIKE = {
    Aspect.OUTPUT: _output,
    Aspect.GRADIENTS: _gradients,
    Aspect.ARGUMENTS: _arguments,
}
