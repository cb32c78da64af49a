"""What a person is told about themselves."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from app.models import Role
from app.standing.schemas import AssignmentStanding
from app.values import Line, Moment


class View(BaseModel):
    model_config = ConfigDict(frozen=True, from_attributes=True)


class CourseMembership(View):
    slug: str
    title: str
    role: Role


class Me(View):
    id: str
    name: str
    role: Role
    courses: list[CourseMembership]
    assignments: list[AssignmentStanding] = Field(description="those that are open, the next due first")
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
