"""A challenge as students see it."""

from pydantic import Field

from app.challenges.service import Entry
from app.request_values import View
from grader.guest.inspection import EntryKind
from grader.report import Visibility


class FamilyView(View):
    """A case family, and its points."""

    id: str
    title: str
    points: float
    visibility: Visibility
    required: bool


class EntryPointView(View):
    """A name that the upload must define. The last `optional` parameters have defaults; `keywords` are given by name
    only, and `methods` are what a class must have.
    """

    name: str
    parameters: list[str]
    optional: int
    keywords: list[str]
    kind: EntryKind
    methods: list[str]


class SourceView(View):
    """What an upload may use: `modules` besides the standard library, and so many bytes in all."""

    modules: list[str]
    max_bytes: int


class ChallengeSummary(View):
    """A challenge in a list."""

    slug: str
    title: str
    summary: str
    upload: str
    default_path: str
    version: str
    max_score: float


class ChallengeDetails(ChallengeSummary):
    """A challenge with its spec, families and entry points."""

    spec: str
    families: list[FamilyView]
    entry_points: list[EntryPointView]
    source: SourceView
    starter: str = Field(description="the file to begin with, which would be sent for nothing")
    libraries: dict[str, str] = Field(description="what an upload builds on, to lay beside it at home: path -> text")


class ChallengeList(View):
    """All challenges."""

    items: list[ChallengeSummary]


def summarize(entry: Entry) -> ChallengeSummary:
    """Returns the challenge as it is shown in a list."""
    return ChallengeSummary.of(entry.challenge.manifest, slug=entry.slug, version=entry.challenge.version)


def describe(entry: Entry) -> ChallengeDetails:
    """Returns the challenge with everything that a student needs to begin."""
    manifest = entry.challenge.manifest
    return ChallengeDetails(
        **summarize(entry).model_dump(),
        spec=entry.challenge.spec(),
        families=[FamilyView.of(family, id=name) for name, family in manifest.families.items()],
        entry_points=[EntryPointView.of(point) for point in manifest.entry_points],
        source=SourceView.of(manifest.source),
        starter=entry.challenge.source_rules.starter,
        libraries=dict(entry.challenge.libraries),
    )
