"""A hand-out about one misconception: a page that prints, and the same as Markdown."""

from typing import Final

from fastapi import APIRouter
from fastapi.responses import Response

from app.assignments import service as assignments
from app.assignments.schemas import view_of
from app.handouts.markdown import to_markdown
from app.handouts.schemas import ExcerptView, Handout
from app.handouts.service import handout
from app.models import now
from app.services import Services, WithServices
from app.web.source import Line, shown_lines
from app.web.staff.frame import render_assignment
from app.web.visitors import SignedInVisitor, Visitor

MARKDOWN: Final = "text/markdown; charset=utf-8"

router = APIRouter(prefix="/courses/{course}/assignments/{assignment}/understanding/{misconception}")


@router.get("/teach")
def show_handout(
    course: str, assignment: str, misconception: str, visitor: SignedInVisitor, services: WithServices
) -> Response:
    """Shows what a class can be taught a misconception with."""
    found = _read(services, visitor, course, assignment, misconception)
    return render_assignment(
        "teach.html",
        services,
        visitor,
        view_of(assignments.read(services.database, visitor.user, course, assignment), now()),
        "understanding",
        found=found,
        excerpts=[_lines(each) for each in found.excerpts],
    )


@router.get("/teach.md")
def download_handout(
    course: str, assignment: str, misconception: str, visitor: SignedInVisitor, services: WithServices
) -> Response:
    """Downloads it as Markdown, without the notes for staff."""
    found = _read(services, visitor, course, assignment, misconception)
    named = {"Content-Disposition": f'attachment; filename="{found.assignment}-{found.id}.md"'}
    return Response(to_markdown(found), media_type=MARKDOWN, headers=named)


def _read(services: Services, visitor: Visitor, course: str, assignment: str, misconception: str) -> Handout:
    return handout(services.database, services.catalogue, visitor.user, course, assignment, misconception)


def _lines(excerpt: ExcerptView) -> list[Line]:
    return shown_lines(excerpt.lines, 1, excerpt.marked + 1)
