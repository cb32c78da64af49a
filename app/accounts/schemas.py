"""Views of a person's own account."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from app.models import Proof, Role
from app.request_values import Line, Moment, Sent, View
from app.standing.schemas import AssignmentStanding


class CourseMembership(View):
    """A course, and my role in it."""

    slug: str
    title: str
    role: Role
    is_archived: bool = Field(description="it is over: its students can still read their work, but not submit anything")


class Me(View):
    """A person with their courses and what is due."""

    id: str
    name: str
    role: Role
    courses: list[CourseMembership]
    assignments: list[AssignmentStanding] = Field(description="those that are open, the next due first")
    submissions: dict[str, int]


class TokenRequest(Sent):
    """A token to create."""

    label: Annotated[Line, Field(max_length=100)] = Field(description="what it is for, for example laptop")
    expires_at: Moment | None = Field(default=None, description="null: the longest life that the server allows")


class TokenView(View):
    """A token, without its secret."""

    id: str
    label: str
    created_at: datetime
    used_at: datetime | None = Field(description="when it was last used, to within an hour; null: never")
    expires_at: datetime | None


class TokenList(View):
    """The tokens of a person."""

    items: list[TokenView]


class SessionView(View):
    """A web session: a browser in which somebody is signed in."""

    id: str
    proof: Proof = Field(description="how they showed who they are")
    browser: str
    created_at: datetime
    used_at: datetime = Field(description="to within some minutes")
    expires_at: datetime = Field(description="at the latest; earlier when it is not used")
    token_id: str | None = Field(description="the token that it ends with; null: a provider's word")


class SessionList(View):
    """The web sessions of a person."""

    items: list[SessionView]


class IssuedToken(TokenView):
    """A new token with its secret."""

    token: str = Field(description="shown this once")
