"""`/courses/{course}/week`: what needs somebody. Staff only."""

from typing import Annotated

from fastapi import APIRouter, Query

from app.services import SignedIn, WithServices
from app.week.schemas import Week
from app.week.service import week

router = APIRouter(prefix="/courses/{course}/week", tags=["analytics"])


@router.get("")
def read_week(
    course: str,
    user: SignedIn,
    services: WithServices,
    search: Annotated[str, Query(max_length=100, description="part of a name: lists of people hold no others")] = "",
) -> Week:
    """What needs somebody this week: who has not begun, who is stuck, which ideas are still wrong, what awaits review,
    what is due, which grades can be released, and whether grading works.
    """
    return week(services.database, services.catalogue, services.broker, user, course, search)
