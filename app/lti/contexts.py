"""Which course at a platform is which of ours: noted at each launch, connected by an instructor of both."""

from typing import Final

from sqlalchemy import Select, case, func, select
from sqlalchemy.orm import Session, joinedload

from app import audit
from app.accounts.names import is_line
from app.courses.access import is_student_of, manager_access
from app.database import Database
from app.lti import grades
from app.lti.advantage import COLUMNS, PlatformServices
from app.lti.messages import ContextClaim, GradesClaim, Message
from app.lti.outgoing import host_of, hosts_of
from app.lti.roster import follow
from app.lti.schemas import ContextView, Delivery, LmsView, ScoreView
from app.models import (
    Assignment,
    Course,
    Enrollment,
    Identity,
    LtiContext,
    LtiLineItem,
    LtiMember,
    LtiPlatform,
    LtiScore,
    User,
)
from app.problems import Conflict, NotFound
from app.rows import add_unless_there, row_with

SCORES_SHOWN: Final = 500
TITLE_MAX: Final = 200


def note(database: Database, platform: LtiPlatform, message: Message) -> LtiContext | None:
    """Notes the course from which somebody came, and where its roster and gradebook are; None when the message names
    no course.
    """
    if message.context is None:
        return None
    with database.write() as session:
        context = _find_or_make(session, platform, message.deployment_id, message.context)
        context.title = _title(message.context)
        hosts = hosts_of(platform)
        if message.names is not None and host_of(message.names.context_memberships_url) in hosts:
            context.memberships_url = message.names.context_memberships_url
        if message.grades is not None:
            _note_gradebook(session, context, message.grades, message.assignment_id, hosts)
        session.flush()
        return _loaded(session, context.id)


def _find_or_make(session: Session, platform: LtiPlatform, deployment_id: str, claim: ContextClaim) -> LtiContext:
    query = select(LtiContext).where(
        LtiContext.platform_id == platform.id,
        LtiContext.deployment_id == deployment_id,
        LtiContext.context_id == claim.id,
    )
    made = LtiContext(platform_id=platform.id, deployment_id=deployment_id, context_id=claim.id)
    found = session.scalar(query)
    if found is None and not add_unless_there(session, made):
        found = session.scalar(query)
    return found or made


def _note_gradebook(
    session: Session, context: LtiContext, claim: GradesClaim, assignment_id: str | None, hosts: frozenset[str]
) -> None:
    if claim.lineitems is not None and host_of(claim.lineitems) in hosts:
        context.line_items_url = claim.lineitems
        context.may_create_line_items = COLUMNS in claim.scope
    if claim.lineitem is None or assignment_id is None or host_of(claim.lineitem) not in hosts:
        return
    assignment = row_with(session, Assignment, assignment_id)
    if assignment is not None and assignment.course_id == context.course_id:
        session.merge(LtiLineItem(context_id=context.id, assignment_id=assignment.id, url=claim.lineitem))


def _title(claim: ContextClaim) -> str:
    title = (claim.title or claim.label)[:TITLE_MAX]
    return title if is_line(title) else ""


def _loaded(session: Session, context_id: str) -> LtiContext | None:
    wanted = [joinedload(LtiContext.course), joinedload(LtiContext.platform)]
    return row_with(session, LtiContext, context_id, options=wanted, populate_existing=True)


def find(database: Database, context_id: str) -> LtiContext | None:
    """Returns a course at a platform."""
    with database.read() as session:
        return _loaded(session, context_id)


def connect(database: Database, user: User, context_id: str, course: str) -> Course:
    """Connects a course at a platform, in which this person teaches, with one here. Raises NotFound, Forbidden,
    Conflict when it is connected already.
    """
    with database.write() as session:
        access = manager_access(session, user, course)
        if access.course.is_archived:
            raise Conflict(f"{access.course.title!r} is archived. Choose another course, or bring it back first.")
        context = row_with(session, LtiContext, context_id, with_for_update=True)
        if context is None:
            raise NotFound("Go back to your learning platform and open the link again.")
        if context.course_id is not None:
            raise Conflict("This course is connected already. Disconnect it first, on the page LMS of that course.")
        context.course_id, context.linked_by_id = access.course.id, user.id
        context.roster_at = context.roster_result = context.looked_at = None
        audit.note(session, user, "lti.connect", context.title or context.context_id, access.course)
        return access.course


def disconnect(database: Database, user: User, course: str, context_id: str) -> None:
    """Ends a connection. People, submissions, and what the platform has of scores stay. Raises NotFound, Forbidden."""
    with database.write() as session:
        context = _of_course(session, user, course, context_id)
        audit.note(session, user, "lti.disconnect", context.title or context.context_id, context.course)
        for table in (LtiScore, LtiLineItem, LtiMember):
            for row in session.scalars(select(table).where(table.context_id == context.id)):
                session.delete(row)
        context.course_id = context.linked_by_id = None


def send_again(database: Database, user: User, course: str, context_id: str) -> int:
    """Puts all scores up for sending at once; returns how many. Raises NotFound, Forbidden."""
    with database.write() as session:
        context = _of_course(session, user, course, context_id)
        count = grades.send_again(session, context)
        context.looked_at = None
        audit.note(session, user, "lti.send_again", context.title or context.context_id, context.course, scores=count)
        return count


def follow_roster(database: Database, services: PlatformServices, user: User, course: str, context_id: str) -> str:
    """Has the roster follow now; returns what came of it. Raises NotFound, Forbidden."""
    with database.read() as session:
        found = _of_course(session, user, course, context_id)
    return follow(database, services, found.id)


def _of_course(session: Session, user: User, course: str, context_id: str) -> LtiContext:
    access = manager_access(session, user, course)
    context = _loaded(session, context_id)
    if context is None or context.course_id != access.course.id:
        raise NotFound("The course has no such connection to a learning platform.")
    return context


def overview(database: Database, user: User, course: str) -> LmsView:
    """Returns what the course exchanges with platforms. Raises NotFound, Forbidden."""
    with database.read() as session:
        access = manager_access(session, user, course)
        query = select(LtiContext).options(joinedload(LtiContext.linked_by))
        rows = session.scalars(query.where(LtiContext.course_id == access.course.id).order_by(LtiContext.id)).all()
        issuers = {row.platform.issuer for row in rows}
        known = select(Identity.user_id).where(Identity.issuer.in_(issuers))
        strangers: Select[str] = (
            select(User.name).join(Enrollment).where(is_student_of(access.course), User.id.not_in(known))
        )
        return LmsView(
            course=course,
            contexts=[_view(session, row) for row in rows],
            unlinked=list(session.scalars(strangers.order_by(User.name))) if rows else [],
        )


def _view(session: Session, row: LtiContext) -> ContextView:
    counts = dict.fromkeys(Delivery, 0)
    state = case((LtiScore.next_try_at.is_(None), "sent"), (LtiScore.error.is_(None), "waiting"), else_="failing")
    for name, count in session.execute(
        select(state, func.count()).where(LtiScore.context_id == row.id).group_by(state)
    ):
        counts[Delivery(name)] = count
    query = select(LtiScore).where(LtiScore.context_id == row.id)
    query = query.options(joinedload(LtiScore.assignment), joinedload(LtiScore.user))
    order = (LtiScore.next_try_at.is_(None), LtiScore.error.is_(None), LtiScore.changed_at.desc())
    shown = session.scalars(query.order_by(*order).limit(SCORES_SHOWN)).all()
    theirs = Enrollment.user_id.in_({each.user_id for each in shown})
    named = select(Enrollment.user_id, Enrollment.full_name).where(Enrollment.course_id == row.course_id, theirs)
    names = dict(session.execute(named).all())
    return ContextView.of(
        row,
        platform=row.platform.name,
        title=row.title or row.context_id,
        linked_by=row.linked_by.name if row.linked_by else None,
        has_roster=row.memberships_url is not None,
        has_grades=row.line_items_url is not None,
        scores=[_score(each, names.get(each.user_id)) for each in shown],
        **{kind.value: count for kind, count in counts.items()},
    )


def _score(row: LtiScore, full_name: str | None) -> ScoreView:
    delivery = Delivery.SENT if row.next_try_at is None else Delivery.FAILING if row.error else Delivery.WAITING
    return ScoreView.of(
        row,
        assignment=row.assignment.slug,
        assignment_title=row.assignment.title,
        student=row.user.name,
        full_name=full_name,
        delivery=delivery,
    )
