"""A loop in some calls alone: the paper counts them all, and a few are made again with other numbers of heads."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext

import pytest
import torch

from grader.exercise import exercise_of
from grader.guest.execution import Call, CallStatus, End, Ending, Outcome, Session, Trace
from grader.guest.inspection import Inspection, SourceRules
from grader.guest.limits import Limits, Usage
from grader.guest.submission import Submission
from grader.inprocess import InProcess
from grader.paper.case import Case
from grader.rules.twins import COUNTED, Twins
from tests.installed import installed

EXERCISE = exercise_of(installed()["mha-functional"])
WIDTH = 12
Counts = Callable[[int, bool], int | None]  # of the number of heads, and whether there is a mask: None is an exception


def call(heads: int, *, masked: bool, d_model: int = WIDTH) -> Call:
    x, weights = torch.ones(2, 3, d_model), torch.ones(3 * d_model, d_model)
    mask = torch.zeros(2, 3, 3, dtype=torch.bool) if masked else None
    arguments = {"q": x, "k": x, "v": x, "num_heads": heads, "d_model": d_model, "mask": mask}
    return Call(
        "", "multi_head_attention", arguments | {"in_proj_weight": weights, "out_proj_weight": weights[:d_model]}
    )


def outcome(asked: Call, count: int | None) -> Outcome:
    if count is None:
        return Outcome("", CallStatus.RAISED)
    return Outcome("", CallStatus.RETURNED, (torch.ones_like(asked.arguments["q"]),), trace=Trace(operations=count))


class Counted(Session):
    """A submission that does so much for a call, and of which no more than so many calls are answered."""

    def __init__(self, counts: Counts, answers: int = 1000) -> None:
        self._counts, self._left = counts, answers

    def inspect(self, rules: SourceRules) -> Inspection:
        raise NotImplementedError

    def load(self) -> None:
        """It is loaded."""

    def calls(self, calls: Sequence[Call]) -> Iterator[Outcome]:
        for each in calls:
            self._left -= 1
            heads = each.arguments["num_heads"]
            assert isinstance(heads, int)
            count = self._counts(heads, each.arguments["mask"] is not None)
            yield outcome(each, count) if self._left >= 0 else Outcome("", CallStatus.NOT_RUN)

    def usage(self) -> Usage | None:
        return None

    @property
    def ending(self) -> Ending:
        return Ending.COMPLETED if self._left >= 0 else Ending.OUT_OF_TIME

    def end(self) -> End:
        return End(self.ending)


PAPER = [call(heads, masked=masked) for heads in (1, 2, 3, 4) for masked in (False, True)]


def shown(paper: Counts, now: Counts | None = None, fresh: Counts | None = None, answers: int = 1000) -> bool | None:
    """What is told of a submission that did so much in the paper, does so much now, and in a fresh session."""

    def reopen() -> AbstractContextManager[Session]:
        assert fresh is not None, "nothing asks for a fresh session"
        return nullcontext(Counted(fresh))

    cases = [Case(str(place), "", each) for place, each in enumerate(PAPER)]
    outcomes = [*Counted(paper).calls(PAPER)]
    return Twins(EXERCISE, cases, outcomes, reopen).shows_loop(Counted(now or paper, answers))


@pytest.mark.parametrize(
    ("counts", "loops"),
    [
        (lambda _heads, _masked: 20, False),
        (lambda _heads, masked: 20 + 9 * masked, False),
        (lambda heads, masked: 20 + 9 * masked + heads % 2, False),
        (lambda heads, masked: 60 - heads if masked else 20, False),  # a loop over the features of a head
        (lambda heads, masked: 20 + 3 * heads * masked, True),
        (lambda heads, _masked: 20 + 3 * heads * (heads % 3 == 0), True),
        (lambda heads, _masked: 20 + 5 * heads * (heads == 3), True),
    ],
)
def test_more_work_for_more_heads_is_a_loop_whichever_calls_do_it(counts: Counts, *, loops: bool) -> None:
    assert shown(counts) is loops


def test_what_was_kept_since_the_paper_is_no_loop() -> None:
    assert (
        shown(lambda _heads, masked: 20 + 9 * masked, lambda _heads, _masked: 20, lambda _heads, _masked: 20) is False
    )


def test_a_loop_in_first_calls_alone_shows_in_a_fresh_session() -> None:
    def looping(heads: int, _masked: bool) -> int:
        return 20 + 3 * heads

    assert shown(looping, lambda _heads, _masked: 20, looping) is True


def test_what_is_not_answered_is_asked_again_and_no_loop() -> None:
    def plain(_heads: int, masked: bool) -> int:
        return 20 + 9 * masked

    assert shown(plain, answers=1, fresh=plain) is False


def test_a_twin_that_raises_where_the_reference_answers_cannot_be_judged() -> None:
    assert shown(lambda heads, masked: 20 + 9 * masked if heads < 5 else None) is None


@pytest.mark.parametrize("high", [2.0, 0.1])  # of these, torch draws in two ways
def test_how_often_an_initialiser_draws_again_does_not_count(high: float) -> None:
    draw = f"torch.nn.init.trunc_normal_(torch.empty(40, 40), a=0.0, b={high})"
    source = f"import torch\ndef f(x):\n    {draw}\n    return x * 2\n"
    calls = [Call(str(number), "f", {"x": torch.ones(3)}, tracing=COUNTED) for number in range(40)]
    outcomes = InProcess().run(Submission("f.py", {"f.py": source.encode()}), calls, Limits()).outcomes
    [count] = {outcome.trace.operations for outcome in outcomes if outcome.trace}
    assert count > 0
