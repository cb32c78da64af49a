"""An assignment as instructors write it and as everybody reads it."""

from datetime import datetime
from typing import Annotated, Self

from pydantic import Field, ValidationInfo, field_validator, model_validator

from app.assignments.schedule import Phase, holds_grades, phase_at
from app.models import Assignment, Feedback, GradesRelease, Solutions, Unlock
from app.request_values import ChallengeSlug, FreeSlug, Line, Moment, Sent, View

Points = Annotated[float, Field(ge=0, le=100_000, allow_inf_nan=False)]
Percent = Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)]
Grace = Annotated[int, Field(ge=0, le=7 * 24 * 60)]
Count = Annotated[int, Field(ge=1, le=100_000)]


class Terms(Sent):
    """The terms of an assignment. None means not limited; times carry their zone."""

    title: Line
    challenge: ChallengeSlug
    points: Points = 100.0
    opens_at: Moment | None = None
    due_at: Moment | None = Field(default=None, description="later is late")
    closes_at: Moment | None = Field(default=None, description="from here on nothing is taken")
    grace_minutes: Grace = Field(default=0, description="after due_at, and not late yet")
    late_percent_per_day: Percent = Field(default=0.0, description="taken off for each day after due_at that has begun")
    attempts_max: Count | None = None
    attempts_per_hour: Count | None = None
    is_bonus: bool = Field(default=False, description="counts on top of the course's points, and is never dropped")
    charges_rejected: bool = Field(
        default=False, description="a file that cannot be graded costs an attempt too; else the first 20 are free"
    )
    is_superseding: bool = Field(default=True, description="a newer upload replaces one that still waits")
    feedback: Feedback = Field(default=Feedback.FULL, description="what students see until it closes")
    question_points: Points = Field(default=0.0, description="for all questions together, beside `points` for the code")
    questions_unlock: Unlock = Field(default=Unlock.ALWAYS, description="when the questions are asked")
    unlock_attempts: Count | None = Field(default=None, description="how many, with after_attempts")
    answers_max: Count | None = Field(default=None, description="to each question")
    solutions: Solutions = Field(
        default=Solutions.NEVER, description="when right answers are shown that were not found"
    )
    grades_release: GradesRelease = Field(
        default=GradesRelease.AT_ONCE, description="held: students are told nothing until the grades are released"
    )
    has_leaderboard: bool = Field(
        default=False, description="students who passed may show, under a pseudonym, how fast their code is"
    )

    @field_validator("due_at", "closes_at")
    @classmethod
    def _in_order(cls, moment: datetime | None, info: ValidationInfo) -> datetime | None:
        # Of the field, and not of the whole: so it is told with whatever else is wrong.
        for earlier in ("due_at", "opens_at"):
            first = info.data.get(earlier)
            if moment is not None and first is not None and moment < first:
                raise ValueError(f"{info.field_name} must not be before {earlier}")
        return moment

    @model_validator(mode="after")
    def _questions_make_sense(self) -> Self:
        if self.questions_unlock is Unlock.AFTER_ATTEMPTS and self.unlock_attempts is None:
            raise ValueError("questions_unlock after_attempts needs unlock_attempts: after how many")
        if self.solutions is Solutions.AFTER_ATTEMPTS and self.answers_max is None:
            raise ValueError("solutions after_attempts needs answers_max: how many answers may be given")
        if self.solutions is Solutions.AFTER_CLOSING and self.closes_at is None and self.due_at is None:
            raise ValueError("solutions after_closing needs closes_at or due_at")
        if self.grades_release is GradesRelease.HELD and self.questions_unlock is not Unlock.ALWAYS:
            raise ValueError("held grades need questions_unlock always: else the questions tell who has passed")
        return self


class NewAssignment(Terms):
    """An assignment to create."""

    slug: FreeSlug


class ChangedTerms(Sent):
    """The terms to change; those not named stay. The result is checked as `Terms`."""

    title: Line | None = None
    challenge: ChallengeSlug | None = None
    points: Points | None = None
    opens_at: Moment | None = None
    due_at: Moment | None = None
    closes_at: Moment | None = None
    grace_minutes: Grace | None = None
    late_percent_per_day: Percent | None = None
    attempts_max: Count | None = None
    attempts_per_hour: Count | None = None
    is_bonus: bool | None = None
    charges_rejected: bool | None = None
    is_superseding: bool | None = None
    feedback: Feedback | None = None
    question_points: Points | None = None
    questions_unlock: Unlock | None = None
    unlock_attempts: Count | None = None
    answers_max: Count | None = None
    solutions: Solutions | None = None
    grades_release: GradesRelease | None = None
    has_leaderboard: bool | None = None


class OverrideSeen(View):
    """Points that an instructor gave in place of the computed ones, as their student sees them."""

    points: float
    reason: str
    given_at: datetime


class ExceptionSeen(View):
    """An exception from the terms, as its student sees it. `section` is null where it is theirs alone."""

    section: str | None
    due_at: datetime | None
    closes_at: datetime | None
    extra_attempts: int
    reason: str


class AssignmentScore(View):
    """A student's score in an assignment: the best submission and the answers, less the late penalty; or the points
    that an instructor gave instead.
    """

    code: float
    code_max: float
    late_deduction: float = Field(default=0.0, description="what being late has taken off `code` already")
    questions: float
    questions_max: float
    override: OverrideSeen | None = Field(default=None, description="holds in place of code and questions")
    total: float
    total_max: float
    is_graded: bool = Field(default=False, description="whether anything is graded or given yet")
    is_held: bool = Field(default=False, description="the points are not told yet: all of them are 0 here")
    unanswered: int = Field(description="questions without an answer")
    waiting: int = Field(description="answers that wait for a mark")


def without_points(score: AssignmentScore) -> AssignmentScore:
    """Returns the score as its student is told while grades are held: what there is to earn, and nothing earned."""
    return AssignmentScore(
        code=0.0,
        code_max=score.code_max,
        questions=0.0,
        questions_max=score.questions_max,
        total=0.0,
        total_max=score.total_max,
        is_held=True,
        unanswered=score.unanswered,
        waiting=0,
    )


def told_score(assignment: Assignment, score: AssignmentScore) -> AssignmentScore:
    """Returns the score as its student is told now."""
    return without_points(score) if holds_grades(assignment) else score


class AssignmentView(View):
    """An assignment of a course."""

    course: str
    time_zone: str = Field(description="the course's, in which its pages show the times")
    slug: str
    title: str
    challenge: str
    points: float
    phase: Phase
    opens_at: datetime | None
    due_at: datetime | None
    closes_at: datetime | None
    grace_minutes: int
    late_percent_per_day: float
    attempts_max: int | None
    attempts_per_hour: int | None
    is_bonus: bool
    charges_rejected: bool
    is_superseding: bool
    feedback: Feedback
    question_points: float
    questions_unlock: Unlock
    unlock_attempts: int | None
    answers_max: int | None
    solutions: Solutions
    grades_release: GradesRelease
    has_leaderboard: bool
    is_held: bool = Field(description="whether students do not know yet what they have earned")


class OneAssignment(AssignmentView):
    """An assignment, with the score of the student who asks."""

    score: AssignmentScore


class AssignmentList(View):
    """The assignments of a course."""

    items: list[AssignmentView]


def terms_of(assignment: Assignment) -> Terms:
    """Returns the terms of an assignment as they are now."""
    return Terms.model_validate({name: getattr(assignment, name) for name in Terms.model_fields})


def view_of(assignment: Assignment, moment: datetime) -> AssignmentView:
    """`assignment.course` must be loaded."""
    return AssignmentView(
        course=assignment.course.slug,
        time_zone=assignment.course.time_zone,
        slug=assignment.slug,
        phase=phase_at(assignment, moment),
        is_held=holds_grades(assignment),
        **dict(terms_of(assignment)),
    )
