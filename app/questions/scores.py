"""What a student has in an assignment: the best submission, and the answers."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.assignments.counting import Points, StudentAssignment, best_of, graded_in, overrides_in, points_from
from app.assignments.late_policy import kept_share
from app.assignments.schemas import AssignmentScore, OverrideSeen
from app.assignments.terms import PersonalTerms, terms_in
from app.challenges.service import Catalogue
from app.database import Database
from app.models import Answer, Assignment, PointsOverride, Submission, User
from app.questions.asked import bank_for, drawn_for, facts_in
from grader.questions import NO_FACTS, MarkStatus


class LastAnswer(NamedTuple):
    """The mark of a student's last answer to a question, and when it was given."""

    mark: Mapping[str, Any]
    given_at: datetime


def score_of(database: Database, catalogue: Catalogue, user_id: str, assignment: Assignment) -> AssignmentScore:
    """Returns a student's score in an assignment."""
    with database.read() as session:
        return scores_in(session, catalogue, session.get_one(User, user_id), [assignment])[assignment.id]


def scores_in(
    session: Session, catalogue: Catalogue, user: User, assignments: Sequence[Assignment]
) -> dict[str, AssignmentScore]:
    """Returns a student's score in each of these assignments, by id, with as many queries for many as for one."""
    terms = terms_in(session, user.id, assignments)
    graded = graded_in(session, assignments, [user.id])
    overrides = overrides_in(session, assignments, [user.id])
    answers = answers_in(session, assignments, [user.id])
    facts = facts_in(session, assignments, [user.id])
    found = {}
    for each in assignments:
        place = StudentAssignment(user.id, each.id)
        bank = bank_for(catalogue.get(each.challenge).questions, each)
        worth = bank.points(drawn_for(user.question_seed, each), facts.get(place, NO_FACTS))
        mine, override = answers.get(place, {}), overrides.get(place)
        questions = each.question_points * share_earned(terms[each.id], mine, worth)
        points = points_from(best_of(terms[each.id], graded.get(place, ())), questions, override)
        found[each.id] = _score(each, points, mine, worth, override)
    return found


def _score(
    assignment: Assignment,
    points: Points,
    answers: Mapping[str, LastAnswer],
    worth: Mapping[str, float],
    override: PointsOverride | None,
) -> AssignmentScore:
    return AssignmentScore(
        code=points.code,
        code_max=assignment.points,
        late_deduction=round(points.full_code - points.code, 2),
        questions=points.questions,
        questions_max=assignment.question_points,
        override=OverrideSeen.model_validate(override) if override else None,
        total=points.total,
        total_max=assignment.points + assignment.question_points,
        is_graded=points.has_result,
        unanswered=len(worth.keys() - answers.keys()),
        waiting=sum(answers[name].mark["status"] == MarkStatus.PENDING for name in worth.keys() & answers.keys()),
    )


def score_beside(database: Database, catalogue: Catalogue, submission: Submission) -> AssignmentScore | None:
    """Returns the score of the submission's student in its assignment; None for practice."""
    assignment = submission.assignment
    return score_of(database, catalogue, submission.user_id, assignment) if assignment else None


def answers_in(
    session: Session, assignments: Sequence[Assignment], students: Sequence[str] | None = None
) -> dict[StudentAssignment, dict[str, LastAnswer]]:
    """Returns the last answers of these students, or of everybody, by question."""
    columns = (Answer.question, Answer.mark, Answer.given_at)
    query = (
        select(Submission.user_id, Submission.assignment_id, *columns)
        .join(Submission, Answer.submission_id == Submission.id)
        .where(Submission.assignment_id.in_([each.id for each in assignments]))
        .order_by(Answer.given_at)
    )
    if students is not None:
        query = query.where(Submission.user_id.in_(students))
    found: dict[StudentAssignment, dict[str, LastAnswer]] = {}
    for user_id, assignment_id, question, mark, given_at in session.execute(query):
        if assignment_id is not None:
            found.setdefault(StudentAssignment(user_id, assignment_id), {})[question] = LastAnswer(mark, given_at)
    return found


def share_earned(terms: PersonalTerms, answers: Mapping[str, LastAnswer], worth: Mapping[str, float]) -> float:
    """Returns the share of the question points earned, less the late penalty. Questions no longer
    asked do not count.
    """
    earned: float = sum(
        worth[name] * row.mark["score"] / row.mark["max_score"] * kept_share(terms, row.given_at)
        for name, row in answers.items()
        if name in worth
    )
    return earned / sum(worth.values()) if earned else 0.0
