"""What a grading says of each planted file: the symptoms that students are told, and whether it is the bug meant."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from grader.exercise import Exercise
from grader.grade import grade
from grader.guest.submission import Submission
from grader.hunt.bank import HuntBank, Observed, Planted
from grader.hunt.change import CHANGE_MAX, changed_lines
from grader.inprocess import InProcess
from grader.manifest import STRUCTURE
from grader.report import Report, TestStatus, Verdict, Visibility

SEED: Final = 0  # of the paper whose outcome is told
SEEDS: Final = range(3)  # on which a right solution must pass
MARGIN: Final = 1.5  # by which a mending stays below the limit, and another solution above


@dataclass(frozen=True)
class HuntFinding:
    """One file of the hunt, and what is the matter with it, in a sentence; empty when nothing is."""

    name: str
    detail: str
    problem: str = ""


def prove(exercise: Exercise, bank: HuntBank) -> Iterator[HuntFinding]:
    """Checks that each solution is right and unlike other right ones, and that each bug is found, named, and mended by
    a small change.
    """
    for style, source in bank.solutions.items():
        yield HuntFinding(
            style, "passes, and other right answers are no small change of it", _solution(exercise, source)
        )
    for planted in bank.all_planted():
        lines = changed_lines(planted.source, bank.solutions[planted.style])
        yield HuntFinding(
            planted.name,
            f"wrong, and named as itself; lines that mend it: {lines}",
            _bug(exercise, bank, planted, lines),
        )


def observe(exercise: Exercise, planted: Planted) -> Observed:
    """Grades a file. Raises ValueError with a sentence when it is not found wrong with this bug, and only with it."""
    report = _graded(exercise, planted.source, SEED)
    named = [diagnosis.id for diagnosis in report.diagnoses]
    if report.verdict is not Verdict.FAILED or named != [planted.misconception]:
        raise ValueError(f"it is {report.verdict}, and diagnosed as {', '.join(named) or 'nothing'}")
    failing = [
        test
        for test in report.tests
        if test.status in (TestStatus.FAILED, TestStatus.ERROR) and test.group != STRUCTURE
    ]
    return Observed(
        failed=tuple(dict.fromkeys(test.group for test in failing)),
        case=next((test.title for test in failing if test.visibility is Visibility.PUBLIC), ""),
        snippet=report.guidance.snippet if report.guidance else None,
        title=report.diagnoses[0].title,
        explanation=report.diagnoses[0].explanation,
    )


def _solution(exercise: Exercise, source: str) -> str:
    for seed in SEEDS:
        report = _graded(exercise, source, seed)
        if report.verdict is not Verdict.PASSED:
            return f"it must be right, and is {report.verdict} with seed {seed}: {report.summary}"
    for variant in exercise.variants("accepted"):
        lines = changed_lines(source, variant.submission.source.decode())
        if lines < CHANGE_MAX * MARGIN:
            return f"accepted/{variant.name}.py differs in {lines} lines only: pasting it would count as mending"
    return ""


def _bug(exercise: Exercise, bank: HuntBank, planted: Planted, lines: int) -> str:
    known = sorted({mistake.id for mistake in exercise.misconceptions})
    if planted.misconception not in known:
        where = bank.place_of(planted.bug)
        return f"{where}: there is no misconception {planted.misconception!r}; there are {', '.join(known)}"
    try:
        observed = observe(exercise, planted)
    except ValueError as error:
        return str(error)
    if lines * MARGIN > CHANGE_MAX:
        return f"{lines} lines mend it, and at most {CHANGE_MAX} are a small change: plant it in fewer"
    if bank.observed.get(planted.name) != observed:
        return "what a grading says of it is not what is told: run `assay challenge observe`"
    return ""


def _graded(exercise: Exercise, source: str, seed: int) -> Report:
    """We wrote it, so it runs in process."""
    challenge = exercise.challenge
    main = challenge.manifest.default_path
    submission = Submission(main=main, files={main: source.encode()}, support=challenge.support)
    return grade(challenge, submission, seed, InProcess(), is_timed=False)
