"""The parts of a project: what changed is submitted, and one board shows how all of them stand."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.text import Text

from engine.check import lacking, refusal_before_sending
from engine.cleaning import clean_line
from engine.client import Client
from engine.display import Page
from engine.errors import NOT_PASSED, PASSED, NotSignedIn, ServerRefused, WrongUsage
from engine.failures import number
from engine.follow import watch
from engine.parts import PartFile
from engine.result import HEADLINES, STYLES
from engine.since_last_attempt import since
from engine.upload import Upload, read_upload, with_siblings
from engine.wire.challenges import ChallengeDetail
from engine.wire.submissions import State, Submission
from grader.guest.inspection import Place
from grader.report import Report, Verdict, where_in

SCHEMA = "assay.parts/1"


@dataclass(frozen=True)
class Row:
    """A part, and how it stands. `upload` has changed since it was submitted, and is not sent yet; `refused` is why it
    was not sent, `refused_at` the line that this is about.
    """

    part: PartFile
    wanted: ChallengeDetail
    submission: Submission | None = None
    before: Report | None = None
    upload: Upload | None = None
    is_sent: bool = False
    refused: str = ""
    refused_at: Place | None = None

    @property
    def is_passed(self) -> bool:
        """Whether its last result is passed."""
        return (
            self.submission is not None
            and not self.refused
            and (self.submission.verdict is Verdict.PASSED or self.submission.is_held)
        )

    def state(self) -> str:
        """How it compares with the last time, in a word or two."""
        report = self.submission.report if self.submission else None
        if self.refused:
            return "not submitted"
        if self.upload is not None:
            return "changed" if self.submission else "new"
        if not self.is_sent:
            return "unchanged"
        if report is None:
            return "submitted"
        return "first attempt" if self.before is None else "" if self.changes() else "as before"

    def changes(self) -> list[str]:
        """What became of its mistakes since the last time, in sentences."""
        report = self.submission.report if self.submission and self.is_sent else None
        if report is None or self.before is None:
            return []
        return since(self.before, report, self.wanted.titles()).sentences()


@dataclass
class Board:
    """Submits the parts of one project. What cannot be sent keeps no other from being sent."""

    client: Client
    notes: Page
    folder: Path
    force: bool = False

    def submit(self, items: Sequence[PartFile]) -> list[Row]:
        """Sends all that changed since it was last submitted, before any result is waited for."""
        return [self.sent_or_refused(row) for row in self.read(items)]

    def wait(self, rows: Sequence[Row]) -> list[Row]:
        """Waits until everything is graded, and returns the rows as they are then."""
        return [self._graded(row) for row in rows]

    def read(self, items: Sequence[PartFile]) -> list[Row]:
        """Returns how each part stands. Nothing is sent."""
        return [self.looked_at(Row(item, self.client.challenge(item.challenge), self._last(item))) for item in items]

    def looked_at(self, row: Row) -> Row:
        """The row with the files as they are now: unchanged, refused, or with what is to be sent. Asks no server."""
        wanted = row.wanted
        try:
            upload = with_siblings(read_upload(self.folder / row.part.file), wanted.default_path, wanted.modules)
            refusal = None if self.force else refusal_before_sending(upload, wanted)
        except WrongUsage as error:
            return replace(row, upload=None, refused=error.in_words, refused_at=None)
        if refusal is not None:
            return replace(row, upload=None, refused=refusal.message, refused_at=refusal.place)
        last = row.submission
        is_same = last is not None and last.sha256 == upload.sha256(wanted.default_path) and not self.force
        return replace(row, upload=None if is_same else upload, refused="", refused_at=None)

    def sent_or_refused(self, row: Row) -> Row:
        """The row once what has changed is sent, or why the server did not take it. Raises NotSignedIn, Unreachable."""
        try:
            return self.sent(row)
        except NotSignedIn:
            raise
        except ServerRefused as error:
            return replace(row, refused=error.in_words, refused_at=None)

    def sent(self, row: Row) -> Row:
        """The row once what has changed is sent. Raises ServerRefused, Unreachable."""
        upload, part = row.upload, row.part
        if upload is None:
            return row
        sent = self.client.submit(upload, part.challenge, part.assignment)
        self.notes.say(f"Sent {part.file} to {part.challenge}: submission {sent.id}.", "dim")
        for sentence in lacking(upload, row.wanted):
            self.notes.say(sentence, "dim")
        before = row.submission.report if row.submission else None
        return replace(row, submission=sent, before=before, upload=None, is_sent=True, refused="")

    def _last(self, item: PartFile) -> Submission | None:
        """The newest that is graded, or will be."""
        for submission in self.client.submissions(item.challenge, limit=5).items:
            if submission.hunt is None and submission.state not in (State.CANCELLED, State.SUPERSEDED):
                return self.client.submission(submission.id)
        return None

    def _graded(self, row: Row) -> Row:
        submission = row.submission
        if submission is None or row.refused or submission.state.is_final:
            return row
        self.notes.say(f"{row.part.challenge}:", "dim")
        return replace(row, submission=watch(self.client, submission.id, self.notes))


def exit_code(rows: Sequence[Row]) -> int:
    """Returns the code for passed where all parts are; for wrong usage where a file could not be sent."""
    if any(row.refused for row in rows):
        return WrongUsage.exit_code
    return PASSED if all(row.is_passed for row in rows) else NOT_PASSED


def show(page: Page, rows: Sequence[Row]) -> None:
    """A line for each part, then what to look at first in each that has not passed."""
    passed = sum(row.is_passed for row in rows)
    page.put(Text(f"{passed} of {len(rows)} parts passed", "bold"))
    page.blank()
    cells = [(clean_line(row.part.challenge), clean_line(row.part.file), _verdict(row), _points(row)) for row in rows]
    widths = [max(len(line[column]) for line in cells) for column in range(4)]
    for row, line in zip(rows, cells, strict=True):
        texts = [text.ljust(width) for text, width in zip(line, widths, strict=True)]
        sign = page.glyphs.passed if row.is_passed else page.glyphs.waiting if _is_open(row) else page.glyphs.failed
        style = "green" if row.is_passed else "yellow" if _is_open(row) or row.refused else "red"
        told = f"{'  '.join(texts)}  {row.state()}"
        if len(told) > page.width - 2:  # not in columns, then
            told = ", ".join(filter(None, (*line, row.state())))
        page.put(Text(told), sign=Text(sign, style))
        for sentence in row.changes():
            page.say(sentence, "dim", indent=4)
    for row in rows:
        for sentence in _first_words(row):
            page.heading(f"{row.part.challenge} ({row.part.file})")
            page.say(sentence, indent=2)
            if row.submission is not None and not row.refused:
                page.say(f"In full: engine status {row.submission.id}", "dim", indent=2)


def _verdict(row: Row) -> str:
    if row.refused:  # what the file lacks is found before it is sent
        return "can't be graded" if row.upload is None else "not accepted"
    submission = row.submission
    if submission is None:
        return "not submitted"
    if submission.verdict is None:
        return "held" if submission.is_held else "being graded"
    return HEADLINES[submission.verdict].partition(":")[0]


def _points(row: Row) -> str:
    report = row.submission.report if row.submission and not row.refused else None
    return f"{number(report.score)} of {number(report.max_score)}" if report and report.verdict in STYLES else ""


def _is_open(row: Row) -> bool:
    """Whether it has no verdict yet."""
    return not row.refused and (row.submission is None or not row.submission.state.is_final)


def _first_words(row: Row) -> Iterator[str]:
    report = row.submission.report if row.submission else None
    if row.refused:
        at = row.refused_at
        yield f"{row.refused} ({where_in(at.line, at.file)})" if at and "line" not in row.refused else row.refused
    elif report is not None and report.verdict is not Verdict.PASSED:
        yield report.summary


def as_json(rows: Sequence[Row]) -> str:
    """The board on one line, for programs. A part's report is the server's own."""
    return json.dumps({"schema": SCHEMA, "parts": [_as_data(row) for row in rows]})


def _as_data(row: Row) -> dict[str, Any]:
    submission = None if row.refused else row.submission
    return {
        "challenge": row.part.challenge,
        "file": row.part.file,
        "assignment": row.part.assignment,
        "is_submitted": row.is_sent,
        "submission": submission.id if submission else None,
        "state": submission.state if submission else None,
        "verdict": submission.verdict if submission else None,
        "score": submission.score if submission else None,
        "max_score": submission.max_score if submission else None,
        "refused": row.refused or None,
        "since": row.state() or None,
        "changes": row.changes(),
        "report": json.loads(submission.report.to_json()) if submission and submission.report else None,
    }
