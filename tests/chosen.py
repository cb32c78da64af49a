"""Which files of tests run, and in which order, by the seconds that they took before (`make test-times`)."""

import json
from itertools import accumulate
from pathlib import Path
from typing import Final

import pytest

from tests.not_run import NOT_RUN, note

ROOT: Final = Path(__file__).parents[1]
SECONDS: Final[dict[str, float]] = json.loads((ROOT / "tests" / "seconds.json").read_text(encoding="utf-8"))
FAST_S: Final = 45.0  # on one processor, of the whole of `--fast`
LONG_S: Final = 15.0  # on one processor, of a file: one that takes longer is left out by `--brief`


def pytest_addoption(parser: pytest.Parser) -> None:
    choices = parser.getgroup("choice", "which files, by what they took")
    choices.addoption("--fast", action="store_true", help=f"those that are done soonest, {FAST_S:.0f} seconds of them")
    choices.addoption("--brief", action="store_true", help=f"all that take at most {LONG_S:.0f} seconds each")
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
        (config.getoption("fast") and file not in fast_files(SECONDS))
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


def fast_files(seconds: dict[str, float], limit_s: float = FAST_S) -> set[str]:
    """Those that take least, as many as are done within the limit."""
    ordered = sorted(seconds, key=seconds.__getitem__)
    totals = accumulate(seconds[file] for file in ordered)
    return {file for file, total in zip(ordered, totals, strict=True) if total <= limit_s}


def long_files(seconds: dict[str, float]) -> set[str]:
    """Those that take longer than one may which is in every run."""
    return {file for file, took in seconds.items() if took > LONG_S}
