"""What a student has in an assignment: the best submission, and the answers."""

from collections.abc import Mapping, Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload

from app.assignments.late_policy import kept_share, points_of
from app.assignments.schemas import AssignmentScore
from app.challenges.service import Catalogue
from app.database import Database
from app.models import Answer, Assignment, State, Submission, User
from app.questions.asked import bank_for, drawn_for, facts_by_assignment
from grader.questions import NO_FACTS, MarkStatus


def score_of(database: Database, catalogue: Catalogue, user_id: str, assignment: Assignment) -> AssignmentScore:
    """Returns a student's score in an assignment."""
    with database.read() as session:
        return scores_in(session, catalogue, session.get_one(User, user_id), [assignment])[assignment.id]


def scores_in(
    session: Session, catalogue: Catalogue, user: User, assignments: Sequence[Assignment]
) -> dict[str, AssignmentScore]:
    """Returns a student's score in each of these assignments, by id, with as many queries for many as for one."""
    best = _best(session, user, assignments)
    answers = _answers(session, user, assignments)
    facts = facts_by_assignment(session, user, assignments)
    return {
        each.id: _score(
            each,
            best.get(each.id, 0.0),
            answers.get(each.id, {}),
            bank_for(catalogue.get(each.challenge).questions, each).points(
                drawn_for(user, each), facts.get(each.id, NO_FACTS)
            ),
        )
        for each in assignments
    }


def _score(
    assignment: Assignment, code: float, answers: Mapping[str, Answer], worth: Mapping[str, float]
) -> AssignmentScore:
    questions = assignment.question_points * share_earned(assignment, answers, worth)
    return AssignmentScore(
        code=round(code, 2),
        code_max=assignment.points,
        questions=round(questions, 2),
        questions_max=assignment.question_points,
        total=round(code + questions, 2),
        total_max=assignment.points + assignment.question_points,
        unanswered=len(worth.keys() - answers.keys()),
        waiting=sum(answers[name].mark["status"] == MarkStatus.PENDING for name in worth.keys() & answers.keys()),
    )


def score_beside(database: Database, catalogue: Catalogue, submission: Submission) -> AssignmentScore | None:
    """Returns the score of the submission's student in its assignment; None for practice."""
    assignment = submission.assignment
    return score_of(database, catalogue, submission.user_id, assignment) if assignment else None


def _best(session: Session, user: User, assignments: Sequence[Assignment]) -> dict[str, float]:
    """The points of the best submission."""
    rows = session.scalars(
        select(Submission)
        .options(joinedload(Submission.assignment))
        .where(
            Submission.user_id == user.id,
            Submission.assignment_id.in_([each.id for each in assignments]),
            Submission.state == State.GRADED,
        )
    )
    best: dict[str, float] = {}
    for row in rows:
        if row.assignment_id is not None:
            best[row.assignment_id] = max(best.get(row.assignment_id, 0.0), points_of(row) or 0.0)
    return best


def _answers(session: Session, user: User, assignments: Sequence[Assignment]) -> dict[str, dict[str, Answer]]:
    """The last ones, by question."""
    rows = session.execute(
        select(Submission.assignment_id, Answer)
        .join(Submission, Answer.submission_id == Submission.id)
        .where(Submission.user_id == user.id, Submission.assignment_id.in_([each.id for each in assignments]))
        .order_by(Answer.given_at)
    )
    found: dict[str, dict[str, Answer]] = {}
    for assignment_id, answer in rows:
        if assignment_id is not None:
            found.setdefault(assignment_id, {})[answer.question] = answer
    return found


def share_earned(assignment: Assignment, answers: Mapping[str, Answer], worth: Mapping[str, float]) -> float:
    """Returns the share of the question points earned, less the late penalty. Questions no longer
    asked do not count.
    """
    earned: float = sum(
        worth[name] * row.mark["score"] / row.mark["max_score"] * kept_share(assignment, row.given_at)
        for name, row in answers.items()
        if name in worth
    )
    return earned / sum(worth.values())
