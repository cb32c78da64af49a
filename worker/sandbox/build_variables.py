"""What `sysconfig` tells of how Python was built, without the paths: for where a sandbox is laid out."""

import runpy
from pathlib import Path

DESCRIBED = "_sysconfigdata_*.py"
_MADE_INTO_PATHS = {"MULTIARCH"}  # Debian's `sysconfig` puts a slash before it, and calls that a setting of its own


def without_paths(described: Path) -> str:
    """Writes the text that takes the place of that module."""
    told = runpy.run_path(str(described))["build_time_vars"]
    kept = {name: value for name, value in told.items() if "/" not in str(value) and name not in _MADE_INTO_PATHS}
    return f"build_time_vars = {kept!r}\n"
