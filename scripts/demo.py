"""`make demo`: the whole service in a temporary folder, and a student who tries three files. Nothing is faked.

Exit code 0 only if what comes back is what must: the starter is not even sent, and the two others are graded.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent
START_S = 660.0  # longer than `assay up` waits for its parts: it says which did not come up
STOP_S = 120.0
QUESTION = "projection-weights"


class DemoFailed(Exception):
    """A sentence that says what was expected."""


@dataclass(frozen=True)
class Expected:
    title: str
    source: Path | None  # None: what `engine init` wrote
    verdict: str | None  # None: it is not sent
    diagnosis: str | None = None


STORY = (
    Expected("The starter, as it comes: nothing is sent, and no attempt used", None, None),
    Expected("A first try: the values are rotated too", ROOT / "examples/rope_on_v.py", "failed", "rope-on-v"),
    Expected("Mended", ROOT / "examples/correct.py", "passed"),
)


@dataclass(frozen=True)
class Student:
    """Somebody with `engine` and a project folder of their own."""

    folder: Path

    def types(self, *arguments: str, pasted: str = "") -> int:
        """Run `engine` as if typed here: its output is what you see."""
        heading = f"\n$ engine {' '.join(arguments)}"
        print(
            f"\033[1m{heading}\033[0m" if sys.stdout.isatty() and "NO_COLOR" not in os.environ else heading, flush=True
        )
        return subprocess.run(
            self._command(arguments), input=pasted, text=True, check=False, **self._where()
        ).returncode

    def asks(self, *arguments: str) -> str:
        """The same, for us to read."""
        done = subprocess.run(
            self._command(arguments),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            **self._where(),
        )
        return done.stdout

    def _command(self, arguments: tuple[str, ...]) -> list[str]:
        return [str(BIN / "engine"), *arguments]

    def _where(self) -> dict[str, object]:
        kept = {
            name: os.environ[name] for name in ("PATH", "TERM", "NO_COLOR", "COLUMNS", "LANG") if name in os.environ
        }
        return {"cwd": self.folder, "env": {"LANG": "C.UTF-8", **kept, "HOME": str(self.folder)}}


def say(text: str) -> None:
    line = f"\n== {text} " + "=" * max(0, 76 - len(text))
    print(f"\033[36m{line}\033[0m" if sys.stdout.isatty() and "NO_COLOR" not in os.environ else line, flush=True)


@contextmanager
def service(data: Path) -> Iterator[dict[str, str]]:
    """`assay up` on a free port; stopped at the end, with everything it started."""
    with (data.parent / "up.log").open("w+b") as log:
        command = [str(BIN / "assay"), "up", "--data-dir", str(data), "--port", "0"]
        up = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            yield _wait_until_ready(up, data, Path(log.name))
        finally:
            up.send_signal(signal.SIGTERM)
            up.wait(STOP_S)


def _wait_until_ready(up: "subprocess.Popen[bytes]", data: Path, log: Path) -> dict[str, str]:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        if (data / "address.json").exists():
            tokens: dict[str, str] = json.loads((data / "tokens.json").read_text())
            return tokens | json.loads((data / "address.json").read_text())
        if up.poll() is not None:
            break
        time.sleep(0.05)
    raise DemoFailed(f"`assay up` did not come up. What it said:\n{log.read_text(errors='replace')}")


def tell_story(student: Student) -> None:
    layers = student.folder / "cs336_basics" / "layers.py"
    for expected in STORY:
        say(expected.title)
        if expected.source is not None:
            shutil.copy(expected.source, layers)
        student.types("submit-build")
        _check(expected, json.loads(student.asks("status", "--format", "json") or "{}"))


def think_and_answer(student: Student) -> None:
    """Every student has other numbers: this one reads them, and computes. Four matrices of d_model by d_model."""
    asked = student.asks("answer")
    told = re.split(r"\n {4}\S", asked.partition(QUESTION)[2])[0]
    d_model = re.search(r"d_model = (\d+)", " ".join(told.split()))
    if d_model is None:
        raise DemoFailed(f"The question {QUESTION} was not asked.")
    print(f"The first of the questions:\n\n{QUESTION}{told}")
    if student.types("answer", "--question", QUESTION, "--answer", str(4 * int(d_model[1]) ** 2)) != 0:
        raise DemoFailed("The answer was not taken.")


def _check(expected: Expected, report: dict[str, object]) -> None:
    verdict = report.get("verdict")
    diagnoses = [found["id"] for found in report.get("diagnoses", [])]  # type: ignore[attr-defined,index]
    if verdict != expected.verdict or (expected.diagnosis and expected.diagnosis not in diagnoses):
        wanted = (expected.verdict or "kept here") + (f" with {expected.diagnosis}" if expected.diagnosis else "")
        raise DemoFailed(
            f"{expected.title}: it had to be {wanted}; "
            f"it was {verdict or 'kept here'} with {diagnoses or 'no diagnosis'}."
        )


def main() -> None:
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="assay-demo-") as name:
        folder = Path(name)
        (folder / "student").mkdir()
        student = Student(folder / "student")
        say("assay up: server, queue, database, grader, on a free port")
        with service(folder / "data") as running:
            print(f"Ready at {running['address']} after {time.monotonic() - started:.1f} s.")
            say("A student signs in and gets the exercise")
            student.types("login", "--server", running["address"], "--token-stdin", pasted=running["student"] + "\n")
            student.types("init", "mha-rope")
            tell_story(student)
            say("And now: does the student know why?")
            think_and_answer(student)
        print(f"\nEverything is stopped and removed. {time.monotonic() - started:.0f} s in all.")
    print("All was what it must be: the starter not sent, then failed (rope-on-v), then passed.")


if __name__ == "__main__":
    try:
        main()
    except DemoFailed as failure:
        sys.exit(f"\nassay: the demo failed. {failure}")
