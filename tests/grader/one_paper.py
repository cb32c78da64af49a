"""Many submissions to the papers of one seed: what each mistake would give there is worked out once in a process.

A judge forgets it after some thousands, as each of its papers is put to one submission. The corpus has 1,300 to seven
papers, and asks for more than that of each.
"""

from functools import cache
from types import ModuleType
from typing import Final

from grader import exercise
from grader.diagnosis import credibility, evidence, prediction, search

_KEPT: Final[tuple[tuple[str, tuple[ModuleType, ...]], ...]] = (
    ("predicted", (prediction, search, credibility, evidence)),
    ("_is_failed_with", (prediction,)),
    ("_paper", (exercise,)),
)


def keep_all_predictions() -> None:
    """From now on, in this process."""
    for name, modules in _KEPT:
        kept = cache(getattr(modules[0], name).__wrapped__)
        for module in modules:
            assert hasattr(module, name)
            setattr(module, name, kept)
