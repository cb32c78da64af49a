"""`/courses/{course}/analytics/…`: an assignment's figures. Staff only."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query

from app.analytics.matrix import MatrixQuery, matrix
from app.analytics.misconceptions import misconceptions, passages
from app.analytics.overview import overview
from app.analytics.questions import questions
from app.analytics.schemas import Matrix, Misconceptions, Overview, PassagePage, Questions, Stuck, StudentView
from app.analytics.stuck import stuck
from app.analytics.student import student as one_student
from app.request_values import Short
from app.services import SignedIn, WithServices

router = APIRouter(prefix="/courses/{course}/analytics", tags=["analytics"])

InAssignment = Annotated[str, Query(max_length=100, description="the assignment's slug")]


@router.get("/overview")
def read_overview(course: str, assignment: InAssignment, user: SignedIn, services: WithServices) -> Overview:
    """Submissions over time, verdicts, attempts to pass, scores."""
    return overview(services.database, services.broker, user, course, assignment)


@router.get("/misconceptions")
def read_misconceptions(
    course: str, assignment: InAssignment, user: SignedIn, services: WithServices
) -> Misconceptions:
    """The misconceptions in an assignment: how many students have each, and since when."""
    return misconceptions(services.database, user, course, assignment)


@router.get("/misconceptions/{misconception}")
def read_passages(
    course: str,
    misconception: str,
    assignment: InAssignment,
    user: SignedIn,
    services: WithServices,
    cursor: Short = None,
    limit: Annotated[int, Query(ge=1, le=50)] = 20,
) -> PassagePage:
    """The students who show a misconception, and the lines that do."""
    return passages(services.database, user, course, assignment, misconception, cursor, limit)


@router.get("/matrix")
def read_matrix(
    course: str,
    assignment: InAssignment,
    user: SignedIn,
    services: WithServices,
    wanted: Annotated[MatrixQuery, Depends()],
) -> Matrix:
    """Students by families and rules, from each one's best submission."""
    return matrix(services.database, services.catalogue, user, course, assignment, wanted)


@router.get("/questions")
def read_questions(course: str, assignment: InAssignment, user: SignedIn, services: WithServices) -> Questions:
    """Questions by difficulty and discrimination."""
    return questions(services.database, services.catalogue, user, course, assignment)


@router.get("/students/{student}")
def read_student(course: str, student: str, user: SignedIn, services: WithServices) -> StudentView:
    """Every attempt of one student in the course, by assignment."""
    return one_student(services.database, user, course, student)


@router.get("/stuck")
def read_stuck(course: str, assignment: InAssignment, user: SignedIn, services: WithServices) -> Stuck:
    """The students who are stuck: many attempts without getting better, and on what."""
    return stuck(services.database, services.catalogue, user, course, assignment)
