"""The tables. Written for SQLite and PostgreSQL alike; every change needs a migration, which a test demands."""

from app.models.answers import Answer, HumanGrade
from app.models.assignments import Assignment, AuditEntry
from app.models.base import Base, now
from app.models.choices import (
    OPEN_FETCH_STATES,
    OPEN_JOB_STATES,
    OPEN_STATES,
    STAFF,
    ActorKind,
    CommitState,
    Feedback,
    FetchState,
    GradesRelease,
    InvitationState,
    JobState,
    MailState,
    NoteKind,
    PartKind,
    Proof,
    RegradeState,
    RequestOutcome,
    Role,
    Solutions,
    State,
    SubmissionKind,
    Unlock,
)
from app.models.exercises import CommittedExercise, ExerciseAuthor, ExerciseCommit, ExerciseFetch, ExerciseRepository
from app.models.gpu import GpuStage
from app.models.grades import PointsOverride, TermsException
from app.models.hunts import Fix, Hunt
from app.models.invitations import Invitation, SignInLink
from app.models.jobs import Job
from app.models.leaderboard import LeaderboardEntry
from app.models.lti import (
    LtiContext,
    LtiDeployment,
    LtiKey,
    LtiLaunch,
    LtiLineItem,
    LtiMember,
    LtiPlatform,
    LtiRegistration,
    LtiScore,
)
from app.models.notes import Digest, Note, NoteRecipient, Reader
from app.models.people import Course, Enrollment, Identity, Token, User, WebSession
from app.models.receipts import ReceiptKey
from app.models.regrade_requests import RegradeRequest
from app.models.regrades import EarlierReport, Regrade, RegradedSubmission
from app.models.submissions import DiagnosedMisconception, GradedPart, StoredReport, Submission, SubmissionFile
from app.models.talk import Comment

__all__ = [
    "OPEN_FETCH_STATES",
    "OPEN_JOB_STATES",
    "OPEN_STATES",
    "STAFF",
    "ActorKind",
    "Answer",
    "Assignment",
    "AuditEntry",
    "Base",
    "Comment",
    "CommitState",
    "CommittedExercise",
    "Course",
    "DiagnosedMisconception",
    "Digest",
    "EarlierReport",
    "Enrollment",
    "ExerciseAuthor",
    "ExerciseCommit",
    "ExerciseFetch",
    "ExerciseRepository",
    "Feedback",
    "FetchState",
    "Fix",
    "GpuStage",
    "GradedPart",
    "GradesRelease",
    "HumanGrade",
    "Hunt",
    "Identity",
    "Invitation",
    "InvitationState",
    "Job",
    "JobState",
    "LeaderboardEntry",
    "LtiContext",
    "LtiDeployment",
    "LtiKey",
    "LtiLaunch",
    "LtiLineItem",
    "LtiMember",
    "LtiPlatform",
    "LtiRegistration",
    "LtiScore",
    "MailState",
    "Note",
    "NoteKind",
    "NoteRecipient",
    "PartKind",
    "PointsOverride",
    "Proof",
    "Reader",
    "ReceiptKey",
    "Regrade",
    "RegradeRequest",
    "RegradeState",
    "RegradedSubmission",
    "RequestOutcome",
    "Role",
    "SignInLink",
    "Solutions",
    "State",
    "StoredReport",
    "Submission",
    "SubmissionFile",
    "SubmissionKind",
    "TermsException",
    "Token",
    "Unlock",
    "User",
    "WebSession",
    "now",
]
