"""What a student sent: files in memory, and the module they make."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

NOTEBOOK_BEGINS = b"# %% cell 1\n"  # the file that is made of its cells


@dataclass(frozen=True)
class Submission:
    """The uploaded file and the sibling modules it imports.

    `main` is the path of the uploaded file as a module path inside the student's package, for example
    `cs336_basics/layers.py`; `files` maps such paths to bytes and always holds `main`. `support` is what the exercise
    lays beside them, such as a library that students build on: nothing secret, and no part of what was sent. `sent_as`
    is what the student calls the uploaded file, where that is known; `wanted` are the names that the exercise asks for;
    `modules` what may be imported besides the standard library: where they are told, something stands in for others.
    """

    main: str
    files: Mapping[str, bytes] = field(repr=False)
    support: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    sent_as: str = ""
    wanted: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()

    def beside(
        self, support: Mapping[str, bytes], wanted: Iterable[str] = (), modules: Iterable[str] = ()
    ) -> "Submission":
        """With the exercise's files laid beside it, the names that it asks for, and the modules that it allows. Whoever
        works at home has a copy of its libraries and sends it along; ours are used.
        """
        libraries = {_top(path) for path in support if "/" in path}
        own = {path: source for path, source in self.files.items() if path == self.main or _top(path) not in libraries}
        return replace(self, files=own, support=support, wanted=tuple(wanted), modules=tuple(modules))

    @property
    def filename(self) -> str:
        """What to call the uploaded file in a sentence."""
        return self.sent_as or PurePosixPath(self.main).name

    @property
    def is_notebook(self) -> bool:
        """Whether the uploaded file was made of a notebook's cells."""
        return self.source.startswith(NOTEBOOK_BEGINS)

    @property
    def source(self) -> bytes:
        """The uploaded file itself."""
        return self.files[self.main]

    @property
    def sha256(self) -> str:
        """Over all files, in order of their paths; for a single file it is that file's own digest."""
        if len(self.files) == 1:
            return hashlib.sha256(self.source).hexdigest()
        digest = hashlib.sha256()
        for path in sorted(self.files):
            digest.update(f"{path}\0{len(self.files[path])}\0".encode())
            digest.update(self.files[path])
        return digest.hexdigest()

    def too_large(self, limit_bytes: int) -> str | None:
        """Why it is not taken; None where it is."""
        total = sum(map(len, self.files.values()))
        if total <= limit_bytes:
            return None
        return (
            f"The submission has {total:,} bytes; the limit is {limit_bytes:,}. "
            "Remove data, generated code and long comments."
        )


def _top(path: str) -> str:
    """The name by which a file's outermost package, or the module that it is itself, is imported."""
    return PurePosixPath(PurePosixPath(path).parts[0]).stem
