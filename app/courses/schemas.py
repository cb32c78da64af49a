"""A course as its staff see it."""

from pydantic import BaseModel, ConfigDict

from app.models import Role, State
from grader.report import Verdict


class View(BaseModel):
    model_config = ConfigDict(frozen=True)


class Person(View):
    id: str
    name: str
    role: Role
    submissions: int
    passed: list[str]


class Roster(View):
    course: str
    items: list[Person]


class MisconceptionCount(View):
    """A misconception, and how many different students have shown it."""

    id: str
    title: str
    students: int
    submissions: int


class ChallengeAnalytics(View):
    challenge: str
    submissions: int
    students: int
    students_passed: int
    states: dict[State, int]
    verdicts: dict[Verdict, int]
    misconceptions: list[MisconceptionCount]


class Analytics(View):
    course: str
    challenges: list[ChallengeAnalytics]
