"""`/courses/{course}/gradebook`, and `/exceptions` and `/overrides` of an assignment."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Query

from app.assignments.schemas import AssignmentView, view_of
from app.courses.dependencies import MANAGERS_ONLY
from app.gradebook import exceptions, overrides, release, service
from app.gradebook.schemas import (
    ExceptionList,
    ExceptionView,
    GradebookView,
    NewException,
    NewOverride,
    OverrideList,
    OverrideView,
    Rules,
    WorkView,
)
from app.gradebook.service import GradebookQuery
from app.gradebook.work import one_work
from app.models import now
from app.services import SignedIn, WithServices

Student = Annotated[str | None, Query(max_length=100, description="the exact name of one student")]
router = APIRouter(prefix="/courses/{course}", tags=["gradebook"])


@router.get("/gradebook")
def read_gradebook(
    course: str, user: SignedIn, services: WithServices, wanted: Annotated[GradebookQuery, Depends()]
) -> GradebookView:
    """A page of students with their points in every assignment, after lateness, questions and overrides. Staff only."""
    return service.page(services.database, services.catalogue, services.summaries, user, course, wanted)


@router.patch("/gradebook", dependencies=MANAGERS_ONLY)
def change_rules(course: str, wanted: Rules, user: SignedIn, services: WithServices) -> Rules:
    """Changes how points are added up: how many of each student's lowest assignments do not count. Instructors only."""
    return service.change_rules(services.database, user, course, wanted)


@router.get("/gradebook/{assignment}/{student}")
def read_work(course: str, assignment: str, student: str, user: SignedIn, services: WithServices) -> WorkView:
    """One student's work in one assignment: terms, points, attempts, and all that was given. Staff only."""
    return one_work(services.database, services.catalogue, user, course, assignment, student)


@router.get("/assignments/{assignment}/exceptions")
def list_exceptions(
    course: str, assignment: str, user: SignedIn, services: WithServices, student: Student = None
) -> ExceptionList:
    """More time and extra attempts that were given, or those that hold for one student. Staff only."""
    return ExceptionList(items=exceptions.list_all(services.database, user, course, assignment, student))


@router.post("/assignments/{assignment}/exceptions", status_code=HTTPStatus.CREATED, dependencies=MANAGERS_ONLY)
def give_exception(
    course: str, assignment: str, wanted: NewException, user: SignedIn, services: WithServices
) -> ExceptionView:
    """Gives a student or a section more time or extra attempts, in place of what they were given before. It counts at
    once, for what was sent before too. Instructors only.
    """
    return exceptions.give(services.database, user, course, assignment, wanted)


@router.delete("/assignments/{assignment}/exceptions/{exception}", status_code=HTTPStatus.NO_CONTENT)
def withdraw_exception(course: str, assignment: str, exception: str, user: SignedIn, services: WithServices) -> None:
    """Takes an exception back. Instructors only."""
    exceptions.withdraw(services.database, user, course, assignment, exception)


@router.post("/assignments/{assignment}/release", dependencies=MANAGERS_ONLY)
def release_grades(course: str, assignment: str, user: SignedIn, services: WithServices) -> AssignmentView:
    """Lets students see what they have earned, where it is held. Instructors only."""
    return view_of(release.release(services.database, user, course, assignment), now())


@router.delete("/assignments/{assignment}/release", dependencies=MANAGERS_ONLY)
def hold_grades(course: str, assignment: str, user: SignedIn, services: WithServices) -> AssignmentView:
    """Hides again what was released. Instructors only."""
    return view_of(release.hold_again(services.database, user, course, assignment), now())


@router.get("/assignments/{assignment}/overrides")
def list_overrides(
    course: str, assignment: str, user: SignedIn, services: WithServices, student: Student = None
) -> OverrideList:
    """All overrides of points that were ever given, the newest first. Staff only."""
    return OverrideList(items=overrides.history(services.database, user, course, assignment, student))


@router.post("/assignments/{assignment}/overrides", status_code=HTTPStatus.CREATED, dependencies=MANAGERS_ONLY)
def give_override(
    course: str, assignment: str, wanted: NewOverride, user: SignedIn, services: WithServices
) -> OverrideView:
    """Gives a student these points in place of the computed ones; null withdraws what was given. Instructors only."""
    return overrides.give(services.database, user, course, assignment, wanted)
