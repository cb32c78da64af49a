"""From the command line's words to files ready to grade. Imports no torch: a typing mistake is answered at once."""

import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.errors import WrongUsage
from engine.siblings import pack
from grader.challenge import Challenge
from grader.guest.submission import Submission
from grader.notebook import NotebookError, is_notebook, source_of

FILE_BYTES_MAX = 16 << 20  # far above any limit of a challenge, which the grader enforces itself
SEED_BITS = 48


@dataclass(frozen=True)
class Task:
    """One file to grade."""

    name: str
    submission: Submission
    seed: int

    @property
    def modules(self) -> tuple[str, ...]:
        """The paths of the modules that came along."""
        return tuple(sorted(set(self.submission.files) - {self.submission.main}))


def read_tasks(paths: Sequence[Path], challenge: Challenge, seed: int | None) -> list[Task]:
    """The files, each with the modules that it imports; of several, each is somebody's own work, so that nothing comes
    along from a folder that holds another of them. Raises WrongUsage when one cannot be read.
    """
    files = {path.resolve() for path in paths}
    held = Counter(around for file in files for around in (file, *file.parents))
    return [read_task(path, challenge, seed, _own_folder(path.resolve(), held)) for path in paths]


def _own_folder(file: Path, held: Mapping[Path, int]) -> Path:
    """The largest folder around the file that holds no other, else the file itself."""
    return next(around for around in reversed((file, *file.parents)) if held[around] == 1)


def read_task(path: Path, challenge: Challenge, seed: int | None, within: Path | None = None) -> Task:
    """The file, with the modules of its package that it imports; with `within`, those in that folder alone. Raises
    WrongUsage when it cannot be read.
    """
    if not path.is_file():
        what = "is a folder; name the file in it" if path.is_dir() else "does not exist"
        raise WrongUsage(f"{path} {what}.")
    if path.stat().st_size > FILE_BYTES_MAX:
        raise WrongUsage(f"{path} has {path.stat().st_size >> 20} MiB: that is no submission.")
    manifest = challenge.manifest
    try:
        content = path.read_bytes()
        source = source_of(content) if is_notebook(path.name) else content
        packed = pack(path, source, manifest.default_path, manifest.source.modules, within)
    except NotebookError as error:
        raise WrongUsage(f"{path}: {error}") from error
    except OSError as error:
        raise WrongUsage(f"{error.filename or path} cannot be read: {error.strerror}.") from error
    submission = Submission(packed.main, {**packed.siblings, packed.main: source}, sent_as=path.name)
    return Task(str(path), submission, secrets.randbits(SEED_BITS) if seed is None else seed)
