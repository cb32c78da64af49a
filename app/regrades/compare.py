"""What a regrade changes for one submission. Pure."""

from app.models import RegradedSubmission
from app.regrades.schemas import Change, Result, TestChange
from grader.report import Report, TestResult


def change_of(item: RegradedSubmission, body_before: str) -> Change:
    """Returns how a regrade changes a submission. `item` must have a report, and its submission and user be loaded."""
    before, after = Report.model_validate_json(body_before), Report.model_validate_json(item.body or "")
    return Change(
        submission=item.submission_id,
        student=item.submission.user.name,
        attempt=item.submission.attempt,
        before=Result(verdict=before.verdict, score=before.score),
        after=Result(verdict=after.verdict, score=after.score),
        tests=_changed_tests(before, after),
    )


def _changed_tests(before: Report, after: Report) -> list[TestChange]:
    """In the order of the new report, then what it no longer has."""
    old, new = _by_id(before), _by_id(after)
    names = [*new, *(name for name in old if name not in new)]
    return [
        TestChange(
            id=name,
            title=(new.get(name) or old[name]).title,
            before=old[name].status if name in old else None,
            after=new[name].status if name in new else None,
        )
        for name in names
        if name not in old or name not in new or old[name].status != new[name].status
    ]


def _by_id(report: Report) -> dict[str, TestResult]:
    return {test.id: test for test in report.tests}
