"""Making and changing the assignments of a course. What they mean for an upload stands in `admission`."""

from typing import Any

from pydantic import ValidationError
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, joinedload

from app import audit
from app.assignments.schedule import Phase, phase_at, shows_solutions
from app.assignments.schemas import ChangedTerms, NewAssignment, Terms, terms_of
from app.challenges.service import Catalogue
from app.courses.access import CourseAccess, access_to, manager_access
from app.database import Database
from app.identifiers import is_slug
from app.models import Answer, Assignment, Course, GradesRelease, Solutions, Submission, User, now
from app.problems import Conflict, FieldError, NotFound, Unprocessable, in_one_sentence
from app.rows import count


def find(session: Session, access: CourseAccess, slug: str) -> Assignment:
    """Returns the assignment, with its course, if a person with this access may see it.

    Raises NotFound; for students also until it opens, so that they cannot even learn that it is planned.
    """
    query = select(Assignment).options(joinedload(Assignment.course))
    mine = (Assignment.course_id == access.course.id, Assignment.slug == slug)
    found = session.scalar(query.where(*mine)) if is_slug(slug) else None
    if found is None or not _may_see(access, found):
        raise NotFound(f"The course has no assignment {slug[:64]!r}.")
    return found


def all_of(session: Session, course_id: str) -> list[Assignment]:
    """Returns all assignments of a course, the next due first."""
    query = (
        select(Assignment)
        .options(joinedload(Assignment.course))
        .where(Assignment.course_id == course_id)
        .order_by(Assignment.due_at.is_(None), Assignment.due_at, Assignment.slug)
    )
    return list(session.scalars(query))


def list_all(database: Database, user: User, course: str) -> list[Assignment]:
    """Returns the assignments that the person may see, the next due first: staff all, students those that have opened.
    Raises NotFound.
    """
    with database.read() as session:
        access = access_to(session, user, course)
        return [row for row in all_of(session, access.course.id) if _may_see(access, row)]


def read(database: Database, user: User, course: str, slug: str) -> Assignment:
    """Returns an assignment. Raises NotFound, for students also until it opens."""
    with database.read() as session:
        return find(session, access_to(session, user, course), slug)


def create(database: Database, catalogue: Catalogue, user: User, course: str, wanted: NewAssignment) -> Assignment:
    """Creates an assignment. Raises NotFound, Forbidden, Conflict when the slug is taken, Unprocessable when there is
    no such challenge.
    """
    try:
        with database.write() as session:
            return add(session, catalogue, user, manager_access(session, user, course).course, wanted)
    except IntegrityError as error:
        raise Conflict(
            f"The course already has an assignment {wanted.slug!r}. Change that one, or choose another URL name."
        ) from error


def add(session: Session, catalogue: Catalogue, user: User, course: Course, wanted: NewAssignment) -> Assignment:
    """Adds an assignment in the caller's transaction. Raises Unprocessable when there is no such challenge."""
    _known_challenge(catalogue, wanted.challenge)
    made = Assignment(course=course, **dict(wanted))
    session.add(made)
    session.flush()
    audit.note(session, user, "assignment.create", made.slug, course, terms=terms_of(made).model_dump(mode="json"))
    return made


def change(
    database: Database, catalogue: Catalogue, user: User, course: str, slug: str, wanted: ChangedTerms
) -> Assignment:
    """Changes an assignment's terms. Raises NotFound, Forbidden, Unprocessable, and Conflict for another challenge
    where there are submissions.
    """
    with database.write() as session:
        access = manager_access(session, user, course)
        found = find(session, access, slug)
        before = terms_of(found)
        after = _changed(before, wanted.model_dump(exclude_unset=True))
        if after.challenge != before.challenge:
            _known_challenge(catalogue, after.challenge)
            if _submissions(session, found):
                raise Conflict(
                    f"Students have already submitted to {slug!r}. Create a new assignment for another challenge."
                )
        _refuse_more_answers(session, found, after)
        _refuse_other_release(session, found, after)
        old, new = before.model_dump(mode="json"), after.model_dump(mode="json")
        differences = {name: [old[name], new[name]] for name in new if old[name] != new[name]}
        if differences:
            found.solutions_were_shown = shows_solutions(found, now())
            for name in differences:
                setattr(found, name, getattr(after, name))
            audit.note(session, user, "assignment.change", slug, access.course, **differences)
        return found


def remove(database: Database, user: User, course: str, slug: str) -> None:
    """Removes an assignment. Raises NotFound, Forbidden, and Conflict where there are submissions, which are never
    lost.
    """
    try:
        with database.write() as session:
            access = manager_access(session, user, course)
            found = find(session, access, slug)
            if _submissions(session, found):
                raise _in_use(slug)
            terms = terms_of(found).model_dump(mode="json")
            audit.note(session, user, "assignment.remove", slug, access.course, terms=terms)
            session.delete(found)
    except IntegrityError as error:  # one arrived at this very moment
        raise _in_use(slug) from error


def _refuse_more_answers(session: Session, assignment: Assignment, after: Terms) -> None:
    """Who has used up the answers to a question was shown the right one, where the assignment says so."""
    most = assignment.answers_max
    if assignment.solutions is not Solutions.AFTER_ATTEMPTS or most is None:
        return
    if after.answers_max is not None and after.answers_max <= most:
        return
    used_up = select(Answer.id).join(Submission).where(Submission.assignment_id == assignment.id, Answer.tries >= most)
    if session.scalar(used_up.limit(1)) is not None:
        raise Conflict(
            f"Some students have used all {most} answers and have seen the solutions, so the limit cannot be raised."
        )


def _refuse_other_release(session: Session, assignment: Assignment, after: Terms) -> None:
    """What students were told, or asked, depends on it from the first submission on."""
    if after.grades_release is assignment.grades_release or not _submissions(session, assignment):
        return
    if assignment.grades_release is GradesRelease.HELD:
        raise Conflict("Students have submitted already. To let them see their points, release the grades.")
    raise Conflict("Students have submitted already, and know what they earned: it is too late to hold it.")


def _may_see(access: CourseAccess, assignment: Assignment) -> bool:
    return access.is_staff or phase_at(assignment, now()) is not Phase.PLANNED


def _known_challenge(catalogue: Catalogue, slug: str) -> None:
    try:
        catalogue.get(slug)
    except NotFound as problem:
        raise Unprocessable(problem.detail, errors=[FieldError(location="challenge", message="unknown")]) from problem


def _changed(before: Terms, changes: dict[str, Any]) -> Terms:
    try:
        return Terms.model_validate({**dict(before), **changes})
    except ValidationError as error:
        errors = [FieldError.of(item) for item in error.errors()]
        raise Unprocessable(in_one_sentence(errors), errors=errors) from error


def _submissions(session: Session, assignment: Assignment) -> int:
    return count(session, Submission.assignment_id == assignment.id)


def _in_use(slug: str) -> Conflict:
    return Conflict(
        f"Students have submitted to {slug!r}, so it cannot be removed. Close it instead: set when it closes."
    )
