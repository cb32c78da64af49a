"""Which course a submission or a hunt belongs to, when a hunt was solved, and which builds are near to an open one.

What was practised before goes to a course only where there is no doubt: the one course in which the person is a
student, if it was there already. Everything else is nobody's.
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

NAME, MOMENT = sa.String(length=26), sa.DateTime(timezone=True)
OF_ASSIGNMENTS = """
UPDATE submissions SET course_id = (SELECT course_id FROM assignments WHERE assignments.id = submissions.assignment_id)
WHERE assignment_id IS NOT NULL
"""
OF_PRACTICE = """
UPDATE submissions SET course_id = (
    SELECT MIN(courses.id) FROM enrollments JOIN courses ON courses.id = enrollments.course_id
    WHERE enrollments.user_id = submissions.user_id AND enrollments.role = 'student'
    HAVING COUNT(*) = 1 AND MIN(courses.created_at) <= submissions.created_at)
WHERE assignment_id IS NULL
"""
OF_HUNTS = """
UPDATE hunts SET course_id = (
    SELECT MIN(courses.id) FROM enrollments JOIN courses ON courses.id = enrollments.course_id
    WHERE enrollments.user_id = hunts.user_id AND enrollments.role = 'student'
    HAVING COUNT(*) = 1 AND MIN(courses.created_at) <= hunts.drawn_at)
"""
SOLVED = """
UPDATE hunts SET solved_at = (
    SELECT MIN(submissions.graded_at) FROM fixes JOIN submissions ON submissions.id = fixes.submission_id
    WHERE fixes.hunt_id = hunts.id AND fixes.lines <= hunts.lines_max AND submissions.verdict = 'passed')
"""


def upgrade() -> None:
    with op.batch_alter_table("hunts") as batch_op:
        batch_op.add_column(sa.Column("course_id", NAME, nullable=True))
        batch_op.add_column(sa.Column("solved_at", MOMENT, nullable=True))
        batch_op.create_foreign_key(
            batch_op.f("fk_hunts_course_id"), "courses", ["course_id"], ["id"], ondelete="SET NULL"
        )
    with op.batch_alter_table("submissions") as batch_op:
        batch_op.add_column(sa.Column("course_id", NAME, nullable=True))
        batch_op.add_column(sa.Column("near_hunt_id", NAME, nullable=True))
        batch_op.create_index(batch_op.f("ix_submissions_course_id"), ["course_id"])
        batch_op.create_foreign_key(
            batch_op.f("fk_submissions_course_id"), "courses", ["course_id"], ["id"], ondelete="SET NULL"
        )
        batch_op.create_foreign_key(
            batch_op.f("fk_submissions_near_hunt_id"), "hunts", ["near_hunt_id"], ["id"], ondelete="SET NULL"
        )
    for statement in (OF_ASSIGNMENTS, OF_PRACTICE, OF_HUNTS, SOLVED):
        op.execute(statement)
