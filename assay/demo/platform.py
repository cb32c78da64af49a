"""A learning platform that is none: what its pages show of a course that is connected, without anything to ask."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from app.challenges.service import Catalogue
from app.database import Database
from app.lti.grades import Comparison
from app.models import Course, Identity, LtiContext, LtiDeployment, LtiPlatform, LtiScore, User

HOST: Final = "lms.university.example"  # a name that nobody can have
ISSUER: Final = f"https://{HOST}"
FAILING: Final = 2
AWAY: Final = "The platform cannot be reached (ConnectTimeout)."


def connect_platform(
    database: Database, catalogue: Catalogue, slug: str, students: Sequence[User], instructor: User, moment: datetime
) -> None:
    """Connects the course to a platform that nobody can sign in through: it is deactivated. These students have come
    from there, and all of their points but a few have arrived.
    """
    with database.write() as session:
        platform = _platform(session)
        course = session.scalars(select(Course).where(Course.slug == slug)).one()
        context = LtiContext(
            platform_id=platform.id,
            deployment_id="1",
            context_id=slug,
            title=course.title,
            course_id=course.id,
            linked_by_id=instructor.id,
            line_items_url=f"{ISSUER}/courses/{slug}/line-items",
        )
        session.add(context)
        session.add_all(Identity(issuer=ISSUER, subject=user.id, user_id=user.id) for user in students)
    Comparison(database, catalogue, every=timedelta()).note_changes(is_due=False)
    with database.write() as session:
        mine = update(LtiScore).where(LtiScore.context_id == context.id)
        session.execute(mine.values(sent_version=LtiScore.version, sent_at=moment, next_try_at=None))
        for row in session.scalars(select(LtiScore).where(LtiScore.context_id == context.id).limit(FAILING)):
            row.sent_version, row.sent_at, row.tries, row.error = 0, None, 4, AWAY
            row.next_try_at = moment + timedelta(hours=1)


def _platform(session: Session) -> LtiPlatform:
    """The one that an earlier demonstration has made, or a new one."""
    found = session.scalar(select(LtiPlatform).where(LtiPlatform.issuer == ISSUER))
    if found is not None:
        return found
    made = LtiPlatform(
        name="University LMS (made up)",
        issuer=ISSUER,
        client_id="assay",
        authorization_url=f"{ISSUER}/authorize",
        token_url=f"{ISSUER}/token",
        keyset_url=f"{ISSUER}/keys.json",
        is_active=False,
        deployments=[LtiDeployment(deployment_id="1")],
    )
    session.add(made)
    session.flush()
    return made
