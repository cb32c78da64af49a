"""A named mistake is pointed to where its values first come up, wherever its tell-tale names stand."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import torch
from torch import Tensor

from grader.challenge import Challenge
from grader.grade import grade
from grader.guest.execution import BY_LINE, Call, Detail, Outcome
from grader.guest.limits import Limits
from grader.guest.line_results import COLUMNS, COUNT, FIRST_FRAME, FIRST_SOURCE, MOST_RESULTS, NOT_FINITE, SUM
from grader.guest.submission import Submission
from grader.inprocess import InProcess
from grader.report import Diagnosis
from tests.worker.test_hostile_outcomes import Forger
from worker.sandbox.frames import decode_outcome, encode_outcome
from worker.sandbox.framing import MalformedFrameError, split

RIGHT = (Path(__file__).parents[2] / "examples" / "correct.py").read_text()
PATH = "cs336_basics/layers.py"
POSITIONS = "    angle = token_positions.to(x.device).double().unsqueeze(-1) * frequency"
ATTENTION = "    heads = scaled_dot_product_attention(Q, K, V)"
CAUSAL = "    heads = scaled_dot_product_attention(Q, K, V, torch.ones(seq, seq, dtype=torch.bool).tril())"
FIRST_COUNTED = POSITIONS.replace("unsqueeze(-1)", "add(1).unsqueeze(-1)")
SCORES = "    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])"
TWICE = "    scores = scores / width / width"
UNSCALED = "    scores = Q @ keys"
MERGED = "    return heads.transpose(-3, -2).reshape(*batch, seq, d_model) @ o_proj_weight.T"
AS_THEY_ARE = "    return merged"
LATE_SCALE = f"    width = math.sqrt(Q.shape[-1])\n    scores = Q @ K.transpose(-2, -1)\n{TWICE}"


def diagnosis(challenge: Challenge, source: str, execute: InProcess) -> Diagnosis:
    submission = Submission(PATH, {PATH: source.encode()})
    [found] = grade(challenge, submission, 3, execute, is_timed=False, is_guided=False).diagnoses
    return found


@pytest.mark.parametrize(
    ("old", "new", "name", "line"),
    [
        (POSITIONS, FIRST_COUNTED, "positions-off-by-one", FIRST_COUNTED),
        (ATTENTION, CAUSAL, "causal-mask", CAUSAL),  # though the values come up within a function that is right
        (SCORES, LATE_SCALE, "scale-not-sqrt", TWICE),
        (
            SCORES,
            f"    keys = K.transpose(-2, -1)\n{UNSCALED}",  # what is left out belongs there
            "missing-scale",
            UNSCALED,
        ),
        (
            MERGED,
            f"{MERGED.replace('return', 'merged =').removesuffix(' @ o_proj_weight.T')}\n{AS_THEY_ARE}",
            "missing-output-projection",
            AS_THEY_ARE,
        ),
    ],
)
def test_the_line_is_the_one_that_gives_wrong_values_first(
    mha_rope: Challenge, old: str, new: str, name: str, line: str
) -> None:
    assert RIGHT.count(old) == 1
    source = RIGHT.replace(old, new)
    found = diagnosis(mha_rope, source, InProcess())
    assert found.line is not None
    assert (found.id, source.splitlines()[found.line - 1]) == (name, line)


@dataclass(frozen=True)
class Pointing:
    """Has each result asked for by a line that the submission may not have."""

    file: float
    line: float

    def __call__(self, outcome: Outcome) -> Outcome:
        assert outcome.trace is not None
        assert outcome.trace.line_results is not None
        rows = outcome.trace.line_results.clone()
        rows[:, FIRST_FRAME:FIRST_SOURCE:3], rows[:, FIRST_FRAME + 1 : FIRST_SOURCE : 3] = self.file, self.line
        return replace(outcome, trace=replace(outcome.trace, line_results=rows))


@pytest.mark.parametrize(("file", "line"), [(0, 10**6), (0, 0), (1, 1), (-1, 1), (float("nan"), float("inf"))])
def test_nobody_is_pointed_to_a_line_that_is_not_there(mha_rope: Challenge, file: float, line: float) -> None:
    forge: Callable[[Outcome], Outcome] = Pointing(file, line)
    forger = Forger(forge, lambda _, call: call.tracing.detail is Detail.LINES)
    source = RIGHT.replace(ATTENTION, CAUSAL)
    found = diagnosis(mha_rope, source, forger)
    assert found.id == "causal-mask"
    assert found.line is not None
    assert 0 < found.line <= len(source.splitlines())


def test_what_memory_held_before_is_no_result() -> None:
    source = b"import torch\ndef f(x):\n    y = torch.empty(9)\n    y[1:5] = 2\n    return y[0:1] * torch.ones(6)"
    call = Call("one", "f", {"x": torch.ones(2)}, tracing=BY_LINE)
    [outcome] = InProcess().run(Submission(PATH, {PATH: source}), [call], Limits()).outcomes
    assert outcome.trace is not None
    assert outcome.trace.line_results is not None
    rows = outcome.trace.line_results
    assert 3 not in rows[:, -COLUMNS + 5]
    [product] = rows[(rows[:, COUNT] == 6) & (rows[:, SUM] != 6)]
    assert product[SUM].item() == pytest.approx(6 * NOT_FINITE["nan"])


@pytest.mark.parametrize(
    "table",
    [torch.zeros(3, COLUMNS - 1).double(), torch.zeros(MOST_RESULTS + 1, COLUMNS).double(), torch.zeros(3, COLUMNS)],
)
def test_what_is_no_table_is_refused(table: Tensor) -> None:
    call = Call("one", "f", {"x": torch.ones(2)}, tracing=BY_LINE)
    [honest] = InProcess().run(Submission(PATH, {PATH: b"def f(x): return x * 2"}), [call], Limits()).outcomes
    assert honest.trace is not None
    forged = replace(honest, trace=replace(honest.trace, line_results=table))
    frame = split(encode_outcome(forged).encode())
    with pytest.raises(MalformedFrameError, match="results of lines"):
        decode_outcome(call, frame, 0.0)
