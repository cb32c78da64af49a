"""`/courses/{course}/assignments/{assignment}/leaderboard`."""

from http import HTTPStatus

from fastapi import APIRouter

from app.courses.dependencies import STAFF_ONLY
from app.leaderboard import board, service
from app.leaderboard.schemas import Board, Joining, Order
from app.rate import limit_joinings
from app.services import SignedIn, WithServices

router = APIRouter(prefix="/courses/{course}/assignments/{assignment}/leaderboard", tags=["leaderboard"])


@router.get("")
def read_board(
    course: str, assignment: str, user: SignedIn, services: WithServices, order: Order = Order.TIME
) -> Board:
    """Who agreed to be shown, by pseudonym: time and memory as ratios to a plain right answer, the best first. Whose
    intervals overlap is too close to tell apart. Staff also see who is who.
    """
    return board.read(services.database, services.catalogue, user, course, assignment, order)


@router.put("/mine", status_code=HTTPStatus.NO_CONTENT)
def join_board(course: str, assignment: str, wanted: Joining, user: SignedIn, services: WithServices) -> None:
    """Joins the leaderboard, or changes the pseudonym. For students who have passed."""
    limit_joinings(services.broker, user)
    service.join(services.database, services.catalogue, user, course, assignment, wanted.pseudonym)


@router.delete("/mine", status_code=HTTPStatus.NO_CONTENT)
def leave_board(course: str, assignment: str, user: SignedIn, services: WithServices) -> None:
    """Leaves the leaderboard: my entry and its measurement are deleted at once."""
    service.leave(services.database, user, course, assignment)


@router.put("/removals/{entry}", status_code=HTTPStatus.NO_CONTENT, dependencies=STAFF_ONLY)
def remove_entry(course: str, assignment: str, entry: str, user: SignedIn, services: WithServices) -> None:
    """Takes an entry off the leaderboard, for an offensive pseudonym say. Its student cannot join again until that is
    undone. Staff only.
    """
    service.remove(services.database, user, course, assignment, entry)


@router.delete("/removals/{entry}", status_code=HTTPStatus.NO_CONTENT, dependencies=STAFF_ONLY)
def let_back(course: str, assignment: str, entry: str, user: SignedIn, services: WithServices) -> None:
    """Lets a student join again whose entry was removed. Staff only."""
    service.let_back(services.database, user, course, assignment, entry)
