"""Courses, the dashboard's data, and the roster."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, File, Form, Query, Response, UploadFile

from app import audit
from app.courses import archiving, creation, one_person, roster, service
from app.courses.dependencies import MANAGERS_ONLY
from app.courses.schemas import (
    Analytics,
    AuditItem,
    AuditPage,
    ChangedCourse,
    CourseCopy,
    CourseList,
    CourseView,
    NewCourse,
    NewPerson,
    Roster,
    RosterPlan,
)
from app.rate import limit_rosters
from app.request_values import Short
from app.services import SignedIn, WithServices

all_courses = APIRouter(prefix="/courses", tags=["courses"])
router = APIRouter(prefix="/courses/{course}", tags=["courses"])

RosterUpload = Annotated[UploadFile, File(description="CSV with a header: name, full_name, email, role")]
RemoveMissing = Annotated[bool, Form(description="students whom the file does not name leave the course")]


def _creators(user: SignedIn, services: WithServices) -> None:
    """Refuses all who may not create courses, before the body is looked at."""
    by_instructors = services.settings.instructors_create_courses
    creation.refuse_all_but_creators(services.database, user, by_instructors=by_instructors)


@all_courses.get("")
def list_courses(user: SignedIn, services: WithServices) -> CourseList:
    """My courses; for operators, all of them."""
    return CourseList(items=[CourseView.model_validate(row) for row in service.visible_to(services.database, user)])


@all_courses.post("", status_code=HTTPStatus.CREATED, dependencies=[Depends(_creators)])
def create_course(wanted: NewCourse, user: SignedIn, services: WithServices, response: Response) -> CourseView:
    """Creates a course. Operators; and instructors, where the service lets them."""
    by_instructors = services.settings.instructors_create_courses
    in_zone = wanted.in_zone_unless_told(services.settings.time_zone)
    made = creation.create(services.database, user, in_zone, by_instructors=by_instructors)
    response.headers["Location"] = f"/api/v1/courses/{made.slug}"
    return CourseView.model_validate(made)


@router.get("")
def read_course(course: str, user: SignedIn, services: WithServices) -> CourseView:
    """One of my courses."""
    return CourseView.model_validate(service.read(services.database, user, course))


@router.patch("", dependencies=MANAGERS_ONLY)
def change_course(course: str, wanted: ChangedCourse, user: SignedIn, services: WithServices) -> CourseView:
    """Changes the title or the time zone of a course; no date moves. Instructors only."""
    return CourseView.model_validate(creation.change(services.database, user, course, wanted))


@router.post("/archive", dependencies=MANAGERS_ONLY)
def archive_course(course: str, user: SignedIn, services: WithServices) -> CourseView:
    """Archives a course: its students can still read their work, but not submit anything. Instructors only."""
    return CourseView.model_validate(archiving.archive(services.database, user, course))


@router.delete("/archive", dependencies=MANAGERS_ONLY)
def bring_course_back(course: str, user: SignedIn, services: WithServices) -> CourseView:
    """Brings an archived course back. Instructors only."""
    return CourseView.model_validate(archiving.bring_back(services.database, user, course))


@router.post("/copies", status_code=HTTPStatus.CREATED, dependencies=[*MANAGERS_ONLY, Depends(_creators)])
def copy_course(
    course: str, wanted: CourseCopy, user: SignedIn, services: WithServices, response: Response
) -> CourseView:
    """Copies a course for another term: its instructors, and its assignments with every date moved by whole weeks.
    Instructors of it who may create courses.
    """
    by_instructors = services.settings.instructors_create_courses
    in_zone = wanted.in_zone_unless_told(service.read(services.database, user, course).time_zone)
    made = creation.copy(services.database, user, course, in_zone, by_instructors=by_instructors)
    response.headers["Location"] = f"/api/v1/courses/{made.slug}"
    return CourseView.model_validate(made)


@router.get("/roster")
def read_roster(
    course: str,
    user: SignedIn,
    services: WithServices,
    search: Annotated[str, Query(max_length=100, description="part of a name or an address")] = "",
    cursor: Short = None,
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


@router.post("/roster/people", status_code=HTTPStatus.CREATED, dependencies=MANAGERS_ONLY)
def add_person(course: str, wanted: NewPerson, user: SignedIn, services: WithServices) -> RosterPlan:
    """Adds one person, by the rules of a roster's line; changes them if they are in the course. Instructors only."""
    limit_rosters(services.broker, user)
    return one_person.add(services.database, user, course, wanted)


@router.get("/analytics")
def read_analytics(course: str, user: SignedIn, services: WithServices) -> Analytics:
    """Submissions, verdicts and misconceptions per challenge. Staff only."""
    return service.analytics(services.database, user, course)


@router.get("/audit")
def read_audit(
    course: str,
    user: SignedIn,
    services: WithServices,
    cursor: Short = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> AuditPage:
    """The audit log of the course, newest first. Instructors only."""
    rows, following = audit.page(services.database, user, course, cursor, limit)
    return AuditPage(items=[AuditItem.model_validate(row) for row in rows], next_cursor=following)
