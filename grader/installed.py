"""Where this installation has its challenges. Standard library only."""

from pathlib import Path
from typing import Final

DEFAULT_ROOT: Final = Path(__file__).parents[1] / "challenges"  # a package beside this one; the runner's image has none
