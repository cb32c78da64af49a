"""Submissions that look alike, and two of them side by side."""

from fastapi import APIRouter
from fastapi.responses import Response

from app.services import Services, WithServices
from app.similarity.schemas import Cluster, Side, Similarities
from app.similarity.service import pair_of, similarities
from app.submissions.files import sent_files
from app.web.source import Line, lines_of, shown_lines
from app.web.staff.frame import assignment_of, render_assignment
from app.web.visitors import SignedInVisitor, Visitor

router = APIRouter(prefix="/courses/{course}/assignments/{assignment}/similarity")


@router.get("")
def show_similarity(course: str, assignment: str, visitor: SignedInVisitor, services: WithServices) -> Response:
    """Shows the students of an assignment whose submissions are alike, in groups."""
    found = _similarities(services, visitor, course, assignment)
    return render_assignment(
        "similarity.html",
        services,
        visitor,
        assignment_of(services, visitor, course, assignment),
        "similarity",
        found=found,
        pairs={pair.id: pair for pair in found.pairs},
        shared_lines=_shared_lines,
    )


@router.get("/{pair}")
def show_pair(course: str, assignment: str, pair: str, visitor: SignedInVisitor, services: WithServices) -> Response:
    """Shows two similar files side by side."""
    found = pair_of(_similarities(services, visitor, course, assignment), pair)
    return render_assignment(
        "pair.html",
        services,
        visitor,
        assignment_of(services, visitor, course, assignment),
        "similarity",
        pair=found,
        sides=[(side, _lines(services, visitor, side)) for side in (found.left, found.right)],
    )


def _similarities(services: Services, visitor: Visitor, course: str, assignment: str) -> Similarities:
    return similarities(services.database, services.catalogue, services.comparisons, visitor.user, course, assignment)


def _shared_lines(cluster: Cluster) -> list[Line]:
    return [line for each in cluster.shared for line in shown_lines([each.text], each.number, None)]


def _lines(services: Services, visitor: Visitor, side: Side) -> list[Line]:
    main = sent_files(services.database, visitor.user, side.sent_by[0].submission)[0]
    return lines_of(main.text, set(side.lines))
