"""Many submissions to the papers of one seed: what each mistake would give there is worked out once in a process.

A judge forgets it after some thousands, as each of its papers is put to one submission. The corpus has 1,300 to seven
papers, and asks for more than that of each.
"""

from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Final

from grader import exercise
from grader.diagnosis import prediction

_KEPT: Final[tuple[tuple[str, tuple[ModuleType, ...]], ...]] = (
    ("_predicted", (prediction,)),
    ("_is_failed_with", (prediction,)),
    ("_paper", (exercise,)),
)


def keep_all_predictions(put: Callable[[ModuleType, str, object], None] = setattr) -> None:
    """From now on, in this process; with a monkeypatch's `setattr`, until that is undone."""
    for name, modules in _KEPT:
        kept = cache(getattr(modules[0], name).__wrapped__)
        for module in modules:
            put(module, name, kept)
