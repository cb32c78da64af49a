"""`assay` in an empty folder with nothing of ours in its environment: in this process, or as a program of its own."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import chdir
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from assay.cli import cli
from tests.app.databases import Databases, SqliteFiles
from tests.patience import PATIENCE_S

ROOT = Path(__file__).resolve().parents[2]
Assay = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def examples() -> Path:
    return ROOT / "examples"


@pytest.fixture(scope="session")
def starter() -> Path:
    return ROOT / "challenges" / "mha-rope" / "starter" / "layers.py"


@pytest.fixture(scope="session")
def databases(tmp_path_factory: pytest.TempPathFactory) -> Databases:
    return SqliteFiles(tmp_path_factory.mktemp("databases"))


@pytest.fixture
def database_url(databases: Databases) -> Iterator[str]:
    """A database of this test's own, with the newest schema."""
    with databases.migrated() as url:
        yield url


def run_assay(folder: Path, *arguments: str | Path, **told: str) -> "subprocess.CompletedProcess[str]":
    """`assay ...` as a program, in `folder`, which is its home too."""
    command = [sys.executable, "-P", "-m", "assay", *map(str, arguments)]
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "LANG": "C.UTF-8", **told}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )


def invoke_assay(folder: Path, *arguments: str | Path, **told: str) -> "subprocess.CompletedProcess[str]":
    """The same in this process, where it is the command that is tested: a program imports for seconds first."""
    environment = dict.fromkeys(name for name in os.environ if name.startswith("ASSAY_")) | {"HOME": str(folder)} | told
    with chdir(folder):
        words = [*map(str, arguments)]
        done = CliRunner().invoke(cli, words, env=environment, prog_name="assay", catch_exceptions=False)
    return subprocess.CompletedProcess(words, done.exit_code, done.stdout, done.stderr)


@pytest.fixture
def assay(tmp_path: Path) -> Assay:
    """Runs `assay ...` in this process."""
    return partial(invoke_assay, tmp_path)


@pytest.fixture
def program(tmp_path: Path) -> Assay:
    """Runs `assay ...` as a program: what starts processes, takes signals or says how it was started."""
    return partial(run_assay, tmp_path)
