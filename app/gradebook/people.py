"""Whom an exception or an override is for: a student of the course, or one of its sections."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.courses.access import is_student_of
from app.models import Course, Enrollment, User
from app.problems import wrong


def student_named(session: Session, course: Course, name: str) -> User:
    """Returns the student of the course. Raises Unprocessable."""
    query = select(User).join(Enrollment).where(is_student_of(course), User.name == name)
    found = session.scalar(query)
    if found is None:
        raise wrong("student", f"{name!r} is not a student of this course. Use the name that the roster shows.")
    return found


def sections_of(session: Session, course: Course) -> list[str]:
    """Returns the sections that the course's students are in, by name."""
    query = select(Enrollment.section).where(is_student_of(course), Enrollment.section.is_not(None)).distinct()
    return sorted(section for section in session.scalars(query) if section)


def known_section(session: Session, course: Course, section: str) -> str:
    """Returns the section. Raises Unprocessable when no student is in it."""
    sections = sections_of(session, course)
    if section not in sections:
        there_are = f"There are: {', '.join(sections)}." if sections else "The roster names no sections yet."
        raise wrong("section", f"No student is in the section {section!r}. {there_are}")
    return section
