"""The dashboard's data."""

from fastapi import APIRouter

from app.courses import service
from app.courses.schemas import Analytics, Roster
from app.services import SignedIn, WithServices

router = APIRouter(prefix="/courses/{course}", tags=["courses"])


@router.get("/roster")
def read_roster(course: str, user: SignedIn, services: WithServices) -> Roster:
    """Who is in the course, how often they submitted and what they passed. Staff only."""
    return service.roster(services.database, user, course)


@router.get("/analytics")
def read_analytics(course: str, user: SignedIn, services: WithServices) -> Analytics:
    """Submissions, verdicts and misconceptions per challenge. Staff only."""
    return service.analytics(services.database, user, course)
