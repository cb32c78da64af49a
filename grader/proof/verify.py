"""Proves an exercise's own tests: right answers pass with room to spare, each mistake is killed and named, no small
change goes unnoticed, no cheat passes.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from grader.challenge import Challenge
from grader.exercise import Exercise, exercise_of
from grader.forgeable import FORGEABLE, run_forgeable
from grader.grade import grade
from grader.guest.execution import Executor, SandboxUnavailable
from grader.guest.submission import Submission
from grader.hunt import HuntBank, HuntError
from grader.inprocess import InProcess
from grader.misconception import Misconception
from grader.proof.bench import MARGIN, Bench, Found
from grader.proof.check import Check, Section
from grader.proof.coverage import covered
from grader.proof.folder import problems_of
from grader.proof.hunt import prove
from grader.proof.mistakes import broken_rules, failed_families
from grader.proof.mutation import ADVICE, MutantOutcome, Trials, mutant_outcomes, mutants_for, sort_out
from grader.proof.places import describe
from grader.proof.questions import VARIANTS, problems_of_bank
from grader.proof.secrets import shown_lines
from grader.questions import BankError, QuestionBank
from grader.report import Report, TestStatus, Verdict

REFERENCE_SEEDS = range(20)
MISTAKE_SEEDS = range(3)


def verify(challenge: Challenge, sandbox: Executor, try_mutants: Trials = mutant_outcomes) -> Iterator[Check]:
    """All checks, one by one as they are done. Trusted code runs in process; cheats and what is timed go through
    `sandbox`. Raises SandboxUnavailable; what an author's code raises is told as a check that does not hold.
    """
    folder = _check_folder(challenge)
    yield folder
    if not folder.holds:
        return
    try:
        yield from _Proof(exercise_of(challenge), sandbox).checks(try_mutants)
    except SandboxUnavailable:
        raise
    except Exception as error:  # noqa: BLE001  the edge to the author's code: a sentence, never a traceback
        yield Check(Section.FOLDER, "", False, f"the proof ends here: {describe(error, challenge)}")


def quick_checks(challenge: Challenge) -> Iterator[Check]:
    """Checks what takes no grading, within a second: files, names, cases, and the questions' form."""
    yield _check_folder(challenge)
    if (challenge.folder / "questions.toml").is_file():
        wrong = ""
        try:
            QuestionBank.load(challenge.questions_path)
        except BankError as error:
            wrong = str(error)
        yield Check(Section.QUESTIONS, "", not wrong, wrong or "can be drawn")


def _check_folder(challenge: Challenge) -> Check:
    return _whole(Section.FOLDER, "", problems_of(challenge), "whole, and speaks only of what exists")


def _whole(section: Section, name: str, problems: Iterable[str], seen: str) -> Check:
    """A check that tells nothing but its problems where it has any."""
    found = tuple(problems)
    return Check(section, name, not found, "" if found else seen, found)


class _Proof:
    """The checks of one sound challenge."""

    def __init__(self, exercise: Exercise, sandbox: Executor) -> None:
        self._exercise = exercise
        self._challenge = exercise.challenge
        self._sandbox = sandbox
        self._bench = Bench(exercise, MISTAKE_SEEDS)

    def checks(self, try_mutants: Trials) -> Iterator[Check]:
        reports = [self._grade(self._exercise.submission_with(), seed) for seed in REFERENCE_SEEDS]
        yield _passes(Section.REFERENCE, "", reports)
        if any(report.verdict is not Verdict.PASSED for report in reports):
            return  # all else is measured by it
        outcomes = try_mutants(self._challenge, mutants_for(self._challenge))  # may go on beside the rest
        starter = self._grade(_begun(self._exercise.starter()), 1)
        yield Check(Section.STARTER, "", starter.verdict is Verdict.FAILED, f"{starter.verdict}: {starter.summary}")
        yield from self._check_accepted()
        kills: set[str] = set()
        for mistake in self._exercise.misconceptions:
            check = self._check_mistake(mistake)
            kills |= set(check.killed_by)
            yield check
        yield self._check_families(kills)
        yield from _check_coverage(self._exercise)
        yield self._check_mutants(outcomes)
        yield from self._check_cheats()
        yield from self._check_forgeable()
        yield _check_questions(self._exercise)
        yield from _check_hunt(self._exercise)
        yield _check_secrets(self._exercise)

    def _grade(self, submission: Submission, seed: int) -> Report:
        return grade(self._challenge, submission, seed, InProcess(), is_timed=False, is_guided=False)

    def _check_accepted(self) -> Iterator[Check]:
        """Every paper in process, one of them in the sandbox too, where the time is taken."""
        limit = self._challenge.manifest.limits.wall_s / 2
        slowest = 0.0
        for variant in self._exercise.variants("accepted"):
            there = grade(self._challenge, variant.submission, MISTAKE_SEEDS[0], self._sandbox)
            here = [self._grade(variant.submission, seed) for seed in MISTAKE_SEEDS[1:]]
            slowest = max(slowest, there.timings.sandbox_s)
            yield _passes(Section.ACCEPTED, variant.name, [there, *here])
        told = f"the slowest right answer takes {slowest:.2f} s of the {limit:g} s allowed"
        yield Check(Section.TIME, "", slowest < limit, told)

    def _check_mistake(self, mistake: Misconception) -> Check:
        """Killed on every paper, with a margin; named first in the diagnosis, or by the rule that it breaks."""
        submission = self._exercise.submission_with(mistake)
        first = self._grade(submission, MISTAKE_SEEDS[0])
        families, broken = failed_families(first), broken_rules(first)
        named = tuple(diagnosis.id for diagnosis in first.diagnoses)
        margins = [self._kill_margin(number, submission, seed) for number, seed in enumerate(MISTAKE_SEEDS)]
        check = Check(
            section=Section.MISCONCEPTION,
            name=mistake.name,
            holds=False,
            seen=f"killed by {', '.join((*families, *broken)) or 'nothing'}",
            margin=min(margins),
            killed_by=(*families, *broken),
            diagnosed_as=named,
        )
        return _judged(check, mistake, first, margins)

    def _kill_margin(self, number: int, submission: Submission, seed: int) -> float:
        """How plainly this paper shows it: 0 when it does not."""
        program = self._bench.program(submission)
        found: list[Found] = list(self._bench.findings(number, program))
        margin = max(item.margin for item in found)
        if margin == 0.0 and self._grade(submission, seed).verdict is Verdict.FAILED:
            return math.inf  # a rule, not a number
        return margin

    def _check_families(self, kills: set[str]) -> Check:
        idle = sorted(self._exercise.families.keys() - kills)
        detail = f"no misconception is killed by {', '.join(idle)}" if idle else "every family kills a misconception"
        return Check(Section.FAMILIES, "", not idle, detail)

    def _check_mutants(self, outcomes: Iterator[MutantOutcome]) -> Check:
        mutation = sort_out(self._challenge, list(outcomes))
        seen = (
            f"{mutation.killed} of {len(mutation.outcomes)} killed, {mutation.equivalent} equivalent: "
            f"score {mutation.score:.1%}"
        )
        if mutation.problems and mutation.survived:
            seen += f". {ADVICE}"
        return Check(Section.MUTANTS, "", not mutation.problems, seen, mutation.problems, mutation=mutation)

    def _check_cheats(self) -> Iterator[Check]:
        for cheat in self._exercise.variants("cheats"):
            report = grade(self._challenge, cheat.submission, seed=1, execute=self._sandbox)
            holds = report.verdict is not Verdict.PASSED
            yield Check(Section.CHEAT, cheat.name, holds, f"{report.verdict}: {report.summary}")

    def _check_forgeable(self) -> Iterator[Check]:
        """That accepted answers pass them, their own checks say. Tests that the starter passes ask for nothing."""
        forgeable = run_forgeable(self._challenge, self._exercise.starter(), self._sandbox)
        for name in self._challenge.manifest.forgeable:
            tests = [test for test in forgeable.tests if test.group == name] if forgeable else []
            idle = [test.title for test in tests if test.status is TestStatus.PASSED]
            told = f"nothing is proven of these tests ({len(tests)}): {FORGEABLE}"
            detail = f"the starter passes {', '.join(idle)}; {told}" if idle else told
            yield Check(Section.FORGEABLE, name, not idle, detail)


def _begun(starter: Submission) -> Submission:
    """The starter as it is would only be refused: with a line more it is graded."""
    return replace(starter, files={starter.main: starter.source + b"\nBEGUN = True\n"})


def _passes(section: Section, name: str, reports: Sequence[Report]) -> Check:
    wrong = [report for report in reports if report.verdict is not Verdict.PASSED]
    if wrong:
        return Check(section, name, False, f"{_file(section, name)}: seed {wrong[0].seed}: {_why(wrong[0])}")
    margin = min(_margin_below(report) for report in reports)
    detail = f"passes {len(reports)} papers; the largest error stays {margin:.0f} times below its tolerance"
    return Check(section, name, margin >= MARGIN, detail, margin=margin)


def _file(section: Section, name: str) -> str:
    return f"accepted/{name}.py" if section is Section.ACCEPTED else "reference.py"


def _why(report: Report) -> str:
    """The verdict and its sentence; where that only counts, the first case that is wrong."""
    told = f"{report.verdict}: {report.summary}"
    first = next((test for test in report.tests if test.status in (TestStatus.FAILED, TestStatus.ERROR)), None)
    if report.breakdown is None and first is not None and first.message:
        told += f" First {first.id}: {first.message}"
    return told


def _margin_below(report: Report) -> float:
    """How far the worst error of a right answer stays below its tolerance."""
    return min(
        (
            test.metrics["tolerance"] / test.metrics["max_abs_error"]
            for test in report.tests
            if test.metrics.get("max_abs_error")
        ),
        default=math.inf,
    )


def _judged(check: Check, mistake: Misconception, first: Report, margins: Sequence[float]) -> Check:
    """The check with its verdict, and what is missing."""
    lacks = []
    if first.verdict is not Verdict.FAILED:
        lacks.append(f"its verdict is {first.verdict}: {first.summary}")
    lacks += [
        f"seed {seed} does not notice it" for seed, margin in zip(MISTAKE_SEEDS, margins, strict=True) if not margin
    ]
    if 0 < min(margins) < MARGIN:
        lacks.append(f"only {min(margins):.1f} times the tolerance, which is less than {MARGIN:.0f}")
    named = check.diagnosed_as
    if mistake.id not in named[:1] and (named or not broken_rules(first)):
        lacks.append(f"diagnosed as {', '.join(named) or 'nothing'}")
    return replace(check, holds=not lacks, problems=tuple(lacks))


def _check_coverage(exercise: Exercise) -> Iterator[Check]:
    for one in covered(exercise):
        yield _whole(Section.COVERAGE, one.function, one.problems, one.detail)


def _check_questions(exercise: Exercise) -> Check:
    seen = f"{VARIANTS} variants of each have one right answer; snippets and lines were run"
    return _whole(Section.QUESTIONS, "", problems_of_bank(exercise), seen)


def _check_hunt(exercise: Exercise) -> Iterator[Check]:
    try:
        bank = HuntBank.load(exercise.challenge.hunt_folder)
    except HuntError as error:
        yield Check(Section.HUNT, "", False, str(error))
        return
    for finding in prove(exercise, bank):
        yield Check(Section.HUNT, finding.name, not finding.problem, finding.problem or finding.detail)


def _check_secrets(exercise: Exercise) -> Check:
    shown = shown_lines(exercise)
    detail = f"students are shown: {shown[0]}" if shown else "students see none of the reference"
    return Check(Section.SECRETS, "", not shown, detail)
