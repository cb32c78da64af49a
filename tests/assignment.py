"""A student's package that answers a whole first assignment: all of `examples/exercises`, and what of the installed
exercises belongs to it.

Its files are each exercise's own baseline, an accepted answer that names no other file, unless
`tests/repositories/a_whole_assignment` has one: a part that imports its siblings, as a student's does. So an exercise
that joins `examples/exercises` is in the package at once.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from grader.challenge import DEFAULT_ROOT, Challenge, load_challenges
from grader.exercise import exercise_of
from grader.misconception import Misconception

EXERCISES: Final = Path(__file__).parents[1] / "examples" / "exercises"
INSTALLED: Final = ("rmsnorm", "mha-rope", "mha-functional")
TOGETHER: Final = Path(__file__).parent / "repositories" / "a_whole_assignment" / "language_model"
PACKAGE: Final = "language_model"


def parts(namespace: str = "") -> Mapping[str, Challenge]:
    """Every exercise of the assignment by its slug; those of the repository behind `namespace`."""
    installed = load_challenges(DEFAULT_ROOT)
    own = {namespace + slug: challenge for slug, challenge in load_challenges(EXERCISES).items()}
    return own | {slug: installed[slug] for slug in INSTALLED}


def write_package(project: Path) -> None:
    """All parts right, in one package."""
    folder = project / PACKAGE
    folder.mkdir(parents=True)
    (project / "pyproject.toml").touch()
    (folder / "__init__.py").touch()
    for challenge in parts().values():
        file = file_of(project, challenge)
        assert not file.exists(), f"two exercises are answered by {file.name}"
        file.write_bytes(_right(challenge))


def file_of(project: Path, challenge: Challenge) -> Path:
    """Where the package has the answer to an exercise."""
    return project / PACKAGE / challenge.manifest.upload


def one_mistake(challenge: Challenge) -> Misconception:
    """The first of its bank: any would do."""
    return exercise_of(challenge).misconceptions[0]


def _right(challenge: Challenge) -> bytes:
    together = TOGETHER / challenge.manifest.upload
    return (together if together.exists() else challenge.folder / challenge.manifest.baseline).read_bytes()
