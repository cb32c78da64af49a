"""Where an output differs: told of public tests alone, and only where something of it is right."""

from collections.abc import Mapping
from pathlib import Path

import pytest
import torch

from grader.challenge import Challenge
from grader.comparison.error_map import error_map
from grader.comparison.scored_case import ScoredCase
from grader.comparison.tolerance import Finding
from grader.exercise import exercise_of
from grader.grade import grade
from grader.guest.execution import Call, CallStatus, Outcome, Value
from grader.guest.submission import Submission
from grader.inprocess import InProcess
from grader.paper.case import Case
from grader.paper.mismatch import Mismatch
from grader.report import Report, TestStatus, Visibility

RIGHT = (Path(__file__).parents[2] / "examples" / "correct.py").read_text()
ATTENDED = "heads = scaled_dot_product_attention(Q, K, V)"
LAST_HEAD_LOST = f"{ATTENDED}\n    heads = torch.cat([heads[..., :-1, :, :], 0 * heads[..., -1:, :, :]], dim=-3)"


def graded(challenge: Challenge, source: str) -> Report:
    path = challenge.manifest.default_path
    return grade(challenge, Submission(path, {path: source.encode()}), 7, InProcess(), is_timed=False)


@pytest.fixture(scope="module")
def one_head_lost(mha_rope: Challenge) -> Report:
    return graded(mha_rope, RIGHT.replace(ATTENDED, LAST_HEAD_LOST))


def test_the_head_that_is_wrong_is_told_through_the_output_projection(one_head_lost: Report) -> None:
    maps = {test.group: test.error_map for test in one_head_lost.tests if test.error_map}
    told = {found.heads for found in maps.values() if found.heads}
    assert "0009" in told
    assert all(heads == "9".rjust(len(heads), "0") for heads in told), "the last head, however many there are"
    assert "0" not in "".join(maps["batch"].cells)  # the projection spreads it over all features


def test_one_map_for_a_family_and_none_of_what_is_hidden_or_right(one_head_lost: Report) -> None:
    mapped = [test for test in one_head_lost.tests if test.error_map]
    assert len({test.group for test in mapped}) == len(mapped) > 2
    assert {test.visibility for test in mapped} == {Visibility.PUBLIC}
    assert {test.status for test in mapped} == {TestStatus.FAILED}
    hidden = [test for test in one_head_lost.tests if test.visibility is not Visibility.PUBLIC]
    assert any(test.status is TestStatus.FAILED for test in hidden)


def test_positions_that_are_right_are_seen(mha_rope: Challenge) -> None:
    exercise = exercise_of(mha_rope)
    causal = next(found for found in exercise.misconceptions if found.name == "causal-mask")
    report = grade(mha_rope, exercise.submission_with(causal), 7, InProcess(), is_timed=False)
    (found,) = [test.error_map for test in report.tests if test.error_map]
    assert found.cells[-1] == "0" * found.features  # the last token sees all, with the mask and without
    assert "0" not in "".join(found.cells[:-1])


def scored(found: torch.Tensor, arguments: Mapping[str, Value] | None = None) -> ScoredCase:
    case = Case("a/b", "", Call("a/b", "f", arguments or {}))
    right, wrong = (Outcome("a/b", CallStatus.RETURNED, outputs=(each,)) for each in (torch.ones_like(found), found))
    return ScoredCase(case, right, wrong, Finding(Mismatch.VALUES))


def test_an_empty_output_has_no_map() -> None:
    assert error_map(scored(torch.ones(2, 0, 8)), None) is None


def test_a_map_is_small_however_large_the_output() -> None:
    found = torch.ones(2, 100, 1000)
    found[1, 50, 999] = 2.0
    drawn = error_map(scored(found), None)
    assert drawn is not None
    assert (drawn.positions, drawn.features) == (100, 1000)
    assert [len(drawn.cells), *{len(row) for row in drawn.cells}] == [16, 32]
    assert [(row, digits.index("9")) for row, digits in enumerate(drawn.cells) if "9" in digits] == [(7, 31)]
    assert sum(digits.count("0") for digits in drawn.cells) == 16 * 32 - 1


def test_what_is_wrong_throughout_or_beyond_measure_has_no_map() -> None:
    assert error_map(scored(torch.zeros(4, 4)), None) is None
    huge = torch.ones(4, 4, dtype=torch.float64)
    huge[0, 0] = torch.finfo(torch.float64).max
    drawn = error_map(scored(huge), None)
    assert drawn is not None
    assert drawn.cells[0] == "9000"
    assert error_map(scored(torch.zeros(4)), None) is None


def test_a_student_who_may_not_read_a_test_gets_no_map(one_head_lost: Report) -> None:
    public = one_head_lost.for_student()
    assert [test.error_map for test in public.tests] == [test.error_map for test in one_head_lost.tests]
    assert not any(test.error_map for test in one_head_lost.for_student(frozenset()).tests)


@pytest.mark.parametrize(("smallest", "told"), [(1.0, "90"), (1e-7, "")])
def test_heads_are_told_only_where_rounding_cannot_hide_one(smallest: float, told: str) -> None:
    found = torch.ones(3, 4)
    found[1, 0] = 2.0
    output_projection = torch.diag(torch.tensor([1.0, 1.0, 1.0, smallest]))
    item = scored(found, {"num_heads": 2, "o_proj_weight": output_projection})
    drawn = error_map(item, "num_heads")
    assert drawn is not None
    assert drawn.heads == told
