"""Which file of what a student has submitted is the one to grade. Everything here was written by that student."""

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from assay.tasks import FILE_BYTES_MAX
from grader.formats.plain import plain
from grader.manifest import Manifest
from grader.notebook import NotebookError, is_notebook, source_of

_FILES_MAX = 2000
_NAMED_MAX = 12
_NOBODYS_WORK = ("__MACOSX", "__pycache__", "node_modules", "site-packages")  # and what begins with a dot


class NothingToGradeError(Exception):
    """What was submitted cannot be graded: a sentence to the student, who can mend it."""


def take(submission: Path, manifest: Manifest, to: Path) -> Path:
    """Copies what may be graded into the empty folder `to`, and returns the file to grade, there.

    Links are not followed: one that leads to an answer is no answer. Raises NothingToGradeError.
    """
    found = [path.relative_to(submission) for path in _modules(submission)]
    if len(found) > _FILES_MAX:
        raise NothingToGradeError(f"More than {_FILES_MAX:,} Python files were submitted. Submit your own alone.")
    for path in found:
        (to / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(submission / path, to / path, follow_symlinks=False)
    chosen = to / _chosen(found, manifest)
    if is_notebook(chosen.name):
        try:
            source_of(chosen.read_bytes())
        except NotebookError as error:
            raise NothingToGradeError(f"{chosen.name}: {error}") from error
    return chosen


def _modules(submission: Path) -> Iterator[Path]:
    """Ordinary files of Python and notebooks that are small enough, in the order of their names."""
    for folder, inside, names in os.walk(submission):
        inside[:] = sorted(name for name in inside if name not in _NOBODYS_WORK and not name.startswith("."))
        for path in (Path(folder, name) for name in sorted(names) if not name.startswith(".")):
            found = path.lstat()
            is_file = stat.S_ISREG(found.st_mode) and found.st_size <= FILE_BYTES_MAX
            if is_file and (path.suffix == ".py" or is_notebook(path.name)):
                yield path


def _chosen(found: list[Path], manifest: Manifest) -> Path:
    """The file of the asked name, best where a student's project has it; else the only notebook."""
    named = [path for path in found if path.name == manifest.upload]
    notebooks = [path for path in found if is_notebook(path.name)]
    for candidates in ([path for path in named if _ends_with(path, manifest.default_path)], named, notebooks):
        if len(candidates) == 1:
            return candidates[0]
        if candidates:
            raise NothingToGradeError(
                f"It is not clear which file to grade: {_listed(candidates)}. Submit one of them."
            )
    raise NothingToGradeError(
        f"{manifest.upload} was not found in what was submitted ({_listed(found) or 'no Python file'}). "
        f"Name your file {manifest.upload}, or submit one notebook, and submit again. Links are not followed."
    )


def _ends_with(path: Path, ending: str) -> bool:
    parts = PurePosixPath(ending).parts
    return path.parts[-len(parts) :] == parts


def _listed(paths: list[Path]) -> str:
    named = [plain(os.fsencode(path).decode(errors="replace")) for path in paths[:_NAMED_MAX]]
    return ", ".join([*named, *(["..."] if len(paths) > _NAMED_MAX else [])])
