"""Installs what extras of this project need, by the hashes of requirements.lock.

python deploy/install.py PREFIX [EXTRA ...]        PREFIX is the virtual environment that gets it

The pip is that of the Python which runs this. What is found with another hash is refused, wherever it comes from.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from dependencies import Locked, text, wanted

# Of torch's own metadata: an environment that has it asks no index.
NEEDS_CUDA = (
    "import importlib.metadata as m; print(any(r.startswith(('nvidia-', 'cuda-')) for r in m.requires('torch') or ()))"
)


def install(prefix: str, packages: list[Locked], *options: str) -> None:
    if not packages:
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "requirements.txt"
        file.write_text(text(packages), encoding="utf-8")
        pip = [sys.executable, "-m", "pip", "--python", prefix, "--disable-pip-version-check", "install", "--quiet"]
        done = subprocess.run([*pip, "--require-hashes", *options, "-r", file], check=False)
    if done.returncode:
        sys.exit(done.returncode)


def main(prefix: str, *extras: str) -> None:
    plain, torch, cuda = wanted(extras)
    install(prefix, plain)
    install(prefix, torch, "--no-deps")
    if torch:
        python = Path(prefix) / "bin" / "python"
        asked = subprocess.run([python, "-c", NEEDS_CUDA], capture_output=True, text=True, check=True)
        install(prefix, cuda if asked.stdout.strip() == "True" else [], "--no-deps")


if __name__ == "__main__":
    main(*sys.argv[1:])
