"""The order of the queue: round-robin between courses, and within a course between students. Pure.

Whoever was dispatched while others were waiting goes behind those who were not; among equals the nearer deadline goes
first, then whoever has waited longer.
"""

import heapq
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple

from grader.grouping import grouped

FAR: Final = float("inf")


@dataclass(frozen=True)
class Waiting:
    """A submission in the queue. `course` is None for one that belongs to no assignment."""

    id: str
    student: str
    course: str | None
    due_at: datetime | None  # for its student
    since: datetime


@dataclass(frozen=True)
class LastDispatched:
    """When a submission of each student and course was last dispatched, as far as that still counts."""

    students: Mapping[tuple[str | None, str], datetime]
    courses: Mapping[str | None, datetime]


class _Rank(NamedTuple):
    """The smaller is dispatched sooner, compared field by field. `last_dispatched` is 0 for never."""

    last_dispatched: float
    due: float
    since: float
    id: str


def fair_order(waiting: Iterable[Waiting], last: LastDispatched, moment: datetime) -> list[str]:
    """Returns the ids in the order in which they are to be dispatched. A deadline that has passed counts as none."""
    courses = [_CourseQueue(students, last) for students in _by_course(waiting, moment).values()]
    heap = [(course.head, course) for course in courses]
    heapq.heapify(heap)
    order: list[str] = []
    dispatched = moment.timestamp()
    while heap:
        _, course = heap[0]
        dispatched += 1  # later than all before
        order.append(course.pop(dispatched))
        if course.is_empty:
            heapq.heappop(heap)
        else:
            heapq.heapreplace(heap, (course.head, course))
    return order


@dataclass
class _StudentQueue:
    """The submissions of one student that wait in one course, as a heap by their ranks."""

    student: str
    course: str | None
    ranks: list[_Rank]

    def head(self, last_dispatched: float) -> _Rank:
        """Returns how the student compares with others of the course: by the last dispatch, then the first rank."""
        return self.ranks[0]._replace(last_dispatched=last_dispatched)


class _CourseQueue:
    """The students of one course whose submissions wait, as a heap by their ranks."""

    def __init__(self, students: Iterable[_StudentQueue], last: LastDispatched) -> None:
        self._students = [
            (queue.head(_time(last.students.get((queue.course, queue.student)))), queue) for queue in students
        ]
        heapq.heapify(self._students)
        self._last_dispatched = _time(last.courses.get(self._students[0][1].course))

    @property
    def is_empty(self) -> bool:
        """Whether no submission of the course waits."""
        return not self._students

    @property
    def head(self) -> _Rank:
        """How the course compares with others: by its last dispatch, then by its first student."""
        return self._students[0][0]._replace(last_dispatched=self._last_dispatched)

    def pop(self, dispatched: float) -> str:
        """Takes the first student's first submission out of the queue, as dispatched then, and returns its id."""
        _, queue = self._students[0]
        popped = heapq.heappop(queue.ranks)
        self._last_dispatched = dispatched
        if queue.ranks:
            heapq.heapreplace(self._students, (queue.head(dispatched), queue))
        else:
            heapq.heappop(self._students)
        return popped.id


def _by_course(waiting: Iterable[Waiting], moment: datetime) -> dict[str | None, list[_StudentQueue]]:
    queues: dict[tuple[str | None, str], _StudentQueue] = {}
    for item in waiting:
        queue = queues.setdefault((item.course, item.student), _StudentQueue(item.student, item.course, []))
        due = item.due_at.timestamp() if item.due_at is not None and item.due_at > moment else FAR
        heapq.heappush(queue.ranks, _Rank(0.0, due, item.since.timestamp(), item.id))
    return grouped((queue.course, queue) for queue in queues.values())


def _time(dispatched: datetime | None) -> float:
    return dispatched.timestamp() if dispatched is not None else 0.0
