"""A report for reading in a terminal or a log."""

from collections import Counter
from collections.abc import Iterator

from assay.formats.plain import plain
from grader.report import Report, RuleStatus, TestStatus

MESSAGES_MAX = 5  # failed tests told one by one; the rest is counted


def write_text(name: str, report: Report) -> str:
    """Verdict first, then why, then what to look at."""
    head = f"{name}: {report.verdict.upper()}  {report.score:g}/{report.max_score:g}  {report.summary}"
    return plain("\n".join([head, *(f"    {line}" for line in _lines(report))]))


def _lines(report: Report) -> Iterator[str]:
    for diagnosis in report.diagnoses:
        yield f"diagnosis {diagnosis.id}{_at(diagnosis.line)}: {diagnosis.title}"
        yield f"  {diagnosis.explanation}"
        yield f"  {diagnosis.evidence}"
    for finding in report.structure:
        if finding.status is RuleStatus.FAILED:
            yield f"rule {finding.rule}{_at(finding.line)}: {finding.message}"
    wrong = [test for test in report.tests if test.status not in (TestStatus.PASSED, TestStatus.SKIPPED)]
    for test in wrong[:MESSAGES_MAX]:
        yield f"{test.status} {test.group}: {test.title}" + (f": {test.message}" if test.message else "")
    if len(wrong) > MESSAGES_MAX:
        yield f"and {len(wrong) - MESSAGES_MAX} more"
    if report.tests:
        counts = Counter(test.status for test in report.tests)
        told = ", ".join(f"{counts[status]} {status}" for status in TestStatus if counts[status])
        yield f"{told}; {report.timings.total_s:.2f} s; replay with --seed {report.seed}"


def _at(line: int | None) -> str:
    return f" (line {line})" if line else ""
