"""`/courses/{course}/export…`: what the course's instructors take elsewhere."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query, Response

from app.exports.reports import gradescope_zip, junit_xml
from app.exports.tables import Table, write_table
from app.gradebook.book import gradebook
from app.services import SignedIn, WithServices

router = APIRouter(prefix="/courses/{course}", tags=["exports"])

Maybe = Annotated[str | None, Query(max_length=100, description="its slug; without it, all assignments")]
One = Annotated[str, Query(max_length=100, description="the assignment's slug")]


@router.get("/export.csv", response_class=Response, responses={HTTPStatus.OK: {"content": {"text/csv": {}}}})
def export_table(
    course: str,
    user: SignedIn,
    services: WithServices,
    assignment: Maybe = None,
    table: Annotated[
        Table,
        Query(alias="for", description="everything, for a program or for a spreadsheet, or what a gradebook imports"),
    ] = Table.ALL,
) -> Response:
    """Points by student and assignment. Instructors only."""
    book = gradebook(services.database, services.catalogue, user, course, assignment)
    name = "-".join(filter(None, (course, assignment, table.value if table in (Table.CANVAS, Table.MOODLE) else None)))
    return _file(write_table(book, table), "text/csv; charset=utf-8", f"{name}.csv")


@router.get(
    "/export/gradescope.zip", response_class=Response, responses={HTTPStatus.OK: {"content": {"application/zip": {}}}}
)
def export_gradescope(course: str, assignment: One, user: SignedIn, services: WithServices) -> Response:
    """A `results.json` for each student, from the submission that counts. Instructors only."""
    book = gradebook(services.database, services.catalogue, user, course, assignment)
    return _file(gradescope_zip(services.database, book), "application/zip", f"{course}-{assignment}-gradescope.zip")


@router.get(
    "/export/junit.xml", response_class=Response, responses={HTTPStatus.OK: {"content": {"application/xml": {}}}}
)
def export_junit(course: str, assignment: One, user: SignedIn, services: WithServices) -> Response:
    """A suite for each student, from the submission that counts. Instructors only."""
    book = gradebook(services.database, services.catalogue, user, course, assignment)
    return _file(junit_xml(services.database, book), "application/xml", f"{course}-{assignment}-junit.xml")


def _file(content: str | bytes, media_type: str, name: str) -> Response:
    return Response(content, media_type=media_type, headers={"Content-Disposition": f'attachment; filename="{name}"'})
