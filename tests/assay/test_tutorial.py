"""docs/writing-a-challenge.md: its commands run, its output is what they print, its excerpts are the exercise's own."""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.assay.conftest import ROOT
from tests.patience import PATIENCE_S

TUTORIAL = ROOT / "docs" / "writing-a-challenge.md"
RESULT = ROOT / "challenges" / "rmsnorm"
BLOCK = re.compile(r"^```(\w+) ?(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
AUTHOR = {f"GIT_{role}_{what}": "author" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


@dataclass(frozen=True)
class Block:
    language: str
    file: str
    text: str


BLOCKS = [Block(*found) for found in BLOCK.findall(TUTORIAL.read_text())]
BEGIN, CHECK, GRADE, LIVE = (block.text for block in BLOCKS if block.language == "sh")
EXCERPTS = [block for block in BLOCKS if block.file]


def run(script: str, folder: Path) -> str:
    """As typed in a shell where `assay` is installed; any command that fails ends it."""
    typed = f'set -e\nassay() {{ "{sys.executable}" -P -m assay "$@"; }}\n{script}'
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "LANG": "C.UTF-8", "OMP_NUM_THREADS": "1"} | AUTHOR
    done = subprocess.run(
        ["bash", "-c", typed],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_beginning_works_and_prints_what_is_shown(tmp_path: Path) -> None:
    printed = _without_numbers(run(BEGIN + CHECK, tmp_path))
    (shown,) = [block.text for block in BLOCKS if block.language == "text"]
    for line in _without_numbers(shown).splitlines():
        assert line in printed.splitlines()
    assert "exercises/rmsnorm/accepted/plain.py: PASSED  #/#" in printed


def test_what_was_begun_goes_live_from_its_own_repository(tmp_path: Path) -> None:
    printed = run(BEGIN + LIVE, tmp_path)
    assert "Live: course.rmsnorm at commit " in printed
    assert re.search(r"^course +\w{12} +live +course\.rmsnorm ", printed, re.MULTILINE)


def _without_numbers(text: str) -> str:
    return re.sub(r"\d+(\.\d+)?", "#", text)


def test_the_end_works_on_the_finished_exercise(tmp_path: Path) -> None:
    shutil.copytree(RESULT, tmp_path / "exercises" / "rmsnorm")
    (where,) = [line for line in BEGIN.splitlines() if line.startswith("export ")]
    printed = run(f"{where}\n{GRADE}", tmp_path)
    assert "llama.py: PASSED  100/100" in printed
    assert "rule no-library-norm" in printed


@pytest.mark.parametrize("block", EXCERPTS, ids=[f"{number}-{block.file}" for number, block in enumerate(EXCERPTS)])
def test_an_excerpt_is_in_the_file_that_it_names(block: Block) -> None:
    assert block.text in (RESULT / block.file).read_text()


def test_every_file_of_an_exercise_is_spoken_of_and_every_block_is_of_a_known_kind() -> None:
    text = TUTORIAL.read_text()
    for path in (ROOT / "assay" / "template").iterdir():
        assert path.name in text, path.name
    assert {block.language for block in BLOCKS if not block.file} == {"sh", "text"}
