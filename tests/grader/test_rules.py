"""The rules about how code is written, from what was seen of it."""

from collections.abc import Mapping

import pytest

from grader.guest.execution import Call, CallStatus, Outcome, Trace
from grader.guest.inspection import FindingKind, Inspection, Place, StaticFinding
from grader.paper.case import StructureCall
from grader.report import RuleStatus, TestResult, TestStatus
from grader.rules.judging import Watched, judge_rules, most_heads
from tests.installed import installed

MANIFEST = installed()["mha-rope"].manifest


def asked(name: str) -> StructureCall:
    """`heads-2/t` is a call of the main function with two heads, of kind `t`; any other name is a part's."""
    if not name.startswith("heads-"):
        return StructureCall(Call(name, name, {}))
    heads, _, kind = name.removeprefix("heads-").partition("/")
    return StructureCall(Call(name, MANIFEST.source.main, {}), int(heads), kind)


def broken(
    watched: Mapping[str, Trace | None],
    paper: tuple[Trace, ...] = (),
    inspection: Inspection = Inspection(),  # noqa: B008  frozen
    tests: tuple[TestResult, ...] = (),
) -> set[str]:
    def outcome(name: str, trace: Trace | None) -> Outcome:
        return Outcome(name, CallStatus.RETURNED, trace=trace)

    findings = judge_rules(
        MANIFEST,
        inspection,
        [Watched(asked(name), outcome(name, trace)) for name, trace in watched.items()],
        [outcome(str(index), trace) for index, trace in enumerate(paper)],
        tests,
    )
    return {finding.rule for finding in findings if finding.status is RuleStatus.FAILED}


def counts(**operations: int) -> dict[str, Trace]:
    """`heads_2_float64=7` is seven operations in the call `heads-2/float64`."""
    parts = {name: name.split("_") for name in operations}
    return {
        "/".join(["-".join(part[:2]), *part[2:]]): Trace(operations=operations[name]) for name, part in parts.items()
    }


@pytest.mark.parametrize(
    ("operations", "loops"),
    [
        ({"heads_1": 40, "heads_2": 40, "heads_16": 40}, False),
        ({"heads_1": 40, "heads_2": 41, "heads_16": 55}, True),
        ({"heads_1": 40, "heads_2": 60, "heads_16": 60}, False),  # one head goes a shorter way
        ({"heads_1": 40, "heads_16": 54}, False),
        ({"heads_1": 40, "heads_16": 40, "heads_2_float64": 40, "heads_12_float64": 50}, True),
        ({"heads_1": 40, "heads_16": 40, "heads_12_float64": 90}, False),  # nothing to compare with
    ],
)
def test_work_that_grows_with_the_heads_is_a_loop(operations: dict[str, int], *, loops: bool) -> None:
    assert ("no-loop-over-heads" in broken(counts(**operations))) is loops


def test_one_head_alone_accuses_nobody_whose_other_calls_raised() -> None:
    failed = TestResult(
        id="heads/1", group="heads", title="", status=TestStatus.FAILED, score=0, max_score=1, visibility="public"
    )
    watched = counts(heads_1=61, heads_2=65) | {"heads-16": None}
    assert "no-loop-over-heads" not in broken(watched, tests=(failed,))
    assert "no-loop-over-heads" in broken(watched)  # right, and raises where it is watched
    assert "no-loop-over-heads" in broken(counts(heads_1=61, heads_2=65, heads_14=113), tests=(failed,))


def test_what_any_watched_call_does_not_show_speaks_against_what_is_right() -> None:
    """A counter of calls tells which of them are watched, and a loop hides where they raise."""
    watched = counts(heads_1=40, heads_16=40, heads_2_training=40)
    assert "no-loop-over-heads" not in broken(watched)
    for silent in ("heads-14", "heads-12/training", "rope"):
        assert "no-loop-over-heads" in broken(watched | {silent: None})


def test_the_library_in_one_call_of_the_paper_is_enough() -> None:
    right = Trace(torch_functions=frozenset({"softmax"}))
    library = Trace(torch_functions=frozenset({"aten.scaled_dot_product_attention.default"}))
    assert "no-library-attention" not in broken({"heads-16": right}, (right, right))
    assert "no-library-attention" in broken({"heads-16": right}, (right, library))


def test_what_works_out_of_sight_cannot_be_judged() -> None:
    plain, hidden = Trace(), Trace(unseen=frozenset({"the operator mine.attend"}))
    assert broken({"heads-16": plain}, (plain,)).isdisjoint({"no-loop-over-heads", "no-library-attention"})
    for watched, paper in (({"heads-1": plain, "heads-16": hidden}, ()), ({"heads-16": plain}, (plain, hidden))):
        assert "no-library-attention" in broken(watched, paper)
    assert "no-loop-over-heads" in broken({"heads-1": plain, "heads-16": hidden})


def test_of_each_kind_of_call_the_one_with_most_heads() -> None:
    names = ("heads-16", "heads-1", "heads-2/t", "heads-12/t", "rope")
    watched = [Watched(asked(name), Outcome(name, CallStatus.RETURNED)) for name in names]
    assert [one.asked.name for one in most_heads(watched)] == ["heads-16", "heads-12/t"]


def test_in_a_script_the_source_tells_of_the_library() -> None:
    """A script makes operations of it, of which none has its name."""
    both = (FindingKind.LIBRARY, FindingKind.SCRIPT)
    for kinds in ((), *((kind,) for kind in both), both):
        found = Inspection(findings=tuple(StaticFinding(kind, Place(1)) for kind in kinds))
        assert ("no-library-attention" in broken({"heads-16": Trace()}, inspection=found)) is (kinds == both)


def test_a_helper_of_the_part_is_not_the_part() -> None:
    own = frozenset({"scaled_dot_product_attention", "core", "softmax"})
    part = Trace(own_functions=own, yielding=own - {"softmax"})
    for shared, is_broken in (({"softmax"}, True), ({"softmax", "core"}, False)):
        watched = {"scaled_dot_product_attention": part, "heads-16": Trace(own_functions=frozenset(shared))}
        assert ("uses-own-attention" in broken(watched)) is is_broken
