"""grade() from data to data: what the report says about right, wrong and unfinished submissions."""

import json
from concurrent import futures
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from grader.challenge import Challenge
from grader.exercise import exercise_of
from grader.grade import grade
from grader.guest.execution import CallStatus, End, Ending, Outcome, SandboxUnavailable
from grader.guest.submission import Submission
from grader.inprocess import InProcess
from grader.report import Report, RuleStatus, TestStatus, Verdict, Visibility
from tests.grader.corpus import entries
from tests.installed import installed

ROOT = Path(__file__).parents[2]
SEED = 7  # of all gradings of mha-rope here: what is worked out for its paper serves them all
SCHEMA = json.loads((ROOT / "docs" / "report.schema.json").read_text())


def submission(source: str | bytes) -> Submission:
    data = source.encode() if isinstance(source, str) else source
    return Submission("cs336_basics/layers.py", {"cs336_basics/layers.py": data})


def test_the_baseline_passes_with_full_marks(mha_rope: Challenge) -> None:
    report = grade(mha_rope, exercise_of(mha_rope).baseline(), SEED, InProcess())
    assert report.verdict is Verdict.PASSED
    assert report.score == report.max_score == 100
    assert sum(test.max_score for test in report.tests) == pytest.approx(100)
    assert report.efficiency is not None
    assert report.efficiency.time_ratio


def test_a_starter_in_which_something_was_begun_fails_as_unfinished(mha_rope: Challenge) -> None:
    starter = exercise_of(mha_rope).starter()
    begun = replace(starter, files={starter.main: starter.source + b"\nSCALE = 2\n"})
    report = grade(mha_rope, begun, SEED, InProcess())
    assert report.verdict is Verdict.FAILED
    assert "not filled in" in report.summary
    assert report.place is not None
    first = exercise_of(mha_rope).starter().source.decode().splitlines().index("    raise NotImplementedError") + 1
    assert report.place == (first, None)
    assert report.explained == {test.id for test in report.tests if test.status.is_failure}, "one cause, told once"
    assert sum(test.max_score for test in report.tests) == pytest.approx(100)
    assert report.diagnoses == ()


def test_a_library_comes_before_what_else_is_wrong(mha_rope: Challenge) -> None:
    source = (ROOT / "examples" / "rope_on_v.py").read_text()
    call = "heads = scaled_dot_product_attention("
    assert source.count(call) == 1
    library = call.replace("= ", "= torch.nn.functional.")
    report = grade(mha_rope, submission(source.replace(call, library)), SEED, InProcess())
    line = next(at for at, text in enumerate(source.splitlines(), start=1) if call in text)
    assert report.summary == f"A rule is broken: no library attention. Look at line {line}."
    assert report.place == (line, None)
    assert [diagnosis.id for diagnosis in report.diagnoses] == ["rope-on-v"]


class Here(futures.Executor):
    """No other thread."""

    def submit(self, act, /, *arguments, **options):
        done = futures.Future()
        done.set_result(act(*arguments, **options))
        return done


def test_the_clock_and_the_thread_are_handed_in(mha_rope: Challenge) -> None:
    sent = exercise_of(mha_rope).starter()
    told = grade(mha_rope, sent, SEED, InProcess(), clock=iter([3.0, 5.5]).__next__, aside=Here)
    assert told.timings.total_s == 2.5
    assert told.tests == grade(mha_rope, sent, SEED, InProcess()).tests


@pytest.mark.parametrize("slug", sorted(installed()))
def test_a_starter_with_nothing_but_a_name_on_top_is_rejected_and_so_costs_no_attempt(slug: str) -> None:
    starter = exercise_of(installed()[slug]).starter()
    for above in (b"", b"# Ada Lovelace\n", b'"""Ada Lovelace"""\n'):
        sent = replace(starter, files={starter.main: above + starter.source})
        report = grade(installed()[slug], sent, SEED, InProcess())
        assert report.verdict is Verdict.REJECTED
        assert report.summary == f"{sent.filename} is the unchanged starter: nothing is filled in yet."


def test_a_summary_tells_what_was_missed_from_what_was_not_measured(mha_rope: Challenge) -> None:
    report = grade(mha_rope, exercise_of(mha_rope).baseline(), SEED, InProcess(), is_timed=False)
    tests = len(report.tests)
    assert report.summary == (
        f"Everything required is right: {tests - 1} of {tests} tests passed; efficiency was not measured."
    )
    homework = installed()["mha-homework"]
    sent = exercise_of(homework).baseline()
    source = sent.source.replace(b"super().__init__()", b"super().__init__(); torch.rand(1)")
    report = grade(homework, replace(sent, files={sent.main: source}), 7, InProcess())
    assert report.verdict is Verdict.PASSED
    assert report.summary.endswith("tests passed, all except those for values with a seed.")
    assert report.efficiency is not None, "what only costs points does not keep efficiency from being measured"


def test_every_report_validates_against_the_published_schema(mha_rope: Challenge) -> None:
    import jsonschema  # noqa: PLC0415 - it builds parsers for a second, and most processes need none

    exercise = exercise_of(mha_rope)
    wrong = exercise.submission_with(exercise.misconceptions[0])
    for sent in (exercise.baseline(), exercise.starter(), wrong, submission("def f(:")):
        report = grade(mha_rope, sent, SEED, InProcess())
        jsonschema.validate(json.loads(report.to_json()), SCHEMA)


def test_the_published_schema_is_the_models() -> None:
    assert Report.model_json_schema(by_alias=True) == SCHEMA


def test_the_same_seed_gives_the_same_tests(mha_rope: Challenge) -> None:
    exercise = exercise_of(mha_rope)
    wrong = exercise.submission_with(exercise.misconceptions[1])
    first, second = (grade(mha_rope, wrong, SEED, InProcess()) for _ in range(2))
    assert first.tests == second.tests
    assert first.diagnoses == second.diagnoses


def test_another_seed_draws_other_inputs(mha_rope: Challenge) -> None:
    exercise = exercise_of(mha_rope)
    first, second = (exercise.paper(seed).cases[1].call.arguments["in_features"] for seed in (1, 2))
    assert isinstance(first, torch.Tensor)
    assert isinstance(second, torch.Tensor)
    assert not torch.equal(first, second)


def test_a_student_does_not_read_hidden_messages_or_the_seed(mha_rope: Challenge) -> None:
    exercise = exercise_of(mha_rope)
    mistake = next(mistake for mistake in exercise.misconceptions if mistake.id == "missing-scale")
    report = grade(mha_rope, exercise.submission_with(mistake), SEED, InProcess(), is_guided=False)
    hidden = [test for test in report.for_student().tests if test.visibility is Visibility.HIDDEN]
    assert hidden
    assert all(test.message == "" and test.metrics == {} for test in hidden)
    assert report.for_student().seed is None
    assert any(test.message for test in report.tests if test.visibility is Visibility.HIDDEN)


def test_progress_is_told_for_each_test_in_order(mha_rope: Challenge) -> None:
    told: list[tuple[str, int, int]] = []
    report = grade(
        mha_rope,
        exercise_of(mha_rope).baseline(),
        SEED,
        InProcess(),
        lambda result, done, total: told.append((result.id, done, total)),
    )
    assert [name for name, _, _ in told] == [test.id for test in report.tests]
    assert [done for _, done, _ in told] == list(range(1, len(told) + 1))
    assert {total for _, _, total in told} == {len(told)}


def test_a_causal_answer_loses_one_family_and_is_told_why(mha_rope: Challenge) -> None:
    exercise = exercise_of(mha_rope)
    mistake = next(mistake for mistake in exercise.misconceptions if mistake.id == "causal-mask")
    report = grade(mha_rope, exercise.submission_with(mistake), SEED, InProcess(), is_guided=False)
    assert report.verdict is Verdict.FAILED
    assert [diagnosis.id for diagnosis in report.diagnoses] == ["causal-mask"]
    ended_badly = (TestStatus.FAILED, TestStatus.ERROR)
    assert {test.group for test in report.tests if test.status in ended_badly} == {"full-attention"}


@pytest.mark.parametrize(
    ("first", "second"),
    [("rope-on-v", "missing-scale"), ("half-split-rope", "weights-not-transposed"), ("theta-ignored", "qk-swapped")],
)
def test_two_mistakes_made_together_are_both_named(mha_rope: Challenge, first: str, second: str) -> None:
    exercise = exercise_of(mha_rope)
    mistakes = [mistake for mistake in exercise.misconceptions if mistake.name in (first, second)]
    report = grade(mha_rope, exercise.submission_with(*mistakes), SEED, InProcess(), is_guided=False)
    assert {first, second} <= {diagnosis.id for diagnosis in report.diagnoses}


class Ends(InProcess):
    """An executor whose session ends after some calls, in the way it is told."""

    def __init__(self, ending: Ending, after: int) -> None:
        self.told, self.left = ending, after

    @contextmanager
    def open(self, submission, limits):
        with super().open(submission, limits) as self.session:
            yield self

    def inspect(self, rules):
        return self.session.inspect(rules)

    def load(self):
        self.session.load()

    def calls(self, calls):
        for call in calls:
            self.left -= 1
            yield self.session.call(call) if self.left >= 0 else Outcome(call.id, CallStatus.NOT_RUN)

    @property
    def ending(self):
        return self.told if self.left < 0 else Ending.COMPLETED

    def end(self):
        return End(self.ending, detail="in words")


class LastsFor(InProcess):
    """A sandbox that the service loses after so many sessions."""

    def __init__(self, sessions: int) -> None:
        self.left = sessions

    def open(self, submission, limits):
        self.left -= 1
        if self.left < 0:
            raise SandboxUnavailable("killed")
        return super().open(submission, limits)


def test_a_sandbox_that_is_lost_before_the_guidance_costs_a_new_grading_and_not_the_guidance(
    mha_rope: Challenge,
) -> None:
    exercise = exercise_of(mha_rope)
    wrong = exercise.submission_with(next(mistake for mistake in exercise.misconceptions if mistake.id == "rope-on-v"))
    with pytest.raises(SandboxUnavailable):
        grade(mha_rope, wrong, SEED, LastsFor(1))
    assert grade(mha_rope, wrong, SEED, LastsFor(2)).guidance is not None


@pytest.mark.parametrize(
    ("ending", "verdict", "status"),
    [
        (Ending.OUT_OF_TIME, Verdict.TIMEOUT, TestStatus.TIMEOUT),
        (Ending.EXITED, Verdict.ERROR, TestStatus.ERROR),
        (Ending.KILLED, Verdict.ERROR, TestStatus.ERROR),
        (Ending.OUT_OF_MEMORY, Verdict.ERROR, TestStatus.ERROR),
        (Ending.OUTPUT_TOO_LARGE, Verdict.ERROR, TestStatus.ERROR),
        (Ending.PROTOCOL, Verdict.ERROR, TestStatus.ERROR),
    ],
)
def test_a_session_that_ends_early_keeps_what_was_earned(
    mha_rope: Challenge, ending: Ending, verdict: Verdict, status: TestStatus
) -> None:
    report = grade(mha_rope, exercise_of(mha_rope).baseline(), SEED, Ends(ending, after=6))
    assert report.verdict is verdict
    assert [test.status for test in report.tests[:6]] == [TestStatus.PASSED] * 6
    assert report.tests[6].status is status
    assert {test.status for test in report.tests[7:] if test.group != "structure"} == {TestStatus.SKIPPED}
    assert 0 < report.score < report.max_score


@pytest.mark.parametrize(
    ("name", "verdict", "says"),
    [
        ("passed/accepted_einops_heads", Verdict.TIMEOUT, "while it was being traced"),
        ("failed/loop_list_comprehension", Verdict.FAILED, "a rule is broken"),
        ("failed/rope_on_queries_and_values", Verdict.FAILED, "tests failed"),
    ],
)
def test_time_that_runs_out_while_we_watch_takes_nothing_back(
    mha_rope: Challenge, name: str, verdict: Verdict, says: str
) -> None:
    """Some rules are seen by then to be broken; nobody passes by not coming back."""
    entry = next(entry for entry in entries() if entry.name == f"mha-rope/{name}")
    paper = exercise_of(mha_rope).paper(SEED).cases
    watched_until_most_heads = 4
    report = grade(
        mha_rope, entry.submission, SEED, Ends(Ending.OUT_OF_TIME, after=len(paper) + watched_until_most_heads)
    )
    assert report.verdict is verdict
    assert says in report.summary


@pytest.mark.parametrize("watched", range(4))
def test_time_that_runs_out_before_a_rule_is_judged_breaks_none(mha_rope: Challenge, watched: int) -> None:
    """Wherever the time ends, a right answer that is slow to trace is told of the time, and accused of nothing."""
    paper = exercise_of(mha_rope).paper(SEED).cases
    report = grade(
        mha_rope, exercise_of(mha_rope).baseline(), SEED, Ends(Ending.OUT_OF_TIME, after=len(paper) + watched)
    )
    assert report.verdict is Verdict.TIMEOUT
    assert "while it was being traced" in report.summary
    assert {finding.rule for finding in report.structure if finding.status is RuleStatus.FAILED} == set()


def test_the_example_of_the_spec_is_a_public_case_with_its_numbers(mha_rope: Challenge) -> None:
    exercise = exercise_of(mha_rope)
    example = next(case for case in exercise.paper(1).cases if case.id == "heads/example")
    (outcome,) = exercise.expected([example])
    for row in outcome.outputs[0][0].tolist():
        assert f"[{row[0]:.4f}, {row[1]:.4f}]" in mha_rope.spec()
    assert mha_rope.manifest.families["heads"].visibility is Visibility.PUBLIC


def test_a_rejection_points_to_its_line(mha_rope: Challenge) -> None:
    report = grade(mha_rope, submission("import torch\nfrom pandas import *\n"), 1, InProcess())
    assert report.verdict is Verdict.REJECTED
    assert [(finding.rule, finding.line) for finding in report.structure] == [("gradable-as-sent", 2)]
    assert report.place == (2, None)


def test_a_crash_points_to_its_line(mha_rope: Challenge) -> None:
    source = exercise_of(mha_rope).starter().source.replace(b"raise NotImplementedError", b"return undefined_name")
    report = grade(mha_rope, submission(source), 1, InProcess())
    assert report.verdict is Verdict.ERROR
    assert report.place is not None
    assert "undefined_name" in source.decode().splitlines()[report.place[0] - 1]
