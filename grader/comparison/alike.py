"""Are two outcomes the same, to within rounding? For diagnosis: a mistake is recognised by what it gives."""

import re

import torch
from torch import Tensor

from grader.comparison.compare import changed_arguments, compare, missing_gradient
from grader.comparison.shown import alike_shown
from grader.comparison.tolerance import tolerance
from grader.guest.execution import CallStatus, Gives, Outcome, Problem
from grader.paper.case import Aspect, Case
from grader.paper.mismatch import Mismatch

# Exceptions that come from sizes and values, as a wrong idea makes them. A misspelt name raises too, and tells nothing.
ABOUT_SIZES = {"RuntimeError", "ValueError", "IndexError", "AssertionError"}
SILENT = {"NotImplementedError", "RecursionError"}
# What no idea about the computation leads to: a call that does not fit the function.
CALLING = re.compile(r"\bmissing \d+ required|\btakes .*\bargument|unexpected keyword|not callable")
SIZES = re.compile(r"\b(unpack|shapes?|sizes?|dimensions?|ax[ei]s|broadcast)\b")
NUMBERS = re.compile(r"\d+")
KINDS = {
    "none": re.compile(r"\bNone(Type)?\b"),
    "graph": re.compile(r"requires? grad|does not require|backward|in-?place operation|leaf Variable"),
    "dtype": re.compile(r"\bdtypes?\b|scalar type|\bData type\b"),
}

# Why sizes or numbers do not fit. Products and sums tell by their sizes which they are; a split is written in many
# ways.
REASONS = {
    "missing": re.compile(r"Missing key"),
    "unexpected": re.compile(r"Unexpected key"),
    "split": re.compile(r"is invalid for input of size|multiply up to|cannot reshape|can't divide|not divisible"),
    "axes": re.compile(
        r"unpack|no axis|Dimension out of range|out of bounds|index out of range|repeated dim|permute|axes"
    ),
    "product": re.compile(r"cannot multiply|mat1 and mat2|batch2 tensor|matmul|size mismatch|inner dim"),
    "division": re.compile(r"by zero"),
    "sum": re.compile(r"must match the size of|broadcast"),
}


def alike(case: Case, predicted: Outcome, outcome: Outcome) -> bool:
    """Whether both refused the sizes, or both gave equal values in what the case looks at."""
    if predicted.status is not outcome.status or predicted.changed_earlier is not outcome.changed_earlier:
        return False
    if case.raises:
        return compare(case, predicted, predicted).mismatch is compare(case, predicted, outcome).mismatch
    if outcome.status is not CallStatus.RETURNED:
        kind = _kind(outcome.problem)
        return kind is not None and kind == _kind(predicted.problem) and _shows_alike(case, predicted, outcome)
    if case.call.gives is Gives.VALUES:
        return alike_shown(case, predicted, outcome)
    return all(_ALIKE[aspect](case, predicted, outcome) for aspect in case.aspects)


def _shows_alike(case: Case, predicted: Outcome, outcome: Outcome) -> bool:
    """What was seen before it raised, if anything is."""
    return case.call.gives is Gives.TENSORS or alike_shown(case, predicted, outcome)


def _kind(problem: Problem | None) -> str | None:
    """What the exception is about; None where it tells nothing. Another kind is never the same mistake."""
    if problem is not None and problem.is_of_the_harness:
        return problem.message
    if problem is None or SILENT & set(problem.bases) or CALLING.search(problem.message):
        return None
    if is_of_loading(problem):
        return _reason(problem)
    if "ArithmeticError" in problem.bases:
        return "arithmetic"
    is_about_sizes = bool(ABOUT_SIZES & set(problem.bases))
    if not is_about_sizes and not {"TypeError", "AttributeError"} & set(problem.bases):
        return None
    found = next((kind for kind, pattern in KINDS.items() if pattern.search(problem.message)), None)
    if is_about_sizes:
        return _sizes_or_refusal(problem) if found in (None, "none") else found
    return found or ("type" if "TypeError" in problem.bases else None)


def _sizes_or_refusal(problem: Problem) -> str:
    """Whether sizes did not fit, or the student's own code asked for something."""
    is_of_library = bool({"RuntimeError", "IndexError"} & set(problem.bases)) or SIZES.search(problem.message)
    return "sizes" if is_of_library else "refusal"


def is_of_loading(problem: Problem) -> bool:
    """Whether a module refuses what another of its class has saved."""
    return "loading state_dict" in problem.message


def is_same_reason(one: Problem, other: Problem) -> bool:
    """Whether they are of one type and say the same, about the same sizes where those show which step raised."""
    reason, other_reason = _reason(one), _reason(other)
    if one.type != other.type or reason != other_reason:
        return False
    if reason in ("missing", "unexpected", "split", "axes", "division"):
        return True
    sizes, other_sizes = ([size for size in NUMBERS.findall(said.message) if size != "1"] for said in (one, other))
    # Which of two comes first tells a product from another; a sum is written either way.
    return sizes == other_sizes if reason == "product" else sorted(sizes) == sorted(other_sizes)


def _reason(problem: Problem) -> str:
    found = (name for name, pattern in REASONS.items() if pattern.search(problem.message))
    return next(found, NUMBERS.sub("", problem.message))


def _output(case: Case, predicted: Outcome, outcome: Outcome) -> bool:
    return len(predicted.outputs) == len(outcome.outputs) and all(
        _close(case, ours, theirs, case.output_scale)
        for ours, theirs in zip(predicted.outputs, outcome.outputs, strict=True)
    )


def _gradients(case: Case, predicted: Outcome, outcome: Outcome) -> bool:
    """Of an equal output: the gradient of something else tells nothing about a mistake."""
    if not _output(case, predicted, outcome):
        return False
    for name in case.call.differentiate:
        ours, theirs = predicted.gradients.get(name), outcome.gradients.get(name)
        if ours is None or theirs is None:
            problems = (predicted.gradient_problem, outcome.gradient_problem)
            if ours is not theirs or len({_lack(name, problem) for problem in problems}) > 1:
                return False
        elif not _close(case, ours, theirs, case.scale):
            return False
    return True


def _lack(name: str, problem: Problem | None) -> tuple[Mismatch | None, str]:
    """Why there is no gradient. A backward pass can raise for many reasons: torch names one, then tells its sizes."""
    mismatch = missing_gradient(name, problem).mismatch
    reason = problem.message.partition(":")[0] if problem and mismatch is Mismatch.GRADIENT_RAISED else ""
    return mismatch, NUMBERS.sub("", reason)


def _arguments(case: Case, predicted: Outcome, outcome: Outcome) -> bool:
    return changed_arguments(case, predicted) == changed_arguments(case, outcome)


def _close(case: Case, ours: Tensor, theirs: Tensor, scale: float) -> bool:
    """Equal to within rounding, and not finite in the same places; the usual answer comes first."""
    if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
        return False
    if _is_within(case, ours, theirs, scale):
        return True
    finite = torch.isfinite(ours)
    if finite.all() or not torch.equal(finite, torch.isfinite(theirs)):
        return False
    return _is_within(case, ours[finite], theirs[finite], scale)


def _is_within(case: Case, ours: Tensor, theirs: Tensor, scale: float) -> bool:
    """False too where a difference is not a number. Either may be a submission's, and of any dtype."""
    ours, theirs = ours.double(), theirs.double()
    difference = (ours - theirs).abs()
    return difference.numel() == 0 or difference.amax().item() <= tolerance(ours, case.growth, scale)


_ALIKE = {
    Aspect.OUTPUT: _output,
    Aspect.GRADIENTS: _gradients,
    Aspect.ARGUMENTS: _arguments,
}
