"""Where a launch leads to in a course that is connected, and what strangers to it are told."""

from app.assignments.service import find as find_assignment
from app.courses.access import access_to
from app.models import Assignment, Course, LtiContext, User
from app.problems import Forbidden, NotFound
from app.rows import row_with
from app.services import Services


def nobody_joins(course: Course) -> str:
    """Returns what whoever is not in an archived course is told."""
    return (
        f"{course.title!r} is archived, so nobody can join it any more. If you were in it, ask your instructor how to "
        "read your work."
    )


def place_of(services: Services, user: User, context: LtiContext, assignment_id: str | None) -> str:
    """Returns the address that somebody is led to, of the course that is connected. Raises Forbidden for whoever is not
    in it.
    """
    assert context.course is not None
    course = context.course.slug
    with services.database.read() as session:
        try:
            access = access_to(session, user, course)
        except NotFound as problem:
            if context.course.is_archived:
                raise Forbidden(nobody_joins(context.course)) from problem
            raise Forbidden(
                f"You are not on the roster of {context.course.title!r} yet. Ask your instructor to add you."
            ) from problem
        row = row_with(session, Assignment, assignment_id or "")
        try:
            found = find_assignment(session, access, row.slug) if row and row.course_id == access.course.id else None
        except NotFound:  # not open yet
            found = None
    if found is None or (access.course.is_archived and not access.is_staff):
        return f"/courses/{course}"
    if access.is_staff:
        return f"/courses/{course}/assignments/{found.slug}"
    return f"/challenges/{found.challenge}?assignment={course}/{found.slug}"
