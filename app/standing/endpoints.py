"""`/courses/{course}/standing`."""

from fastapi import APIRouter

from app.services import SignedIn, WithServices
from app.standing import service
from app.standing.schemas import CourseStanding

router = APIRouter(prefix="/courses/{course}/standing", tags=["courses"])


@router.get("")
def read_standing(course: str, user: SignedIn, services: WithServices) -> CourseStanding:
    """My standing in the course: what is due, attempts left, points so far, and my last submissions."""
    return service.course_standing(services.database, services.catalogue, user, course)
