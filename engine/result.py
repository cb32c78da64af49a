"""A graded submission as a good teaching assistant tells it: verdict, most likely cause, what failed, what next."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from rich.text import Text

from engine.cleaning import clean_line
from engine.comments import tell_comments
from engine.display import Page, plain
from engine.excerpts import Excerpts
from engine.failures import FailureText, broken_rules, number, tell_forgeable
from engine.hunting import tell_fix
from engine.progress import place_text
from engine.questions import score_words
from engine.regrade_requests import tell_requests
from engine.wire.submissions import Gpu, State, Submission
from engine.wire.talk import Comment, RegradeRequest
from grader.efficiency_report import Efficiency
from grader.guest.inspection import Refusal
from grader.report import Diagnosis, Guidance, Remark, Report, RuleFinding, Verdict

HEADLINES: Final = {
    Verdict.PASSED: "Passed",
    Verdict.FAILED: "Not passed yet",
    Verdict.REJECTED: "Not graded: this file can't be graded",
    Verdict.ERROR: "Not passed: your code stopped with an error",
    Verdict.TIMEOUT: "Not passed: your code did not finish in time",
}
STYLES: Final = {Verdict.PASSED: "green", Verdict.FAILED: "red"}
PATCH_STYLES: Final = {"+": "green", "-": "red", "@": "dim"}
NEXT_STEPS: Final = {
    Verdict.PASSED: "the code is done; the questions check that you know why it works.",
    Verdict.REJECTED: "the problem is in the file you submitted. Fix it and submit again.",
    Verdict.ERROR: "the cause is in your code, not in the grader. Run it yourself on a small input.",
    Verdict.TIMEOUT: "look for an endless loop, or work that grows too fast with the input.",
}
NOT_GRADED: Final = {
    State.QUEUED: "Not graded yet: waiting for a free grader.",
    State.RUNNING: "Not graded yet: being graded right now.",
    State.GRADED: "Graded.",
    State.CANCELLED: "Cancelled: this submission will not be graded.",
    State.SUPERSEDED: "Not graded: a newer submission of yours replaced it.",
}
HELD: Final = "The result is held until your instructor releases it. `engine status` shows it then."


@dataclass(frozen=True)
class ResultText:
    """Writes one submission's result. `source` is the file as it was sent, when we still have it."""

    page: Page
    source: bytes | None
    filename: str
    titles: Mapping[str, str]
    everything: bool = False
    again: str = "engine submit-build"
    comments: Sequence[Comment] = ()
    requests: Sequence[RegradeRequest] = ()

    def write(self, submission: Submission) -> None:
        """Prints the result of a submission, or why it has none."""
        report = submission.report
        if report is None:
            self._not_graded(submission)
            return
        if submission.hunt is not None:
            tell_fix(self.page, submission, submission.hunt, report, self.titles)
            tell_comments(self.page, self._excerpts, self.comments, submission.time_zone)
            return
        self._headline(submission, report)
        tell_comments(self.page, self._excerpts, self.comments, submission.time_zone)
        tell_requests(self.page, self.requests, submission.time_zone)
        for place, diagnosis in enumerate(report.diagnoses):
            self._diagnosis(diagnosis, first=place == 0)
        if report.guidance is not None and report.where_to_look:
            self.page.heading("Where to look first")
            self.page.say(report.where_to_look, indent=2)
            if self.everything:
                self._snippet(report.guidance)
        failures = FailureText(self.page, self.titles, everything=self.everything)
        left_out = failures.write(report)
        self._rules(finding for finding in broken_rules(report) if finding.message != report.summary)
        if report.forgeable is not None:
            tell_forgeable(self.page, report.forgeable)
        if report.efficiency is not None:
            self._efficiency(report.efficiency)
        if submission.gpu is not None:
            self._gpu(submission.id, submission.gpu)
        self._remarks(report.remarks)
        self._next(report, submission, left_out=left_out)

    @cached_property
    def _excerpts(self) -> Excerpts:
        return Excerpts(self.page, self.filename, self.source)

    def _not_graded(self, submission: Submission) -> None:
        if submission.is_held and submission.state is State.RUNNING:
            self.page.say("Submitted.", "bold yellow")
            self.page.say(f"{HELD} If the file can't be graded, it says so before.")
            return
        given_up = submission.state is State.CANCELLED and submission.waiting
        self.page.say("Not graded." if given_up else NOT_GRADED[submission.state], "bold yellow")
        if submission.is_held and submission.state.is_final:
            self.page.say(HELD)
        if submission.waiting:
            self.page.say(f"This is not your fault. {submission.waiting}")
        if submission.queue is not None and (where := place_text(submission.queue)):
            self.page.say(f"{where[0].upper()}{where[1:]}.")
        if not submission.state.is_final:
            self.page.say(f"Check again: engine status {submission.id} --wait", "dim")

    def _headline(self, submission: Submission, report: Report) -> None:
        page, passed = self.page, report.verdict is Verdict.PASSED
        style = STYLES.get(report.verdict, "yellow")
        sign = page.glyphs.passed if passed else page.glyphs.failed
        page.put(Text(headline(report), f"bold {style}"), sign=Text(sign, f"bold {style}"))
        page.say(f"{report.summary}", indent=2)
        if report.place is not None:
            self._excerpts.show(*report.place)
        if submission.late_percent and submission.points is not None and report.verdict is not Verdict.REJECTED:
            counted = f"{number(submission.points)} points count towards {submission.assignment_name}"
            page.say(f"It was late, which costs {number(submission.late_percent)} %: {counted}.", indent=2)
        if words := score_words(submission):
            page.say(words, indent=2)
        page.say(f"{submission.challenge}, attempt {submission.attempt}, submission {submission.id}", "dim", indent=2)

    def _diagnosis(self, diagnosis: Diagnosis, *, first: bool) -> None:
        page = self.page
        page.heading("Likely cause" if first else "Also")
        paragraphs = [plain(diagnosis.explanation)]
        if diagnosis.evidence:
            paragraphs += [Text(), plain(f"Evidence: {diagnosis.evidence}", "dim")]
        where = "In some calls: " if diagnosis.in_some_calls else ""
        page.box(f"{where}{diagnosis.title}", paragraphs, "yellow")
        self._excerpts.show(diagnosis.line, diagnosis.file)
        if diagnosis.patch:
            page.blank()
            page.say("A patch for `git apply` or `patch -p1`:", "dim", indent=4)
            for line in diagnosis.patch.splitlines():
                page.verbatim(plain(line, PATCH_STYLES.get(line[:1], "")))

    def _snippet(self, guidance: Guidance) -> None:
        if guidance.snippet:
            self.page.blank()
        for line in (guidance.snippet or "").splitlines():
            self.page.verbatim(plain(line), indent=4)

    def _remarks(self, remarks: Iterable[Remark]) -> None:
        for place, remark in enumerate(remarks):
            if place == 0:
                self.page.heading("Worth knowing (no points lost)")
            self.page.say(remark.message, indent=2)

    def _rules(self, findings: Iterable[RuleFinding]) -> None:
        broken = list(findings)
        if broken:
            self.page.heading("Rules")
        for finding in broken:
            text = Text.assemble(plain(finding.message), (f"  ({clean_line(finding.rule)})", "dim"))
            self.page.put(text, indent=2, sign=Text(self.page.glyphs.failed, "red"))
            self._excerpts.show(finding.line, finding.file)

    def _efficiency(self, efficiency: Efficiency) -> None:
        times = self.page.glyphs.times
        parts = []
        if efficiency.time_ratio is not None:
            about = "roughly " if efficiency.is_rough else ""
            parts.append(f"{about}{efficiency.time_ratio:.2g}{times} the time of a plain correct answer")
        if efficiency.memory_ratio is not None:
            parts.append(f"{efficiency.memory_ratio:.2g}{times} its memory")
        if efficiency.ops:
            counts = [
                f"{count} for {heads} head{'' if heads == '1' else 's'}" for heads, count in efficiency.ops.items()
            ]
            parts.append("operations: " + ", ".join(counts))
        if parts:
            self.page.heading("Efficiency")
            self.page.say("; ".join(parts) + ".", indent=2)
        for message in efficiency.messages:
            self.page.say(message, indent=2)

    def _gpu(self, submission_id: str, gpu: Gpu) -> None:
        """No points and no verdict depend on it."""
        times = self.page.glyphs.times
        self.page.heading("On a GPU")
        self.page.say(gpu.message, indent=2)
        if gpu.is_open:
            self.page.say(f"Check again: engine status {submission_id}", "dim", indent=2)
        if gpu.report is None:
            return
        parts = []
        if (time := gpu.report.time) is not None:
            spread = f"{time.least:.2g} to {time.most:.2g}"
            parts.append(f"{time.median:.2g}{times} the time of a plain correct answer ({spread})")
        if gpu.report.memory_ratio is not None:
            parts.append(f"{gpu.report.memory_ratio:.2g}{times} its memory")
        if parts:
            self.page.say(f"{'; '.join(parts)}; {gpu.report.size} on {gpu.report.device}.", indent=2)

    def _next(self, report: Report, submission: Submission, *, left_out: bool) -> None:
        has_example = report.guidance is not None and report.guidance.snippet is not None and not self.everything
        more = [*(["every failing test"] if left_out else []), *(["an example to run"] if has_example else [])]
        self.page.blank()
        self.page.say(f"Next: {_next_step(report)}")
        if report.verdict is not Verdict.PASSED:
            self.page.say(f"Submit again: {self.again}")
        if more:
            what = " and ".join(more)
            self.page.say(f"{what[0].upper()}{what[1:]}: engine status {submission.id} --all", "dim")
        if submission.links.web:
            self.page.say(f"In the browser: engine open {submission.id}", "dim")


def say_not_sent(page: Page, path: Path, source: bytes, refusal: Refusal, next_step: str) -> None:
    """Says why a file stays here, with the line, and what to do."""
    page.put(Text("Not submitted: this file can't be graded.", "bold yellow"), sign=Text(page.glyphs.failed))
    page.say(refusal.message, indent=2)
    if refusal.place is not None:
        Excerpts(page, str(path), source).show(refusal.place.line, refusal.place.file)
    page.blank()
    page.say(f"No attempt was used. {next_step}", "dim")


def headline(report: Report) -> str:
    """The verdict, with the points where it was graded."""
    points = f": {number(report.score)} of {number(report.max_score)} points" if report.verdict in STYLES else ""
    return f"{HEADLINES[report.verdict]}{points}."


def _next_step(report: Report) -> str:
    if report.verdict is not Verdict.FAILED:
        return NEXT_STEPS[report.verdict]
    if report.breakdown is not None:
        return "fix that line first; other problems will show once it runs."
    if len(report.diagnoses) > 1:
        return "fix the causes above first; they may explain everything else."
    if report.diagnoses:
        return "fix the cause above first; it may explain everything else."
    if report.guidance is not None and report.guidance.line is not None:
        return "start with that line; the tests that fail may follow from it."
    rules = {finding.message for finding in broken_rules(report)}
    if all(test.message in rules for test in report.tests if test.status.is_failure):
        return "your results are right; change how the code is written."
    return "start with the first test above; the others may follow from it."
