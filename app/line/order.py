"""The fair order of those who wait. Pure.

Courses take turns. Within a course, students take turns. Whoever had a turn while others were waiting goes behind
those who had none; among equals the nearer deadline goes first, then whoever waits longer.
"""

import heapq
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple

FAR: Final = float("inf")


@dataclass(frozen=True)
class Waiting:
    """A submission in line. `course` is None for one that belongs to no assignment."""

    id: str
    student: str
    course: str | None
    due_at: datetime | None
    since: datetime


@dataclass(frozen=True)
class Turns:
    """When students and courses were served last, as far as that is still to be remembered."""

    students: Mapping[tuple[str | None, str], datetime]
    courses: Mapping[str | None, datetime]


class _Place(NamedTuple):
    """Compared field by field. `turn` 0: none yet."""

    turn: float
    due: float
    since: float
    id: str


def fair_order(waiting: Iterable[Waiting], turns: Turns, moment: datetime) -> list[str]:
    """The ids in the order in which they are to be sent. A deadline that has passed is none."""
    courses = [_CourseLine(students, turns) for students in _by_course(waiting, moment).values()]
    heap = [(course.head, course) for course in courses]
    heapq.heapify(heap)
    order: list[str] = []
    turn = moment.timestamp()
    while heap:
        _, course = heap[0]
        turn += 1  # later than all before
        order.append(course.serve(turn))
        if course.is_empty:
            heapq.heappop(heap)
        else:
            heapq.heapreplace(heap, (course.head, course))
    return order


@dataclass
class _StudentLine:
    """What one student has in line in one course."""

    student: str
    course: str | None
    places: list[_Place]

    def head(self, turn: float) -> _Place:
        return self.places[0]._replace(turn=turn)


class _CourseLine:
    """The students of one course who wait, as a heap by their places."""

    def __init__(self, students: Iterable[_StudentLine], turns: Turns) -> None:
        self._students = [
            (line.head(_time(turns.students.get((line.course, line.student)))), line) for line in students
        ]
        heapq.heapify(self._students)
        self._turn = _time(turns.courses.get(self._students[0][1].course))

    @property
    def is_empty(self) -> bool:
        return not self._students

    @property
    def head(self) -> _Place:
        """How the course compares with others: by its last turn, then by its first student."""
        return self._students[0][0]._replace(turn=self._turn)

    def serve(self, turn: float) -> str:
        """Take the first student's first submission out of the line."""
        _, line = self._students[0]
        served = heapq.heappop(line.places)
        self._turn = turn
        if line.places:
            heapq.heapreplace(self._students, (line.head(turn), line))
        else:
            heapq.heappop(self._students)
        return served.id


def _by_course(waiting: Iterable[Waiting], moment: datetime) -> dict[str | None, list[_StudentLine]]:
    lines: dict[tuple[str | None, str], _StudentLine] = {}
    for item in waiting:
        line = lines.setdefault((item.course, item.student), _StudentLine(item.student, item.course, []))
        due = item.due_at.timestamp() if item.due_at is not None and item.due_at > moment else FAR
        heapq.heappush(line.places, _Place(0.0, due, item.since.timestamp(), item.id))
    courses: dict[str | None, list[_StudentLine]] = {}
    for line in lines.values():
        courses.setdefault(line.course, []).append(line)
    return courses


def _time(turn: datetime | None) -> float:
    return turn.timestamp() if turn is not None else 0.0
