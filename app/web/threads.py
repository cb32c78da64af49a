"""Comments beside the lines that they are about, and the form in which staff write them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from urllib.parse import urlencode

from app.comments.schemas import CommentView
from app.submissions.files import SentFile
from app.web.result_view import Place, Sources
from app.web.source import Line, lines_of
from grader.report import Diagnosis, Report


@dataclass(frozen=True)
class Thread:
    """The comments on one line, with the source around it and what the grader found there."""

    file: str | None
    line: int | None
    comments: Sequence[CommentView]
    lines: Sequence[Line]
    diagnoses: Sequence[Diagnosis]


@dataclass(frozen=True)
class CommentDraft:
    """What is typed and not sent yet, or was refused: of a new comment, or of the one that is changed."""

    file: str = ""
    line: str = ""
    text: str = ""
    comment: str | None = None
    errors: Mapping[str, str] = field(default_factory=dict)
    status: int = HTTPStatus.OK

    def of(self, comment: str | None = None) -> "CommentDraft | None":
        """Returns the draft if it belongs to this comment; without one, to a new comment."""
        return self if self.comment == comment else None


@dataclass(frozen=True)
class CommentBox:
    """All that staff need to write comments: the files, and whether the student reads what they write now."""

    sources: Sources
    draft: CommentDraft
    is_shown: bool

    @property
    def siblings(self) -> Sequence[tuple[SentFile, Sequence[Line]]]:
        """The files beside the uploaded one, with their lines."""
        return [(file, lines_of(file.text)) for file in self.sources.siblings]

    def address(self, diagnosis: Diagnosis) -> str | None:
        """Returns where a comment on the line of a diagnosis is written; None where no line is to blame."""
        file, line = self.sources.place(diagnosis.line, diagnosis.file)
        if line is None:
            return None
        return f"?{urlencode({'line': line} | ({'file': file} if file else {}))}#write"


def threads_of(comments: Sequence[CommentView], report: Report, sources: Sources) -> list[Thread]:
    """Returns the comments by place, in their order."""
    found, diagnosed = defaultdict[Place, list[CommentView]](list), defaultdict[Place, list[Diagnosis]](list)
    for comment in comments:
        found[comment.file, comment.line].append(comment)
    for each in report.diagnoses:
        diagnosed[sources.place(each.line, each.file)].append(each)
    return [
        Thread(file, line, said, sources.around(line, file), diagnosed[file, line] if line is not None else [])
        for (file, line), said in found.items()
    ]
