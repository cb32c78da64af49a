"""A school to submit to, a student's folder to work in, and `engine` run in both ways: in process and as a program."""

import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import click.testing
import pytest

from engine.cli import cli
from tests.engine import papers
from tests.engine.school import TOKEN, School, Server, create_app
from tests.patience import PATIENCE_S

ANSI = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
READ = {"0", "63"}  # the number of that system call on x86-64, and on 64-bit ARM
ENGINE = [sys.executable, "-c", "from engine.cli import main; main()"]


@pytest.fixture(scope="session")
def running() -> Iterator[tuple[School, str]]:
    school = School()
    with Server(create_app(school)) as server:
        yield school, server.url


@pytest.fixture
def school(running: tuple[School, str]) -> School:
    """The same server for all tests, with nothing in it."""
    running[0].__dict__.update(School().__dict__)
    return running[0]


@dataclass
class Student:
    """Somebody with a folder, an environment and the command `engine`."""

    folder: Path
    environment: dict[str, str]

    def invoke(self, *words: str, stdin: str = "", **environment: str) -> click.testing.Result:
        """In process; a bug shows as an exception."""
        runner = click.testing.CliRunner()
        result = runner.invoke(cli, words, input=stdin, env=self.environment | environment)
        assert "itself failed" not in result.stderr, Path(result.stderr.split()[-1]).read_text()
        return result

    def run(self, *words: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        """In process, and told as of a program: a program imports first, for longer than it works."""
        result = self.invoke(*words, stdin=stdin, **environment)
        return subprocess.CompletedProcess(words, result.exit_code, result.stdout, result.stderr)

    def program(self, *words: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        """As a program of its own: where its start, its streams or what it starts itself are tested."""
        return subprocess.run(
            [*ENGINE, *words],
            cwd=self.folder,
            env=self.environment | environment,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )

    def converse(
        self, *words: str, typed: tuple[str | Callable[[], object], ...] = (), prompt: str = "\n> ", **environment: str
    ) -> "Conversation":
        """In a terminal of 80 columns; each text is typed, or thing done, when the program has printed another
        prompt.
        """
        pid, fd = pty.fork()
        if pid == 0:
            os.chdir(self.folder)
            os.execvpe(
                ENGINE[0],
                [*ENGINE, *words],
                self.environment | {"TERM": "xterm-256color", "COLUMNS": "80"} | environment,
            )
        return _converse(pid, fd, list(typed), prompt)

    def write(self, path: str, source: bytes) -> Path:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(source)
        return file


@dataclass(frozen=True)
class Conversation:
    text: str
    exit_code: int


def _converse(pid: int, fd: int, typed: list[str | Callable[[], object]], prompt: str) -> Conversation:
    output, answered, deadline = b"", 0, time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        if not select.select([fd], [], [], 0.05)[0]:
            continue
        try:
            chunk = os.read(fd, 65536)
        except OSError:  # Linux's way to say that the other side has closed
            break
        if not chunk:
            break
        output += chunk
        shown = ANSI.sub("", output.decode(errors="replace"))
        if typed and shown.endswith(prompt) and len(shown) > answered:
            _wait_until_it_reads(pid, deadline)
            answered = len(shown)
            _do(typed.pop(0), fd)
    os.close(fd)
    return Conversation(output.decode(errors="replace"), os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))


def _do(step: str | Callable[[], object], fd: int) -> None:
    if isinstance(step, str):
        os.write(fd, step.encode())
    else:
        step()


def _wait_until_it_reads(pid: int, deadline: float) -> None:
    """Python sees a Ctrl-C of just before read(2) only when the read returns. No hand is so fast, but we are."""
    while time.monotonic() < deadline:
        numbers = {path.read_text().partition(" ")[0] for path in Path(f"/proc/{pid}/task").glob("*/syscall")}
        if numbers & READ:
            return
        time.sleep(0.005)


@pytest.fixture
def stranger(tmp_path: Path, school: School, running: tuple[School, str], monkeypatch: pytest.MonkeyPatch) -> Student:
    """Not signed in yet."""
    folder = tmp_path / "course"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setattr("engine.client.RETRY_DELAYS_S", (0.01, 0.02, 0.03))
    for name in ("ASSAY_TOKEN", "NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ASSAY_")}
    environment |= {"XDG_CONFIG_HOME": str(tmp_path / "config"), "ASSAY_SERVER": running[1], "PYTHONUTF8": "1"}
    return Student(folder, environment)


@pytest.fixture
def student(stranger: Student) -> Student:
    """Signed in, with a file that rotates the values."""
    stranger.environment["ASSAY_TOKEN"] = TOKEN
    stranger.write("cs336_basics/layers.py", papers.ROPE_ON_V)
    return stranger
