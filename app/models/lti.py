"""Learning platforms (LTI 1.3): who they are, which of their courses is which of ours, what was sent to them."""

from datetime import datetime

from sqlalchemy import JSON, ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.models.assignments import Assignment
from app.models.base import Base, Id, now
from app.models.people import Course, User

URL_LENGTH = 1000


class LtiPlatform(Base):
    """A registration at a learning platform. A platform may have several, each with its own client id."""

    __tablename__ = "lti_platforms"
    __table_args__ = (UniqueConstraint("issuer", "client_id"),)

    id: Mapped[Id]
    name: Mapped[str] = mapped_column(String(200))
    issuer: Mapped[str] = mapped_column(String(500))
    client_id: Mapped[str] = mapped_column(String(255))
    authorization_url: Mapped[str] = mapped_column(String(URL_LENGTH))
    token_url: Mapped[str] = mapped_column(String(URL_LENGTH))
    keyset_url: Mapped[str] = mapped_column(String(URL_LENGTH))
    token_audience: Mapped[str | None] = mapped_column(String(URL_LENGTH))  # unless it is the token address
    service_hosts: Mapped[list[str]] = mapped_column(JSON, default=list)  # beside those of the addresses above
    # One that registered itself does nothing until an operator has looked at its addresses.
    is_active: Mapped[bool] = mapped_column(default=True)
    created_at: Mapped[datetime] = mapped_column(default=now)
    deployments: Mapped[list["LtiDeployment"]] = relationship(
        order_by="LtiDeployment.deployment_id", cascade="all, delete-orphan", passive_deletes=True
    )


class LtiDeployment(Base):
    """A place at a platform from which launches are accepted."""

    __tablename__ = "lti_deployments"

    platform_id: Mapped[str] = mapped_column(ForeignKey("lti_platforms.id", ondelete="CASCADE"), primary_key=True)
    deployment_id: Mapped[str] = mapped_column(String(255), primary_key=True)
    created_at: Mapped[datetime] = mapped_column(default=now)


class LtiRegistration(Base):
    """A link with which a platform at one host may register itself, once. Only the SHA-256 of its code is kept."""

    __tablename__ = "lti_registrations"

    sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    host: Mapped[str] = mapped_column(String(255))
    created_by_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    expires_at: Mapped[datetime]
    created_by: Mapped[User] = relationship()


class LtiKey(Base):
    """A key with which we prove to platforms who we are. The private half is encrypted with the secret key."""

    __tablename__ = "lti_keys"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)  # its thumbprint
    sealed: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(default=now)


class LtiLaunch(Base):
    """A launch message that proved true, until the browser that asked for it comes for it. Kept until its nonce could
    not be used again anyway.
    """

    __tablename__ = "lti_launches"

    nonce: Mapped[str] = mapped_column(String(64), primary_key=True)
    ticket_sha256: Mapped[str] = mapped_column(String(64), unique=True)
    platform_id: Mapped[str] = mapped_column(ForeignKey("lti_platforms.id", ondelete="CASCADE"), index=True)
    message: Mapped[str] = mapped_column(Text)
    used_at: Mapped[datetime | None]
    expires_at: Mapped[datetime] = mapped_column(index=True)
    platform: Mapped[LtiPlatform] = relationship()


class LtiContext(Base):
    """A course at a platform, and which of ours it is, once an instructor of both has said so."""

    __tablename__ = "lti_contexts"
    __table_args__ = (UniqueConstraint("platform_id", "deployment_id", "context_id"),)

    id: Mapped[Id]
    platform_id: Mapped[str] = mapped_column(ForeignKey("lti_platforms.id", ondelete="CASCADE"))
    deployment_id: Mapped[str] = mapped_column(String(255))
    context_id: Mapped[str] = mapped_column(String(255))
    title: Mapped[str] = mapped_column(String(200), default="")
    course_id: Mapped[str | None] = mapped_column(ForeignKey("courses.id", ondelete="SET NULL"), index=True)
    # With whose authority the roster follows: it ends when they no longer manage the course.
    linked_by_id: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"), index=True)
    memberships_url: Mapped[str | None] = mapped_column(String(URL_LENGTH))
    line_items_url: Mapped[str | None] = mapped_column(String(URL_LENGTH))
    may_create_line_items: Mapped[bool] = mapped_column(default=False)
    roster_at: Mapped[datetime | None]  # when the roster was last read
    roster_result: Mapped[str | None] = mapped_column(String(500))
    looked_at: Mapped[datetime | None]  # when scores were last compared
    created_at: Mapped[datetime] = mapped_column(default=now)
    platform: Mapped[LtiPlatform] = relationship(lazy="joined", innerjoin=True)
    course: Mapped[Course | None] = relationship()
    linked_by: Mapped[User | None] = relationship()


class LtiMember(Base):
    """A student whom the platform's roster has brought into the course: with its roster they leave again."""

    __tablename__ = "lti_members"

    context_id: Mapped[str] = mapped_column(ForeignKey("lti_contexts.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True)


class LtiLineItem(Base):
    """The column of an assignment in a platform's gradebook. None: not known yet, or gone."""

    __tablename__ = "lti_line_items"

    context_id: Mapped[str] = mapped_column(ForeignKey("lti_contexts.id", ondelete="CASCADE"), primary_key=True)
    assignment_id: Mapped[str] = mapped_column(
        ForeignKey("assignments.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    url: Mapped[str | None] = mapped_column(String(URL_LENGTH))


class LtiScore(Base):
    """The points that a platform should have of a student in an assignment, and those that it has."""

    __tablename__ = "lti_scores"
    __table_args__ = (Index(None, "next_try_at"),)

    context_id: Mapped[str] = mapped_column(ForeignKey("lti_contexts.id", ondelete="CASCADE"), primary_key=True)
    assignment_id: Mapped[str] = mapped_column(
        ForeignKey("assignments.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True)
    points: Mapped[float | None]  # None: no longer any
    points_max: Mapped[float]
    version: Mapped[int] = mapped_column(default=1)  # grows with each change: what is sent meanwhile is not the newest
    sent_version: Mapped[int] = mapped_column(default=0)
    sent_at: Mapped[datetime | None]
    tries: Mapped[int] = mapped_column(default=0)
    next_try_at: Mapped[datetime | None]  # None: nothing to send
    error: Mapped[str | None] = mapped_column(String(500))
    changed_at: Mapped[datetime] = mapped_column(default=now)
    assignment: Mapped[Assignment] = relationship()
    user: Mapped[User] = relationship()
    context: Mapped[LtiContext] = relationship()
