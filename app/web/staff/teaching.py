"""A hand-out about one misconception: a page that prints, and the same as Markdown."""

from typing import Final

from fastapi import APIRouter
from fastapi.responses import Response

from app.handouts.markdown import to_markdown
from app.handouts.schemas import Handout
from app.handouts.service import handout
from app.web.source import shown_lines
from app.web.staff.frame import AssignmentFrame, InAssignment

MARKDOWN: Final = "text/markdown; charset=utf-8"

router = APIRouter(prefix="/courses/{course}/assignments/{assignment}/understanding/{misconception}")


@router.get("/teach")
def show_handout(misconception: str, here: InAssignment) -> Response:
    """Shows what a class can be taught a misconception with."""
    found = _read(here, misconception)
    excerpts = [shown_lines(each.lines, 1, each.marked + 1) for each in found.excerpts]
    return here.render("teach.html", "understanding", found=found, excerpts=excerpts)


@router.get("/teach.md")
def download_handout(misconception: str, here: InAssignment) -> Response:
    """Downloads it as Markdown, without the notes for staff."""
    found = _read(here, misconception)
    named = {"Content-Disposition": f'attachment; filename="{found.assignment}-{found.id}.md"'}
    return Response(to_markdown(found), media_type=MARKDOWN, headers=named)


def _read(here: AssignmentFrame, misconception: str) -> Handout:
    return handout(here.database, here.services.catalogue, here.user, here.course, here.assignment, misconception)
