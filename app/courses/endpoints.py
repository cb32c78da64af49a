"""The dashboard's data, and the roster."""

from typing import Annotated

from fastapi import APIRouter, File, Form, Query, UploadFile

from app import audit
from app.courses import roster, service
from app.courses.doors import MANAGERS_ONLY
from app.courses.schemas import Analytics, AuditItem, AuditPage, Roster, RosterPlan
from app.rate import limit_rosters
from app.services import SignedIn, WithServices

router = APIRouter(prefix="/courses/{course}", tags=["courses"])

RosterUpload = Annotated[UploadFile, File(description="CSV with a header: name, full_name, email, role")]
RemoveMissing = Annotated[bool, Form(description="students whom the file does not name leave the course")]


@router.get("/roster")
def read_roster(
    course: str,
    user: SignedIn,
    services: WithServices,
    search: Annotated[str, Query(max_length=100, description="part of a name")] = "",
    cursor: Annotated[str | None, Query(max_length=100)] = None,
    limit: Annotated[int | None, Query(ge=1, le=1000, description="everybody unless told")] = None,
) -> Roster:
    """The people in the course, how often they submitted and what they passed. Staff only."""
    return service.roster(services.database, user, course, search=search, cursor=cursor, limit=limit)


@router.post("/roster/preview", dependencies=MANAGERS_ONLY)
def preview_roster(
    course: str, user: SignedIn, services: WithServices, file: RosterUpload, remove_missing: RemoveMissing = False
) -> RosterPlan:
    """What a roster file would change; nothing is changed yet. Instructors only."""
    limit_rosters(services.broker, user)
    return roster.preview(services.database, user, course, file.file.read(), remove_missing=remove_missing)


@router.post("/roster", dependencies=MANAGERS_ONLY)
def import_roster(
    course: str,
    user: SignedIn,
    services: WithServices,
    file: RosterUpload,
    digest: Annotated[str, Form(description="of the preview that is to be applied")],
    remove_missing: RemoveMissing = False,
) -> RosterPlan:
    """Change what the preview said, or nothing at all. Instructors only."""
    limit_rosters(services.broker, user)
    content = file.file.read()
    return roster.apply(services.database, user, course, content, remove_missing=remove_missing, digest=digest)


@router.get("/analytics")
def read_analytics(course: str, user: SignedIn, services: WithServices) -> Analytics:
    """Submissions, verdicts and misconceptions per challenge. Staff only."""
    return service.analytics(services.database, user, course)


@router.get("/audit")
def read_audit(
    course: str,
    user: SignedIn,
    services: WithServices,
    cursor: Annotated[str | None, Query(max_length=100)] = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> AuditPage:
    """The audit log of the course, newest first. Instructors only."""
    rows = audit.page(services.database, user, course, cursor, limit)
    items = [AuditItem.model_validate(row) for row in rows[:limit]]
    return AuditPage(items=items, next_cursor=items[-1].id if len(rows) > limit else None)
