"""`/courses/{course}/analytics/misconceptions/{misconception}/handout`. Staff only."""

from fastapi import APIRouter

from app.analytics.endpoints import InAssignment
from app.handouts.schemas import Handout
from app.handouts.service import handout
from app.services import SignedIn, WithServices

router = APIRouter(prefix="/courses/{course}/analytics/misconceptions/{misconception}/handout", tags=["analytics"])


@router.get("")
def read_handout(
    course: str, misconception: str, assignment: InAssignment, user: SignedIn, services: WithServices
) -> Handout:
    """What a class can be taught a misconception with: what it is, anonymous excerpts of code that shows it, the
    smallest failing example, the question about it, and whether the bug hunt has it.
    """
    return handout(services.database, services.catalogue, user, course, assignment, misconception)
