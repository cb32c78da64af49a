"""`/submissions/{submission_id}/regrade-requests`, and `/courses/{course}/regrade-requests`."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query

from app.courses.dependencies import STAFF_ONLY
from app.regrade_requests import answering, service
from app.regrade_requests.schemas import (
    Answer,
    CourseRequestPage,
    CourseRequestView,
    NewRequest,
    RequestList,
    RequestView,
)
from app.request_values import Short
from app.services import SignedIn, WithServices

of_submission = APIRouter(prefix="/submissions/{submission_id}/regrade-requests", tags=["regrade requests"])
of_course = APIRouter(prefix="/courses/{course}/regrade-requests", tags=["regrade requests"])


@of_submission.get("")
def list_requests(
    submission_id: str,
    user: SignedIn,
    services: WithServices,
    as_student: Annotated[bool, Query(description="for staff: no more than its student sees")] = False,
) -> RequestList:
    """The regrade requests on a submission, with their answers. Its student sees none while grades are held."""
    return service.list_all(services.database, user, submission_id, as_student=as_student)


@of_submission.post("", status_code=HTTPStatus.CREATED)
def request_regrade(submission_id: str, wanted: NewRequest, user: SignedIn, services: WithServices) -> RequestView:
    """Asks the course's staff to look at a result again. Its student only; 409 where that is not possible now."""
    return service.ask(services.database, user, submission_id, wanted)


@of_submission.post("/{request}/withdraw")
def withdraw_request(submission_id: str, request: str, user: SignedIn, services: WithServices) -> RequestView:
    """Withdraws a request that is open. Its student only."""
    return service.withdraw(services.database, user, submission_id, request)


@of_course.get("")
def list_course_requests(
    course: str,
    user: SignedIn,
    services: WithServices,
    closed: Annotated[bool, Query(description="those that are closed, the newest first")] = False,
    cursor: Short = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> CourseRequestPage:
    """The open regrade requests of the course, the oldest first. Staff only."""
    return answering.page(services.database, user, course, cursor, limit, closed=closed)


@of_course.get("/{request}")
def read_course_request(course: str, request: str, user: SignedIn, services: WithServices) -> CourseRequestView:
    """One regrade request, with the submission as it is now. Staff only."""
    return answering.read(services.database, user, course, request)


@of_course.post("/{request}", dependencies=STAFF_ONLY)
def answer_request(
    course: str, request: str, given: Answer, user: SignedIn, services: WithServices
) -> CourseRequestView:
    """Answers a regrade request, and closes it. 409 when it is closed. Staff only."""
    return answering.answer(services.database, user, course, request, given)
