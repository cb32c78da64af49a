"""The file to send, checked before it leaves, with the modules it imports. Knows no HTTP."""

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from engine.errors import WrongUsage
from engine.siblings import pack
from grader.guest.submission import Submission
from grader.notebook import NotebookError, is_notebook, source_of

FILE_LIMIT_BYTES: Final = 256 * 1024
NOTEBOOK_LIMIT_BYTES: Final = 64 << 20  # with the pictures in its outputs, which stay here
REQUEST_LIMIT_BYTES: Final = 1024 * 1024 - 32 * 1024  # the server takes 1 MiB, multipart headers included
SIBLINGS_LIMIT: Final = 32


@dataclass(frozen=True)
class Upload:
    """What goes over the wire. `siblings` maps module paths to bytes; `main` is the file's own, where it is not the
    challenge's.
    """

    path: Path
    source: bytes = field(repr=False)
    siblings: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    main: str | None = None

    @property
    def name(self) -> str:
        """The file's name without its folder."""
        return self.path.name

    def sha256(self, default_path: str) -> str:
        """Returns the digest that the server tells of a submission of these files."""
        main = self.main or default_path
        return Submission(main, {**self.siblings, main: self.source}).sha256

    @property
    def digest(self) -> str:
        """Hashes everything that is sent: the same digest means the same submission."""
        whole = hashlib.sha256(self.source)
        whole.update(f"\0{self.main}".encode() if self.main else b"")
        for path, data in sorted(self.siblings.items()):
            whole.update(f"\0{path}\0{len(data)}\0".encode())
            whole.update(data)
        return whole.hexdigest()


def read_upload(path: Path) -> Upload:
    """The file alone. Raises WrongUsage with a sentence when it cannot be what the student means."""
    if path.is_dir():
        raise WrongUsage(f"{path} is a folder.", f"Give the file: engine submit-build {path / 'layers.py'}")
    if not path.exists():
        raise WrongUsage(
            f"There is no file {path} in {Path.cwd()}.",
            "Go to your project's folder, or give the path: engine submit-build path/to/layers.py. "
            "No file yet? Run `engine init mha-rope`.",
        )
    if not path.is_file():
        raise WrongUsage(f"{path} is not a file.")
    limit = NOTEBOOK_LIMIT_BYTES if is_notebook(path.name) else FILE_LIMIT_BYTES
    if path.stat().st_size > limit:
        raise WrongUsage(
            f"{path} has {_size(path.stat().st_size)}; the limit is {_size(limit)}.", "Is it the right file?"
        )
    source = read_source(path)
    if len(source) > FILE_LIMIT_BYTES:
        raise WrongUsage(f"The code of {path} has {_size(len(source))}; the limit is {_size(FILE_LIMIT_BYTES)}.")
    if not source.strip():
        raise WrongUsage(f"{path} is empty.", "Did you save it in your editor?")
    return Upload(path, source)


def read_source(path: Path) -> bytes:
    """The file's text; of a notebook that of its code cells. Raises WrongUsage, OSError."""
    content = path.read_bytes()
    try:
        return source_of(content) if is_notebook(path.name) else content
    except NotebookError as error:
        raise WrongUsage(f"{path}: {error}") from error


def with_siblings(upload: Upload, default_path: str, modules: Collection[str] = ()) -> Upload:
    """Adds the modules of the file's project that it imports. `modules` are the grader's libraries."""
    packed = pack(upload.path, upload.source, default_path, modules)
    siblings = packed.siblings
    total = len(upload.source) + sum(map(len, siblings.values()))
    if total > REQUEST_LIMIT_BYTES or len(siblings) > SIBLINGS_LIMIT:
        largest = sorted(siblings, key=lambda name: len(siblings[name]), reverse=True)[:3]
        raise WrongUsage(
            f"{upload.path} imports {len(siblings)} modules of its project, {_size(total)} in total; "
            f"the limits are {SIBLINGS_LIMIT} modules and {_size(REQUEST_LIMIT_BYTES)}.",
            f"Import less: {', '.join(f'{name} ({_size(len(siblings[name]))})' for name in largest)}.",
        )
    return Upload(upload.path, upload.source, siblings, None if packed.main == default_path else packed.main)


def _size(size_bytes: int) -> str:
    return f"{size_bytes / 1024:,.0f} KiB"
