"""What students are told while their assignment is open, in the report and on the event stream alike.

full       everything that is public
families   which tests passed and which rules hold, and nothing of why
verdict    the verdict and the score

In a bug hunt the cause is what is asked for: it is told when the hunt is over. So it is of a build that is near to the
file of an open hunt, in whatever challenge.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, and_, or_

from app.assignments.attempts import WITHDRAWN
from app.assignments.schedule import HOLDING, holds_grades, is_over
from app.assignments.terms import PersonalTerms, terms_for
from app.models import Feedback, GradesRelease, Job, State, Submission, SubmissionKind
from grader.report import Report, Verdict, Visibility, untold

# A rejected file is told whole: what it lacks is no secret, and without it nobody could send a better one.
SUMMARIES: Final = {
    Verdict.PASSED: "All required parts are right.",
    Verdict.FAILED: "Something required is not right yet. You will see what it is when the assignment closes.",
    Verdict.ERROR: "The submission crashed or was stopped. You will see where when the assignment closes.",
    Verdict.TIMEOUT: "The submission ran out of time. You will see where when the assignment closes.",
}
OUTCOMES: Final = {
    Verdict.PASSED: "All required parts are right.",
    Verdict.FAILED: "Something required is not right yet.",
    Verdict.ERROR: "The submission crashed or was stopped.",
    Verdict.TIMEOUT: "The submission ran out of time.",
}
# What says why something failed is left out.
CAUSES: Final[Mapping[str, Any]] = {"breakdown": None, "diagnoses": (), "guidance": None}
# One sentence for all of them: which of the reasons it was would tell whether a guess at the cause is right.
WITHHELD: Final = "While your bug hunt is open, builds that might give it away get a verdict but no explanation."
# Longer than any grading with the limits of our exercises: code that sleeps once it is known to be right must not be
# able to tell its student so.
HELD_PAUSE: Final = timedelta(minutes=5)
STILL_WRONG: Final = "Not passed yet: the bug is still there, or there is another one."


def feedback_at(terms: PersonalTerms | None, moment: datetime) -> Feedback:
    """Returns how much a student is told at this moment."""
    if terms is None or is_over(terms, moment):
        return Feedback.FULL
    return terms.assignment.feedback


@dataclass(frozen=True)
class Told:
    """How much of a submission its student is told. `summaries` replace the report's, by verdict; `withheld` says why
    there is no explanation where one would be expected; `is_held`, that nothing is told until grades are released.
    """

    feedback: Feedback
    is_held: bool = False
    summaries: Mapping[Verdict, str] = field(default_factory=dict)
    withheld: str | None = None


TOLD_ALL: Final = Told(Feedback.FULL)


def is_held(submission: Submission) -> bool:
    """Whether its student is told nothing of what came of it. A file that cannot be graded is told as that: what it
    lacks stands in it for all to see, and somebody has to send another one. Nothing comes of one that was withdrawn.
    """
    if submission.verdict is Verdict.REJECTED or submission.state in WITHDRAWN:
        return False
    return holds_grades(submission.assignment)


def told_graded_at(submission: Submission) -> datetime | None:
    """Returns when its student is told that it is graded: at once, but where grades are held a fixed time after a judge
    began, however long that took. `job` must be loaded.
    """
    graded_at, began_at = submission.graded_at, submission.job.started_at
    if graded_at is None or began_at is None or not is_held(submission):
        return graded_at
    return max(graded_at, began_at + HELD_PAUSE)


def told_state(submission: Submission, moment: datetime) -> State:
    """Returns the state as its student is told it."""
    told_at = told_graded_at(submission)
    return submission.state if told_at is None or told_at <= moment else State.RUNNING


def is_told_as(state: State, moment: datetime) -> ColumnElement[bool]:
    """A condition on submissions: their students are told that they are in this state."""
    untold = and_(
        Submission.state == State.GRADED,
        Submission.verdict != Verdict.REJECTED,
        Submission.assignment.has(HOLDING),
        Submission.job.has(Job.started_at > moment - HELD_PAUSE),
    )
    match state:
        case State.GRADED:
            return and_(Submission.state == state, ~untold)
        case State.RUNNING:
            return or_(Submission.state == state, untold)
        case _:
            return Submission.state == state


def shows_comments(submission: Submission, moment: datetime) -> bool:
    """Whether its student sees what staff wrote about it: not while the assignment keeps grades or causes back. What is
    kept back in a bug hunt is no matter here: staff may give a hint. `assignment` and `exceptions` must be loaded.
    """
    return feedback_at(terms_for(submission), moment) is Feedback.FULL and not is_held(submission)


def shown_from(terms: PersonalTerms, written_at: datetime, moment: datetime) -> datetime | None:
    """Returns since when a student has seen what staff wrote about their work in an assignment: at once, or when it
    stopped keeping grades or causes back; None while it does.
    """
    assignment = terms.assignment
    if holds_grades(assignment) or feedback_at(terms, moment) is not Feedback.FULL:
        return None
    told_at = [written_at]
    if assignment.grades_release is GradesRelease.HELD and assignment.released_at is not None:
        told_at.append(assignment.released_at)
    if assignment.feedback is not Feedback.FULL and (end := terms.closes_at or terms.due_at) is not None:
        told_at.append(end)
    return max(told_at)


def told_of(submission: Submission, moment: datetime) -> Told:
    """Returns how much of the submission its student is told. `assignment`, `exceptions` and `near_hunt` must be
    loaded.
    """
    if submission.kind is SubmissionKind.HUNT:
        is_whole = submission.verdict in (None, Verdict.PASSED, Verdict.REJECTED)
        return Told(Feedback.FULL if is_whole else Feedback.FAMILIES, summaries={Verdict.FAILED: STILL_WRONG})
    feedback = feedback_at(terms_for(submission), moment)
    if is_held(submission):
        return Told(feedback, is_held=True)
    if submission.near_hunt is not None and submission.near_hunt.solved_at is None:
        limited = Feedback.FAMILIES if feedback is Feedback.FULL else feedback
        summaries = {verdict: f"{what} {WITHHELD}" for verdict, what in OUTCOMES.items()}
        return Told(limited, summaries=summaries, withheld=WITHHELD)
    return TOLD_ALL if feedback is Feedback.FULL else Told(feedback, summaries=SUMMARIES)


def for_student(report: Report, submission: Submission, moment: datetime) -> Report:
    """Returns the student's view of the report."""
    terms = terms_for(submission)
    released = {Visibility.PUBLIC}
    if terms is not None and is_over(terms, moment):
        released.add(Visibility.AFTER_DUE_DATE)
    shown = report.for_student(frozenset(released))
    if shown.verdict is Verdict.REJECTED:
        return shown
    if submission.kind is SubmissionKind.HUNT:
        return _without_cause(shown)
    told = told_of(submission, moment)
    match told.feedback:
        case Feedback.FULL:
            return shown
        case Feedback.FAMILIES:
            return _families(shown, told.summaries)
        case Feedback.VERDICT:
            limited = _families(shown, told.summaries)
            return limited.model_copy(update={"tests": (), "forgeable": None, "structure": (), "efficiency": None})


def _without_cause(report: Report) -> Report:
    """Which tests fail is a symptom, and so is where it crashed; what tests say, and where to look, is not."""
    if report.verdict is Verdict.PASSED:
        return report.model_copy(update=CAUSES)
    return _families(report, {report.verdict: report.summary, Verdict.FAILED: STILL_WRONG})


def _families(report: Report, summaries: Mapping[Verdict, str]) -> Report:
    return report.model_copy(
        update={
            "summary": summaries[report.verdict],
            "tests": untold(report.tests),
            "forgeable": report.forgeable and report.forgeable.untold(),
            "structure": tuple(
                finding.model_copy(update={"message": "", "line": None, "file": None}) for finding in report.structure
            ),
            "remarks": (),
        }
        | dict(CAUSES)
    )
