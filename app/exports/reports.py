"""The reports that count, as Gradescope and CI systems read them."""

from collections.abc import Iterator

from sqlalchemy import select

from app.database import Database
from app.exports.archives import Archive
from app.exports.gradebook import Gradebook, Line
from app.models import StoredReport
from grader.formats.gradescope import write_gradescope
from grader.formats.junit import write_junit
from grader.report import Report

BATCH = 100  # reports in memory at a time


def gradescope_zip(database: Database, book: Gradebook) -> bytes:
    """`<student>/results.json` for each student, with the points that they have, late days and questions included."""
    archive = Archive()
    for line, report in _counted(database, book):
        archive.add((line.student.name, "results.json"), write_gradescope(report, line.points))
    return archive.close()


def junit_xml(database: Database, book: Gradebook) -> str:
    """A suite for each student."""
    return write_junit((line.student.name, report) for line, report in _counted(database, book))


def _counted(database: Database, book: Gradebook) -> Iterator[tuple[Line, Report]]:
    lines = [line for line in book.lines if line.counted is not None]
    for start in range(0, len(lines), BATCH):
        batch = {line.counted.id: line for line in lines[start : start + BATCH] if line.counted}
        with database.read() as session:
            query = select(StoredReport.submission_id, StoredReport.body)
            bodies = dict(session.execute(query.where(StoredReport.submission_id.in_(batch))).all())
        for submission, line in batch.items():
            if submission in bodies:
                yield line, Report.model_validate_json(bodies[submission])
