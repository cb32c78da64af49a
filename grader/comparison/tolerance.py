"""Are these the right numbers? Tolerances are derived, not chosen: docs/tolerance.md."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor

from grader.paper.mismatch import Mismatch

# float64 submissions are held to float32 accuracy too: tables in float32 are no mistake (CONTRACT.md).
ROUNDING = torch.finfo(torch.float32).eps


@dataclass(frozen=True)
class Finding:
    """What comparing one case found. Without a mismatch the case is passed."""

    mismatch: Mismatch | None = None
    message: str = ""
    metrics: Mapping[str, float] = field(default_factory=dict)

    @property
    def share(self) -> float:
        """The error in tolerances; 0 where it is not a matter of numbers."""
        return share_of(self.metrics)


def share_of(metrics: Mapping[str, float]) -> float:
    """Returns the error in tolerances; 0 where it is not a matter of numbers."""
    error = metrics.get("max_abs_error", 0.0)
    return error / metrics["tolerance"] if error and math.isfinite(error) else 0.0


def tolerance(expected: Tensor, growth: float, scale: float = 0.0) -> float:
    """The largest absolute error that rounding explains in `expected`, of any shape: `growth` roundings in float32 of
    its largest absolute value, or of `scale` where that is larger.
    """
    return bound(expected.abs().amax().item() if expected.numel() else 0.0, growth, scale)


def bound(largest: float, growth: float, scale: float = 0.0) -> float:
    """Returns the same as `tolerance`, where the largest absolute value is known."""
    return ROUNDING * growth * max(largest, scale, torch.finfo(torch.float32).tiny)


def compare_values(right: Tensor, found: Tensor, growth: float, what: str, scale: float = 0.0) -> Finding:
    """Compares two tensors of one shape in float64, and names the element that is furthest off. `what` they are is the
    subject of the message. NaN and infinity are told apart from wrong numbers: the remedy differs.
    """
    allowed = tolerance(right, growth, scale)
    difference = (found.to(torch.float64) - right.to(torch.float64)).abs()
    error = difference.amax().item() if difference.numel() else 0.0
    if not math.isfinite(error) and (count := int((~torch.isfinite(found)).sum())):
        return Finding(Mismatch.NOT_FINITE, f"{count} of {found.numel()} values of the {what} are NaN or infinite.")
    metrics = {"max_abs_error": error, "tolerance": allowed}
    if math.isfinite(error) and error <= allowed:
        return Finding(metrics=metrics)
    if difference.dim() == 0:
        message = f"The {agreeing(what, 'is', 'are')} {found.item():.6g}; it should be {right.item():.6g}."
        return Finding(Mismatch.VALUES, message, metrics)
    place = tuple(int(index) for index in np.unravel_index(int(difference.argmax()), difference.shape))
    got, wanted = told_apart(found[place].item(), right[place].item())
    message = (
        f"The {agreeing(what, 'is', 'are')} off by up to {error:.2g} (at index {place}: {got} instead of {wanted}); "
        f"rounding explains {allowed:.1g}."
    )
    return Finding(Mismatch.VALUES, message, metrics)


def agreeing(what: str, singular: str, plural: str) -> str:
    """A subject with its verb: "output is", "outputs of two calls are"."""
    noun = what.partition(" of ")[0]
    return f"{what} {plural if noun.endswith('s') and not noun.endswith('ss') else singular}"


def told_apart(found: float, right: float) -> tuple[str, str]:
    """Writes both numbers with four digits, or as many more as it takes to see that they differ."""
    written = ((f"{found:.{digits}g}", f"{right:.{digits}g}") for digits in range(4, 17))
    return next((pair for pair in written if pair[0] != pair[1]), (repr(found), repr(right)))
