"""What a person is told about themselves."""

from pydantic import BaseModel, ConfigDict

from app.models import Role


class CourseMembership(BaseModel):
    model_config = ConfigDict(frozen=True, from_attributes=True)

    slug: str
    title: str
    role: Role


class Me(BaseModel):
    model_config = ConfigDict(frozen=True)

    id: str
    name: str
    role: Role
    courses: list[CourseMembership]
    submissions: dict[str, int]
