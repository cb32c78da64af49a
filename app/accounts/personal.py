"""Everything that belongs to a person, as an archive for them: `assay user export`."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from pydantic import JsonValue
from sqlalchemy import or_, select
from sqlalchemy.orm import Session, joinedload

from app.accounts.schemas import SessionView, TokenView
from app.accounts.service import user_named
from app.assignments.schedule import HOLDING, holds_grades
from app.database import Database
from app.exports.archives import Archive
from app.models import (
    Answer,
    Assignment,
    AuditEntry,
    Comment,
    Course,
    Enrollment,
    ExerciseAuthor,
    ExerciseFetch,
    HumanGrade,
    Hunt,
    Identity,
    LeaderboardEntry,
    Note,
    PointsOverride,
    Reader,
    RegradeRequest,
    Submission,
    SubmissionFile,
    TermsException,
    Token,
    User,
    WebSession,
    now,
)
from app.news.received import own_notes
from app.submissions.feedback import is_held, shows_comments
from app.submissions.schemas import ITEM, view_of

Record = dict[str, Any]
EXCEPTION: Final = "assignment_id due_at closes_at extra_attempts reason given_at"


def export_person(database: Database, name: str) -> bytes:
    """Returns a zip of everything kept about a person, without secrets; of reports it holds what the student may see
    now. Raises NotFound.
    """
    with database.read() as session:
        user = user_named(session, name)
        archive = Archive()
        _add(archive, "account.json", _columns(user, "id name full_name email role created_at first_used_at"))
        _add(archive, "courses.json", _courses(session, user))
        _add(archive, "identities.json", _own(session, Identity, user, "issuer subject created_at"))
        _add(archive, "tokens.json", [_view(TokenView, row) for row in _all(session, Token, user)])
        _add(archive, "sessions.json", [_view(SessionView, row) for row in _all(session, WebSession, user)])
        _add(archive, "answers.json", _answers(session, user))
        _add(archive, "exceptions.json", _own(session, TermsException, user, EXCEPTION))
        _add(archive, "overrides.json", _overrides(session, user))
        _add(archive, "leaderboards.json", _leaderboards(session, user))
        _add(archive, "comments.json", _comments(session, user))
        _add(archive, "regrade_requests.json", _requests(session, user))
        _add(archive, "exercises.json", _exercises(session, user))
        _add(archive, "notes.json", _notes(session, user))
        _add(archive, "mail.json", _own(session, Reader, user, "seen_until not_mailed"))
        _add(archive, "readings.json", _readings(session, user))
        _add(archive, "audit.json", _audit(session, user))
        for hunt in _all(session, Hunt, user):
            place = ("hunts", hunt.challenge, str(hunt.number))
            archive.add((*place, "hunt.json"), _json(_columns(hunt, "id challenge number lines_max drawn_at")))
            archive.add((*place, "source.py"), hunt.source)
        _add_submissions(archive, session, user)
    return archive.close()


def _add_submissions(archive: Archive, session: Session, user: User) -> None:
    query = select(Submission).options(*ITEM, joinedload(Submission.report)).where(Submission.user_id == user.id)
    for row in session.scalars(query.order_by(Submission.id)).unique():
        place = ("submissions", row.challenge, f"{row.kind}-{row.attempt}")
        archive.add((*place, "submission.json"), view_of(row, as_staff=False).model_dump_json(indent=1))
        files = select(SubmissionFile).where(SubmissionFile.submission_id == row.id).order_by(SubmissionFile.path)
        for file in session.scalars(files):
            archive.add((*place, "files", *file.path.split("/")), file.content)


def _courses(session: Session, user: User) -> list[Record]:
    columns = (Course.slug, Course.title, Enrollment.role, Enrollment.full_name, Enrollment.email, Enrollment.section)
    query = select(*columns).join(Enrollment).where(Enrollment.user_id == user.id)
    return [dict(row._mapping) for row in session.execute(query.order_by(Course.slug))]


def _answers(session: Session, user: User) -> list[Record]:
    """With what the first reader wrote: the second one's points are only compared, and shown to nobody else."""
    query = select(Answer).join(Submission).where(Submission.user_id == user.id).order_by(Answer.given_at)
    query = query.options(joinedload(Answer.submission).joinedload(Submission.assignment))
    return [
        _columns(row, "submission_id question asked given tries given_at")
        if holds_grades(row.submission.assignment)
        else _columns(row, "submission_id question asked given mark tries given_at")
        | {
            "readings": [
                _columns(each, "role points score comment read_at") for each in row.human_grades if each.place == 1
            ]
        }
        for row in session.scalars(query)
    ]


def _overrides(session: Session, user: User) -> list[Record]:
    told = select(PointsOverride).join(Assignment).where(PointsOverride.user_id == user.id, ~HOLDING)
    return [_columns(row, "assignment_id points reason given_at") for row in session.scalars(told)]


def _leaderboards(session: Session, user: User) -> list[Record]:
    """While grades are held, what was measured is not told: it would tell what passed."""
    query = select(LeaderboardEntry, Assignment).join(Assignment).where(LeaderboardEntry.user_id == user.id)
    return [
        _columns(row, "assignment_id pseudonym joined_at removed_at")
        | ({} if holds_grades(assignment) else _columns(row, "submission_id measured_at body"))
        for row, assignment in session.execute(query)
    ]


def _comments(session: Session, user: User) -> list[Record]:
    """What the person wrote as staff, and what was written to them, as far as they are told."""
    query = (
        select(Comment, Submission)
        .join(Submission, Submission.id == Comment.submission_id)
        .options(*ITEM)
        .where(or_(Comment.author_id == user.id, Submission.user_id == user.id))
        .order_by(Comment.id)
    )
    return [
        _columns(comment, "submission_id file line text written_at edited_at")
        for comment, submission in session.execute(query).unique()
        if comment.author_id == user.id or shows_comments(submission, now())
    ]


def _requests(session: Session, user: User) -> list[Record]:
    """What the person asked, and what they answered as staff; of answers to them what they are told."""
    query = (
        select(RegradeRequest, Submission)
        .join(RegradeRequest.submission)
        .options(*ITEM)
        .where(or_(RegradeRequest.answered_by_id == user.id, Submission.user_id == user.id))
        .order_by(RegradeRequest.id)
    )
    asked, answered = "submission_id reason tests file lines asked_at", "outcome answer closed_at"
    found = []
    for request, submission in session.execute(query).unique():
        is_theirs = submission.user_id == user.id
        is_told = not is_theirs or not is_held(submission)
        found.append(_columns(request, " ".join([asked] * is_theirs + [answered] * is_told)))
    return found


def _exercises(session: Session, user: User) -> Record:
    """The namespaces that were given to the person, and the repositories that they asked for."""
    told = "namespace url ref state reason commit created_at ended_at"
    return {
        "namespaces": _own(session, ExerciseAuthor, user, "namespace created_at"),
        "requests": _own(session, ExerciseFetch, user, told),
    }


def _notes(session: Session, user: User) -> Record:
    """What the person was sent and may see, and what they sent as staff."""
    written = session.scalars(select(Note).where(Note.author_id == user.id).order_by(Note.id))
    return {
        "received": [note.model_dump(mode="json") for note in own_notes(session, user)],
        "written": [_columns(row, "kind misconception text sent_at") for row in written],
    }


def _readings(session: Session, user: User) -> list[Record]:
    """What the person gave for others' answers, without the answers."""
    query = select(HumanGrade).where(HumanGrade.reader_id == user.id).order_by(HumanGrade.read_at)
    return [_columns(row, "answer_id place role points score comment read_at") for row in session.scalars(query)]


def _audit(session: Session, user: User) -> list[Record]:
    """What they did, and what was done to them. The detail of what they did to others is about others."""
    mine = or_(AuditEntry.subject == user.name, AuditEntry.actor == user.name)
    return [
        _columns(row, "at actor action course subject") | ({"detail": row.detail} if row.subject == user.name else {})
        for row in session.scalars(select(AuditEntry).where(mine).order_by(AuditEntry.id))
    ]


def _all(session: Session, model: Any, user: User) -> Sequence[Any]:
    return session.scalars(select(model).where(model.user_id == user.id)).unique().all()


def _own(session: Session, model: Any, user: User, names: str) -> list[Record]:
    return [_columns(row, names) for row in _all(session, model, user)]


def _columns(row: Any, names: str) -> Record:
    return {name: getattr(row, name) for name in names.split()}


def _view(model: Any, row: Any) -> Record:
    found: Record = model.model_validate(row).model_dump(mode="json")
    return found


def _add(archive: Archive, name: str, content: Record | list[Record]) -> None:
    archive.add((name,), _json(content))


def _json(content: Record | list[Record]) -> str:
    return json.dumps(content, indent=1, ensure_ascii=False, default=_plain)


def _plain(value: object) -> JsonValue:
    assert isinstance(value, datetime)
    return value.isoformat()
