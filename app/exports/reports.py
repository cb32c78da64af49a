"""The reports that count, as Gradescope and CI systems read them."""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import joinedload

from app.assignments.schedule import holds_grades
from app.database import Database
from app.exports.archives import Archive
from app.gradebook.book import Gradebook, GradebookRow
from app.models import Submission, now
from app.problems import Conflict
from app.submissions.feedback import for_student
from app.submissions.schemas import ITEM
from grader.formats.gradescope import write_gradescope
from grader.formats.junit import write_junit
from grader.report import Report

BATCH = 100  # reports in memory at a time


@dataclass(frozen=True)
class CountedReport:
    """The report of the submission that counts for a student."""

    line: GradebookRow
    submission: Submission
    report: Report


def gradescope_zip(database: Database, book: Gradebook) -> bytes:
    """Returns a zip with `<student>/results.json` for each student: their points, with late days and questions.
    Students see there what they may see here at this moment. Raises Conflict while grades are held.
    """
    if any(holds_grades(each) for each in book.assignments):
        raise Conflict("Gradescope shows this to students, and the grades are held. Release them first.")
    archive, moment = Archive(), now()
    for counted in _counted(database, book):
        told = for_student(counted.report, counted.submission, moment)
        results = write_gradescope(counted.report, counted.line.points, told)
        archive.add((counted.line.student.name, "results.json"), results)
    return archive.close()


def junit_xml(database: Database, book: Gradebook) -> str:
    """Returns a JUnit report with a suite for each student, for staff."""
    return write_junit((counted.line.student.name, counted.report) for counted in _counted(database, book))


def _counted(database: Database, book: Gradebook) -> Iterator[CountedReport]:
    lines = [line for line in book.lines if line.counted is not None]
    for start in range(0, len(lines), BATCH):
        batch = {line.counted.id: line for line in lines[start : start + BATCH] if line.counted}
        with database.read() as session:
            query = select(Submission).options(*ITEM, joinedload(Submission.report)).where(Submission.id.in_(batch))
            found = {row.id: row for row in session.scalars(query)}
        for submission, line in batch.items():
            row = found[submission]
            if row.report is not None:
                yield CountedReport(line, row, Report.model_validate_json(row.report.body))
