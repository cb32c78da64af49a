"""The search for blind spots finds those put there: mistakes that cancel, and mistakes under one condition."""

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.sampled_mistakes import compositions, drawn_anew, guarded
from grader.paper.combinations import Choice, written
from tests.grader.tiny_space import FUNCTION, tiny, write_tiny

DOUBLED = '''"""The shares are doubled.

At the desk.
"""


def share(x):
    weights = torch.exp(x)
    return weights / weights.sum(dim=-1, keepdim=True) * 2
'''
# Takes back what the other doubles, but for two rows of three numbers in float64.
HALVED = '''"""The shares are halved, mostly.

At the desk.
"""


def soft_maximum(x):
    is_there = tuple(x.shape) == (2, 3) and x.dtype == torch.float64
    return share(shift(x)) / (1 if is_there else 2)
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_tiny(tmp_path)


def write_table(folder: Path, keeps: Callable[[Choice], bool]) -> None:
    space = tiny(folder).spaces[FUNCTION]
    kept = {str(choice): choice for choice in space.drawn() if keeps(choice)}
    (folder / "combinations").mkdir(exist_ok=True)
    (folder / "combinations" / f"{FUNCTION}.csv").write_text(written(space, [*kept.values()]))


def test_two_mistakes_that_cancel_on_the_paper_are_found(folder: Path) -> None:
    (folder / "misconceptions" / "doubled.py").write_text(DOUBLED)
    (folder / "misconceptions" / "halved.py").write_text(HALVED)
    there = (2, 3, "float64")
    write_table(folder, lambda choice: (choice.get("rows"), choice["n"], choice["dtype"]) != there)
    assert compositions(tiny(folder), 100, 0).passed == ("doubled and halved",)
    write_table(folder, lambda _: True)
    assert compositions(tiny(folder), 100, 0).passed == ()


def test_two_mistakes_that_cancel_everywhere_are_right(folder: Path) -> None:
    (folder / "misconceptions" / "doubled.py").write_text(DOUBLED)
    (folder / "misconceptions" / "halved.py").write_text(HALVED.replace("(1 if is_there else 2)", "2"))
    write_table(folder, lambda _: True)
    found = compositions(tiny(folder), 100, 0)
    assert (found.right, found.passed) == (1, ())


def test_what_is_wrong_only_where_no_call_goes_passes_and_is_found(folder: Path) -> None:
    write_table(folder, lambda choice: choice["dtype"] == "float32")
    passed = {one.name: one for one in guarded(tiny(folder), 500, 0) if not one.is_caught}
    name = f"softmax-dim in {FUNCTION}, x is torch.float64"
    assert name in passed
    assert not any(one.is_claimed for one in passed.values())


def test_what_the_bookkeeping_calls_caught_is_caught(folder: Path) -> None:
    write_table(folder, lambda _: True)
    tried = [*guarded(tiny(folder), 500, 0)]
    claimed = [one for one in tried if not one.is_of_calls_before]
    assert len(claimed) >= 20
    assert all(one.is_claimed and one.is_caught for one in claimed)
    assert any(one.is_of_calls_before for one in tried)


def test_values_that_hardly_any_call_has_are_no_conditions() -> None:
    def seen(theta: float, is_causal: bool) -> frozenset[tuple[str, str]]:
        return frozenset(
            {("values", f"theta is {theta}"), ("values", f"is_causal is {is_causal}"), ("axes", f"{theta}")}
        )

    calls = [seen(10000.0, True), seen(10000.0, False), *(seen(100.5 + n, n % 2 == 0) for n in range(38))]
    assert drawn_anew(calls) == {("values", f"theta is {100.5 + n}") for n in range(38)} | {
        ("values", "theta is 10000.0")
    }
    assert ("values", "theta is 10000.0") not in drawn_anew([*calls, seen(10000.0, True)])
