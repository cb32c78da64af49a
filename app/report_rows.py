"""The event of a verdict, and the rows kept beside a report so that a class's figures open no report."""

from collections.abc import Iterator
from typing import Any

from app.models import DiagnosedMisconception, GradedPart, PartKind
from grader.grouping import grouped
from grader.report import Report, RuleStatus, TestStatus

Row = DiagnosedMisconception | GradedPart


def rows_of(submission_id: str, report: Report) -> list[Row]:
    """Yields a row for each misconception that the report names, and for each family and rule in it."""
    return [*_diagnosed(submission_id, report), *_families(submission_id, report), *_rules(submission_id, report)]


def _diagnosed(submission_id: str, report: Report) -> Iterator[Row]:
    for diagnosis in {found.id: found for found in report.diagnoses}.values():
        yield DiagnosedMisconception(
            submission_id=submission_id,
            misconception=diagnosis.id[:100],
            title=diagnosis.title[:300],
            line=diagnosis.line,
            file=diagnosis.file[:255] if diagnosis.file else None,
        )


def _families(submission_id: str, report: Report) -> Iterator[Row]:
    for family, statuses in grouped((test.group, test.status) for test in report.tests).items():
        passed = statuses.count(TestStatus.PASSED)
        yield _part(submission_id, PartKind.FAMILY, family, passed, len(statuses))


def _rules(submission_id: str, report: Report) -> Iterator[Row]:
    for rule in {found.rule: found for found in report.structure}.values():
        yield _part(submission_id, PartKind.RULE, rule.rule, int(rule.status is RuleStatus.PASSED), 1)


def _part(submission_id: str, kind: PartKind, name: str, passed: int, total: int) -> GradedPart:
    return GradedPart(submission_id=submission_id, kind=kind, name=name[:100], passed=passed, total=total)


def verdict_of(report: Report) -> dict[str, Any]:
    """Returns the data of a `verdict` event."""
    return {
        "verdict": report.verdict,
        "score": report.score,
        "max_score": report.max_score,
        "summary": report.summary,
    }
