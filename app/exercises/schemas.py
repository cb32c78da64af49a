"""Exercise repositories as operators see them."""

from datetime import datetime

from pydantic import Field

from app.models import CommitState
from app.values import View


class CommitView(View):
    """A commit that was fetched."""

    commit: str
    state: CommitState
    reason: str | None = Field(description="why it was refused")
    is_live: bool
    added_by: str
    created_at: datetime
    live_at: datetime | None = Field(description="when it first went live")
    exercises: dict[str, str] = Field(description="slug -> version")


class RegradeOffer(View):
    """An assignment with results by another version of its exercise than the live one."""

    course: str
    assignment: str
    title: str
    challenge: str


class RepositoryView(View):
    """A namespace of exercises. `commits` begins with the newest."""

    namespace: str
    url: str
    ref: str
    commits: list[CommitView]
    rolls_back_to: str | None = Field(description="the commit that a rollback makes live")
    regrades: list[RegradeOffer] = Field(description="where a regrade would use another version")

    @property
    def live(self) -> CommitView | None:
        """The commit that students see."""
        return next((commit for commit in self.commits if commit.is_live), None)


class RepositoryList(View):
    """All exercise repositories, by namespace."""

    items: list[RepositoryView]
