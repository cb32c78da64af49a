"""What needs somebody in a course this week, put together."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from app.analytics.overview import service_health
from app.analytics.results import StudentResult
from app.analytics.schemas import ServiceHealth
from app.analytics.stuck import stuck_in
from app.assignments.schemas import AssignmentView, view_of
from app.assignments.service import all_of
from app.broker import Broker
from app.challenges.service import Catalogue
from app.courses.access import staffed_course
from app.courses.schemas import Analytics
from app.courses.service import figures_in
from app.database import Database
from app.models import Assignment, Course, User, now
from app.regrade_requests.answering import count_open
from app.week.current import current_of, deadlines_in
from app.week.ideas import ideas_held, stuck_on
from app.week.people import SHOWN_MAX, NotStarted, not_started
from app.week.schemas import AssignmentWeek, StuckNow, Week
from app.week.waiting import answers_to_review, held_grades
from grader.grouping import grouped


@dataclass(frozen=True)
class CourseWeek:
    """A course's page: this week, and all assignments with their figures."""

    week: Week
    assignments: Sequence[AssignmentView]
    figures: Analytics


def week(database: Database, catalogue: Catalogue, broker: Broker, user: User, slug: str, search: str = "") -> Week:
    """Returns what needs somebody in the course. `search` is a part of a name: lists of people then hold no others.
    Raises NotFound, Forbidden.
    """
    health = service_health(database, broker)
    with database.read() as session:
        course = staffed_course(session, user, slug)
        return _week(session, catalogue, health, user, course, all_of(session, course.id), search.strip())


def course_week(
    database: Database, catalogue: Catalogue, broker: Broker, user: User, slug: str, search: str
) -> CourseWeek:
    """Returns `week`, all assignments of the course, and their figures. Raises NotFound, Forbidden."""
    health = service_health(database, broker)
    with database.read() as session:
        course = staffed_course(session, user, slug)
        everything = all_of(session, course.id)
        return CourseWeek(
            _week(session, catalogue, health, user, course, everything, search.strip()),
            [view_of(each, now()) for each in everything],
            figures_in(session, course, everything),
        )


def _week(
    session: Session,
    catalogue: Catalogue,
    health: ServiceHealth,
    user: User,
    course: Course,
    everything: Sequence[Assignment],
    search: str,
) -> Week:
    moment = now()
    current = current_of(everything, moment)
    return Week(
        course=course.slug,
        time_zone=course.time_zone,
        deadlines=[] if course.is_archived else deadlines_in(everything, moment),
        assignments=_Class(session, course, search).weeks_of(catalogue, current, moment) if current else [],
        reviews=answers_to_review(session, catalogue, user, course, everything),
        regrade_requests=count_open(session, course),
        held=held_grades(session, course, everything, moment),
        service=health,
    )


@dataclass(frozen=True)
class _Class:
    """The students of a course, and a part of the names of those who are searched for."""

    session: Session
    course: Course
    search: str

    def weeks_of(self, catalogue: Catalogue, current: Sequence[Assignment], moment: datetime) -> list[AssignmentWeek]:
        """Returns what is to be known of each of these assignments."""
        missing = not_started(self.session, self.course, current, self.search)
        stuck = stuck_in(self.session, self.course, current)
        on = stuck_on(self.session, catalogue, current, stuck)
        ideas = ideas_held(self.session, self.course, current)
        stuck_in_each = grouped((person.assignment_id, person) for person in stuck)
        return [
            AssignmentWeek(
                assignment=view_of(each, moment),
                not_started=missing.get(each.id, NotStarted()).count,
                not_started_students=list(missing.get(each.id, NotStarted()).shown),
                stuck=len(stuck_in_each.get(each.id, ())),
                stuck_students=self._shown(stuck_in_each.get(each.id, ())),
                stuck_on=on[each.id],
                ideas=ideas[each.id],
            )
            for each in current
        ]

    def _shown(self, stuck: Sequence[StudentResult]) -> list[StuckNow]:
        wanted = self.search.casefold()
        found = [each for each in stuck if wanted in f"{each.student} {each.full_name or ''}".casefold()]
        return [StuckNow.model_validate(each) for each in found[:SHOWN_MAX]]
