"""The first frame of a session: a submission, to be run or to be inspected. Knows no torch."""

import io
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from grader.guest.inspection import EntryKind, EntryPoint, SourceRules
from grader.guest.submission import Submission
from worker.sandbox.framing import Frame


def run_job(submission: Submission) -> Frame:
    """Packs a submission, with what the exercise lays beside it, to be imported and called."""
    return _job("run", submission, submission.support, {})


def inspect_job(submission: Submission, rules: SourceRules) -> Frame:
    """Packs a submission to be read only, without what the exercise lays beside it: that is not the student's."""
    return _job("inspect", submission, {}, {"rules": asdict(rules)})


def _job(kind: str, submission: Submission, support: Mapping[str, bytes], fields: dict[str, Any]) -> Frame:
    sizes = {
        "files": [[path, len(content)] for path, content in submission.files.items()],
        "support": [[path, len(content)] for path, content in support.items()],
    }
    body = b"".join((*submission.files.values(), *support.values()))
    names: dict[str, Any] = {"main": submission.main, "sent_as": submission.sent_as}
    names |= {"wanted": submission.wanted, "modules": submission.modules}
    return Frame(kind, {**fields, **names, **sizes}, body)


def decode_submission(job: Frame) -> Submission:
    """Unpacks a submission. Trusts the frame: the judge wrote it."""
    body = io.BytesIO(job.body)
    files = {path: body.read(size) for path, size in job.fields["files"]}
    support = {path: body.read(size) for path, size in job.fields["support"]}
    wanted, modules = (tuple(job.fields[name]) for name in ("wanted", "modules"))
    return Submission(job.fields["main"], files, support, job.fields["sent_as"], wanted, modules)


def decode_rules(data: dict[str, Any]) -> SourceRules:
    """Reads rules. Trusts the data: `asdict` in the judge wrote it."""
    plain = _with_tuples(data)
    plain["entry_points"] = tuple(_entry_point(entry) for entry in data["entry_points"])
    return SourceRules(**plain)


def _entry_point(data: Mapping[str, Any]) -> EntryPoint:
    return EntryPoint(**_with_tuples(data) | {"kind": EntryKind(data["kind"])})


def _with_tuples(data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}
