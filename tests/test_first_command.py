"""`make demo`, the first command of the README: the whole service, a student and three files, for real."""

import os
import subprocess
import sys
from pathlib import Path

from tests.patience import PATIENCE_S

ROOT = Path(__file__).parents[1]


def test_the_demo_shows_a_refusal_a_diagnosis_a_pass_and_a_question(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-P", ROOT / "scripts" / "demo.py"],
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for told in ("is the unchanged starter", "RoPE is applied to the values", "Passed: 100 of 100", "Right: 1 of 1"):
        assert told in done.stdout
