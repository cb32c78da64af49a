"""Whether an exercise was verified as it is: a digest of all that its proof depends on."""

import hashlib
from collections.abc import Collection
from importlib.metadata import version
from pathlib import Path
from typing import Final

from grader.challenge import MANIFEST_NAME

PROVERS: Final = ("assay", "torch")


def digests_of(root: Path, names: Collection[str]) -> dict[str, str]:
    """Returns, for the exercises in the folders of these `names`, the SHA-256 of every file of the exercise and of the
    one that it extends, with their names, and of the versions of Assay and torch. Manifests may be anything, so they
    are not parsed.
    """
    provers = [f"{name} {version(name)}" for name in PROVERS]
    own = {name: _of_files(root / name) for name in names}
    return {name: _sha256(*provers, name, own[name], own.get(_extended(root / name), "")) for name in names}


def _of_files(folder: Path) -> str:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    files = [(path.relative_to(folder).as_posix(), hashlib.sha256(path.read_bytes()).hexdigest()) for path in paths]
    return _sha256(*(part for file in files for part in file))


def _extended(folder: Path) -> str:
    """The name of the exercise that the first line of the manifest that has one says it extends; else empty."""
    for line in (folder / MANIFEST_NAME).read_text(encoding="utf-8", errors="replace").splitlines():
        key, _, value = line.partition("=")
        if key.strip().strip("\"'") == "extends":
            return value.partition("#")[0].strip().strip("\"'")
    return ""


def _sha256(*parts: str) -> str:
    return hashlib.sha256("".join(f"{part}\0" for part in parts).encode("utf-8", "surrogateescape")).hexdigest()
