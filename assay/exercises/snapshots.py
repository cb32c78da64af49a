"""A folder that is no git repository, kept as commits in a repository of ours: so it is pinned like any other."""

from pathlib import Path
from typing import Final

from grader.repository_addresses import RepositoryError
from worker.repositories.git import git, new_repository

BRANCH: Final = "refs/heads/main"
_FACTS: Final = {"NAME": "assay", "EMAIL": "assay", "DATE": "2000-01-01T00:00:00Z"}
_AUTHORED: Final = {f"GIT_{role}_{what}": fact for role in ("AUTHOR", "COMMITTER") for what, fact in _FACTS.items()}


def is_repository(folder: Path) -> bool:
    """Whether git can fetch from it: a work tree or a bare repository."""
    return (folder / ".git").exists() or ((folder / "HEAD").is_file() and (folder / "objects").is_dir())


def snapshot(folder: Path, repository: Path) -> None:
    """Commits the folder as it is to `repository`, made where it is missing; the same files are the same commit. Raises
    RepositoryError.
    """
    repository.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not repository.is_dir():
        new_repository(repository)
        git(repository, "symbolic-ref", "HEAD", BRANCH)
    try:
        git(repository, f"--work-tree={folder}", "-C", str(folder), "add", "--all", "--force", "--", ".")
    except RepositoryError as error:
        raise RepositoryError(f"{folder} cannot be read: {error}") from error
    tree = git(repository, "write-tree").decode().strip()
    commit = git(repository, "commit-tree", "-m", "snapshot", tree, told=_AUTHORED).decode().strip()
    keep = f"refs/commits/{commit}"  # for judges that fetch it later
    git(repository, "update-ref", keep, commit)
    git(repository, "update-ref", BRANCH, commit)
