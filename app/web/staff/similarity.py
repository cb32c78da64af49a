"""Submissions that look alike, and two of them side by side."""

from fastapi import APIRouter
from fastapi.responses import Response

from app.similarity.schemas import Cluster, Side, Similarities
from app.similarity.service import pair_of, similarities
from app.submissions.files import sent_files
from app.web.source import Line, lines_of, shown_lines
from app.web.staff.frame import AssignmentFrame, InAssignment

router = APIRouter(prefix="/courses/{course}/assignments/{assignment}/similarity")


@router.get("")
def show_similarity(here: InAssignment) -> Response:
    """Shows the students of an assignment whose submissions are alike, in groups."""
    found = _similarities(here)
    return here.render(
        "similarity.html",
        "similarity",
        found=found,
        pairs={pair.id: pair for pair in found.pairs},
        shared_lines=_shared_lines,
    )


@router.get("/{pair}")
def show_pair(pair: str, here: InAssignment) -> Response:
    """Shows two similar files side by side."""
    found = pair_of(_similarities(here), pair)
    return here.render(
        "pair.html",
        "similarity",
        pair=found,
        sides=[(side, _lines(here, side)) for side in (found.left, found.right)],
    )


def _similarities(here: AssignmentFrame) -> Similarities:
    return similarities(
        here.database, here.services.catalogue, here.services.comparisons, here.user, here.course, here.assignment
    )


def _shared_lines(cluster: Cluster) -> list[Line]:
    return [line for each in cluster.shared for line in shown_lines([each.text], each.number, None)]


def _lines(here: AssignmentFrame, side: Side) -> list[Line]:
    main = sent_files(here.database, here.user, side.sent_by[0].submission)[0]
    return lines_of(main.text, set(side.lines))
