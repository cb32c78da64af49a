"""mha-rope with a GPU stage that a CPU can go through in a second: the same code, with a smaller size to be timed."""

import shutil
from pathlib import Path

from grader.challenge import DEFAULT_ROOT
from grader.guest.execution import Device

SIZES = "SEQ, D_MODEL, HEADS = 2048, 4096, 32"
SMALL = "SEQ, D_MODEL, HEADS = 64, 64, 4"
CPU = Device("cpu", "a CPU in its place", 1 << 28)


def challenges_with_small_stage(folder: Path) -> Path:
    """A root with that one challenge in it."""
    shutil.copytree(DEFAULT_ROOT / "mha-rope", folder / "mha-rope")
    declared = folder / "mha-rope" / "gpu" / "stage.py"
    text = declared.read_text(encoding="utf-8")
    assert SIZES in text
    declared.write_text(text.replace(SIZES, SMALL), encoding="utf-8")
    return folder
