"""People, their tokens and identities, and the courses they are in."""

from datetime import datetime
from secrets import token_hex

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.identifiers import LENGTH, new_id
from app.models.base import Base, now
from app.models.choices import Role


class User(Base):
    __tablename__ = "users"

    id: Mapped[str] = mapped_column(String(LENGTH), primary_key=True, default=new_id)
    name: Mapped[str] = mapped_column(String(100), unique=True)
    full_name: Mapped[str | None] = mapped_column(String(200))
    email: Mapped[str | None] = mapped_column(String(254), unique=True)
    role: Mapped[Role]
    # Their numbers in questions come from it: a secret, since the banks and their answers may be public.
    question_seed: Mapped[str] = mapped_column(String(64), default=token_hex)
    created_at: Mapped[datetime] = mapped_column(default=now)


class Identity(Base):
    """Who somebody is at an OpenID Connect provider."""

    __tablename__ = "identities"

    issuer: Mapped[str] = mapped_column(String(500), primary_key=True)
    subject: Mapped[str] = mapped_column(String(255), primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    created_at: Mapped[datetime] = mapped_column(default=now)
    user: Mapped[User] = relationship()


class Token(Base):
    """A bearer token: only the SHA-256 of it is kept."""

    __tablename__ = "tokens"

    id: Mapped[str] = mapped_column(String(LENGTH), primary_key=True, default=new_id)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    sha256: Mapped[str] = mapped_column(String(64), unique=True)
    label: Mapped[str] = mapped_column(String(100), default="")
    created_at: Mapped[datetime] = mapped_column(default=now)
    expires_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]
    user: Mapped[User] = relationship(lazy="joined", innerjoin=True)  # every request asks for both


class Course(Base):
    __tablename__ = "courses"

    id: Mapped[str] = mapped_column(String(LENGTH), primary_key=True, default=new_id)
    slug: Mapped[str] = mapped_column(String(64), unique=True)
    title: Mapped[str] = mapped_column(String(200))
    created_at: Mapped[datetime] = mapped_column(default=now)


class Enrollment(Base):
    __tablename__ = "enrollments"

    course_id: Mapped[str] = mapped_column(ForeignKey("courses.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True)
    role: Mapped[Role]
    course: Mapped[Course] = relationship()
    user: Mapped[User] = relationship()
