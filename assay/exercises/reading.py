"""Reads a commit's exercises as every front end will, in a process of its own with bounds: what took long there, or
much memory, would hold up everybody's pages. Nothing of an author's is run.

    python -m assay.exercises.reading FOLDER CPU_S
"""

import resource
import subprocess
import sys
from pathlib import Path
from typing import Final

from app.challenges.entry import entry_of
from grader.challenge import MANIFEST_NAME, load_challenge
from grader.manifest import ManifestError
from grader.repository_addresses import RepositoryError

CPU_S: Final = 10  # and one more for each exercise, of which a usual one takes a tenth
MEMORY_BYTES: Final = 2 << 30
WALL_S: Final = 600.0
SAID_CHARACTERS: Final = 400


def refuse_unreadable(exercises: Path, cpu_s: int = CPU_S) -> None:
    """Raises RepositoryError for exercises that no front end can read, or not soon."""
    command = [sys.executable, "-P", "-m", "assay.exercises.reading", str(exercises), str(cpu_s)]
    try:
        done = subprocess.run(
            command, env={}, cwd="/", stdin=subprocess.DEVNULL, capture_output=True, timeout=WALL_S, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise RepositoryError("The exercises could not be read here in time. Try again later.") from error
    if done.returncode == 0:
        return
    name = done.stdout.decode("utf-8", "replace").splitlines()[-1:]
    reason = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2][:SAID_CHARACTERS]
    raise RepositoryError(
        f"{''.join(name)}: {reason or 'its texts, questions or hunt take too long to read. Make them simpler'}."
    )


def main(folder: str, cpu_s: str) -> None:
    """Prints each name before it is read. Ends with a reason at the first that cannot be."""
    names = sorted(path.parent.name for path in Path(folder).glob(f"*/{MANIFEST_NAME}"))
    seconds = int(cpu_s) + len(names)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    for name in names:
        print(name, flush=True)
        try:
            _read(Path(folder) / name)
        except ManifestError as error:
            sys.exit(str(error).replace(f"{folder}/", "").rstrip("."))
        except Exception as error:  # noqa: BLE001 - the edge to an author's files
            sys.exit(f"it cannot be read: {type(error).__name__}: {error}".replace("\n", " "))


def _read(folder: Path) -> None:
    """All but the text as a page: whoever verifies has no templates."""
    challenge = load_challenge(folder)
    entry_of(challenge)
    challenge.spec(), challenge.starter(), challenge.libraries


if __name__ == "__main__":
    main(*sys.argv[1:])
