"""What all wrong results have in common, where that says more than how many there are: the sentence to begin with."""

from collections import Counter
from collections.abc import Sequence

import torch

from grader.comparison.scored_case import ScoredCase
from grader.comparison.set_apart import set_apart
from grader.comparison.shapes import explain_shape
from grader.grouping import grouped
from grader.manifest import Manifest
from grader.paper.case import Case
from grader.paper.mismatch import Mismatch
from grader.report import Visibility

CAUSES = (
    "NaN comes from 0 / 0, from infinity times 0 or from infinity minus infinity, as in the softmax of a row of minus "
    "infinities: print what each line makes, and look for the first NaN."
)


def in_common(manifest: Manifest, scored: Sequence[ScoredCase]) -> str:
    """Says in a sentence or two what all wrong results have in common; empty where there is nothing of that kind."""
    return _only_nan(scored) or _one_shape(scored) or _one_rule(manifest, scored) or set_apart(scored)


def _only_nan(scored: Sequence[ScoredCase]) -> str:
    """Says of which functions every result is NaN throughout; empty where each of them gave some other number."""
    results = grouped(
        (item.function, all(bool(torch.isnan(output).all()) for output in item.outcome.outputs))
        for item in scored
        if item.case.what == Case.what and item.outcome.outputs
    )
    hopeless = [name for name, are_nan in results.items() if all(are_nan)]
    if not hopeless:
        return ""
    of = "" if len(hopeless) == len(results) else f" of {' and '.join(f'`{name}`' for name in hopeless)}"
    return f"Every result{of} is NaN. {CAUSES}"


def _one_shape(scored: Sequence[ScoredCase]) -> str:
    """Says what the shape of every wrong result of a function means, if it is the same slip in most of them."""
    wrong = grouped(
        (item.function, item) for item in scored if item.finding.mismatch is not None and item.outcome.outputs
    )
    for function, items in wrong.items():
        meanings = Counter(_meaning(item) for item in items)
        meaning, count = meanings.most_common(1)[0]
        are_of_shape = all(item.finding.mismatch is Mismatch.SHAPE or _meaning(item) for item in items)
        if meaning and are_of_shape and set(meanings) <= {meaning, ""} and 2 * count > len(items) > 2:
            return f"All wrong results of `{function}` have a wrong shape. {meaning}"
    return ""


def _one_rule(manifest: Manifest, scored: Sequence[ScoredCase]) -> str:
    """Says the rule by whose cases all that fails is about the same: whoever breaks it is told it anyway."""
    wrong = [item for item in scored if item.finding.mismatch is not None]
    about = {item.case.hint_for(item.finding.mismatch) for item in wrong if item.finding.mismatch is not None}
    failed = {item.case.id for item in wrong}
    rule = next((rule for rule in manifest.rules.values() if failed.intersection(rule.cases)), None)
    return rule.message if rule and len(about) == 1 and about != {""} else ""


def _meaning(item: ScoredCase) -> str:
    pairs = zip(item.expected.outputs, item.outcome.outputs, strict=False)
    said = (explain_shape(item.case.call, tuple(right.shape), tuple(found.shape)) for right, found in pairs)
    return next((sentence for sentence in said if sentence), "")


def first_told(manifest: Manifest, scored: Sequence[ScoredCase]) -> str:
    """Names the test to begin with, and what it is about: the first that is required and that students may read."""
    for item in scored:
        family = manifest.families[item.case.family]
        if item.finding.mismatch is not None and family.required and family.visibility is Visibility.PUBLIC:
            return f'The first is "{item.case.title}". {item.case.hint_for(item.finding.mismatch)}'.strip()
    return ""
