"""`GET /me`."""

from fastapi import APIRouter

from app.accounts import service
from app.accounts.schemas import CourseMembership, Me
from app.services import SignedIn, WithServices

router = APIRouter(tags=["accounts"])


@router.get("/me")
def read_me(user: SignedIn, services: WithServices) -> Me:
    """Who am I, in which courses, and how often have I submitted."""
    courses = service.memberships(services.database, user)
    return Me(
        id=user.id,
        name=user.name,
        role=user.role,
        courses=[CourseMembership.model_validate(course) for course in courses],
        submissions=service.submission_counts(services.database, user),
    )
