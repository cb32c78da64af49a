"""The first frame of a session: a submission, to be run or to be inspected. Knows no torch."""

from dataclasses import asdict
from typing import Any

from grader.inspection import EntryPoint, SourceRules
from grader.submission import Submission
from worker.sandbox.framing import Frame


def run_job(submission: Submission) -> Frame:
    return _job("run", submission, {})


def inspect_job(submission: Submission, rules: SourceRules) -> Frame:
    return _job("inspect", submission, {"rules": asdict(rules)})


def _job(kind: str, submission: Submission, fields: dict[str, Any]) -> Frame:
    files = [[path, len(content)] for path, content in submission.files.items()]
    return Frame(kind, {**fields, "main": submission.main, "files": files}, b"".join(submission.files.values()))


def decode_submission(job: Frame) -> Submission:
    """Trusts the frame: the judge wrote it."""
    files, start = {}, 0
    for path, size in job.fields["files"]:
        files[path] = bytes(job.body[start : start + size])
        start += size
    return Submission(job.fields["main"], files)


def decode_rules(data: dict[str, Any]) -> SourceRules:
    """Trusts the data: `asdict` in the judge wrote it."""
    plain: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}
    points = tuple(EntryPoint(**{**entry, "parameters": tuple(entry["parameters"])}) for entry in data["entry_points"])
    plain["entry_points"] = points
    return SourceRules(**plain)
