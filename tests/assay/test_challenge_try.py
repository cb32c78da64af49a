"""`assay challenge try`: files against an exercise as it is saved, once and at every save."""

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest

from assay.new_challenge import Names, write_challenge
from tests.assay.conftest import Assay
from tests.patience import PATIENCE_S, wait_until

UNSTABLE = "import torch\n\n\ndef shares(x):\n    e = x.exp()\n    return e / e.sum(-1, keepdim=True)\n"
RIGHT = UNSTABLE.replace("x.exp()", "(x - x.amax(-1, keepdim=True)).exp()")


@pytest.fixture
def exercise(tmp_path: Path) -> Path:
    return write_challenge(Names.of("shares", None), tmp_path / "mine")


def test_the_exercise_is_found_by_where_a_file_lies_and_a_slip_in_it_is_a_sentence(
    program: Assay, exercise: Path
) -> None:
    done = program("challenge", "try", exercise / "accepted" / "plain.py", "--seed", "5")
    assert done.returncode == 0, done.stderr
    assert "plain.py: PASSED  100/100" in done.stdout
    assert "replay with --seed 5" in done.stdout
    cases = exercise / "cases.py"
    cases.write_text(cases.read_text().replace('    yield Case("x"', '    Case("x"'))
    broken = program("challenge", "try", exercise / "accepted" / "plain.py")
    assert (broken.returncode, "Traceback" in broken.stderr) == (1, False)
    assert "shares/cases.py, line 46: `gradients` gives None, not cases" in broken.stderr


def test_files_that_are_for_no_plain_exercise_are_refused(assay: Assay, tmp_path: Path) -> None:
    (tmp_path / "alone.py").write_text(RIGHT)
    done = assay("challenge", "try", "alone.py")
    assert (done.returncode, done.stderr) == (
        2,
        "Error: It is not plain which exercise these files are for. Say so: --challenge SLUG.\n",
    )


def test_each_save_of_a_file_or_of_the_exercise_is_graded_and_told(tmp_path: Path, exercise: Path) -> None:
    file, manifest = tmp_path / "shares.py", exercise / "challenge.toml"
    file.write_text(UNSTABLE)
    command = [
        sys.executable,
        "-u",
        "-P",
        "-m",
        "assay",
        "challenge",
        "try",
        file,
        "--root",
        exercise.parent,
        "--watch",
    ]
    with subprocess.Popen([*map(str, command)], cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
        lines: list[str] = []
        reader = Thread(target=lambda: lines.extend(process.stdout or ()))
        reader.start()
        try:
            _saved(lambda: None, lines, "Watching; Ctrl-C ends it.")
            assert "FAILED" in lines[0]
            _saved(lambda: file.write_text(RIGHT), lines, "    Gone: Large values overflow.")
            sound = manifest.read_text()
            _saved(
                lambda: manifest.write_text(sound.replace("points = 40", 'points = "all"')), lines, "line 27: `points`"
            )
            _saved(lambda: manifest.write_text(sound + "\n# Mended.\n"), lines, "PASSED  100/100  as before")
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE_S) in (0, 130)
        finally:
            process.kill()
            reader.join()


def _saved(save: Callable[[], object], lines: list[str], told: str) -> None:
    """Waits until what comes after the save says so."""
    before = len(lines)
    save()
    wait_until(lambda: any(told in line for line in lines[before:]))
