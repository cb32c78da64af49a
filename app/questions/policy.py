"""What an assignment says about its questions: when they are asked, how often they are answered, what is then shown."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy.orm import Session

from app.assignments.attempts import WITHDRAWN
from app.assignments.schedule import Phase, holds_grades, phase_at, shows_solutions
from app.assignments.terms import PersonalTerms
from app.courses.access import archived_words
from app.models import Answer, Assignment, Solutions, Submission, Unlock
from app.problems import Conflict
from app.rows import count
from app.time_zones import in_zone
from grader.questions import MarkStatus, QuestionBank
from grader.report import Verdict

UNMARKED: Final = (
    "This question is not marked in practice, because the same answer counts in assignments. Think it through and "
    "answer it there."
)


@dataclass(frozen=True)
class Policy:
    """What a student may do with questions at one moment. Practice (no assignment) limits no answers and shows no
    solution.
    """

    terms: PersonalTerms | None
    moment: datetime

    @property
    def assignment(self) -> Assignment | None:
        """The assignment that the questions belong to."""
        return self.terms.assignment if self.terms else None

    @property
    def is_held(self) -> bool:
        """Whether marks are not told yet. Nothing that depends on one may be seen then."""
        return holds_grades(self.assignment)

    def answers_left(self, answer: Answer | None) -> int | None:
        """Returns how many answers are left; None without a limit."""
        if self.assignment is None or self.assignment.answers_max is None:
            return None
        return max(0, self.assignment.answers_max - (answer.tries if answer else 0))

    def refusal(self, answer: Answer | None) -> str | None:
        """Returns why no answer is taken after this last one; None when one is."""
        if answer is not None and answer.human_grades:
            return "Your answer has been marked, so it cannot be changed."
        if self.terms is None:
            return None
        if (closed := self._closed(self.terms)) is not None:
            return closed
        if not self.is_held and answer is not None and answer.mark["status"] == MarkStatus.CORRECT:
            return "Your answer is right, so there is nothing to change."
        if self.answers_left(answer) == 0:
            return f"You have no answers left for this question: the limit is {self.terms.assignment.answers_max}."
        return None

    def refusal_of(self, question: str, bank: QuestionBank, answer: Answer | None) -> str | None:
        """Returns why no answer is taken, also where practice may not mark the question; None when one is."""
        return self.refusal(answer) or (None if bank.is_marked(question) else UNMARKED)

    def shows_solution(self, answer: Answer | None) -> bool:
        """Whether the student is shown the right answer now."""
        if self.assignment is None or self.is_held:
            return False
        if self.assignment.solutions is Solutions.AFTER_ATTEMPTS and self.answers_left(answer) == 0:
            return True
        return shows_solutions(self.assignment, self.moment)

    def _closed(self, terms: PersonalTerms) -> str | None:
        if terms.is_archived:
            return archived_words(terms.assignment.course)
        if phase_at(terms, self.moment) is Phase.CLOSED and terms.closes_at is not None:
            closed_at = in_zone(terms.closes_at, terms.assignment.course.time_zone)
            return f"{terms.assignment.title!r} closed on {closed_at} and no longer accepts answers."
        if shows_solutions(terms.assignment, self.moment):
            return "The solutions are shown now, so no more answers are accepted."
        return None


def refuse_while_locked(session: Session, submission: Submission) -> None:
    """Raises Conflict while the student's submissions to the assignment do not unlock its questions."""
    assignment = submission.assignment
    if assignment is None or assignment.questions_unlock is Unlock.ALWAYS:
        return
    mine = (
        Submission.user_id == submission.user_id,
        Submission.assignment_id == assignment.id,
        Submission.state.not_in(WITHDRAWN),
    )
    passed = Submission.verdict == Verdict.PASSED
    if count(session, *mine, passed):
        return
    if assignment.questions_unlock is Unlock.ON_PASS:
        raise Conflict("The questions open once one of your submissions has passed.")
    missing = (assignment.unlock_attempts or 0) - (count(session, *mine))
    if missing > 0:
        attempts = "attempt" if missing == 1 else "attempts"
        raise Conflict(
            f"The questions open once one of your submissions has passed, or after {missing} more {attempts}."
        )
