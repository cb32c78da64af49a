"""What the demonstration's staff did while they ran the course: exceptions, overrides, invitations."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import select

from app.database import Database
from app.gradebook import exceptions, overrides
from app.gradebook.schemas import NewException, NewOverride
from app.invitations import service as invitations
from app.models import Course, Invitation, InvitationState, User

INVITED_DAYS: Final = 14
NO_MAILBOX: Final = "The mail server does not know this address."


@dataclass(frozen=True)
class Class:
    """Who is in the demonstration's course. `newcomers` have joined it lately, and have not signed in yet."""

    slug: str
    students: Sequence[User]
    newcomers: Sequence[User]
    instructor: User


def give_exceptions(
    database: Database, class_: Class, closed: str, opened: str, section: str, moment: datetime
) -> None:
    """More time for some in an assignment that is closed, and for a section in one that is open; more attempts for
    one.
    """
    given = [
        (closed, NewException(student=user.name, due_at=moment + timedelta(days=1), reason=reason))
        for user, reason in zip(class_.students[3::41], ("Ill for a week", "Conference", "Laptop stolen"), strict=False)
    ]
    later = moment + timedelta(days=4)
    given.append((opened, NewException(section=section, due_at=later, reason="The Tuesday class was cancelled")))
    tried = class_.students[len(class_.students) // 2]
    given.append((opened, NewException(student=tried.name, extra_attempts=5, reason="The laboratory was closed")))
    for slug, exception in given:
        exceptions.give(database, class_.instructor, class_.slug, slug, exception)


def override_points(database: Database, class_: Class, slug: str) -> None:
    """Gives some students points by hand, and takes the first of them back."""
    chosen = class_.students[7::67]
    for user in chosen:
        given = NewOverride(student=user.name, points=35, reason="Oral exam")
        overrides.give(database, class_.instructor, class_.slug, slug, given)
    for user in chosen[1:2]:
        back = NewOverride(student=user.name, points=None, reason="That was another student")
        overrides.give(database, class_.instructor, class_.slug, slug, back)


def invite(database: Database, class_: Class, moment: datetime) -> None:
    """Invites the newcomers: one has a slip of paper, one an address that takes no mail, one let the invitation end. No
    mail waits: none of these people has a mailbox.
    """
    printed, *others = class_.newcomers
    invitations.print_slips(database, class_.instructor, class_.slug, [printed.name], address="", days=INVITED_DAYS)
    ends = ((InvitationState.FAILED, NO_MAILBOX, moment), (InvitationState.OPEN, None, moment - timedelta(days=20)))
    with database.write() as session:
        course = session.scalars(select(Course).where(Course.slug == class_.slug)).one()
        session.add_all(
            Invitation(
                course_id=course.id,
                user_id=user.id,
                state=state,
                reason=reason,
                made_at=made_at,
                expires_at=made_at + timedelta(days=INVITED_DAYS),
            )
            for user, (state, reason, made_at) in zip(others, ends, strict=False)
        )
