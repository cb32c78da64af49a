"""People, their tokens and identities, and the courses they are in."""

from datetime import datetime
from secrets import token_hex

from sqlalchemy import ForeignKey, String
from sqlalchemy.engine.default import DefaultExecutionContext
from sqlalchemy.orm import Mapped, mapped_column, query_expression, relationship

from app.accounts.names import name_key
from app.models.base import Base, Id, now
from app.models.choices import Proof, Role


def _key_of_name(context: DefaultExecutionContext) -> str:
    return name_key(context.get_current_parameters()["name"])  # type: ignore[no-untyped-call]


class User(Base):
    """A person with an account."""

    __tablename__ = "users"

    id: Mapped[Id]
    name: Mapped[str] = mapped_column(String(100), unique=True)
    name_key: Mapped[str] = mapped_column(String(400), unique=True, default=_key_of_name)  # no two look the same
    full_name: Mapped[str | None] = mapped_column(String(200))
    email: Mapped[str | None] = mapped_column(String(254), unique=True)
    role: Mapped[Role]
    # Whose roster made the account. Until somebody has used it, that course may correct its full name and address.
    created_by_course_id: Mapped[str | None] = mapped_column(ForeignKey("courses.id", ondelete="SET NULL"), index=True)
    first_used_at: Mapped[datetime | None]  # with a token, or through a provider
    # Their numbers in questions come from it: a secret, since the banks and their answers may be public.
    question_seed: Mapped[str] = mapped_column(String(64), default=token_hex)
    created_at: Mapped[datetime] = mapped_column(default=now)


class Identity(Base):
    """A person's identity at an OpenID Connect provider."""

    __tablename__ = "identities"

    issuer: Mapped[str] = mapped_column(String(500), primary_key=True)
    subject: Mapped[str] = mapped_column(String(255), primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    created_at: Mapped[datetime] = mapped_column(default=now)
    user: Mapped[User] = relationship()


class Token(Base):
    """A bearer token: only the SHA-256 of it is kept."""

    __tablename__ = "tokens"

    id: Mapped[Id]
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    sha256: Mapped[str] = mapped_column(String(64), unique=True)
    label: Mapped[str] = mapped_column(String(100), default="")
    created_at: Mapped[datetime] = mapped_column(default=now)
    used_at: Mapped[datetime | None]  # within the hour
    expires_at: Mapped[datetime]
    # Which token asked for it: it ends no later, and is revoked with that one.
    made_with_id: Mapped[str | None] = mapped_column(ForeignKey("tokens.id", ondelete="SET NULL"), index=True)
    revoked_at: Mapped[datetime | None]
    user: Mapped[User] = relationship(lazy="joined", innerjoin=True)  # every request asks for both


class WebSession(Base):
    """A browser in which somebody is signed in, by a cookie with a secret: only the SHA-256 of it is kept."""

    __tablename__ = "web_sessions"

    id: Mapped[Id]
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    # What proved it, where that was a token: with the token the session ends.
    token_id: Mapped[str | None] = mapped_column(ForeignKey("tokens.id", ondelete="CASCADE"), index=True)
    sha256: Mapped[str] = mapped_column(String(64), unique=True)
    proof: Mapped[Proof]
    browser: Mapped[str] = mapped_column(String(40))
    created_at: Mapped[datetime] = mapped_column(default=now)
    used_at: Mapped[datetime] = mapped_column(default=now)  # within some minutes
    expires_at: Mapped[datetime]
    user: Mapped[User] = relationship(lazy="joined", innerjoin=True)
    token: Mapped[Token | None] = relationship(lazy="joined")
    is_author: Mapped[bool] = query_expression()  # of exercises, where the query asks it


class Course(Base):
    """A course with its people and assignments."""

    __tablename__ = "courses"

    id: Mapped[Id]
    slug: Mapped[str] = mapped_column(String(64), unique=True)
    title: Mapped[str] = mapped_column(String(200))
    time_zone: Mapped[str] = mapped_column(String(64), default="UTC")  # of the times on its pages: an IANA name
    drop_lowest: Mapped[int] = mapped_column(default=0)  # how many of a student's assignments do not count
    created_at: Mapped[datetime] = mapped_column(default=now)
    archived_at: Mapped[datetime | None]  # it is over: its students read, but submit nothing

    @property
    def is_archived(self) -> bool:
        """Whether it is over."""
        return self.archived_at is not None


class Enrollment(Base):
    """A person in a course, with their role and the details that the course gave."""

    __tablename__ = "enrollments"

    course_id: Mapped[str] = mapped_column(ForeignKey("courses.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True)
    role: Mapped[Role]
    # What this course's rosters call the person: all that its staff see of an account.
    full_name: Mapped[str | None] = mapped_column(String(200))
    email: Mapped[str | None] = mapped_column(String(254))
    section: Mapped[str | None] = mapped_column(String(100))  # a group of the course, as its rosters name it
    course: Mapped[Course] = relationship()
    user: Mapped[User] = relationship()
