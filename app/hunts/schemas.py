"""A hunt as its student sees it."""

from datetime import datetime

from pydantic import Field

from app.challenges.service import Entry
from app.hunts.service import HuntProgress
from app.request_values import View
from grader.hunt import Told


class Symptoms(View):
    """What a grading of the file showed, without the cause. Families are named by their titles."""

    text: str
    fails: list[str]
    agrees: list[str]
    case: str = Field(description="the first test that fails; empty where none that fails may be shown")
    snippet: str | None = Field(description="the smallest case that fails, to run beside the file")


class Cause(View):
    """The bug that the file had; told once it is mended."""

    id: str
    title: str
    explanation: str


class HuntLinks(View):
    """Paths on this server."""

    self: str
    fixes: str
    next: str
    web: str


class HuntView(View):
    """A file with one bug in it, and how far its student is."""

    id: str
    challenge: str
    number: int
    drawn_at: datetime
    default_path: str = Field(description="where the file lies in a project, as the snippet imports it")
    source: str = Field(description="the file: right but for one thing")
    symptoms: Symptoms
    lines_max: int = Field(description="logical lines that may differ; more is a rewrite")
    tries: int
    is_solved: bool
    cause: Cause | None
    left: int = Field(description="how many more there are, one after the other")
    links: HuntLinks


def hunt_view(entry: Entry, progress: HuntProgress) -> HuntView:
    """Returns the hunt as its student sees it."""
    hunt, told = progress.hunt, Told.model_validate(progress.hunt.told)
    cause = Cause(id=hunt.misconception, title=told.title, explanation=told.explanation)
    base = f"/api/v1/challenges/{entry.slug}/hunt"
    return HuntView.of(
        hunt,
        default_path=entry.challenge.manifest.default_path,
        symptoms=_symptoms(entry, told),
        tries=progress.tries,
        is_solved=progress.is_solved,
        cause=cause if progress.is_solved else None,
        left=progress.left,
        links=HuntLinks(self=base, fixes=f"{base}/fixes", next=f"{base}/next", web=f"/challenges/{entry.slug}/hunt"),
    )


def _symptoms(entry: Entry, told: Told) -> Symptoms:
    """What is measured is no symptom: a file that is wrong is not timed."""
    families = {name: family.title for name, family in entry.challenge.manifest.families.items() if family.required}
    return Symptoms(
        text=told.symptom,
        fails=[families.get(name, name) for name in told.failed],
        agrees=[title for name, title in families.items() if name not in told.failed],
        case=told.case,
        snippet=told.snippet,
    )
