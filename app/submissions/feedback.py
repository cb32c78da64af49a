"""What students are told while their assignment is open, in the report and on the event stream alike.

full       everything that is public
families   which tests passed and which rules hold, and nothing of why
verdict    the verdict and the score

In a bug hunt the cause is what is asked for: it is told when the hunt is over.
"""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from fastapi.sse import ServerSentEvent

from app.assignments.schedule import is_over
from app.models import Assignment, Feedback, Submission, SubmissionKind
from grader.report import UNTOLD, Report, Verdict, Visibility

# A rejected file is told whole: what it lacks is no secret, and without it nobody could send a better one.
SUMMARIES: Final = {
    Verdict.PASSED: "Everything that is required holds.",
    Verdict.FAILED: "Something that is required does not hold yet. What it is will be told when the assignment closes.",
    Verdict.ERROR: "The submission crashed or was stopped. Where will be told when the assignment closes.",
    Verdict.TIMEOUT: "The submission used up its time. Where will be told when the assignment closes.",
}
STILL_WRONG: Final = "Not right yet: the bug is still there, or there is another one."


def feedback_at(assignment: Assignment | None, moment: datetime) -> Feedback:
    """How much a student is told at this moment."""
    if assignment is None or is_over(assignment, moment):
        return Feedback.FULL
    return assignment.feedback


def feedback_of(submission: Submission, moment: datetime) -> Feedback:
    """How much its student is told of this submission."""
    if submission.kind is SubmissionKind.HUNT and submission.verdict is Verdict.FAILED:
        return Feedback.FAMILIES
    return feedback_at(submission.assignment, moment)


def for_student(report: Report, submission: Submission, moment: datetime) -> Report:
    """The student's view of the report."""
    assignment = submission.assignment
    released = {Visibility.PUBLIC}
    if assignment is not None and is_over(assignment, moment):
        released.add(Visibility.AFTER_DUE_DATE)
    shown = report.for_student(frozenset(released))
    if shown.verdict is Verdict.REJECTED:
        return shown
    if submission.kind is SubmissionKind.HUNT:
        return _without_cause(shown)
    match feedback_at(assignment, moment):
        case Feedback.FULL:
            return shown
        case Feedback.FAMILIES:
            return _families(shown)
        case Feedback.VERDICT:
            return _families(shown).model_copy(update={"tests": (), "structure": (), "efficiency": None})


def event_for_student(event: ServerSentEvent, feedback: Feedback, kind: SubmissionKind) -> ServerSentEvent | None:
    """The event without what the report leaves out, too; None when nothing remains."""
    if kind is SubmissionKind.HUNT:
        return event if event.event != "verdict" else _with_summary(event, {Verdict.FAILED: STILL_WRONG})
    if feedback is Feedback.FULL or event.event not in ("test", "verdict"):
        return event
    if event.event == "test":
        return event if feedback is Feedback.FAMILIES else None
    return _with_summary(event, SUMMARIES)


def _with_summary(event: ServerSentEvent, summaries: Mapping[Verdict, str]) -> ServerSentEvent:
    data: dict[str, Any] = event.data if event.raw_data is None else json.loads(event.raw_data)
    summary = summaries.get(Verdict(data["verdict"]), data["summary"])
    return ServerSentEvent(event="verdict", data={**data, "summary": summary}, id=event.id)


def _without_cause(report: Report) -> Report:
    """Which tests fail is a symptom; what they say, and where to look, is not."""
    if report.verdict is not Verdict.FAILED:
        return report.model_copy(update={"diagnoses": (), "guidance": None})
    return _families(report).model_copy(update={"summary": STILL_WRONG})


def _families(report: Report) -> Report:
    return report.model_copy(
        update={
            "summary": SUMMARIES[report.verdict],
            "tests": tuple(test.model_copy(update=UNTOLD) for test in report.tests),
            "structure": tuple(
                finding.model_copy(update={"message": "", "line": None, "file": None}) for finding in report.structure
            ),
            "diagnoses": (),
            "guidance": None,
            "remarks": (),
        }
    )
