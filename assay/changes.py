"""What a change touches: exercises in a git work tree that differ from an earlier commit, and how they were then."""

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from assay.challenges import slugs_in
from assay.errors import WrongUsage
from grader.challenge import load_challenge
from grader.manifest import ManifestError


def changed_since(root: Path, ref: str) -> list[str]:
    """The exercises whose files differ from that commit, those that extend such a one, and what is not committed yet.
    Raises WrongUsage where there is no such commit.
    """
    commit = _commit(root, ref)
    listed = _git(root, "diff", "--name-only", "--relative", "-z", commit, "--", ".")
    listed += _git(root, "ls-files", "--others", "--exclude-standard", "-z", "--", ".")
    touched = {name.partition("/")[0] for name in listed.decode("utf-8", "surrogateescape").split("\0")}
    return [slug for slug in slugs_in(root) if touched & _made_of(root / slug)]


@contextmanager
def as_it_was(root: Path, ref: str) -> Iterator[Path]:
    """A copy of the folder as it is in that commit: empty where the commit has no such folder."""
    commit = _commit(root, ref)
    with tempfile.TemporaryDirectory(prefix="assay-earlier-") as folder:
        if _git(root, "ls-tree", "--name-only", commit, "--", "."):
            archive = _git(root, "archive", "--format=tar", commit)
            subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
        yield Path(folder)


def _made_of(folder: Path) -> set[str]:
    """The folders in which its files lie; its own, where it cannot be read."""
    try:
        return {part.name for part in load_challenge(folder).folders}
    except ManifestError:
        return {folder.name}


def _commit(root: Path, ref: str) -> str:
    try:
        if not _git(root, "rev-list", "--max-count=1", "--all"):
            return _git(root, "hash-object", "-t", "tree", "/dev/null").decode().strip()  # nothing was before
        found = _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
    except (subprocess.CalledProcessError, OSError) as error:
        raise WrongUsage(
            f"git knows no commit {ref!r} of {root}.",
            "Name a commit, branch or tag of the repository that holds the exercises, such as HEAD or origin/main.",
        ) from error
    return found.decode().strip()


def _git(root: Path, *words: str) -> bytes:
    return subprocess.run(
        ["git", *words], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True
    ).stdout
