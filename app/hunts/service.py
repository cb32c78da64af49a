"""Drawing a bug for a student, and telling what was sent to mend it from a rewrite.

A student who has mended one file knows that solution. So each further bug is planted in a solution of another style.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app.assignments.schedule import HOLDING
from app.challenges.service import Entry
from app.courses.access import course_of_practice, staffs_challenge
from app.database import Database
from app.models import (
    DiagnosedMisconception,
    Fix,
    Hunt,
    Submission,
    SubmissionFile,
    SubmissionKind,
    User,
    now,
)
from app.problems import Conflict, NotFound
from app.rows import count
from app.submissions.uploads import Upload
from grader.hunt import CHANGE_MAX, NoPython, Planted, changed_lines
from grader.report import Verdict


@dataclass(frozen=True)
class HuntProgress:
    """A person's current hunt, and how far they are. `left` counts the hunts that may follow it."""

    hunt: Hunt
    tries: int
    is_solved: bool
    left: int


@dataclass(frozen=True)
class Mending:
    """A file sent as a fix of a hunt. `lines` counts the changed lines; None where it cannot be read."""

    hunt: Hunt
    lines: int | None


def current(database: Database, entry: Entry, user: User) -> HuntProgress:
    """Returns the person's last hunt, and draws the first if there is none.

    Raises NotFound where there is no hunt, Conflict while the person's own build has not passed.
    """
    with database.read() as session:
        _may_hunt(session, entry, user)
        found = _progress(session, entry, user)
    return found if found is not None else _draw(database, entry, user, number=1)


def draw_next(database: Database, entry: Entry, user: User) -> HuntProgress:
    """Draws the next hunt. Raises NotFound, and Conflict while the one before is not solved, or
    when there is no other.
    """
    before = current(database, entry, user)
    if not before.is_solved:
        raise Conflict("You have not solved the last one yet: fix that file first. `engine submit-fix` submits it.")
    if not before.left:
        raise Conflict(f"You have found every bug in {entry.slug!r}. Well done.")
    return _draw(database, entry, user, before.hunt.number + 1)


def mending(database: Database, entry: Entry, user: User, upload: Upload) -> Mending:
    """Measures how much of the file that was handed out the upload changes. Raises NotFound, Conflict."""
    hunt = current(database, entry, user).hunt
    try:
        lines = changed_lines(hunt.source, upload.submission.source.decode("utf-8-sig"))
    except (NoPython, UnicodeDecodeError):  # the grader says what is wrong with it
        return Mending(hunt, None)
    return Mending(hunt, lines)


def _progress(session: Session, entry: Entry, user: User) -> HuntProgress | None:
    hunts = session.scalars(
        select(Hunt).where(Hunt.user_id == user.id, Hunt.challenge == entry.slug).order_by(Hunt.number)
    ).all()
    if not hunts:
        return None
    return HuntProgress(
        hunts[-1],
        tries=count(session, Fix.hunt_id == hunts[-1].id),
        is_solved=hunts[-1].solved_at is not None,
        left=len({planted.style for planted in _fresh(entry, hunts)}),
    )


def _draw(database: Database, entry: Entry, user: User, number: int) -> HuntProgress:
    try:
        with database.write() as session:
            planted = secrets.choice(_best(session, entry, user))
            told = entry.hunt.told(planted)
            assert told is not None  # of those that are drawn from
            session.add(
                Hunt(
                    user_id=user.id,
                    course_id=course_of_practice(session, user, entry.slug, now()),
                    challenge=entry.slug,
                    number=number,
                    bug=planted.bug,
                    style=planted.style,
                    source=planted.source,
                    told=told.model_dump(mode="json"),
                    lines_max=CHANGE_MAX,
                )
            )
    except IntegrityError:  # drawn twice at one moment: the other one holds
        pass
    with database.read() as session:
        found = _progress(session, entry, user)
    assert found is not None  # it was drawn, here or beside us
    return found


def _may_hunt(session: Session, entry: Entry, user: User) -> None:
    """The file is nearly a solution: only who has one gets it, and who may look into everything that is sent for it."""
    if not entry.hunt.solutions:
        raise NotFound(f"{entry.slug!r} has no bug hunt.")
    if staffs_challenge(session, user, entry.slug):
        return
    if not count(session, _builds(entry, user), Submission.verdict == Verdict.PASSED):
        raise Conflict(f"The bug hunt of {entry.slug!r} opens once your own build has passed: `engine submit-build`.")


def _best(session: Session, entry: Entry, user: User) -> Sequence[Planted]:
    """Those in the style of the student's own file, with mistakes that the student has not made, if there are any."""
    hunts = session.scalars(select(Hunt).where(Hunt.user_id == user.id, Hunt.challenge == entry.slug)).all()
    fresh = _fresh(entry, hunts)
    if not fresh:
        raise Conflict(f"There is no bug to hunt in {entry.slug!r} at the moment.")
    style = entry.hunt.style_of(_own_source(session, entry, user))
    known = {
        *session.scalars(
            select(DiagnosedMisconception.misconception).join(Submission).where(_builds(entry, user)).distinct()
        ),
        *(hunt.misconception for hunt in hunts),
    }
    in_style = [planted for planted in fresh if planted.style == style] or fresh
    return [planted for planted in in_style if planted.misconception not in known] or in_style


def _fresh(entry: Entry, hunts: Sequence[Hunt]) -> list[Planted]:
    """What is in none of the solutions that the student has mended, or is mending."""
    styles = {hunt.style for hunt in hunts}
    return [
        planted
        for planted in entry.hunt.all_planted()
        if planted.style not in styles and entry.hunt.told(planted) is not None
    ]


def _own_source(session: Session, entry: Entry, user: User) -> str:
    """The last file of theirs that passed; nothing for staff who have sent none."""
    content = session.scalar(
        select(SubmissionFile.content)
        .join(Submission, Submission.id == SubmissionFile.submission_id)
        .where(_builds(entry, user), Submission.verdict == Verdict.PASSED, SubmissionFile.path == Submission.main)
        .order_by(Submission.id.desc())
        .limit(1)
    )
    return (content or b"").decode("utf-8-sig", "replace")


def _builds(entry: Entry, user: User) -> ColumnElement[bool]:
    """Of their own: what is near to an open hunt's file is not."""
    return and_(
        Submission.user_id == user.id,
        Submission.challenge == entry.slug,
        Submission.kind == SubmissionKind.BUILD,
        Submission.near_hunt_id.is_(None),
        Submission.assignment_id.is_(None) | Submission.assignment.has(~HOLDING),  # a hunt would tell what passed
    )
