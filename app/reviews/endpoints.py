"""`/courses/{course}/reviews`: free texts, and who marks them."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query

from app.courses.dependencies import STAFF_ONLY
from app.request_values import Short
from app.reviews import service, suggestions
from app.reviews.queue import ReviewFilter
from app.reviews.schemas import PointsIn, ProposalList, ReviewPage, ReviewView
from app.services import SignedIn, WithServices

router = APIRouter(prefix="/courses/{course}/reviews", tags=["reviews"])
ChosenAnswers = Annotated[ReviewFilter, Depends()]
AsSecond = Annotated[bool, Query(description="as its second reader: without what the first one gave")]


@router.get("")
def list_reviews(
    course: str,
    user: SignedIn,
    services: WithServices,
    chosen: ChosenAnswers,
    cursor: Short = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> ReviewPage:
    """The free texts of the course's students, by question and without names. Staff only."""
    return service.list_page(services.database, services.catalogue, user, course, chosen, cursor, limit)


@router.get("/{review}")
def read_review(
    course: str, review: str, user: SignedIn, services: WithServices, chosen: ChosenAnswers, second: AsSecond = False
) -> ReviewView:
    """One answer with its rubric and grades, and the answers before and after it. Staff only."""
    return service.read(services.database, services.catalogue, user, course, review, chosen, as_second=second)


@router.post("/{review}", dependencies=STAFF_ONLY)
def give_points(
    course: str, review: str, body: PointsIn, user: SignedIn, services: WithServices, chosen: ChosenAnswers
) -> ReviewView:
    """Gives points for each concept, and a comment to the student. 409 when the answer has changed meanwhile. Staff
    only.
    """
    service.give_points(services.database, services.catalogue, user, course, review, body)
    return service.read(services.database, services.catalogue, user, course, review, chosen)


@router.post("/{review}/proposals")
def propose_points(course: str, review: str, user: SignedIn, services: WithServices) -> ProposalList:
    """Asks the operator's language model, if there is one, to suggest points. Nothing is marked. Staff only."""
    return suggestions.suggest(services.settings, services.database, services.catalogue, user, course, review)
