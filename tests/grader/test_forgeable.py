"""Tests that run beside a submission: apart from what is proven, and honest about it."""

from pathlib import Path

import pytest

from assay.formats.text import write_text
from assay.new_challenge import Names, write_challenge
from grader.challenge import load_challenge
from grader.formats.gradescope import write_gradescope
from grader.formats.junit import write_junit
from grader.grade import grade
from grader.guest.execution import Executor
from grader.guest.submission import Submission
from grader.proof.check import Section
from grader.proof.folder import problems_of
from grader.proof.mutation import mutant_outcomes, mutants_for
from grader.proof.verify import verify
from grader.report import Report, TestStatus, Verdict, Visibility
from tests.grader.impatient import Impatient
from worker.runner_client import RunnerClient

TESTS = '''
import pytest
import torch
from soft_maximum import soft_maximum


def test_sums_to_one():
    """The shares sum to one."""
    assert soft_maximum(torch.zeros(2, 5)).sum(-1).tolist() == pytest.approx([1, 1])


@pytest.mark.parametrize("n, shares", [(2, [0.5, 0.5]), (4, [0.25] * 4)])
def test_equal_values(n, shares):
    assert soft_maximum(torch.ones(n)).tolist() == pytest.approx(shares)


def test_refuses_text():
    with pytest.raises(Exception):
        soft_maximum("text")
'''
AS_CLASSES = '''
import pytest
import torch
from soft_maximum import soft_maximum

made = []


@pytest.fixture(scope="module")
def zeros():
    made.append("made")
    yield torch.zeros(4)
    made.append("done")


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(1)


@pytest.fixture
def shares(zeros):
    return soft_maximum(zeros)


class TestShares:
    """Not a test itself."""

    @pytest.fixture
    def half(self):
        return self.size / 8

    def setup_method(self):
        self.size = 4

    def test_of_zeros(self, shares, half, zeros):
        assert made[-1] == "made" and len(zeros) == self.size
        assert shares.tolist() == pytest.approx([half / 2] * self.size)

    @pytest.mark.parametrize("n", [2, 3])
    def test_sums_to_one(self, n, half):
        """The shares sum to one."""
        assert soft_maximum(torch.rand(n)).sum().item() == pytest.approx(2 * half)


def test_is_done(tmp_path):
    assert False


def test_in_the_end():
    assert made == ["made", "done"] and torch.initial_seed() == 1
'''
SECTION = """
[forgeable.test_shares]
title = "Shares"
points = 6
visibility = "{visibility}"
"""
RIGHT = "import torch\ndef soft_maximum(x):\n    e = (x - x.amax(-1, True)).exp()\n    return e / e.sum(-1, True)\n"


def make(folder: Path, tests: str = TESTS, visibility: str = "public") -> Path:
    made = write_challenge(Names.of("soft-maximum", None), folder)
    (made / "tests").mkdir()
    (made / "tests" / "test_shares.py").write_text(tests)
    with (made / "challenge.toml").open("a") as manifest:
        manifest.write(SECTION.format(visibility=visibility))
    return made


def graded(folder: Path, source: str, runner: Executor) -> Report:
    submission = Submission(main="soft_maximum.py", files={"soft_maximum.py": source.encode()})
    return grade(load_challenge(folder), submission, 1, runner, is_timed=False, is_guided=False)


def test_their_points_are_apart_and_the_verdict_says_that_nothing_is_proven(
    tmp_path: Path, runner: RunnerClient
) -> None:
    report = graded(make(tmp_path), RIGHT, runner)
    assert report.verdict is Verdict.PASSED
    assert report.max_score == 100
    assert {test.group for test in report.tests} == {"values", "large-values", "gradients", "efficiency", "structure"}
    assert report.forgeable is not None
    assert (report.forgeable.score, report.forgeable.max_score) == (6, 6)
    assert [test.title for test in report.forgeable.tests] == ["The shares sum to one.", "equal values", "refuses text"]
    assert report.summary.endswith("Of the tests that run beside your code and could be forged, 3 of 3 passed.")
    assert "beside the code, where they could be forged: 6 of 6 points apart" in write_text("a.py", report)
    assert '"could be forged: test_shares: equal values (2 of 2 points apart)"' in write_gradescope(report)
    assert 'classname="forgeable.test_shares"' in write_junit([("a.py", report)])


def test_classes_and_fixtures_are_as_in_pytest(tmp_path: Path, runner: RunnerClient) -> None:
    report = graded(make(tmp_path, AS_CLASSES), RIGHT, runner)
    assert report.forgeable is not None
    assert [(test.id.partition("/")[2], test.title, test.message) for test in report.forgeable.tests] == [
        ("TestShares.test_of_zeros", "of zeros", ""),
        ("TestShares.test_sums_to_one", "The shares sum to one.", ""),
        (
            "test_is_done",
            "is done",
            "LookupError: the fixture 'tmp_path' is neither in this file nor known in this sandbox",
        ),
        ("test_in_the_end", "in the end", ""),
    ]


def test_a_failure_is_taken_at_its_word(tmp_path: Path, runner: RunnerClient) -> None:
    wrong = RIGHT + "\nright = soft_maximum\ndef soft_maximum(x):\n    return x if type(x) is str else right(x)\n"
    report = graded(make(tmp_path), wrong, runner)
    assert report.verdict is Verdict.FAILED
    assert report.summary == "Not passed yet: of the tests that run beside your code, 1 of 3 failed (shares)."
    assert report.score == 96  # efficiency was not asked for
    assert report.forgeable is not None
    (failed,) = [test for test in report.forgeable.tests if test.status is not TestStatus.PASSED]
    assert failed.message == (
        "AssertionError: did not raise <class 'Exception'> (test_shares.py, line 18: with pytest.raises(Exception):)"
    )


def test_code_that_forges_them_is_no_better_in_what_counts(tmp_path: Path, runner: RunnerClient) -> None:
    forging = (
        "import gc, types\n"
        "def soft_maximum(x):\n"
        "    for found in gc.get_objects():\n"
        "        if type(found) is dict and type(found.get('run_test')) is types.FunctionType:\n"
        "            found['_said_by'] = lambda *given: ''\n"
        "    return x\n"
    )
    report = graded(make(tmp_path), forging, runner)
    assert report.forgeable is not None
    assert [test.status for test in report.forgeable.tests][1:] == [TestStatus.PASSED] * 2
    assert report.verdict is Verdict.FAILED
    assert report.score < 50


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ("import os; os._exit(0)", TestStatus.ERROR, "ended the process"),
        ("while True: pass", TestStatus.TIMEOUT, "endless loop"),
        ("raise SystemExit", TestStatus.ERROR, "SystemExit"),
    ],
)
def test_whatever_the_code_does_to_the_process_is_an_outcome(
    body: str, status: TestStatus, said: str, tmp_path: Path, runner: RunnerClient
) -> None:
    """In the tests alone: nothing of the paper gives it a text."""
    wrapped = f"def soft_maximum(x):\n    if type(x) is str:\n        {body}\n    return right(x)\n"
    source = f"{RIGHT}\nright = soft_maximum\n{wrapped}"
    report = graded(make(tmp_path), source, Impatient(runner))
    assert report.forgeable is not None
    last = report.forgeable.tests[-1]
    assert (last.status, said in last.message) == (status, True), last.message
    assert report.verdict is Verdict.FAILED


def test_what_hidden_ones_say_is_not_told_to_students(tmp_path: Path, runner: RunnerClient) -> None:
    report = graded(make(tmp_path, visibility="hidden"), "def soft_maximum(x):\n    return x\n", runner)
    assert report.forgeable is not None
    assert all(test.message for test in report.forgeable.tests)
    student = report.for_student().forgeable
    assert student is not None
    assert not any(test.message for test in student.tests)
    assert {test.visibility for test in student.tests} == {Visibility.HIDDEN}


def test_verify_says_that_nothing_is_proven_and_finds_tests_that_ask_for_nothing(
    tmp_path: Path, runner: RunnerClient
) -> None:
    idle = f"{TESTS}\n\ndef test_nothing():\n    assert soft_maximum\n"
    checks = list(verify(load_challenge(make(tmp_path, idle)), runner, lambda challenge, mutants: iter(())))
    (check,) = [check for check in checks if check.section is Section.FORGEABLE]
    assert not check.holds
    assert check.detail == (
        "the starter passes refuses text, nothing; nothing is proven of these tests (4): they run beside the student's "
        "code, which can change their outcome"
    )


def test_they_kill_no_mutant(tmp_path: Path) -> None:
    """What no case notices survives, whatever a test beside the submission would say."""
    folder = make(tmp_path)
    for name in ("reference.py", "accepted/plain.py"):
        with (folder / name).open("a") as file:
            file.write("\n\ndef other(x):\n    return x + 1\n")
    manifest = folder / "challenge.toml"
    entry = '[[entry_points]]\nname = "other"\nparameters = ["x"]\n\n[source]'
    manifest.write_text(manifest.read_text().replace("[source]", entry, 1))
    challenge = load_challenge(folder)
    of_other = [mutant for mutant in mutants_for(challenge) if "other: " in mutant.id]
    assert of_other
    assert all(outcome.is_alive for outcome in mutant_outcomes(challenge, of_other))


@pytest.mark.parametrize(
    ("tests", "told"),
    [
        (
            "x = 1\n",
            "soft-maximum/tests/test_shares.py has no tests: functions, or methods of classes Test..., named test_...",
        ),
        ("def test_(:\n", "SyntaxError: invalid syntax (soft-maximum/tests/test_shares.py, line 1)"),
    ],
)
def test_a_file_without_tests_is_told_to_its_author(tests: str, told: str, tmp_path: Path) -> None:
    (problem,) = problems_of(load_challenge(make(tmp_path, tests)))
    assert problem.startswith(told)


def test_a_missing_file_is_told_to_its_author(tmp_path: Path) -> None:
    folder = make(tmp_path)
    (folder / "tests" / "test_shares.py").unlink()
    (problem,) = problems_of(load_challenge(folder))
    assert (
        problem
        == "soft-maximum/tests/test_shares.py is missing; [forgeable.test_shares] of challenge.toml speaks of it"
    )


def test_a_change_of_a_test_is_another_version(tmp_path: Path) -> None:
    folder = make(tmp_path)
    before = load_challenge(folder).version
    (folder / "tests" / "test_shares.py").write_text(f"{TESTS}\n# stricter\n")
    assert load_challenge(folder).version != before
