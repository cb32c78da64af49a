"""A report for reading in a terminal or a log."""

from collections import Counter
from collections.abc import Iterator

from grader.formats.plain import plain
from grader.report import Diagnosis, Forgeable, Report, RuleFinding, RuleStatus, TestStatus, where_in

MESSAGES_MAX = 5  # failed tests told one by one; the rest is counted


def write_text(name: str, report: Report) -> str:
    """Writes a report: the verdict first, then why, then what to look at."""
    head = f"{name}: {report.verdict.upper()}  {report.score:g}/{report.max_score:g}  {report.summary}"
    return plain("\n".join([head, *(f"    {line}" for line in _lines(report))]))


def _lines(report: Report) -> Iterator[str]:
    if report.breakdown and report.breakdown.meaning:
        yield report.breakdown.meaning
    for diagnosis in report.diagnoses:
        yield f"diagnosis {diagnosis.id}{_at(diagnosis)}: {diagnosis.title}"
        yield f"  {diagnosis.explanation}"
        yield f"  {diagnosis.evidence}"
        yield from (f"  {line}" for line in (diagnosis.patch or "").splitlines())
    for finding in report.structure:
        if finding.status is RuleStatus.FAILED:
            yield f"rule {finding.rule}{_at(finding)}: {finding.message}"
    wrong = [test for test in report.tests if test.status.is_failure]
    for test in wrong[:MESSAGES_MAX]:
        yield f"{test.status} {test.group}: {test.title}" + (f": {test.message}" if test.message else "")
    if len(wrong) > MESSAGES_MAX:
        yield f"and {len(wrong) - MESSAGES_MAX} more"
    if report.forgeable:
        yield from _beside(report.forgeable)
    if report.guidance:
        yield f"first: {report.guidance.message}"
        yield from (f"    {line}" for line in (report.guidance.snippet or "").splitlines())
    yield from (f"remark {remark.id}: {remark.message}" for remark in report.remarks)
    if report.tests:
        counts = Counter(test.status for test in report.tests)
        told = ", ".join(f"{counts[status]} {status}" for status in TestStatus if counts[status])
        yield f"{told}; {report.timings.total_s:.2f} s; replay with --seed {report.seed}"


def _beside(forgeable: Forgeable) -> Iterator[str]:
    """Apart from all else, as nothing is proven of them."""
    yield f"beside the code, where they could be forged: {forgeable.score:g} of {forgeable.max_score:g} points apart"
    for test in forgeable.tests:
        yield f"  {test.status} {test.group}: {test.title}" + (f": {test.message}" if test.message else "")


def _at(found: Diagnosis | RuleFinding) -> str:
    return f" ({where_in(found.line, found.file)})" if found.line else ""
