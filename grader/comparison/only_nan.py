"""Where nothing but NaN comes back: the sentence to begin with, as no number tells what went wrong."""

from collections.abc import Sequence

import torch

from grader.comparison.scored_case import ScoredCase
from grader.paper.case import Case

CAUSES = (
    "NaN comes from 0 / 0, from infinity times 0 or from infinity minus infinity, as in the softmax of a row of minus "
    "infinities: print what each line makes, and look for the first NaN."
)


def only_nan(scored: Sequence[ScoredCase]) -> str:
    """Says of which functions every result is NaN throughout; empty where each of them gave some other number."""
    results: dict[str, list[bool]] = {}
    for item in scored:
        if item.case.what == Case.what and item.outcome.outputs:
            is_nan = all(bool(torch.isnan(output).all()) for output in item.outcome.outputs)
            results.setdefault(item.case.call.function, []).append(is_nan)
    hopeless = [name for name, are_nan in results.items() if all(are_nan)]
    if not hopeless:
        return ""
    of = "" if len(hopeless) == len(results) else f" of {' and '.join(f'`{name}`' for name in hopeless)}"
    return f"Every result{of} is NaN. {CAUSES}"
