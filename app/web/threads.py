"""Comments beside the lines that they are about, and the form in which staff write them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from urllib.parse import urlencode

from app.comments.schemas import CommentView
from app.submissions.files import SentFile
from app.web.result_view import Sources
from app.web.source import Line, lines_of
from grader.notebook import cells_in
from grader.report import Diagnosis, Report

Place = tuple[str | None, int | None]  # a file (None: the uploaded one) and a line of it


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
    """All that staff need to write comments: the files with their lines, and whether the student reads them now."""

    files: Sequence[SentFile]
    siblings: Sequence[tuple[SentFile, Sequence[Line]]]
    draft: CommentDraft
    is_shown: bool
    cells: Mapping[str, int]

    def address(self, diagnosis: Diagnosis) -> str | None:
        """Returns where a comment on the line of a diagnosis is written; None where no line is to blame."""
        file, line = place_of(diagnosis, self.cells)
        if line is None:
            return None
        return f"?{urlencode({'line': line} | ({'file': file} if file else {}))}#write"


def comment_box(files: Sequence[SentFile], draft: CommentDraft, *, is_shown: bool) -> CommentBox:
    """Returns what staff need to comment on these files, of which the first is the uploaded one."""
    siblings = [(file, lines_of(file.text)) for file in files if not file.is_main]
    return CommentBox(files, siblings, draft, is_shown, cell_marks(files[0].text))


def threads_of(comments: Sequence[CommentView], report: Report, sources: Sources) -> list[Thread]:
    """Returns the comments by place, in their order."""
    cells = cell_marks(sources.main)
    found: dict[Place, list[CommentView]] = {}
    for comment in comments:
        found.setdefault((comment.file, comment.line), []).append(comment)
    return [
        Thread(
            file,
            line,
            said,
            sources.around(line, file),
            [each for each in report.diagnoses if line is not None and place_of(each, cells) == (file, line)],
        )
        for (file, line), said in found.items()
    ]


def place_of(diagnosis: Diagnosis, cells: Mapping[str, int]) -> Place:
    """Returns where a diagnosis is, in the numbers of the file: it may count within a notebook's cell."""
    if diagnosis.line is None or diagnosis.file is None or diagnosis.file not in cells:
        return diagnosis.file, diagnosis.line
    return None, diagnosis.line + cells[diagnosis.file]


def cell_marks(source: str) -> Mapping[str, int]:
    """Returns the line before each cell of a notebook's code; none for a plain file."""
    return {cell: mark for cell, (mark, _) in cells_in(source).items()}
