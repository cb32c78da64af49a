"""Asking for a regrade, looking at what it would change, applying or dropping it. Instructors only."""

from collections.abc import Sequence

from sqlalchemy import case, func, select, true, update
from sqlalchemy.orm import Session, joinedload

from app import audit
from app.assignments.service import find as find_assignment
from app.challenges.service import Catalogue
from app.courses.access import manager_access
from app.database import Database
from app.jobs.transitions import new_job, withdraw
from app.models import (
    OPEN_JOB_STATES,
    Assignment,
    Job,
    JobState,
    Regrade,
    RegradedSubmission,
    RegradeState,
    State,
    StoredReport,
    Submission,
    User,
    now,
)
from app.notes.outcomes import tell_outcome
from app.problems import Conflict, NotFound, Unprocessable
from app.regrades.compare import change_of
from app.regrades.replace import body_before, replace_reports
from app.regrades.schemas import Change, Preview, RegradeView
from app.request_values import check_cursor
from app.rows import changed_rows, hold, row_with
from grader.messages import JobKind

OPEN = (RegradeState.GRADING, RegradeState.READY)
ACTIONS = {RegradeState.APPLIED: "regrade.apply", RegradeState.DROPPED: "regrade.drop"}
CHUNK = 500  # ids in one condition: databases take only so many


def ask(
    database: Database, catalogue: Catalogue, user: User, course: str, assignment: str, wanted: Sequence[str] | None
) -> tuple[RegradeView, bool]:
    """Creates a regrade, whose jobs the recorder dispatches. Returns it, and whether it is new: asking the same again
    is not.

    Raises NotFound, Forbidden, Unprocessable, and Conflict while another regrade of the assignment is open.
    """
    with database.write() as session:
        target = find_assignment(session, manager_access(session, user, course), assignment)
        hold(session, Assignment.id, target.id)
        chosen = _chosen(session, target, wanted)
        before = _open_one(session, target)
        if before is not None:
            if _members(session, before) != chosen:
                raise Conflict(f"The regrade {before.id} of this assignment is still open. Apply or discard it first.")
            return _view(session, before, target), False
        version = catalogue.get(target.challenge).challenge.version
        made = Regrade(assignment_id=target.id, challenge_version=version, asked_by=user.name)
        session.add(made)
        session.flush()
        _add(session, made, chosen)
        session.flush()
        audit.note(session, user, "regrade.ask", target.slug, target.course, regrade=made.id, submissions=len(chosen))
        return _view(session, made, target), True


def list_all(database: Database, user: User, course: str, assignment: str) -> list[RegradeView]:
    """Returns the regrades of an assignment, the newest first. Raises NotFound, Forbidden."""
    with database.read() as session:
        target = find_assignment(session, manager_access(session, user, course), assignment)
        query = select(Regrade).where(Regrade.assignment_id == target.id).order_by(Regrade.id.desc())
        return [_view(session, row, target) for row in session.scalars(query)]


def preview(
    database: Database, user: User, course: str, assignment: str, regrade: str, cursor: str | None, limit: int
) -> Preview:
    """Returns who gains and who loses, and why. Raises NotFound, Forbidden, Unprocessable."""
    check_cursor(cursor)
    with database.read() as session:
        target = find_assignment(session, manager_access(session, user, course), assignment)
        row = _find(session, target, regrade)
        changes, following = _changes(session, row, cursor, limit)
        return Preview(**dict(_view(session, row, target)), changes=changes, next_cursor=following)


def apply(database: Database, user: User, course: str, assignment: str, regrade: str) -> RegradeView:
    """Replaces the reports by the regrade's, all or none. Applying it again changes nothing.

    Raises NotFound, Forbidden, Conflict.
    """
    return _end(database, user, course, assignment, regrade, RegradeState.APPLIED)


def drop(database: Database, user: User, course: str, assignment: str, regrade: str) -> RegradeView:
    """Discards a regrade. Dropping it again changes nothing. Raises NotFound, Forbidden, Conflict."""
    return _end(database, user, course, assignment, regrade, RegradeState.DROPPED)


def _end(
    database: Database, user: User, course: str, assignment: str, regrade: str, state: RegradeState
) -> RegradeView:
    may_come_from = (RegradeState.READY,) if state is RegradeState.APPLIED else OPEN
    with database.write() as session:
        target = find_assignment(session, manager_access(session, user, course), assignment)
        row = _find(session, target, regrade)
        if state is RegradeState.DROPPED:
            jobs = select(RegradedSubmission.job_id).where(RegradedSubmission.regrade_id == row.id)
            withdraw(session, Job.id.in_(jobs))  # before its row is locked, as whoever ends a job does
        ended = update(Regrade).where(Regrade.id == row.id, Regrade.state.in_(may_come_from))
        is_ours = changed_rows(session, ended.values(state=state, ended_at=now())) == 1
        session.refresh(row)
        if not is_ours and row.state is not state:
            raise Conflict(f"This regrade is {row.state}, so it cannot be {state} now.")
        if is_ours:
            if state is RegradeState.APPLIED:
                replace_reports(session, row)
                tell_outcome(session, target, row)
            audit.note(session, user, ACTIONS[state], target.slug, target.course, regrade=row.id)
        return _view(session, row, target)


def _chosen(session: Session, assignment: Assignment, wanted: Sequence[str] | None) -> set[str]:
    """What was erased has no report any more, and nothing to grade."""
    query = select(Submission.id).join(StoredReport, StoredReport.submission_id == Submission.id)
    query = query.where(Submission.assignment_id == assignment.id, Submission.state == State.GRADED)
    graded = set(session.scalars(query))
    chosen = graded if wanted is None else set(wanted)
    strangers = sorted(chosen - graded)
    if strangers:
        raise Unprocessable(
            f"{len(strangers)} of them, such as {strangers[0][:40]!r}, are not graded submissions of this assignment."
        )
    if not chosen:
        raise Unprocessable(
            f"No submission to {assignment.slug!r} has been graded yet, so there is nothing to regrade."
        )
    return chosen


def _add(session: Session, regrade: Regrade, chosen: set[str]) -> None:
    ids = sorted(chosen)
    for start in range(0, len(ids), CHUNK):
        query = select(Submission.id, Submission.verdict, Submission.score)
        session.add_all(
            RegradedSubmission(
                regrade_id=regrade.id,
                submission_id=found,
                job=new_job(JobKind.REGRADE, found),
                verdict_before=verdict,
                score_before=score,
            )
            for found, verdict, score in session.execute(query.where(Submission.id.in_(ids[start : start + CHUNK])))
        )


def _open_one(session: Session, assignment: Assignment) -> Regrade | None:
    return session.scalar(select(Regrade).where(Regrade.assignment_id == assignment.id, Regrade.state.in_(OPEN)))


def _members(session: Session, regrade: Regrade) -> set[str]:
    query = select(RegradedSubmission.submission_id).where(RegradedSubmission.regrade_id == regrade.id)
    return set(session.scalars(query))


def _find(session: Session, assignment: Assignment, regrade: str) -> Regrade:
    found = row_with(session, Regrade, regrade)
    if found is None or found.assignment_id != assignment.id:
        raise NotFound(f"The assignment has no regrade {regrade[:40]!r}.")
    return found


def _view(session: Session, regrade: Regrade, assignment: Assignment) -> RegradeView:
    place = {"course": assignment.course.slug, "assignment": assignment.slug}
    return RegradeView.of(regrade, **place, **_counts(session, regrade))


def _counts(session: Session, regrade: Regrade) -> dict[str, int]:
    item = RegradedSubmission
    conditions = {
        "total": true(),
        "waiting": Job.state.in_(OPEN_JOB_STATES),
        "failed": Job.state == JobState.GIVEN_UP,
        "gain": item.score > item.score_before,
        "lose": item.score < item.score_before,
        "verdict_changes": item.verdict != item.verdict_before,
    }
    columns = [func.coalesce(func.sum(case((condition, 1), else_=0)), 0) for condition in conditions.values()]
    row = session.execute(select(*columns).join(Job, Job.id == item.job_id).where(item.regrade_id == regrade.id)).one()
    return dict(zip(conditions, map(int, row), strict=True))


def _changes(session: Session, regrade: Regrade, cursor: str | None, limit: int) -> tuple[list[Change], str | None]:
    item = RegradedSubmission
    query = (
        select(item)
        .options(joinedload(item.submission).joinedload(Submission.user))
        .where(item.regrade_id == regrade.id, item.has_changed())
        .order_by(item.submission_id)
        .limit(limit + 1)
    )
    if cursor is not None:
        query = query.where(item.submission_id > cursor)
    rows = list(session.scalars(query))
    shown = rows[:limit]
    changes = [change_of(row, body_before(session, row)) for row in shown]
    return changes, shown[-1].submission_id if len(rows) > limit else None
