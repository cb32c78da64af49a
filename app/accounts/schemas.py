"""What a person is told about themselves."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from app.assignments.schemas import AssignmentScore
from app.models import Role
from app.values import Line, Moment


class View(BaseModel):
    model_config = ConfigDict(frozen=True, from_attributes=True)


class CourseMembership(View):
    slug: str
    title: str
    role: Role


class OpenAssignment(View):
    """An assignment that takes submissions now, and how this person stands in it."""

    course: str
    slug: str
    title: str
    challenge: str
    points: float
    due_at: datetime | None
    closes_at: datetime | None
    attempts_used: int
    attempts_left: int | None = Field(description="null where there is no limit")
    next_attempt_at: datetime | None = Field(description="when the limit per hour lets the next one in")
    score: AssignmentScore


class Me(View):
    id: str
    name: str
    role: Role
    courses: list[CourseMembership]
    assignments: list[OpenAssignment] = Field(description="those that are open, the next due first")
    submissions: dict[str, int]


class TokenRequest(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    label: Annotated[Line, Field(max_length=100)] = Field(description="what it is for, for example laptop")
    expires_at: Moment | None = None


class TokenView(View):
    id: str
    label: str
    created_at: datetime
    expires_at: datetime | None


class TokenList(View):
    items: list[TokenView]


class IssuedToken(TokenView):
    token: str = Field(description="shown this once")
