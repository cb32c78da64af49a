"""What the first run asks for."""

from pydantic import field_validator

from app.accounts.names import NOT_A_NAME, is_name
from app.request_values import ChallengeSlug, FreeSlug, Line, Moment, Sent
from app.time_zones import ZoneName


class Beginning(Sent):
    """An operator, a course with an assignment, and a student to try it out as."""

    operator: str
    title: Line
    slug: FreeSlug
    time_zone: ZoneName
    challenge: ChallengeSlug
    due_at: Moment | None = None
    student: str | None = None

    @field_validator("operator", "student")
    @classmethod
    def _can_be_a_name(cls, value: str | None) -> str | None:
        if value is not None and not is_name(value):
            raise ValueError(NOT_A_NAME)
        return value
