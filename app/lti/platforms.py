"""Registrations at platforms. For operators alone: what they enter decides whom we believe, and which hosts we ask."""

from typing import Any

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, selectinload

from app import audit
from app.database import Database
from app.lti.schemas import ChangedPlatform, NewPlatform, PlatformView
from app.models import LtiContext, LtiDeployment, LtiPlatform, User
from app.operations.service import refuse_all_but_operators
from app.problems import Conflict, NotFound
from app.rows import count, row_with


def list_all(database: Database, user: User) -> list[PlatformView]:
    """Returns all registrations, by name. Raises Forbidden."""
    refuse_all_but_operators(user)
    with database.read() as session:
        query = select(LtiPlatform).options(selectinload(LtiPlatform.deployments))
        rows = session.scalars(query.order_by(LtiPlatform.name, LtiPlatform.id)).all()
        return [_view(session, row) for row in rows]


def add(database: Database, user: User, wanted: NewPlatform, *, is_active: bool = True) -> PlatformView:
    """Adds a registration. Raises Forbidden, Conflict when it is there already."""
    refuse_all_but_operators(user)
    try:
        with database.write() as session:
            told = wanted.model_dump(exclude={"deployment_ids"})
            row = LtiPlatform(**told, is_active=is_active)
            row.deployments = [LtiDeployment(deployment_id=each) for each in dict.fromkeys(wanted.deployment_ids)]
            session.add(row)
            session.flush()
            audit.note(session, user, "lti.platform_add", row.name, **wanted.model_dump(exclude={"name"}))
            return _view(session, row)
    except IntegrityError as error:
        raise Conflict(
            "This platform is registered with this client id already. Change that registration, or remove it first."
        ) from error


def change(database: Database, user: User, platform_id: str, wanted: ChangedPlatform) -> PlatformView:
    """Changes a registration. Raises Forbidden, NotFound."""
    refuse_all_but_operators(user)
    with database.write() as session:
        row = _find(session, platform_id)
        before = _changeable(row)
        changes = wanted.model_dump(exclude_none=True)
        if wanted.is_active is not None:
            row.is_active = wanted.is_active
        if wanted.service_hosts is not None:
            row.service_hosts = list(dict.fromkeys(wanted.service_hosts))
        if wanted.deployment_ids is not None:
            kept = {each.deployment_id: each for each in row.deployments}
            ids = dict.fromkeys(wanted.deployment_ids)
            row.deployments = [kept.get(each) or LtiDeployment(deployment_id=each) for each in ids]
        session.flush()
        after = _changeable(row)
        differences: dict[str, Any] = {
            name: [before[name], after[name]] for name in changes if before[name] != after[name]
        }
        if differences:
            audit.note(session, user, "lti.platform_change", row.name, **differences)
        return _view(session, row)


def remove(database: Database, user: User, platform_id: str) -> None:
    """Removes a registration, with what was connected through it; courses, people and submissions stay. Raises
    Forbidden, NotFound.
    """
    refuse_all_but_operators(user)
    with database.write() as session:
        row = _find(session, platform_id)
        audit.note(session, user, "lti.platform_remove", row.name, issuer=row.issuer, client_id=row.client_id)
        session.delete(row)


def _find(session: Session, platform_id: str) -> LtiPlatform:
    row = row_with(session, LtiPlatform, platform_id, options=[selectinload(LtiPlatform.deployments)])
    if row is None:
        raise NotFound("There is no such platform. It may have been removed meanwhile.")
    return row


def _changeable(row: LtiPlatform) -> dict[str, Any]:
    return {
        "is_active": row.is_active,
        "service_hosts": list(row.service_hosts),
        "deployment_ids": sorted(each.deployment_id for each in row.deployments),
    }


def _view(session: Session, row: LtiPlatform) -> PlatformView:
    return PlatformView.of(
        row,
        deployment_ids=sorted(each.deployment_id for each in row.deployments),
        contexts=count(session, LtiContext.platform_id == row.id, LtiContext.course_id.is_not(None)),
    )
