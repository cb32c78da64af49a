"""Files against an exercise as it is on the disk now, again and again: a sandbox that stays, and what has changed since
the try before.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from watchfiles import watch

from assay.errors import AssayError, GraderFailed
from assay.formats.text import write_text
from assay.grading import grade_all
from assay.tasks import Task, read_task
from engine.since_last_attempt import since
from grader.challenge import Challenge, load_challenge
from grader.manifest import ManifestError
from grader.proof.folder import problems_of
from grader.proof.places import describe
from grader.report import Report
from worker.runner_process import RunnerProcess


@dataclass
class Tries:
    """Each try grades what has been saved since the one before: all files, where it was the exercise."""

    folder: Path
    files: Sequence[Path]
    seed: int  # the same for all tries: the paper changes only with the exercise
    starting: RunnerProcess
    _challenge: Challenge | None = None
    _tasks: dict[str, Task] = field(default_factory=dict)
    _reports: dict[str, Report] = field(default_factory=dict)
    _complaint: str = ""

    def once(self) -> Iterator[str]:
        """Looks at the files once and yields what to print, which is nothing where nothing was saved. Raises
        AssayError, with file and line, where the exercise or a file cannot be used.
        """
        started = time.perf_counter()
        challenge, tasks = self._saved()
        if not tasks:
            return
        try:
            for graded in grade_all(challenge, tasks, 1, self.starting):
                yield self._told(graded.name, graded.report, challenge) if graded.report else graded.fault
        except GraderFailed:
            raise
        except Exception as error:  # the edge to the author's code: a sentence, never a traceback
            raise AssayError(f"{_wrong_with(challenge, error)}.") from error
        self._complaint = ""
        yield f"{len(tasks)} {'file' if len(tasks) == 1 else 'files'} in {time.perf_counter() - started:.1f} s"

    def watching(self) -> Iterator[str]:
        """Yields what to print, now and at every save, until Ctrl-C. What cannot be used is told: the next save may
        mend it.
        """
        yield from self._once_or_why_not()
        exercise = self._challenge.folders if self._challenge else (self.folder,)
        folders = {*exercise, *(file.absolute().parent for file in self.files)}
        yield "Watching; Ctrl-C ends it."
        # After a second of silence too: something may have been saved during a try.
        for _ in watch(
            *folders, debounce=200, step=20, rust_timeout=1000, yield_on_timeout=True, raise_interrupt=False
        ):
            yield from self._once_or_why_not()

    def _once_or_why_not(self) -> Iterator[str]:
        try:
            yield from self.once()
        except GraderFailed:
            raise
        except AssayError as error:
            before, self._complaint = self._complaint, error.format_message()
            if self._complaint != before:
                yield self._complaint

    def _saved(self) -> tuple[Challenge, list[Task]]:
        """The exercise, and the files to grade now: all of them, where something could not be read before."""
        known, self._challenge = self._challenge, None
        try:
            challenge = load_challenge(self.folder)
        except ManifestError as error:
            raise AssayError(f"{error}.") from error
        if known is not None and known.version == challenge.version:
            challenge = known
        tasks = [read_task(file, challenge, self.seed) for file in self.files]
        earlier = self._tasks if challenge is known else {}
        self._challenge, self._tasks = challenge, {task.name: task for task in tasks}
        return challenge, [task for task in tasks if not _is_same(earlier.get(task.name), task)]

    def _told(self, name: str, report: Report, challenge: Challenge) -> str:
        before, self._reports[name] = self._reports.get(name), report
        if before is None:
            return write_text(name, report)
        titles = {family: section.title for family, section in challenge.manifest.families.items()}
        changes = since(before, report, titles)
        if (before.verdict, before.score) == (report.verdict, report.score) and not (changes.gone or changes.new):
            return f"{name}: {report.verdict.upper()}  {report.score:g}/{report.max_score:g}  as before"
        was = f"was {before.verdict.upper()}  {before.score:g}/{before.max_score:g}"
        return "\n    ".join([write_text(name, report), was, *changes.sentences()])


def _is_same(before: Task | None, now: Task) -> bool:
    return before is not None and before.submission == now.submission


def _wrong_with(challenge: Challenge, error: Exception) -> str:
    """What the folder's own checks say, for they know what was meant; else what was raised."""
    return "; ".join(problems_of(challenge)) or describe(error, challenge)
