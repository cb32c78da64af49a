"""What a student has in an assignment: the best submission, and the answers."""

from collections.abc import Iterable, Mapping

from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload

from app.assignments.schedule import kept_share, points_of
from app.assignments.schemas import AssignmentScore
from app.challenges.service import Catalogue
from app.database import Database
from app.models import Answer, Assignment, State, Submission, User
from app.questions.asked import drawn_for, facts_of
from app.questions.service import answers_of
from grader.questions import MarkStatus


def score_of(database: Database, catalogue: Catalogue, user_id: str, assignment: Assignment) -> AssignmentScore:
    with database.read() as session:
        answers = answers_of(session, user_id, assignment.challenge, assignment)
        student = drawn_for(session.get_one(User, user_id), assignment)
        facts = facts_of(session, user_id, assignment.challenge, assignment)
        code = max((points_of(row) or 0.0 for row in _graded(session, user_id, assignment)), default=0.0)
    worth = catalogue.get(assignment.challenge).questions.points(student, facts)
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
    """What its student has in its assignment; None for practice."""
    assignment = submission.assignment
    return score_of(database, catalogue, submission.user_id, assignment) if assignment else None


def _graded(session: Session, user_id: str, assignment: Assignment) -> Iterable[Submission]:
    return session.scalars(
        select(Submission)
        .options(joinedload(Submission.assignment))
        .where(
            Submission.user_id == user_id,
            Submission.assignment_id == assignment.id,
            Submission.state == State.GRADED,
        )
    )


def share_earned(assignment: Assignment, answers: Mapping[str, Answer], worth: Mapping[str, float]) -> float:
    """Of all that the questions give; what was answered late gives less. Questions no longer asked do not count."""
    earned: float = sum(
        worth[name] * row.mark["score"] / row.mark["max_score"] * kept_share(assignment, row.given_at)
        for name, row in answers.items()
        if name in worth
    )
    return earned / sum(worth.values())
