"""The form in which a student requests a regrade, below the result."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus

from app.submissions.files import SentFile
from app.web.result_view import FamilyResult
from grader.report import TestResult


@dataclass(frozen=True)
class RequestDraft:
    """What was typed and refused, and why."""

    reason: str = ""
    tests: Sequence[str] = ()
    request_file: str = ""
    lines: str = ""
    errors: Mapping[str, str] = field(default_factory=dict)
    above: Sequence[str] = ()
    status: int = HTTPStatus.OK


@dataclass(frozen=True)
class RequestForm:
    """What there is to name in a request, what was typed, and why none can be made now."""

    files: Sequence[SentFile]
    doubtful: Mapping[str, Sequence[TestResult]]  # those that did not pass, by their family's title
    draft: RequestDraft
    refusal: str | None

    @property
    def is_shown(self) -> bool:
        """Whether there is something to fill in: also what was refused, so that it is not lost."""
        return self.refusal is None or bool(self.draft.above)


def request_form(
    files: Sequence[SentFile], families: Sequence[FamilyResult], draft: RequestDraft, refusal: str | None
) -> RequestForm:
    """Returns the form about a result."""
    return RequestForm(files, {family.title: family.wrong for family in families if family.wrong}, draft, refusal)
