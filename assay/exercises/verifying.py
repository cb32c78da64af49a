"""Starts what verifies a commit's exercises, with nothing of ours in its environment, and reads what it found."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import IO, Final

from grader.repository_addresses import RepositoryError
from worker.runner_process import RunnerNotReadyError, runner_process
from worker.sandbox.ahead import is_needed_in

PROOF_S: Final = 3600.0  # for all exercises of a repository
SAID_CHARACTERS: Final = 400
LINE_BYTES: Final = 1 << 20
COMPLAINTS_BYTES: Final = 1 << 16
LOOKS_EVERY_S: Final = 1.0


def always_wanted() -> bool:
    """Returns True: the caller waits for the result itself."""
    return True


def problems_of(
    exercises: Path,
    begun: Callable[[str], None] | None = None,
    *,
    names: Sequence[str] = (),
    is_whole: bool = False,
    is_wanted: Callable[[], bool] = always_wanted,
) -> list[str]:
    """Verifies the exercises of these `names` in a folder, all of them unless told: a sentence for each that does not
    hold, or for each check of them where it `is_whole`. `begun` is told lines that may be the name of the exercise that
    comes next: authors' code may print others. Raises RepositoryError where nothing can be verified here, and once the
    result no longer `is_wanted`.
    """
    ahead = str(is_needed_in(exercises))
    with runner_process(imports_ahead=ahead) as process, tempfile.TemporaryDirectory(prefix="assay-proof-") as scratch:
        try:
            process.await_ready()
        except RunnerNotReadyError as error:
            raise RepositoryError(f"Nothing can be verified here, for there is no sandbox: {error}.") from error
        program = [sys.executable, "-P", "-m", "assay.exercises.proving"]
        command = [*program, str(exercises), str(process.socket), scratch, "whole" if is_whole else "first", *names]
        with tempfile.TemporaryFile() as complaints:
            with _proving(command, scratch, complaints, is_wanted) as proof:
                assert proof.stdout is not None  # it is a pipe
                line = _last_line(proof.stdout, begun)
            complaints.seek(max(0, complaints.seek(0, os.SEEK_END) - COMPLAINTS_BYTES))
            return _read(line, proof.returncode, complaints.read())


@contextmanager
def _proving(
    command: list[str], scratch: str, complaints: IO[bytes], is_wanted: Callable[[], bool]
) -> "Iterator[subprocess.Popen[bytes]]":
    """Runs until it has ended. Raises RepositoryError where it takes too long, or is no longer wanted."""
    environment = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "OMP_NUM_THREADS": "1", "TMPDIR": scratch}
    deadline, has_ended, reasons = time.monotonic() + PROOF_S, Event(), list[str]()
    with subprocess.Popen(
        command, env=environment, cwd="/", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=complaints
    ) as process:

        def watch() -> None:
            while not (reasons or has_ended.wait(LOOKS_EVERY_S)):
                if time.monotonic() > deadline:
                    reasons.append(f"Verifying did not end within {PROOF_S / 60:.0f} minutes.")
                elif not is_wanted():
                    reasons.append("Nobody waits for it any more.")
            if reasons:
                process.kill()

        watcher = Thread(target=watch, name="watcher", daemon=True)
        watcher.start()
        try:
            yield process
        except BaseException:
            process.kill()
            raise
        finally:
            process.wait()
            has_ended.set()
            watcher.join()
    if reasons:
        raise RepositoryError(reasons[0])


def _last_line(output: IO[bytes], begun: Callable[[str], None] | None) -> bytes:
    line = b""
    while more := output.readline(LINE_BYTES):
        line = more
        if begun is not None:
            begun(line.decode("utf-8", "replace").rstrip("\n"))
    return line


def _read(line: bytes, status: int, complaints: bytes) -> list[str]:
    """The last line: authors' code may print others."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if status != 0 or not isinstance(found, list) or not all(isinstance(problem, str) for problem in found):
        last = complaints.decode("utf-8", "replace").strip().rpartition("\n")[2][:SAID_CHARACTERS]
        raise RepositoryError(f"Verifying ended early: {last or f'status {status}'}")
    return found
