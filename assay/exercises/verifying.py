"""Starts what verifies a commit's exercises, with nothing of ours in its environment, and reads what it found."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from grader.guest.execution import SandboxUnavailable
from worker.private_runner import client_of
from worker.repositories.addresses import RepositoryError
from worker.runner_process import runner_process

PROOF_S: Final = 3600.0  # for all exercises of a repository
SAID_CHARACTERS: Final = 400


def problems_of(exercises: Path, *, is_whole: bool = False) -> list[str]:
    """Verifies all exercises of a folder: a sentence for each that does not hold, or for each check of them where it
    `is_whole`. Raises RepositoryError where nothing can be verified here.
    """
    with runner_process() as process, tempfile.TemporaryDirectory(prefix="assay-proof-") as scratch:
        try:
            client_of(process)
        except SandboxUnavailable as error:
            raise RepositoryError(f"Nothing can be verified here, for there is no sandbox: {error}.") from error
        program = [sys.executable, "-P", "-m", "assay.exercises.proving"]
        command = [*program, str(exercises), str(process.socket), scratch, *(["whole"] if is_whole else [])]
        try:
            done = subprocess.run(
                command,
                env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "OMP_NUM_THREADS": "1", "TMPDIR": scratch},
                cwd="/",
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=PROOF_S,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise RepositoryError(f"Verifying did not end within {PROOF_S / 60:.0f} minutes.") from error
    return _read(done)


def _read(done: "subprocess.CompletedProcess[bytes]") -> list[str]:
    """The last line: authors' code may print others."""
    try:
        found = json.loads(done.stdout.rpartition(b"\n")[2])
    except ValueError:
        found = None
    if done.returncode != 0 or not isinstance(found, list):
        last = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2][:SAID_CHARACTERS]
        raise RepositoryError(f"Verifying ended early: {last or f'status {done.returncode}'}")
    return [str(problem) for problem in found]
