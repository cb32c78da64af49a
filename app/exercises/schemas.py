"""Exercise repositories as operators and authors see them, and what they ask for."""

from datetime import datetime

from pydantic import Field

from app.models import CommitState, FetchState
from app.request_values import Sent, View
from grader.repository_addresses import NAMESPACE_CHARACTERS, REF_CHARACTERS, URL_CHARACTERS


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


class FetchView(View):
    """A request from the dashboard or over REST. What is refused leaves what was live."""

    namespace: str
    url: str
    ref: str
    state: FetchState
    progress: str | None = Field(description="what is being done, while it runs")
    reason: str | None = Field(description="why it was refused, with file and line, or failed")
    fault: str | None = Field(description="the service's own trouble, after which it is tried again")
    commit: str | None = Field(description="once it was fetched")
    asked_by: str
    created_at: datetime
    ended_at: datetime | None


class AuthorView(View):
    """A person to whom an operator has given a namespace."""

    namespace: str
    name: str
    given_by: str
    created_at: datetime


class RepositoryList(View):
    """Exercise repositories, by namespace: all of them for an operator, else those under one's own namespaces."""

    items: list[RepositoryView]
    fetches: list[FetchView] = Field(description="the newest request for each namespace, unless it is live")
    authors: list[AuthorView] = Field(description="who may add and update what; for operators alone")
    namespaces: list[str] = Field(description="those that were given to whoever asks; an operator needs none")


class NewRepository(Sent):
    """A repository to add. Its exercises are called NAMESPACE.NAME."""

    url: str = Field(max_length=URL_CHARACTERS, description="an https or ssh address, without a password")
    ref: str = Field(default="HEAD", max_length=REF_CHARACTERS, description="a branch, a tag or a commit")
    namespace: str = Field(
        default="", max_length=NAMESPACE_CHARACTERS, description="the last part of the address, unless told"
    )


class RepositoryUpdate(Sent):
    """What to fetch."""

    ref: str | None = Field(
        default=None, max_length=REF_CHARACTERS, description="another branch, tag or commit from now on"
    )
