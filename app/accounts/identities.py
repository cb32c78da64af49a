"""People who come from an OpenID Connect provider: who they are here.

An address alone opens nothing: whoever set it may not be whose account it is. An account that somebody has used is
linked by its token; one that a roster made and nobody has used, when the person says on a page that it is theirs.
"""

from dataclasses import dataclass
from typing import Final

import structlog
from sqlalchemy import delete, func, or_, select
from sqlalchemy.orm import Session

from app import audit
from app.accounts.names import address_key, is_email, is_line, name_key
from app.accounts.service import add_user
from app.database import Database
from app.models import Course, Enrollment, Identity, Proof, Role, User, WebSession
from app.problems import Conflict, Forbidden, NotFound, Unprocessable
from app.rows import add_unless_there

NAME_MAX: Final = 200
logger = structlog.get_logger(part="accounts")


@dataclass(frozen=True)
class Claims:
    """What a provider has proved about a person. `email` is set only when the provider has verified it."""

    issuer: str
    subject: str
    email: str | None = None
    name: str | None = None

    @classmethod
    def of(cls, issuer: str, subject: str, email: object, name: object) -> "Claims":
        """Returns the claims without an address or a name that cannot be kept. Neither is ever cut to fit, since two
        people could then look the same.
        """
        return cls(
            issuer,
            subject,
            email=address_key(email) if isinstance(email, str) and is_email(email) else None,
            name=name if isinstance(name, str) and len(name) <= NAME_MAX and is_line(name) else None,
        )


@dataclass(frozen=True)
class Match:
    """An account that has the address and is not yet linked to an identity at this provider."""

    user: User
    courses: list[str]  # by title

    @property
    def needs_token(self) -> bool:
        """Whether the person must prove that the account is theirs by its token."""
        return _needs_token(self.user)


def recognise(database: Database, claims: Claims, *, may_create: bool) -> User | Match:
    """Returns the person of these claims: known from before, or created where that is allowed; or the account to which
    they may link themselves.

    Raises Forbidden, with what to do, when there is no such person.
    """
    with database.write() as session:
        known = session.get(Identity, (claims.issuer, claims.subject))
        if known is not None:
            return known.user
        user = _with_address(session, claims)
        if user is not None:
            titles = select(Course.title).join(Enrollment).where(Enrollment.user_id == user.id).order_by(Course.title)
            return Match(user, list(session.scalars(titles)))
        if not may_create:
            raise _nobody(claims)
        user = _create(session, claims)
        _link(session, claims, user)
        return user


def link(database: Database, claims: Claims, shown_id: str, proved: User | None) -> User:
    """Links the account with the address to this person. `shown_id` is the account that they were asked about, `proved`
    the owner of the token that they have shown.

    Raises Forbidden when the account needs a token to be linked and the one shown is not its own; Conflict when the
    address has become another account's, or somebody else was linked meanwhile.
    """
    with database.write() as session:
        user = _with_address(session, claims)
        if user is None:
            raise _nobody(claims)
        if user.id != shown_id:
            raise Conflict("The address now belongs to another account. Check the page again before you continue.")
        session.refresh(user, with_for_update=True)
        if address_key(user.email or user.name) != claims.email:
            raise _nobody(claims)
        others = select(Identity.user_id).where(Identity.issuer == claims.issuer, Identity.user_id == user.id)
        if session.scalar(others) is not None:
            raise Conflict("Someone has just been linked to this account. If that was not you, tell your instructor.")
        if _needs_token(user) and (proved is None or proved.id != user.id):
            raise Forbidden("That is not a token of the account with your address. Nothing was linked.")
        _link(session, claims, user)
        return user


def link_own(database: Database, claims: Claims, user: User) -> None:
    """Links the account of somebody who is signed in to it and says that these claims are about them. Raises Conflict
    when the account or the identity is linked already.
    """
    with database.write() as session:
        session.refresh(session.merge(user, load=False), with_for_update=True)
        others = select(Identity.user_id).where(Identity.issuer == claims.issuer, Identity.user_id == user.id)
        if session.scalar(others) is not None:
            raise Conflict("Your account is linked with somebody else there already. Ask an operator if that is wrong.")
        _link(session, claims, user)


def list_own(database: Database, user: User) -> list[Identity]:
    """Returns the accounts elsewhere that open this person's, the oldest first."""
    with database.read() as session:
        query = select(Identity).where(Identity.user_id == user.id).order_by(Identity.created_at, Identity.subject)
        return list(session.scalars(query))


def unlink_own(database: Database, user: User, issuer: str, subject: str, *, but: str) -> None:
    """Unlinks one of them, and ends the web sessions that a provider has proved, `but` this one. Raises NotFound, also
    for somebody else's.
    """
    with database.write() as session:
        found = session.get(Identity, (issuer, subject))
        if found is None or found.user_id != user.id:
            raise NotFound("No such account is linked with yours. The page Tokens and sessions lists those that are.")
        session.delete(found)
        proved = (WebSession.user_id == user.id, WebSession.proof == Proof.PROVIDER, WebSession.id != but)
        session.execute(delete(WebSession).where(*proved))
        audit.note(session, user, "identity.unlink", user.name, issuer=issuer)


def known(database: Database, claims: Claims) -> User | None:
    """Returns whose identity this is; None for a stranger."""
    with database.read() as session:
        found = session.get(Identity, (claims.issuer, claims.subject))
        return found.user if found else None


def _needs_token(user: User) -> bool:
    """Rosters make students; any other account was made by an operator, who gave out a token with it."""
    return user.first_used_at is not None or user.role is not Role.STUDENT


def _link(session: Session, claims: Claims, user: User) -> None:
    if not add_unless_there(session, Identity(issuer=claims.issuer, subject=claims.subject, user_id=user.id)):
        raise Conflict("Your account was linked at the same moment. Sign in again.")
    audit.note(session, user, "identity.link", user.name, issuer=claims.issuer)
    logger.info("identity_linked", user=user.name, issuer=claims.issuer)


def _create(session: Session, claims: Claims) -> User:
    try:
        user = add_user(session, claims.email or claims.subject, Role.STUDENT)
    except (Conflict, Unprocessable) as problem:
        raise Forbidden(
            "The name that your institution gives for you is already taken here, or is not allowed. Ask "
            "the people who run this server for an account."
        ) from problem
    user.full_name, user.email = claims.name, claims.email
    return user


def _with_address(session: Session, claims: Claims) -> User | None:
    """Whose address it is; else who has no address and is called by it. Whoever came from this provider before keeps
    the account: an institution may give an address to somebody else later.
    """
    if claims.email is None:
        return None
    linked = select(Identity.user_id).where(Identity.issuer == claims.issuer)
    like_it = or_(
        func.lower(User.email) == claims.email,
        User.email == claims.email,
        (User.name_key == name_key(claims.email)) & User.email.is_(None),
    )
    found = session.scalars(select(User).where(like_it, User.id.not_in(linked)).order_by(User.email.is_(None))).all()
    return next((user for user in found if address_key(user.email or user.name) == claims.email), None)


def _nobody(claims: Claims) -> Forbidden:
    return Forbidden(
        f"You are signed in as {claims.email or claims.name or 'someone without an address'}, and no roster "
        "here has that address. Ask your instructor to add you, with exactly this address."
    )
