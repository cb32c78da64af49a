"""`assay` as its users start it: a process, with nothing of ours in its environment."""

import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S

ROOT = Path(__file__).resolve().parents[2]
Assay = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def examples() -> Path:
    return ROOT / "examples"


@pytest.fixture(scope="session")
def starter() -> Path:
    return ROOT / "challenges" / "mha-rope" / "starter" / "layers.py"


def run_assay(folder: Path, *arguments: str | Path, **told: str) -> "subprocess.CompletedProcess[str]":
    """`assay ...` in `folder`, which is its home too."""
    command = [sys.executable, "-P", "-m", "assay", *map(str, arguments)]
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "LANG": "C.UTF-8", **told}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )


@pytest.fixture
def assay(tmp_path: Path) -> Assay:
    """Runs `assay ...` in an empty folder with an empty home."""
    return partial(run_assay, tmp_path)
