"""`/courses/{course}/similarity`: which submissions look alike. Staff only."""

from typing import Annotated

from fastapi import APIRouter, Query

from app.services import SignedIn, WithServices
from app.similarity.schemas import Similarities
from app.similarity.service import similarities

router = APIRouter(prefix="/courses/{course}", tags=["analytics"])


@router.get("/similarity")
def read_similarity(
    course: str,
    assignment: Annotated[str, Query(max_length=100, description="the assignment's slug")],
    user: SignedIn,
    services: WithServices,
) -> Similarities:
    """Pairs of students' best submissions that share code, the most alike first. Ask again while it is comparing."""
    return similarities(services.database, services.catalogue, services.comparisons, user, course, assignment)
