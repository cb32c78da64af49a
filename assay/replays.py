"""Grades what is kept once more, with its seed, and compares with the report that was recorded."""

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import torch

from app.database import Database
from app.models import Job, StoredReport
from app.submissions.job import grade_request
from assay.challenges import sound_challenge
from assay.errors import SEE_DOCTOR, GraderFailed, WrongUsage
from grader.challenge import Challenge
from grader.comparison.baselines import Baselines
from grader.comparison.efficiency import FAMILY
from grader.grade import grade
from grader.guest.execution import SandboxUnavailable
from grader.messages import GradeRequest
from grader.report import Report
from grader.repository_addresses import RepositoryError
from worker.judge import submission_of
from worker.private_runner import private_runner
from worker.repositories.store import Store

# What says when and where it was graded. How fast the code ran is measured, not computed: of the family, the
# verdict must come again, its figures need not.
NOT_COMPARED: Final = frozenset({"timings", "environment", "efficiency"})


@dataclass(frozen=True)
class Replay:
    """`differences` name the places in the report; versions differ when the challenge has been changed since."""

    recorded: Report
    again: Report
    differences: list[str]

    @property
    def is_same_challenge(self) -> bool:
        """Whether the challenge is still the one that was recorded."""
        return self.recorded.challenge == self.again.challenge


def replay(database: Database, submission_id: str, root: Path) -> Replay:
    """Raises WrongUsage when there is no report, GraderFailed when there is no sandbox here."""
    recorded, request = _kept(database, submission_id)
    torch.set_num_threads(1)
    try:
        with _challenge(request, root) as challenge, private_runner() as runner:
            sent = submission_of(request)
            again = grade(challenge, sent, request.seed, runner, baselines=Baselines(time.monotonic))
    except SandboxUnavailable as error:
        raise GraderFailed(f"Nothing was graded: {error}.", SEE_DOCTOR) from error
    return Replay(recorded, again, list(_differences(_comparable(recorded), _comparable(again))))


@contextmanager
def _challenge(request: GradeRequest, root: Path) -> Iterator[Challenge]:
    """The exercise of this installation, or of the commit that the submission was made for."""
    if request.source is None:
        yield sound_challenge(request.challenge, root)
        return
    with tempfile.TemporaryDirectory(prefix="assay-replay-") as folder:
        try:
            yield Store(Path(folder)).challenge(request.challenge, request.source)
        except RepositoryError as error:
            raise GraderFailed(f"Nothing was graded: {error}.") from error


def _kept(database: Database, submission_id: str) -> tuple[Report, GradeRequest]:
    with database.read() as session:
        stored = session.get(StoredReport, submission_id)
        if stored is None:
            raise WrongUsage(f"There is no report of a submission {submission_id!r} in this database.")
        return Report.model_validate_json(stored.body), grade_request(session, session.get_one(Job, submission_id))


def _comparable(report: Report) -> dict[str, Any]:
    body: dict[str, Any] = report.model_dump(mode="json", by_alias=True, exclude=set(NOT_COMPARED))
    for test in body["tests"]:
        if test["group"] == FAMILY:
            test["message"], test["metrics"] = "", {}
    return body


def _differences(before: Any, after: Any, place: str = "") -> Iterator[str]:
    """Yields a line for each place where two values of JSON differ, with the path to it."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted(before.keys() | after.keys()):
            yield from _differences(before.get(key), after.get(key), f"{place}.{key}" if place else key)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for number, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from _differences(old, new, f"{place}[{number}]")
    elif before != after:
        yield f"{place}: {_short(before)} became {_short(after)}"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
