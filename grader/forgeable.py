"""Tests that a lecturer wrote as functions with `assert`, run beside the submission: the last resort, where a case will
not do.

The submission shares their process and can change their outcome, so nothing is proven of them. A failure is taken at
its word, as nobody forges one; what passes earns points that are counted apart.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Final

from grader.challenge import Challenge
from grader.comparison.problems import describe, ended
from grader.guest.execution import Call, CallStatus, End, Ending, Executor, Gives, Outcome, Session
from grader.guest.loading import is_harness
from grader.guest.submission import Submission
from grader.inprocess import InProcess
from grader.manifest import ForgeableTests, Manifest, ManifestError
from grader.report import Forgeable, TestResult, TestStatus

FORGEABLE: Final = "they run beside the student's code, which can change their outcome"
ENDED: Final = "Your code ended the process in which this test ran."
TIMED_OUT: Final = "The test did not end in time: look for an endless loop."
SAID: Final = 600  # characters of what a test says: more than it is cut to in the sandbox
_BESIDE: Final = files("grader.beside")


def run_forgeable(challenge: Challenge, submission: Submission, execute: Executor) -> Forgeable | None:
    """Runs each file of tests in a sandbox of its own, with the submission. None where the challenge has none, and for
    what is run in this process to prove the cases: it proves nothing. Raises ManifestError where a file is missing or
    has no tests, SandboxUnavailable.
    """
    sections = challenge.manifest.forgeable
    if not sections or isinstance(execute, InProcess):
        return None
    support = {path: source for path, source in challenge.support.items() if not is_harness(path)}
    support |= {name: (_BESIDE / name).read_bytes() for name in ("harness.py", "pytest.py")}
    beside = challenge.laid_out(submission).beside(support, submission.wanted, challenge.manifest.source.modules)
    tests: list[TestResult] = []
    for name, section in sections.items():
        source = source_of(challenge, name)
        with execute.open(beside, challenge.manifest.session_limits) as session:
            tests += _results(name, section, source, session)
    score = round(sum(test.score for test in tests), 2)
    return Forgeable(score=score, max_score=sum(section.points for section in sections.values()), tests=tuple(tests))


def source_of(challenge: Challenge, name: str) -> str:
    """The file of tests. Raises ManifestError where it is missing, no Python, or has no tests."""
    path = challenge.forgeable_path(name)
    where = f"{challenge.slug}/tests/{name}.py"
    try:
        source = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise ManifestError(f"{where} is missing; [forgeable.{name}] of challenge.toml speaks of it") from error
    try:
        tests = tests_in(source)
    except SyntaxError as error:
        raise ManifestError(f"{where}, line {error.lineno}: {error.msg}") from error
    if not tests:
        raise ManifestError(f"{where} has no tests: functions, or methods of classes Test..., named test_...")
    return source


def tests_in(source: str) -> Mapping[str, str]:
    """Names and titles of the tests, in order: functions, and methods of classes as `Class.test`. They are read here,
    where no submission can change them.
    """
    return dict(_titles(ast.parse(source).body))


def _titles(body: Sequence[ast.stmt], prefix: str = "") -> Iterator[tuple[str, str]]:
    for node in body:
        if isinstance(node, ast.ClassDef) and node.name.startswith("Test") and not prefix:
            yield from _titles(node.body, f"{node.name}.")
        elif isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            title = ast.get_docstring(node) or node.name.removeprefix("test_").replace("_", " ")
            yield f"{prefix}{node.name}", title.partition("\n")[0]


def failed(manifest: Manifest, forgeable: Forgeable) -> Sequence[TestResult]:
    """The tests against which a submission does not pass."""
    is_required = {name for name, section in manifest.forgeable.items() if section.required}
    return [test for test in forgeable.tests if test.group in is_required and test.status is not TestStatus.PASSED]


def _results(name: str, section: ForgeableTests, source: str, session: Session) -> Iterator[TestResult]:
    tests = tests_in(source)
    calls = [Call("open", "open_tests", {"filename": f"{name}.py", "source": source}, gives=Gives.VALUES)]
    calls += [Call(test, "run_test", {"name": test}, gives=Gives.VALUES) for test in tests]
    session.load()
    opened, *outcomes = session.calls(calls)
    end = session.end()
    for (test, title), outcome in zip(tests.items(), outcomes, strict=True):
        status, message = _judged(opened if opened.status is CallStatus.RAISED else outcome, end)
        each = section.points / len(tests)
        yield TestResult(
            id=f"{name}/{test}",
            group=name,
            title=title,
            status=status,
            score=each if status is TestStatus.PASSED else 0.0,
            max_score=each,
            visibility=section.visibility,
            message=message,
        )


def _judged(outcome: Outcome, end: End) -> tuple[TestStatus, str]:
    if end.ending is Ending.IMPORT_FAILED and end.problem is not None:
        return TestStatus.ERROR, f"Your code could not be imported: {ended(describe(end.problem))}"
    if outcome.status is CallStatus.RAISED and outcome.problem is not None:
        return TestStatus.ERROR, f"The test could not be run: {ended(describe(outcome.problem))}"
    if outcome.status is not CallStatus.RETURNED:
        is_late = end.ending is Ending.OUT_OF_TIME
        return (TestStatus.TIMEOUT, TIMED_OUT) if is_late else (TestStatus.ERROR, ENDED)
    said = outcome.values[0] if outcome.values else None
    if not isinstance(said, str):
        return TestStatus.ERROR, ENDED
    return (TestStatus.FAILED, said[:SAID]) if said else (TestStatus.PASSED, "")
