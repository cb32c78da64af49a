"""Where a wrong output differs from the right one, small enough to draw. For what may be shown, when it fails."""

import torch
from torch import Tensor

from grader.comparison.attention import OUTPUT_PROJECTIONS
from grader.comparison.scored_case import ScoredCase
from grader.comparison.tolerance import tolerance
from grader.paper.case import Case
from grader.report import ErrorMap

ROWS_MAX, COLUMNS_MAX, HEADS_MAX = 16, 32, 32
WORST = 9


def error_map(item: ScoredCase, heads_parameter: str | None) -> ErrorMap | None:
    """Maps the first output that is wrong by value. None where nothing of it is right: then a map tells nothing."""
    for right, found in zip(item.expected.outputs, item.outcome.outputs, strict=True):
        difference = found.to(torch.float64) - right.to(torch.float64)
        bound = tolerance(right, item.case.growth, item.case.output_scale)
        if difference.dim() > 1 and difference.numel() and difference.abs().amax() > bound:
            return _drawn(item.case, difference, bound, heads_parameter)
    return None


def _drawn(case: Case, difference: Tensor, bound: float, heads_parameter: str | None) -> ErrorMap | None:
    if not torch.isfinite(difference).all():  # of numbers near the end of their range
        return None
    cells, heads = _cells(difference, bound), _heads(case, difference, bound, heads_parameter)
    if not any("0" in digits for digits in (*cells, heads)):
        return None
    positions, features = difference.shape[-2:]
    return ErrorMap(positions=positions, features=features, cells=cells, heads=heads)


def _cells(difference: Tensor, bound: float) -> tuple[str, ...]:
    """The largest error of each cell, over all leading axes."""
    positions, features = difference.shape[-2:]
    errors = difference.abs().reshape(-1, positions, features).amax(0)
    rows = [part.amax(0) for part in errors.tensor_split(min(positions, ROWS_MAX))]
    columns = [part.amax(-1) for part in torch.stack(rows).tensor_split(min(features, COLUMNS_MAX), dim=-1)]
    cells = torch.stack(columns, dim=-1)
    return tuple(_levels(row, bound, cells.amax().item()) for row in cells)


def _heads(case: Case, difference: Tensor, bound: float, parameter: str | None) -> str:
    """A digit for each head, where the output is that of the projection after the heads and can be undone."""
    count = case.call.arguments.get(parameter or "")
    weight = next((case.call.arguments[name] for name in OUTPUT_PROJECTIONS if name in case.call.arguments), None)
    features = difference.shape[-1]
    if not isinstance(count, int) or not isinstance(weight, Tensor) or not 1 < count <= HEADS_MAX:
        return ""
    if weight.shape != (features, features) or features % count:
        return ""
    undone, singular = torch.linalg.inv_ex(weight.to(torch.float64).mT)
    if singular or not torch.isfinite(difference @ undone).all():
        return ""
    errors = (difference @ undone).abs().reshape(-1, count, features // count).amax(dim=(0, 2))
    allowed = bound * undone.abs().sum(0).amax().item()  # rounding grows as it is undone
    if allowed * WORST > errors.amax():  # so much that a wrong head would pass for a right one
        return ""
    return _levels(errors, allowed, errors.amax().item())


def _levels(errors: Tensor, bound: float, top: float) -> str:
    """Nine parts of the largest error, and 0 for what is within the tolerance."""
    return "".join("0" if error <= bound else str(max(1, round(WORST * (error / top)))) for error in errors.tolist())
