"""Installs what extras of this project need, by the hashes of requirements.lock.

python deploy/install.py PREFIX [EXTRA ...]        PREFIX is the virtual environment that gets it

The pip is that of the Python which runs this. What is found with another hash is refused, wherever it comes from.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from dependencies import Locked, builds, text, wanted

# Of torch's own metadata: an environment that has it asks no index.
NEEDS_CUDA = (
    "import importlib.metadata as m; print(any(r.startswith(('nvidia-', 'cuda-')) for r in m.requires('torch') or ()))"
)


def install(prefix: str, packages: list[Locked], *options: str) -> None:
    if packages and (failed := _pip(prefix, packages, *options).returncode):
        sys.exit(failed)


def install_torch(prefix: str, torch: Locked) -> None:
    """Another build than the registry's, where pip finds one: the registry's needs gigabytes of CUDA besides. Asked for
    both, pip prefers what an index announces by its hash to a file in a folder, which nobody announces.
    """
    if not any(_pip(prefix, [build], "--no-deps", is_tried=True).returncode == 0 for build in builds(torch)):
        install(prefix, [torch], "--no-deps")


def _pip(
    prefix: str, packages: list[Locked], *options: str, is_tried: bool = False
) -> "subprocess.CompletedProcess[bytes]":
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "requirements.txt"
        file.write_text(text(packages), encoding="utf-8")
        # Into its own environment, where a pip may be older than this option.
        elsewhere = [] if Path(prefix).resolve() == Path(sys.prefix).resolve() else ["--python", prefix]
        pip = [sys.executable, "-m", "pip", *elsewhere, "--disable-pip-version-check", "install", "--quiet"]
        return subprocess.run([*pip, "--require-hashes", *options, "-r", file], check=False, capture_output=is_tried)


def main(prefix: str, *extras: str) -> None:
    plain, torch, cuda = wanted(extras)
    install(prefix, plain)
    for package in torch:
        install_torch(prefix, package)
        python = Path(prefix) / "bin" / "python"
        asked = subprocess.run([python, "-c", NEEDS_CUDA], capture_output=True, text=True, check=True)
        install(prefix, cuda if asked.stdout.strip() == "True" else [], "--no-deps")


if __name__ == "__main__":
    main(*sys.argv[1:])
