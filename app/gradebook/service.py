"""A page of a course's gradebook. Only what the page shows is computed; sorting and filtering ask the summaries."""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final

from fastapi import Query

from app import audit
from app.assignments.schedule import holds_grades
from app.assignments.service import all_of
from app.challenges.service import Catalogue
from app.courses.access import managed_course, staffed_course
from app.database import Database
from app.gradebook.book import CellState, GradebookRow, Student, points_max, rows_of, students_of
from app.gradebook.schemas import AssignmentColumn, CellView, Direction, GradebookView, Rules, StudentRow
from app.gradebook.summaries import Briefs, Summaries, brief_of
from app.gradebook.totals import Entry, total_of
from app.models import Assignment, Course, User, now
from app.problems import wrong
from app.request_values import Short
from app.rows import hold

ROWS_MAX: Final = 200
BY_NAME: Final = "name"
BY_TOTAL: Final = "total"
_ACCENTS: Final = re.compile("[\u0300-\u036f]+")


@dataclass(frozen=True)
class GradebookQuery:
    """Which students to show, and in which order."""

    search: Annotated[str | None, Query(max_length=100, description="part of a name")] = None
    section: Short = None
    state: CellState | None = None
    assignment: Annotated[str | None, Query(max_length=100, description="the only one that `state` looks at")] = None
    sort: Annotated[str, Query(max_length=100, description="name, total, or an assignment's slug")] = BY_NAME
    direction: Direction = Direction.UP
    offset: Annotated[int, Query(ge=0, le=100_000)] = 0
    limit: Annotated[int, Query(ge=1, le=ROWS_MAX)] = 50


def page(
    database: Database, catalogue: Catalogue, summaries: Summaries, user: User, slug: str, wanted: GradebookQuery
) -> GradebookView:
    """Returns a page of the gradebook. Raises NotFound, Forbidden, and Unprocessable for an order that there is not."""
    with database.read() as session:
        course = staffed_course(session, user, slug)
        assignments = all_of(session, course.id)
        everybody = students_of(session, course)
        finding = _Finding(course, assignments, everybody, wanted)
        fitting = finding.students(lambda: summaries.of(session, catalogue, assignments, everybody))
        shown = fitting[wanted.offset : wanted.offset + wanted.limit]
        rows = rows_of(session, catalogue, assignments, shown, is_whole_class=False)
    width, moment = len(assignments), now()
    return GradebookView(
        course=course.slug,
        drop_lowest=course.drop_lowest,
        sections=sorted({each.section for each in everybody if each.section}),
        assignments=[
            AssignmentColumn.of(each, points_max=points_max(each), is_held=holds_grades(each)) for each in assignments
        ],
        items=[
            _student_row(course, student, rows[place * width : (place + 1) * width], moment)
            for place, student in enumerate(shown)
        ],
        total=len(fitting),
    )


def change_rules(database: Database, user: User, slug: str, wanted: Rules) -> Rules:
    """Changes how points are added up. Raises NotFound, Forbidden."""
    with database.write() as session:
        course = managed_course(session, user, slug)
        hold(session, Course.id, course.id)
        if course.drop_lowest != wanted.drop_lowest:
            audit.note(
                session, user, "gradebook.rules", slug, course, drop_lowest=[course.drop_lowest, wanted.drop_lowest]
            )
            course.drop_lowest = wanted.drop_lowest
        return wanted


@dataclass(frozen=True)
class _Finding:
    """Finds the students that fit a query, in its order."""

    course: Course
    assignments: Sequence[Assignment]
    everybody: Sequence[Student]
    wanted: GradebookQuery

    def students(self, read_briefs: Callable[[], Mapping[str, Briefs]]) -> list[Student]:
        """Returns the students. Briefs are read only where the query needs them."""
        named = sorted(filter(self._is_named, self.everybody), key=_as_shown)
        by_slug = {each.slug: each for each in self.assignments}
        sort, state, only = self.wanted.sort, self.wanted.state, self.wanted.assignment
        for field, value in (("sort", None if sort in (BY_NAME, BY_TOTAL) else sort), ("assignment", only)):
            if value is not None and value not in by_slug:
                raise wrong(field, f"The course has no assignment {value!r}. Choose one of its columns.")
        if sort == BY_NAME and state is None:
            return self._directed(named)
        briefs = read_briefs()
        if state is not None:
            asked = [by_slug[only].id] if only else [each.id for each in self.assignments]
            named = [each for each in named if any(state in briefs[key][each.id].states for key in asked)]
        return self._sorted(named, briefs, by_slug)

    def _is_named(self, student: Student) -> bool:
        wanted = (self.wanted.search or "").strip().casefold()
        is_there = self.wanted.section in (None, student.section)
        return is_there and wanted in f"{student.name} {student.full_name or ''}".casefold()

    def _sorted(
        self, named: list[Student], briefs: Mapping[str, Briefs], by_slug: Mapping[str, Assignment]
    ) -> list[Student]:
        if self.wanted.sort == BY_NAME:
            return self._directed(named)
        if self.wanted.sort == BY_TOTAL:
            points: Mapping[str, float | None] = _totals(self.course, self.assignments, named, briefs)
        else:
            points = {key: brief.points for key, brief in briefs[by_slug[self.wanted.sort].id].items()}
        return self._directed(sorted(named, key=lambda each: _or_less(points[each.id])))

    def _directed(self, students: list[Student]) -> list[Student]:
        return students if self.wanted.direction is Direction.UP else students[::-1]


def _totals(
    course: Course, assignments: Sequence[Assignment], students: Sequence[Student], briefs: Mapping[str, Briefs]
) -> dict[str, float]:
    """Each student's points in the course. What is the same for all of them is asked once."""
    if not course.drop_lowest:  # then whatever has points counts, and thousands are added up soon
        points = [{key: brief.points or 0.0 for key, brief in briefs[each.id].items()} for each in assignments]
        return {student.id: round(sum(column[student.id] for column in points), 2) for student in students}
    moment = now()
    columns = [(each.id, points_max(each), each.is_bonus, briefs[each.id]) for each in assignments]
    return {
        student.id: total_of(
            [
                Entry(key, brief.points, most, is_bonus, brief.is_over(moment))
                for key, most, is_bonus, of_all in columns
                for brief in (of_all[student.id],)
            ],
            course.drop_lowest,
        ).points
        for student in students
    }


def _as_shown(student: Student) -> tuple[str, str]:
    """Sorts by the name that the page shows, whatever its case and accents: Åsa is among the As."""
    plain = _ACCENTS.sub("", unicodedata.normalize("NFKD", student.full_name or student.name))
    return plain.casefold(), student.name


def _or_less(points: float | None) -> float:
    """Nothing is less than no points."""
    return -1.0 if points is None else points


def _student_row(course: Course, student: Student, rows: Sequence[GradebookRow], moment: datetime) -> StudentRow:
    entries = [
        Entry(each.id, brief.points, points_max(each), each.is_bonus, brief.is_over(moment))
        for each, brief in ((row.assignment, brief_of(row)) for row in rows)
    ]
    total = total_of(entries, course.drop_lowest)
    return StudentRow.of(
        student,
        student=student.name,
        total=total.points,
        total_max=total.points_max,
        cells=[_cell(row, is_dropped=row.assignment.id in total.dropped) for row in rows],
    )


def _cell(row: GradebookRow, *, is_dropped: bool) -> CellView:
    return CellView(
        points=row.points,
        states=sorted(row.states),
        is_dropped=is_dropped,
        days_late=row.counted.days_late if row.counted else 0,
        submission=row.counted.id if row.counted else None,
    )
