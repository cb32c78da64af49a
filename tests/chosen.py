"""Which files of tests run, and in which order, by the seconds that they took before (`make test-times`)."""

import json
from itertools import accumulate
from pathlib import Path
from typing import Final

import pytest

from tests.not_run import NOT_RUN, note

ROOT: Final = Path(__file__).parents[1]
SECONDS: Final[dict[str, float]] = json.loads((ROOT / "tests" / "seconds.json").read_text(encoding="utf-8"))
FAST_S: Final = 45.0  # on one processor, all files of `--fast` together
BRIEF_S: Final = 800.0  # and those of `--brief`: with two processors and `make lint`, under eight minutes


def pytest_addoption(parser: pytest.Parser) -> None:
    choices = parser.getgroup("choice", "which files, by what they took")
    choices.addoption("--fast", action="store_true", help=f"those that are done soonest, {FAST_S:.0f} seconds of them")
    choices.addoption("--brief", action="store_true", help=f"the same, {BRIEF_S:.0f} seconds of them")
    choices.addoption("--long", action="store_true", help="the others")


def pytest_configure(config: pytest.Config) -> None:
    """What `--brief` leaves out is told at the end."""
    if config.getoption("brief"):
        left_out = len(long_files(SECONDS))
        note(config, "long tests", f"{NOT_RUN}{left_out} files; `make test-long` runs them, and CI does")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A new file is neither known to be fast nor long."""
    if not collection_path.match("test_*.py"):
        return None
    file = collection_path.relative_to(ROOT).as_posix()
    is_long = file in long_files(SECONDS)
    is_left_out = (
        (config.getoption("fast") and file not in quickest_files(SECONDS, FAST_S))
        or (config.getoption("brief") and is_long)
        or (config.getoption("long") and not is_long)
    )
    return is_left_out or None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """In a process of pytest-xdist, files that take long come first, and new ones before them: in another order one
    process would be left alone with a long file at the end.
    """
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: -SECONDS.get(item.path.relative_to(ROOT).as_posix(), float("inf")))


def quickest_files(seconds: dict[str, float], limit_s: float) -> set[str]:
    """Those that take least, as many as are done within the limit."""
    ordered = sorted(seconds, key=seconds.__getitem__)
    totals = accumulate(seconds[file] for file in ordered)
    return {file for file, total in zip(ordered, totals, strict=True) if total <= limit_s}


def long_files(seconds: dict[str, float], limit_s: float = BRIEF_S) -> set[str]:
    """Those for which there is no time in every run."""
    return seconds.keys() - quickest_files(seconds, limit_s)
