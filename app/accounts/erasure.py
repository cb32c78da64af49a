"""Erasing a person, as far as grades may be: `assay user erase`.

What was awarded stays, under a pseudonym: submissions with verdict and points, the marks of answers, and the readings
that the person gave as staff. What they wrote, what was written about it, and who they are is gone.
"""

from dataclasses import dataclass
from secrets import token_hex
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, delete, select, update
from sqlalchemy.orm import Session

from app import audit
from app.accounts.names import ERASED, name_key
from app.accounts.service import user_named
from app.database import Database
from app.exercises.withdrawal import CANCELLED, TAKEN_BACK
from app.jobs.transitions import withdraw
from app.models import (
    OPEN_STATES,
    Answer,
    AuditEntry,
    Comment,
    DiagnosedMisconception,
    Digest,
    EarlierReport,
    Enrollment,
    ExerciseAuthor,
    ExerciseCommit,
    ExerciseFetch,
    GpuStage,
    HumanGrade,
    Hunt,
    Identity,
    Invitation,
    Job,
    LeaderboardEntry,
    LtiMember,
    LtiScore,
    NoteRecipient,
    PointsOverride,
    Reader,
    Regrade,
    RegradedSubmission,
    RegradeRequest,
    Role,
    SignInLink,
    State,
    StoredReport,
    Submission,
    SubmissionFile,
    TermsException,
    Token,
    User,
    WebSession,
)
from grader.questions import MarkStatus

BATCH: Final = 500
_WRITTEN: Final = (
    *(SubmissionFile, StoredReport, EarlierReport, RegradedSubmission, DiagnosedMisconception, GpuStage),
    *(Comment, RegradeRequest),
)
_THEIRS: Final = (
    *(WebSession, Token, Identity, Invitation, SignInLink, LtiScore, LtiMember),
    *(NoteRecipient, Reader, Digest, LeaderboardEntry, ExerciseAuthor),
)
_SIGNED: Final = (  # with the account's name
    *(TermsException.given_by, PointsOverride.given_by, ExerciseAuthor.given_by),
    *(ExerciseCommit.added_by, Regrade.asked_by),
)
_PERSONAL: Final = ("full_name", "email")  # in the detail of an import of a roster
_ABOUT_THEM: Final = ("reason", "text")  # in what was done for the student, or written to them


@dataclass(frozen=True)
class Erased:
    """The name under which the grades stay, and the person's submissions, of which Redis may still know."""

    pseudonym: str
    submissions: list[str]


def erase_person(database: Database, name: str, by: User) -> Erased:
    """Erases a person, completely or not at all, and withdraws their jobs; a judge's later report finds nobody. Raises
    NotFound.
    """
    with database.write() as session:
        user = user_named(session, name)
        session.refresh(user, with_for_update=True)
        pseudonym = f"{ERASED}-{token_hex(8)}"
        submissions = list(session.scalars(select(Submission.id).where(Submission.user_id == user.id)))
        _empty_submissions(session, user)
        _empty_answers(session, user)
        session.execute(update(Hunt).where(Hunt.user_id == user.id).values(source="", told={}))
        session.execute(
            update(Enrollment).where(Enrollment.user_id == user.id).values(full_name=None, email=None, section=None)
        )
        for table in _THEIRS:
            session.execute(delete(table).where(table.user_id == user.id))
        for given in (TermsException, PointsOverride):
            session.execute(update(given).where(given.user_id == user.id).values(reason=ERASED))
        for column in _SIGNED:
            session.execute(update(column.class_).where(column == user.name).values({column: pseudonym}))
        for told in (CANCELLED, TAKEN_BACK):
            naming = update(ExerciseFetch).where(ExerciseFetch.reason == told.format(name=user.name))
            session.execute(naming.values(reason=told.format(name=pseudonym)))
        _Renaming(user.name, pseudonym).in_the_audit_log(session)
        user.name, user.name_key = pseudonym, name_key(pseudonym)
        user.full_name = user.email = user.created_by_course_id = None
        user.role = Role.STUDENT
        audit.note(session, by, "user.erase", pseudonym, submissions=len(submissions))
        return Erased(pseudonym, submissions)


def _empty_submissions(session: Session, user: User) -> None:
    theirs: Select[Any] = select(Submission.id).where(Submission.user_id == user.id)
    session.execute(theirs.with_for_update())  # whoever is writing about one of them waits, and finds nothing
    for table in _WRITTEN:
        session.execute(delete(table).where(table.submission_id.in_(theirs)))
    is_theirs: ColumnElement[bool] = Submission.user_id == user.id
    withdraw(session, Job.submission_id.in_(theirs))
    session.execute(update(Job).where(Job.submission_id.in_(theirs)).values(fault=None))
    withdrawn = update(Submission).where(is_theirs, Submission.state.in_(OPEN_STATES))
    session.execute(withdrawn.values(state=State.CANCELLED))
    nothing = {"filename": ERASED, "main": ERASED, "sha256": "0" * 64, "idempotency_key": None}
    session.execute(update(Submission).where(is_theirs).values(nothing))


def _empty_answers(session: Session, user: User) -> None:
    """A mark that is still open stays open for ever, so that answer goes; the others keep their points."""
    query = select(Answer).join(Submission).where(Submission.user_id == user.id)
    for answer in session.scalars(query).unique():
        if answer.mark["status"] == MarkStatus.PENDING:
            session.execute(delete(HumanGrade).where(HumanGrade.answer_id == answer.id))
            session.delete(answer)
            continue
        answer.asked, answer.given, answer.job_id = "", "", None
        answer.mark = {**answer.mark, "feedback": ""}
        session.execute(update(HumanGrade).where(HumanGrade.answer_id == answer.id).values(comment=""))


@dataclass(frozen=True)
class _Renaming:
    """The one case in which entries of the audit log are changed: they tell what they told, of nobody."""

    name: str
    pseudonym: str

    def in_the_audit_log(self, session: Session) -> None:
        """Replaces the person's name in every entry of the audit log."""
        query = select(AuditEntry).execution_options(yield_per=BATCH)
        for entries in session.scalars(query).partitions():
            for entry in entries:
                self._rename(entry)
            session.flush()

    def _rename(self, entry: AuditEntry) -> None:
        entry.actor = self._told(entry.actor)
        entry.subject = self._told(entry.subject)
        detail = self._told(entry.detail)
        if detail != entry.detail:
            entry.detail = detail

    def _told(self, value: Any) -> Any:
        match value:
            case str():
                return self.pseudonym if value == self.name else value
            case dict():
                told = {key: self._of(key, each) for key, each in value.items()}
                is_about_them = value.get("student") == self.name
                return told | {key: ERASED for key in _ABOUT_THEM if is_about_them and key in value}
            case list():
                return [self._told(each) for each in value]
            case _:
                return value

    def _of(self, key: str, value: Any) -> Any:
        """A key is a name only in what an imported roster changed, and a role is never one: some are called student."""
        if key == "changed" and isinstance(value, dict):
            return {self._told(name): self._change(name, each) for name, each in value.items()}
        return value if key == "role" else self._told(value)

    def _change(self, name: str, fields: dict[str, Any]) -> dict[str, Any]:
        is_about_them = name == self.name
        return {
            key: ERASED if is_about_them and key in _PERSONAL else self._of(key, each) for key, each in fields.items()
        }
