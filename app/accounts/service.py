"""People, tokens and courses. Used by the endpoints, the web pages and the operator's command line."""

import hmac
import secrets
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import bindparam, func, or_, select, update
from sqlalchemy.orm import Session

from app import audit
from app.accounts.names import CONSOLE, NOT_A_NAME, address_key, is_name, name_key
from app.accounts.sessions import end_all, lock_account
from app.database import Database
from app.hashing import sha256_of
from app.identifiers import is_free_slug
from app.models import Course, Enrollment, Role, Submission, SubmissionKind, Token, User, now
from app.problems import Conflict, NotFound, NotSignedIn, Unprocessable
from app.rows import add_unless_there
from app.time_zones import in_zone

TOKEN_PREFIX: Final = "assay_"  # noqa: S105 - what a token begins with
TOKEN_LENGTH_MAX: Final = 200
TOKEN_DAYS: Final = 365  # the longest life, but where an operator says otherwise at the command line
USE_NOTED_EVERY: Final = timedelta(hours=1)
DEMO_COURSE: Final = "demo"
_VALID: Final = select(Token).where(Token.sha256 == bindparam("digest"), Token.revoked_at.is_(None))


@dataclass(frozen=True)
class Bootstrap:
    """What the first run created. The tokens are shown once and kept nowhere."""

    course: str
    instructor: str
    instructor_token: str
    student: str
    student_token: str


@dataclass(frozen=True)
class Membership:
    """A course, and a person's role in it."""

    slug: str
    title: str
    role: Role
    time_zone: str
    is_archived: bool


@dataclass(frozen=True)
class SignIn:
    """A person, and the token that proved it, if any. Put `token_id` into a session, never the token itself."""

    user: User
    token_id: str | None


@dataclass(frozen=True)
class NewToken:
    """A token in clear, which cannot be shown again, and its row."""

    clear: str = field(repr=False)
    row: Token


def console() -> User:
    """Returns the actor for the command line: whoever may open the database may do everything."""
    return User(id="", name=CONSOLE, role=Role.OPERATOR)


def create_user(
    database: Database,
    name: str,
    role: Role = Role.STUDENT,
    course: str | None = DEMO_COURSE,
    by: User | None = None,
) -> User:
    """Creates a person, enrolled in `course` (created when missing) unless that is None.

    Raises Unprocessable when the name is not valid, Conflict when it is taken.
    """
    with database.write() as session:
        user = add_user(session, name, role)
        if course is not None:
            _enroll(session, _course(session, course, title=course), user)
        if by is not None:
            audit.note(session, by, "user.create", name, role=role)
        return user


def issue_token(
    database: Database,
    user_name: str,
    label: str = "",
    expires_at: datetime | None = None,
    by: User | None = None,
) -> str:
    """Creates a bearer token and returns it in clear, for the only time. Raises NotFound for an unknown person."""
    with database.write() as session:
        token = add_token(session, user_named(session, user_name), label, expires_at)
        if by is not None:
            audit.note(session, by, "token.issue", user_name, label=token.row.label)
        return token.clear


def revoke_tokens(database: Database, user_name: str, by: User | None = None) -> int:
    """Revokes all of a person's tokens and web sessions; returns how many tokens there were. Raises NotFound."""
    with database.write() as session:
        user = user_named(session, user_name)
        lock_account(session, user.id)
        tokens = session.scalars(select(Token).where(Token.user_id == user.id, Token.revoked_at.is_(None))).all()
        for token in tokens:
            token.revoked_at = now()
        sessions = end_all(session, user)
        if by is not None:
            audit.note(session, by, "token.revoke", user_name, tokens=len(tokens), sessions=sessions)
        return len(tokens)


def list_users(database: Database) -> list[User]:
    """Returns all people, by name."""
    with database.read() as session:
        return list(session.scalars(select(User).order_by(User.name)))


def enroll(database: Database, user_name: str, course: str, role: Role | None = None, by: User | None = None) -> None:
    """Enrols a person in a course, or changes their role there (default: their own). Raises NotFound."""
    with database.write() as session:
        user = user_named(session, user_name)
        found = session.scalar(select(Course).where(Course.slug == course))
        if found is None:
            raise NotFound(f"There is no course {course!r}.")
        _enroll(session, found, user, role)
        if by is not None:
            audit.note(session, by, "enrollment.change", user_name, found, role=role or user.role)


def bootstrap(url: str) -> Bootstrap | None:
    """Creates a course, an instructor and a student, each with a token, on an empty database; else returns None.

    The schema must be up to date (`app.database.upgrade`).
    """
    database = Database(url)
    try:
        with database.write() as session:
            if session.scalar(select(func.count()).select_from(User)):
                return None
            course = _course(session, DEMO_COURSE, "Demonstration course")
            instructor = add_user(session, "instructor", Role.INSTRUCTOR)
            student = add_user(session, "student", Role.STUDENT)
            _enroll(session, course, instructor)
            _enroll(session, course, student)
            return Bootstrap(
                course=course.slug,
                instructor=instructor.name,
                instructor_token=add_token(session, instructor, "first run").clear,
                student=student.name,
                student_token=add_token(session, student, "first run").clear,
            )
    finally:
        database.close()


def sign_in(database: Database, token: str) -> SignIn | None:
    """Returns whose token this is; None when it is unknown or revoked. Raises NotSignedIn when it has expired."""
    if not token.startswith(TOKEN_PREFIX) or len(token) > TOKEN_LENGTH_MAX:
        return None
    digest = sha256_of(token)
    with database.read() as session:
        found = session.scalar(_VALID, {"digest": digest})
        if found is None or not hmac.compare_digest(found.sha256, digest):
            return None
        if not is_current(found):
            raise NotSignedIn(
                f"Your token {found.label!r} expired at {in_zone(found.expires_at, _zone_of(session, found.user))}. "
                "Make a new one with a token that is still valid, or ask your instructor for one."
            )
    _note_use(database, found)
    return SignIn(user=found.user, token_id=found.id)


def last_holder(database: Database, token: str) -> str | None:
    """Returns the name of the token's owner, even when it is revoked or expired; None when it never existed."""
    with database.read() as session:
        return session.scalar(select(User.name).join(Token).where(Token.sha256 == sha256_of(token)))


def _zone_of(session: Session, user: User) -> str:
    """The zone that all courses of a person have; else UTC."""
    query = select(Course.time_zone).join(Enrollment).where(Enrollment.user_id == user.id).distinct().limit(2)
    found = session.scalars(query).all()
    return found[0] if len(found) == 1 else "UTC"


def _note_use(database: Database, token: Token) -> None:
    moment = now()
    if token.used_at is not None and moment - token.used_at < USE_NOTED_EVERY:
        return
    with database.write() as session:
        session.execute(update(Token).where(Token.id == token.id).values(used_at=moment))
        first = update(User).where(User.id == token.user_id, User.first_used_at.is_(None))
        session.execute(first.values(first_used_at=moment))


def memberships(database: Database, user: User) -> list[Membership]:
    """Returns the courses of a person with their roles, by slug."""
    query = select(Enrollment, Course).join(Course).where(Enrollment.user_id == user.id).order_by(Course.slug)
    with database.read() as session:
        return [
            Membership(course.slug, course.title, enrollment.role, course.time_zone, course.is_archived)
            for enrollment, course in session.execute(query)
        ]


def submission_counts(database: Database, user: User) -> dict[str, int]:
    """Counts a person's submissions to each challenge."""
    query = (
        select(Submission.challenge, func.count())
        .where(Submission.user_id == user.id, Submission.kind == SubmissionKind.BUILD)
        .group_by(Submission.challenge)
        .order_by(Submission.challenge)
    )
    with database.read() as session:
        return dict(session.execute(query).all())


def add_user(session: Session, name: str, role: Role) -> User:
    """Adds a person in the caller's transaction. Raises Unprocessable when the name is not valid, Conflict when it is
    taken: as a name, whatever its capitals, or as somebody's address.
    """
    if not is_name(name):
        raise Unprocessable(f"{name[:100]!r} {NOT_A_NAME}.")
    taken = or_(User.name_key == name_key(name), func.lower(User.email) == address_key(name))
    user = User(name=name, role=role)
    if session.scalar(select(User).where(taken).limit(1)) is not None or not add_unless_there(session, user):
        raise Conflict(f"The name {name!r} is taken, or looks too much like an existing one. Choose another name.")
    return user


def add_token(session: Session, user: User, label: str, expires_at: datetime | None = None) -> NewToken:
    """Adds a token in the caller's transaction. Without an expiry it gets the longest life."""
    clear = TOKEN_PREFIX + secrets.token_urlsafe(32)
    expires_at = expires_at or now() + timedelta(days=TOKEN_DAYS)
    row = Token(user_id=user.id, sha256=sha256_of(clear), label=label[:100], expires_at=expires_at)
    session.add(row)
    session.flush()
    return NewToken(clear, row)


def is_current(token: Token) -> bool:
    """Whether the token has not expired."""
    return now() < token.expires_at


def user_named(session: Session, name: str) -> User:
    """Returns the person of that name. Raises NotFound."""
    user = session.scalar(select(User).where(User.name == name))
    if user is None:
        raise NotFound(f"There is no user {name!r}. `assay user list` shows them all.")
    return user


def _course(session: Session, slug: str, title: str) -> Course:
    if not is_free_slug(slug):
        raise Unprocessable(
            f"{slug[:64]!r} cannot name a course. Use lower-case letters, digits and hyphens; some words are reserved."
        )
    named = select(Course).where(Course.slug == slug)
    course = session.scalar(named)
    if course is None:
        course = Course(slug=slug, title=title)
        if not add_unless_there(session, course):
            course = session.scalars(named).one()
    return course


def _enroll(session: Session, course: Course, user: User, role: Role | None = None) -> None:
    session.merge(Enrollment(course_id=course.id, user_id=user.id, role=role or user.role))
