"""Analytics of an assignment as staff see them."""

from datetime import datetime

from pydantic import Field

from app.assignments.schemas import AssignmentView
from app.models import PartKind, Role, State
from app.request_values import View
from app.submissions.schemas import SubmissionItem
from grader.report import Verdict


class Step(View):
    """How many submissions came from this moment until the next step."""

    at: datetime
    submissions: int
    passed: int


class ServiceHealth(View):
    """The state of the whole service, not of this course alone. `judges` is None while Redis is away."""

    waiting: int
    oldest_wait_s: float
    judges: int | None


class Overview(View):
    """How an assignment goes. Students who sent nothing are in `students` alone."""

    assignment: AssignmentView
    students: int
    students_submitted: int
    students_passed: int
    submissions: int
    states: dict[State, int]
    verdicts: dict[Verdict, int]
    step_s: int | None
    timeline: list[Step]
    attempts_to_pass: dict[int, int] = Field(description="attempts until the first pass -> students")
    service: ServiceHealth
    scores: list[int] = Field(description="students by best score, in tenths of the points: 0 to <10 %, …, 90 to 100 %")


class MisconceptionFigures(View):
    """A misconception in an assignment: who had it, who still has it, and when it was seen."""

    id: str
    title: str
    students: int
    students_still: int = Field(description="their last graded submission shows it")
    submissions: int
    over_time: list[int] = Field(description="submissions that show it, in the steps of `steps`")


class Misconceptions(View):
    """The misconceptions that were seen in an assignment."""

    students_submitted: int
    steps: list[datetime]
    step_s: int | None
    items: list[MisconceptionFigures]


class Passage(View):
    """Where a student's last submission with a misconception shows it. `lines` are empty where no line was found."""

    student: str
    submission: str
    attempt: int
    created_at: datetime
    is_still_there: bool
    line: int | None
    file: str | None
    first_line: int | None
    lines: list[str]


class PassagePage(View):
    """A page of the passages that show a misconception."""

    id: str
    title: str
    students_still: int = Field(description="how many students' last submission shows it")
    items: list[Passage]
    next_cursor: str | None


class Part(View):
    """A family or a rule, and how many of the students hold it in their best submission."""

    kind: PartKind
    name: str
    title: str
    students: int
    students_passed: int


class Cell(View):
    """How many tests of a part passed, and how many there were."""

    passed: int
    total: int


class MatrixRow(View):
    """A student's best submission, part by part; None where its report says nothing of the part."""

    student: str
    full_name: str | None
    submission: str
    attempts: int
    score: float = Field(description="from 0 to 1")
    has_passed: bool
    cells: list[Cell | None]


class Matrix(View):
    """Students by parts. `total` counts the students that fit the filter."""

    parts: list[Part]
    rows: list[MatrixRow]
    total: int


class QuestionFigures(View):
    """Difficulty is the mean share of the points; discrimination, how far it goes with the other questions' marks."""

    id: str
    kind: str | None
    prompt: str | None
    students: int
    pending: int = Field(description="answers that wait for a person; they are in no figure")
    difficulty: float | None
    discrimination: float | None
    scores: list[int] = Field(description="answers by share of the points, in fifths")


class Questions(View):
    """The figures of an assignment's questions."""

    items: list[QuestionFigures]


class StuckStudent(View):
    """A student with many attempts, none of the recent ones better than an earlier one."""

    student: str
    full_name: str | None
    attempts: int
    attempts_since_best: int
    score: float = Field(description="of the best submission, from 0 to 1")
    last: str
    last_at: datetime
    on: list[str] = Field(description="families and rules that the last submission fails, by title")
    misconceptions: list[str] = Field(description="what the last submission shows, by title")


class StuckOn(View):
    """A part or a misconception, and how many of the stuck students it holds up."""

    title: str
    students: int


class Stuck(View):
    """The students who are stuck, and what holds them up."""

    items: list[StuckStudent]
    on: list[StuckOn]
    misconceptions: list[StuckOn]


class Attempt(SubmissionItem):
    """A submission of one student, and what its report found."""

    misconceptions: list[str] = Field(description="by title")
    parts_failed: int = Field(description="families and rules")


class StudentAssignment(View):
    """A student's attempts at an assignment, the oldest first; without an assignment, at practice."""

    assignment: str | None
    title: str | None
    attempts: list[Attempt]


class MissingAssignment(View):
    """An assignment that a student has sent nothing to."""

    slug: str
    title: str


class StudentView(View):
    """All attempts of one student in a course."""

    course: str
    name: str
    full_name: str | None
    email: str | None
    role: Role
    section: str | None
    assignments: list[StudentAssignment]
    nothing_submitted: list[MissingAssignment] = Field(description="what has opened, and got nothing from them")
