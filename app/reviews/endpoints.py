"""`/courses/{course}/reviews`: free texts, and who marks them."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query

from app.courses.doors import STAFF_ONLY
from app.reviews import proposals, service
from app.reviews.queue import Wanted
from app.reviews.schemas import PointsIn, ProposalList, ReviewPage, ReviewView, Stand
from app.services import SignedIn, WithServices

router = APIRouter(prefix="/courses/{course}/reviews", tags=["reviews"])
Short = Annotated[str | None, Query(max_length=100)]
AsSecond = Annotated[bool, Query(description="as its second reader: without what the first one gave")]


def wanted(
    challenge: Short = None, assignment: Short = None, question: Short = None, state: Stand | None = None
) -> Wanted:
    return Wanted(challenge, assignment, question, state)


WantedOnes = Annotated[Wanted, Depends(wanted)]


@router.get("")
def list_reviews(
    course: str,
    user: SignedIn,
    services: WithServices,
    chosen: WantedOnes,
    cursor: Short = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> ReviewPage:
    """What the course's students wrote in their own words, by question, without saying who wrote it. Staff only."""
    return service.list_page(services.database, services.catalogue, user, course, chosen, cursor, limit)


@router.get("/{review}")
def read_review(
    course: str, review: str, user: SignedIn, services: WithServices, chosen: WantedOnes, second: AsSecond = False
) -> ReviewView:
    """One answer with its rubric, what was given for it, and the ones before and after it. Staff only."""
    return service.read(services.database, services.catalogue, user, course, review, chosen, as_second=second)


@router.post("/{review}", dependencies=STAFF_ONLY)
def give_points(
    course: str, review: str, body: PointsIn, user: SignedIn, services: WithServices, chosen: WantedOnes
) -> ReviewView:
    """Points for each concept, and a comment to the student. 409 when the answer has changed meanwhile. Staff only."""
    service.give_points(services.database, services.catalogue, user, course, review, body)
    return service.read(services.database, services.catalogue, user, course, review, chosen)


@router.post("/{review}/proposals")
def propose_points(course: str, review: str, user: SignedIn, services: WithServices) -> ProposalList:
    """Ask the language model that the operator has set, if any, for points. Nothing is marked. Staff only."""
    return proposals.propose(services.settings, services.database, services.catalogue, user, course, review)
