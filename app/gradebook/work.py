"""One student's work in one assignment, as its staff see it: the terms that hold, the points, everything given."""

from sqlalchemy import select

from app.assignments.schedule import phase_at
from app.assignments.schemas import view_of
from app.assignments.service import find
from app.challenges.service import Catalogue
from app.courses.access import is_student_of, staff_access
from app.database import Database
from app.gradebook import overrides
from app.gradebook.book import STUDENT, Student, rows_of
from app.gradebook.exceptions import view_of_exception
from app.gradebook.schemas import WorkView
from app.models import Enrollment, Submission, User, now
from app.problems import NotFound
from app.submissions.schemas import ITEM, item_of


def one_work(database: Database, catalogue: Catalogue, user: User, course: str, slug: str, name: str) -> WorkView:
    """Returns a student's work in an assignment. Raises NotFound, Forbidden."""
    moment = now()
    with database.read() as session:
        access = staff_access(session, user, course)
        assignment = find(session, access, slug)
        query = select(*STUDENT).join(Enrollment).where(is_student_of(access.course), User.name == name)
        found = session.execute(query).first()
        if found is None:
            raise NotFound(f"No student called {name[:100]!r} is in this course. Its roster has the names.")
        student = Student(*found)
        (row,) = rows_of(session, catalogue, [assignment], [student], is_whole_class=False)
        sent = (
            select(Submission)
            .options(*ITEM)
            .where(Submission.user_id == student.id, Submission.assignment_id == assignment.id)
            .order_by(Submission.id.desc())
        )
        attempts = [item_of(each, as_staff=True) for each in session.scalars(sent)]
        given = overrides.views_in(session, assignment, student.id)
    return WorkView.of(
        row.terms,
        student=student.name,
        full_name=student.full_name,
        section=student.section,
        assignment=view_of(assignment, moment),
        phase=phase_at(row.terms, moment),
        points=row.points,
        states=sorted(row.states),
        counted=row.counted.id if row.counted else None,
        code=row.parts.code,
        late_deduction=round(row.parts.full_code - row.parts.code, 2),
        questions=row.parts.questions,
        override=next((each for each in given if each.holds), None),
        attempts=attempts,
        exceptions=[view_of_exception(each, student.name, student.full_name) for each in row.terms.exceptions],
        overrides=given,
    )
