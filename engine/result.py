"""A graded submission as a good teaching assistant tells it: verdict, most likely cause, what failed, what next."""

from collections.abc import Iterable
from itertools import groupby
from typing import Final

from rich.text import Text

from engine.cleaning import clean_line
from engine.display import Page, plain
from engine.wire import State, Submission
from grader.report import Diagnosis, Efficiency, Report, RuleFinding, RuleStatus, TestResult, TestStatus, Verdict

SHOWN_PER_GROUP: Final = 3
HEADLINES: Final = {
    Verdict.PASSED: "Passed",
    Verdict.FAILED: "Not passed yet",
    Verdict.REJECTED: "Not graded: this file cannot be graded as it is",
    Verdict.ERROR: "Not passed: your code stopped with an error",
    Verdict.TIMEOUT: "Not passed: your code did not finish in time",
}
STYLES: Final = {Verdict.PASSED: "green", Verdict.FAILED: "red"}
NEXT_STEPS: Final = {
    Verdict.PASSED: "You are done with the code.",
    Verdict.FAILED: "Your code ran; the result is what has to change.",
    Verdict.REJECTED: "The cause is in the file you sent, and nothing was run.",
    Verdict.ERROR: "The cause is in your code, not in the grader.",
    Verdict.TIMEOUT: "Look for a loop that never ends, or work that grows too fast with the sequence.",
}
NOT_GRADED: Final = {
    State.QUEUED: "Not graded yet: waiting for a free grader.",
    State.RUNNING: "Not graded yet: being graded right now.",
    State.GRADED: "Graded.",
    State.CANCELLED: "Cancelled: this submission was taken back and is not graded.",
    State.SUPERSEDED: "Not graded: a newer submission of yours took its place.",
}


class ResultText:
    """Writes one submission's result. `source` is the file as it was sent, when we still have it."""

    def __init__(self, page: Page, source: bytes | None, filename: str) -> None:
        self._page = page
        self._filename = filename
        self._lines = source.decode("utf-8", errors="replace").splitlines() if source else []

    def write(self, submission: Submission) -> None:
        report = submission.report
        if report is None:
            self._not_graded(submission)
            return
        self._headline(submission, report)
        for number, diagnosis in enumerate(report.diagnoses):
            self._diagnosis(diagnosis, first=number == 0)
        self._tests(report)
        self._rules(report.structure)
        if report.efficiency is not None:
            self._efficiency(report.efficiency)
        self._next(report, submission)

    def _not_graded(self, submission: Submission) -> None:
        self._page.say(NOT_GRADED[submission.state], "bold yellow")
        if submission.waiting:
            self._page.say(f"This is not your fault. {submission.waiting}")
        if not submission.state.is_final:
            self._page.say(f"See again: engine status {submission.id} --wait", "dim")

    def _headline(self, submission: Submission, report: Report) -> None:
        page, passed = self._page, report.verdict is Verdict.PASSED
        style = STYLES.get(report.verdict, "yellow")
        sign = page.glyphs.passed if passed else page.glyphs.failed
        points = f"{number(report.score)} of {number(report.max_score)} points"
        page.put(
            Text(
                f"{HEADLINES[report.verdict]}: {points}."
                if report.verdict in STYLES
                else f"{HEADLINES[report.verdict]}.",
                f"bold {style}",
            ),
            sign=Text(sign, f"bold {style}"),
        )
        page.say(f"{report.summary}", indent=2)
        page.say(f"{submission.challenge}, attempt {submission.attempt}, submission {submission.id}", "dim", indent=2)

    def _diagnosis(self, diagnosis: Diagnosis, *, first: bool) -> None:
        page = self._page
        page.heading("Most likely cause" if first else "Also")
        paragraphs = [plain(diagnosis.explanation)]
        if diagnosis.evidence:
            paragraphs += [Text(), plain(f"How we can tell: {diagnosis.evidence}", "dim")]
        page.box(diagnosis.title, paragraphs, "yellow")
        self._source(diagnosis.line)

    def _source(self, line: int | None) -> None:
        """The line itself, when the file has it; else only where it is."""
        if line is None:
            return
        where = f"{clean_line(self._filename)}:{line}"
        self._page.code(Text(where, "dim"), indent=4)
        if 0 < line <= len(self._lines) and self._lines[line - 1].strip():
            text = plain(self._lines[line - 1].expandtabs(4))
            self._page.code(Text(f"{line:>5} {self._page.glyphs.bar} ", "dim") + text, indent=4)

    def _tests(self, report: Report) -> None:
        wrong = [test for test in report.tests if test.status not in {TestStatus.PASSED, TestStatus.SKIPPED}]
        if wrong:
            self._page.heading(f"What failed ({len(wrong)} of {len(report.tests)} tests)")
        for group, tests in groupby(wrong, key=lambda test: test.group):
            self._group(group, list(tests), [test for test in report.tests if test.group == group])
        if wrong:
            self._already_right(report.tests)

    def _group(self, group: str, wrong: list[TestResult], everything: list[TestResult]) -> None:
        page = self._page
        earned, possible = sum(t.score for t in everything), sum(t.max_score for t in everything)
        title = Text(clean_line(group), "bold") + Text(f"  {number(earned)} of {number(possible)} points", "dim")
        page.put(title, indent=2, sign=Text(page.glyphs.failed, "red"))
        told = [test for test in wrong if test.message or test.metrics]
        for test in told[:SHOWN_PER_GROUP]:
            self._test(test)
        rest = len(told) - SHOWN_PER_GROUP
        if rest > 0:
            page.say(f"and {rest} more like {'it' if rest == 1 else 'them'}", "dim", indent=4)
        if hidden := len(wrong) - len(told):
            page.say(f"{hidden} hidden {'test' if hidden == 1 else 'tests'} (details are not shown)", "dim", indent=4)

    def _test(self, test: TestResult) -> None:
        ended = "" if test.status is TestStatus.FAILED else f" ({test.status})"
        self._page.put(Text(clean_line(test.title) + ended), indent=4)
        if test.message:
            self._page.say(test.message, indent=6)
        if test.metrics:
            self._page.say(measured(test.metrics), "dim", indent=6)

    def _already_right(self, tests: Iterable[TestResult]) -> None:
        groups: dict[str, bool] = {}
        for test in tests:
            groups[test.group] = groups.get(test.group, True) and test.status is TestStatus.PASSED
        if right := [clean_line(group) for group, all_passed in groups.items() if all_passed]:
            sign = Text(self._page.glyphs.passed, "green")
            self._page.put(Text(f"Already right: {', '.join(right)}"), indent=2, sign=sign)

    def _rules(self, findings: Iterable[RuleFinding]) -> None:
        broken = [finding for finding in findings if finding.status is RuleStatus.FAILED]
        if broken:
            self._page.heading("How it is written")
        for finding in broken:
            text = plain(finding.message) + Text(f"  ({clean_line(finding.rule)})", "dim")
            self._page.put(text, indent=2, sign=Text(self._page.glyphs.failed, "red"))
            self._source(finding.line)

    def _efficiency(self, efficiency: Efficiency) -> None:
        times = self._page.glyphs.times
        parts = []
        if efficiency.time_ratio is not None:
            parts.append(f"{efficiency.time_ratio:.2g}{times} the time of our reference")
        if efficiency.memory_ratio is not None:
            parts.append(f"{efficiency.memory_ratio:.2g}{times} its memory")
        if efficiency.ops:
            counts = [
                f"{count} for {heads} head{'' if heads == '1' else 's'}" for heads, count in efficiency.ops.items()
            ]
            parts.append("operations: " + ", ".join(counts))
        if parts:
            self._page.heading("Efficiency")
            self._page.say("; ".join(parts) + ".", indent=2)

    def _next(self, report: Report, submission: Submission) -> None:
        self._page.blank()
        again = "" if report.verdict is Verdict.PASSED else " Then: engine submit-build"
        self._page.say(NEXT_STEPS[report.verdict] + again)
        if submission.links.web:
            self._page.say(f"In the browser: engine open {submission.id}", "dim")


def number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def measured(metrics: dict[str, float]) -> str:
    """Metrics in words where we know them."""
    rest = dict(metrics)
    said = []
    if "max_abs_error" in rest and "tolerance" in rest:
        said.append(f"off by up to {rest.pop('max_abs_error'):.2g}; at most {rest.pop('tolerance'):.1g} is allowed")
    said += [f"{clean_line(name).replace('_', ' ')} {value:.4g}" for name, value in rest.items()]
    return "; ".join(said)
