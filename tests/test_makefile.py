"""The Makefile, as far as a test may go without installing anything."""

import shlex
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_make_hands_on_a_folder_with_a_space_as_one_word() -> None:
    command = ["make", "--dry-run", "up", "DATA=/srv/the data", "--old-file=.venv/installed-embedded"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    [started] = [shlex.split(line) for line in said.splitlines() if "assay up" in line]
    assert started[started.index("--data-dir") + 1] == "/srv/the data"
