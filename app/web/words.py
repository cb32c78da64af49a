"""The closed choices of the report and of the questions, in a student's words."""

from typing import Final

from app.gradebook.book import CellState
from app.invitations.schemas import WayIn
from app.models import CommitState, FetchState, JobState, RequestOutcome, Role, State
from app.news.schemas import NewsKind
from app.reviews.schemas import Stand
from app.similarity.forms import Reason
from grader.messages import JobKind
from grader.questions import MarkStatus
from grader.report import TestStatus, Verdict

VERDICTS: Final = {
    Verdict.PASSED: "Passed",
    Verdict.FAILED: "Not passed yet",
    Verdict.REJECTED: "Rejected",
    Verdict.ERROR: "Crashed",
    Verdict.TIMEOUT: "Out of time",
}
STATES: Final = {
    State.QUEUED: "Waiting",
    State.RUNNING: "Being graded",
    State.GRADED: "Graded",
    State.CANCELLED: "Cancelled",
    State.SUPERSEDED: "Superseded",
}
# As a badge: the stylesheet's class, and the word.
JOB_STATES: Final = {
    JobState.WAITING: ("waiting", "Waiting"),
    JobState.DISPATCHED: ("waiting", "Waiting"),
    JobState.RUNNING: ("waiting", "Running"),
    JobState.DONE: ("passed", "Done"),
    JobState.GIVEN_UP: ("error", "Given up"),
    JobState.WITHDRAWN: ("", "Cancelled"),
}
COMMIT_STATES: Final = {
    CommitState.VERIFYING: ("waiting", "Being verified"),
    CommitState.VERIFIED: ("", "Verified"),
    CommitState.REFUSED: ("rejected", "Refused"),
}
FETCH_STATES: Final = {
    FetchState.WAITING: ("waiting", "Waiting for the verifier"),
    FetchState.RUNNING: ("waiting", "Being verified"),
    FetchState.LIVE: ("passed", "Live"),
    FetchState.REFUSED: ("rejected", "Refused"),
    FetchState.CANCELLED: ("", "Cancelled"),
    FetchState.FAILED: ("error", "Failed"),
}
JOB_KINDS: Final = {
    JobKind.SUBMISSION: "grading",
    JobKind.REGRADE: "regrade",
    JobKind.GPU: "GPU stage",
    JobKind.CHECK: "line of code in an answer",
    JobKind.MEASURE: "measurement for a leaderboard",
    JobKind.EXERCISES: "exercise repository",
}
TESTS: Final = {
    TestStatus.PASSED: "passed",
    TestStatus.FAILED: "failed",
    TestStatus.ERROR: "crashed",
    TestStatus.TIMEOUT: "out of time",
    TestStatus.SKIPPED: "not run",
}
MARKS: Final = {
    MarkStatus.CORRECT: "Right",
    MarkStatus.PARTIAL: "Partly right",
    MarkStatus.INCORRECT: "Not right",
    MarkStatus.PENDING: "Awaiting review",
}
STANDS: Final = {
    Stand.WAITING: "Waiting",
    Stand.MARKED: "Marked",
    Stand.SECOND: "Needs second reader",
    Stand.DIFFERING: "Readers differ",
}
# In the gradebook, as a sign beside the points, and in words.
CELL_SIGNS: Final = {
    CellState.NOT_SUBMITTED: "\N{EN DASH}",
    CellState.WAITING: "…",
    CellState.LATE: "L",
    CellState.REVIEW: "R",
    CellState.OVERRIDDEN: "✎",
    CellState.EXCEPTION: "+",
}
CELLS: Final = {
    CellState.NOT_SUBMITTED: "nothing submitted",
    CellState.WAITING: "being graded",
    CellState.LATE: "late",
    CellState.REVIEW: "awaiting review",
    CellState.OVERRIDDEN: "overridden",
    CellState.EXCEPTION: "more time or attempts",
}
WAYS_IN: Final = {
    WayIn.SIGNED_IN: ("passed", "Signed in"),
    WayIn.TOKEN: ("", "Token given"),
    WayIn.INVITED: ("phase-planned", "Invited"),
    WayIn.MAIL_WAITING: ("waiting", "Mail on its way"),
    WayIn.MAIL_FAILED: ("failed", "Mail failed"),
    WayIn.EXPIRED: ("pending", "Invitation expired"),
    WayIn.REVOKED: ("", "Revoked"),
    WayIn.NOT_INVITED: ("", "Not invited"),
}
# Of regrade requests, as a badge; and what staff choose from.
REQUESTS: Final = {
    None: ("waiting", "Open"),
    RequestOutcome.UNCHANGED: ("", "Nothing changed"),
    RequestOutcome.POINTS_CHANGED: ("passed", "Points changed"),
    RequestOutcome.GRADED_AGAIN: ("passed", "Graded again"),
    RequestOutcome.WITHDRAWN: ("", "Withdrawn"),
}
GIVEN_OUTCOMES: Final = {"": "Choose one"} | {str(outcome): word for outcome, (_, word) in REQUESTS.items() if outcome}
NEWS: Final = {
    NewsKind.NOTE: "Notes from your course's staff",
    NewsKind.REGRADE: "Regrades that changed your result",
    NewsKind.COMMENT: "Comments on your submissions",
    NewsKind.REQUEST: "Answers to your regrade requests",
    NewsKind.GRADES: "Released grades",
    NewsKind.POINTS: "Changed points, and answers that were marked",
    NewsKind.EXTENSION: "More time or attempts",
}
ROLES: Final = {
    Role.STUDENT: "a student",
    Role.ASSISTANT: "an assistant",
    Role.INSTRUCTOR: "an instructor",
    Role.OPERATOR: "an operator",
}
# In what two files are alike: of most of them, and of all.
LIKENESS: Final = {
    Reason.LAYOUT: (
        "Mostly the same statements, names included",
        "The same except for comments, type hints and layout",
    ),
    Reason.NAMES: ("Mostly the same after renaming variables", "The same after renaming variables"),
    Reason.ORDER: ("Mostly the same statements in another order", "The same statements in another order"),
    Reason.STEPS: ("Mostly the same steps, written differently", "The same steps, written differently"),
    Reason.TEXT: ("Long passages read the same", "Long passages read the same"),
}
