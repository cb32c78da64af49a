"""A challenge is a folder, complete in itself: manifest, spec, starter, questions, and the secret part. Knows no torch.

The secret part (reference, cases, misconceptions) is read by `grader.exercise`, in the judge only.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from grader.guest.inspection import SourceRules
from grader.guest.loading import is_harness
from grader.guest.submission import Submission
from grader.installed import DEFAULT_ROOT as DEFAULT_ROOT  # noqa: PLC0414  whoever loads challenges asks where they are
from grader.manifest import Manifest, ManifestError, read_manifest

MANIFEST_NAME = "challenge.toml"
HUNT = "hunt"
GPU = "gpu"


@dataclass(frozen=True, eq=False)
class Challenge:
    """One exercise as the front end sees it. Loaded once and handed around: two loads are two challenges."""

    slug: str
    folder: Path
    manifest: Manifest
    known_version: str = ""  # where not all of its files are here: what whoever has them found

    @property
    def folders(self) -> tuple[Path, ...]:
        """Its own, behind that of the challenge which it extends: what is later redefines what is earlier."""
        base = self.manifest.extends
        return (self.folder,) if base is None else (self.folder.parent / base, self.folder)

    def modules(self, name: str) -> Iterator[Path]:
        """The files that make one module, in the order in which they are executed: `NAME.py` of each folder that there
        is, with its further parts, `NAME_*.py`, behind it.
        """
        for folder in self.folders:
            paths = (folder / f"{name}.py", *sorted(folder.glob(f"{name}_*.py")))
            yield from filter(Path.is_file, paths)

    @cached_property
    def version(self) -> str:
        """Content hash of all that it is made of: another version may give another verdict. The bug hunt and the
        GPU stage never do.
        """
        if self.known_version:
            return self.known_version
        digest = hashlib.sha256()
        for folder in self.folders:
            for path in _content(folder):
                if path.is_relative_to(folder / HUNT) or path.is_relative_to(folder / GPU):
                    continue
                name = path.relative_to(folder).as_posix()
                digest.update(f"{name}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
        return digest.hexdigest()[:16]

    def spec(self) -> str:
        """What the student reads, as Markdown."""
        return (self.folder / "spec.md").read_text(encoding="utf-8")

    def starter(self) -> bytes:
        """Where the student starts."""
        return (self.folder / "starter" / self.manifest.upload).read_bytes()

    @cached_property
    def source_rules(self) -> SourceRules:
        """What the source reader looks for, and what there is to begin with."""
        return replace(self.manifest.source_rules, starter=self.starter().decode("utf-8", "replace"))

    @cached_property
    def support(self) -> Mapping[str, bytes]:
        """Files laid beside a submission in the sandbox, by path: libraries, and the harness. Nothing secret."""
        tops = [folder / "sandbox" for folder in self.folders]
        return {path.relative_to(top).as_posix(): path.read_bytes() for top in tops for path in _content(top)}

    def laid_out(self, submission: Submission) -> Submission:
        """A submission as the sandbox gets it: beside what students build on, with the names that are asked for and the
        modules that are allowed.
        """
        wanted = [entry.name for entry in self.manifest.entry_points]
        return submission.beside(self.support, wanted, self.manifest.source.modules)

    @property
    def libraries(self) -> Mapping[str, str]:
        """Libraries that students build on, by path: what lies beside a submission, without the harness."""
        return {path: source.decode("utf-8") for path, source in self.support.items() if not is_harness(path)}

    @property
    def questions_path(self) -> Path:
        """Where its bank of questions would lie."""
        return self.folder / "questions.toml"

    def combinations_path(self, function: str) -> Path:
        """The table of this function's combinations: its own where there is one, else the base's."""
        return self._own_or_base(f"combinations/{function}.csv")

    def forgeable_path(self, name: str) -> Path:
        """This file of forgeable tests: its own where there is one, else the base's."""
        return self._own_or_base(f"tests/{name}.py")

    def _own_or_base(self, name: str) -> Path:
        paths = [folder / name for folder in reversed(self.folders)]
        return next((path for path in paths if path.is_file()), paths[0])

    @property
    def hunt_folder(self) -> Path:
        """Where its bug hunt would lie."""
        return self.folder / HUNT

    @cached_property
    def has_hunt(self) -> bool:
        """Whether students can be given a bug to hunt."""
        return self.hunt_folder.is_dir()

    @property
    def gpu_stage_path(self) -> Path:
        """Where its GPU stage would lie."""
        return self.folder / GPU / "stage.py"

    @cached_property
    def has_gpu_stage(self) -> bool:
        """Whether a submission that has passed also runs on a GPU, which never changes the verdict."""
        return self.gpu_stage_path.is_file()


def _content(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        hidden = any(part == "__pycache__" or part.startswith(".") for part in path.relative_to(folder).parts)
        if path.is_file() and not hidden:
            yield path


def load_challenge(folder: Path) -> Challenge:
    """Raises ManifestError when the folder does not hold a valid manifest."""
    return Challenge(slug=folder.name, folder=folder, manifest=read_manifest(folder / MANIFEST_NAME))


def load_challenges(root: Path = DEFAULT_ROOT) -> dict[str, Challenge]:
    """All challenges under `root`, by slug. Raises ManifestError when there is none, or one is broken."""
    folders = sorted(path.parent for path in root.glob(f"*/{MANIFEST_NAME}"))
    if not folders:
        raise ManifestError(f"{root} holds no challenges: each is a folder with a {MANIFEST_NAME}")
    return {folder.name: load_challenge(folder) for folder in folders}
