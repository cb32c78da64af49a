"""What students are told while their assignment is open, in the report and on the event stream alike.

full       everything that is public
families   which tests passed and which rules hold, and nothing of why
verdict    the verdict and the score
"""

import json
from datetime import datetime
from typing import Any, Final

from fastapi.sse import ServerSentEvent

from app.assignments.schedule import is_over
from app.models import Assignment, Feedback
from grader.report import Report, Verdict, Visibility

# A rejected file is told whole: what it lacks is no secret, and without it nobody could send a better one.
SUMMARIES: Final = {
    Verdict.PASSED: "Everything that is required holds.",
    Verdict.FAILED: "Something that is required does not hold yet. What it is will be told when the assignment closes.",
    Verdict.ERROR: "The submission crashed or was stopped. Where will be told when the assignment closes.",
    Verdict.TIMEOUT: "The submission used up its time. Where will be told when the assignment closes.",
}


def feedback_at(assignment: Assignment | None, moment: datetime) -> Feedback:
    """How much a student is told at this moment."""
    if assignment is None or is_over(assignment, moment):
        return Feedback.FULL
    return assignment.feedback


def for_student(report: Report, assignment: Assignment | None, moment: datetime) -> Report:
    """The student's view of the report."""
    released = {Visibility.PUBLIC}
    if assignment is not None and is_over(assignment, moment):
        released.add(Visibility.AFTER_DUE_DATE)
    shown = report.for_student(frozenset(released))
    if shown.verdict is Verdict.REJECTED:
        return shown
    match feedback_at(assignment, moment):
        case Feedback.FULL:
            return shown
        case Feedback.FAMILIES:
            return _families(shown)
        case Feedback.VERDICT:
            return _families(shown).model_copy(update={"tests": (), "structure": (), "efficiency": None})


def event_for_student(event: ServerSentEvent, feedback: Feedback) -> ServerSentEvent | None:
    """The event without what the report leaves out, too; None when nothing remains."""
    if feedback is Feedback.FULL or event.event not in ("test", "verdict"):
        return event
    if event.event == "test":
        return event if feedback is Feedback.FAMILIES else None
    data: dict[str, Any] = event.data if event.raw_data is None else json.loads(event.raw_data)
    verdict = Verdict(data["verdict"])
    return ServerSentEvent(
        event="verdict", data={**data, "summary": SUMMARIES.get(verdict, data["summary"])}, id=event.id
    )


def _families(report: Report) -> Report:
    return report.model_copy(
        update={
            "summary": SUMMARIES[report.verdict],
            "tests": tuple(test.model_copy(update={"message": "", "metrics": {}}) for test in report.tests),
            "structure": tuple(
                finding.model_copy(update={"message": "", "line": None, "file": None}) for finding in report.structure
            ),
            "diagnoses": (),
            "guidance": None,
            "remarks": (),
        }
    )
