"""An assignment's figures: how it goes, what is not understood, who is stuck, which questions are hard."""

from collections.abc import Sequence
from statistics import median
from typing import Final
from zoneinfo import ZoneInfo

from fastapi import APIRouter
from fastapi.responses import Response
from markupsafe import Markup

from app.analytics.matrix import MatrixOrder, MatrixQuery, matrix
from app.analytics.misconceptions import misconceptions, passages
from app.analytics.overview import overview
from app.analytics.questions import questions
from app.analytics.schemas import Overview
from app.analytics.stuck import ATTEMPTS, SINCE_BEST, stuck
from app.web.charts import Series, sparkline, stacked_bars
from app.web.source import shown_lines
from app.web.staff.frame import InAssignment, Offset, Short, chosen_in, labelled, step_label

ROWS: Final = 50
ATTEMPTS_SHOWN: Final = 12
LATE: Final = "not passed, late"

router = APIRouter(prefix="/courses/{course}/assignments/{assignment}")


@router.get("")
def show_overview(here: InAssignment) -> Response:
    """Shows how an assignment goes."""
    found = overview(here.database, here.services.broker, here.user, here.course, here.assignment)
    tries = [count for count, students in found.attempts_to_pass.items() for _ in range(students)]
    return here.render(
        "overview.html",
        "overview",
        assignment=found.assignment,
        found=found,
        median_attempts=median(tries) if tries else None,
        timeline=_timeline(found),
        scores=_scores(found.scores),
        attempts=_attempts(found.attempts_to_pass),
    )


@router.get("/understanding")
def show_understanding(here: InAssignment) -> Response:
    """Shows the misconceptions in an assignment."""
    found = misconceptions(*here.in_assignment)
    return here.render(
        "understanding.html",
        "understanding",
        found=found,
        lines={item.id: sparkline(item.over_time) for item in found.items},
    )


@router.get("/understanding/{misconception}")
def show_passages(misconception: str, here: InAssignment, before: Short = "") -> Response:
    """Shows who had a misconception, and where in the source."""
    found = passages(*here.in_assignment, misconception, before or None, 10)
    return here.render(
        "passages.html",
        "understanding",
        found=found,
        full_names=here.full_names(each.student for each in found.items),
        before=before,
        shown=[(item, shown_lines(item.lines, item.first_line or 1, item.line)) for item in found.items],
    )


@router.get("/students")
def show_students(
    here: InAssignment,
    student: Short = "",
    failing: Short = "",
    order: MatrixOrder = MatrixOrder.SCORE,
    offset: Offset = 0,
) -> Response:
    """Shows students by families and rules."""
    wanted = MatrixQuery(student.strip() or None, failing or None, order, offset, ROWS)
    found = matrix(here.database, here.services.catalogue, here.user, here.course, here.assignment, wanted)
    return here.render(
        "students.html",
        "students",
        found=found,
        chosen=chosen_in(wanted),
        orders=list(MatrixOrder),
        order=order,
        offset=offset,
        rows_max=ROWS,
    )


@router.get("/questions")
def show_questions(here: InAssignment) -> Response:
    """Shows the figures of the questions."""
    found = questions(here.database, here.services.catalogue, here.user, here.course, here.assignment)
    return here.render("questions.html", "questions", found=found)


@router.get("/stuck")
def show_stuck(here: InAssignment) -> Response:
    """Shows the students who are stuck."""
    found = stuck(here.database, here.services.catalogue, here.user, here.course, here.assignment)
    limits = {"attempts": ATTEMPTS, "since_best": SINCE_BEST}
    return here.render("stuck.html", "stuck", found=found, limits=limits)


def _timeline(found: Overview) -> Markup | None:
    if found.step_s is None:
        return None
    zone = ZoneInfo(found.assignment.time_zone)
    moments = [step.at.astimezone(zone) for step in found.timeline]
    labels = tuple(step_label(moment, found.step_s) for moment in moments)
    due_at = found.assignment.due_at
    others = [step.submissions - step.passed for step in found.timeline]
    is_late = [due_at is not None and step.at >= due_at for step in found.timeline]
    series = (
        Series("passed", "good", tuple(step.passed for step in found.timeline)),
        Series("not passed", "plain", tuple(count * (not late) for count, late in zip(others, is_late, strict=True))),
        Series(LATE, "late", tuple(count * late for count, late in zip(others, is_late, strict=True))),
    )
    drawn = tuple(each for each in series if any(each.values))
    return stacked_bars("Submissions over time", labels, drawn, shown=labelled(moments), width=1000)


def _scores(counts: Sequence[int]) -> Markup:
    labels = tuple(f"{10 * number}-{10 * number + 10} %" for number in range(len(counts)))
    series = (Series("students", "plain", tuple(counts)),)
    return stacked_bars("Best scores", labels, series, shown=frozenset((0, 3, 6, 9)), width=420)


def _attempts(counts: dict[int, int]) -> Markup | None:
    if not counts:
        return None
    most = min(max(counts), ATTEMPTS_SHOWN)
    values = [counts.get(number, 0) for number in range(1, most)]
    values.append(sum(students for number, students in counts.items() if number >= most))
    last = f"{most}+" if max(counts) > most else str(most)
    labels = (*(str(number) for number in range(1, most)), last)
    return stacked_bars("Attempts to pass", labels, (Series("students", "good", tuple(values)),), width=420)
