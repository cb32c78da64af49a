"""Which files of tests run, and in which order, by the seconds that they took before (`make test-times`)."""

import json
import os
from itertools import accumulate
from pathlib import Path
from typing import Final

import pytest

from tests.not_run import NOT_RUN, note

ROOT: Final = Path(__file__).parents[1]
SECONDS: Final[dict[str, float]] = json.loads((ROOT / "tests" / "seconds.json").read_text(encoding="utf-8"))
FAST_S: Final = 45.0  # on one processor, of the whole of `--fast`


def pytest_addoption(parser: pytest.Parser) -> None:
    told = f"only the files that are done soonest, {FAST_S:.0f} seconds of them"
    parser.addoption("--fast", action="store_true", help=told)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With `--fast`, all files but those; a new one is not known to be fast."""
    if not config.getoption("fast") or not collection_path.match("test_*.py"):
        return None
    return collection_path.relative_to(ROOT).as_posix() not in fast_files(SECONDS) or None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """In a process of pytest-xdist, files that take long come first, and new ones before them: in another order one
    process would be left alone with a long file at the end.
    """
    if "TEST_LONG" not in os.environ:
        leave_out([item for item in items if item.get_closest_marker("long")], config)
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: -SECONDS.get(item.path.relative_to(ROOT).as_posix(), float("inf")))


def leave_out(long: list[pytest.Item], config: pytest.Config) -> None:
    """Skips them, and has it told at the end."""
    for item in long:
        item.add_marker(pytest.mark.skip(f"{NOT_RUN}one of the long tests; `make test-long` or TEST_LONG=1 runs them"))
    if long:
        files = len({item.path for item in long})
        note(config, "long tests", f"{NOT_RUN}{len(long)} in {files} files; `make test-long` runs them, and CI does")


def fast_files(seconds: dict[str, float], limit_s: float = FAST_S) -> set[str]:
    """Those that take least, as many as are done within the limit."""
    ordered = sorted(seconds, key=seconds.__getitem__)
    totals = accumulate(seconds[file] for file in ordered)
    return {file for file, total in zip(ordered, totals, strict=True) if total <= limit_s}
