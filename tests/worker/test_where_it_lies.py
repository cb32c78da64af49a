"""A submission gets the same verdict wherever the project and its packages lie, and learns nothing of where that is.

Each folder holds a copy of the code, with this installation's packages reached through it: so all paths begin with it.
"""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.report import Verdict
from tests.not_run import NOT_RUN
from tests.patience import PATIENCE_S
from tests.probes import corpus
from tests.probes.corpus import Kind, Probe

PROJECT = Path(__file__).parents[2]
CODE = ("app", "assay", "challenges", "engine", "grader", "worker")
COMPILED = PROJECT / "tests/submissions/mha-rope/passed/a_compiled_helper.py"
# Those that look around in the folders where a project may lie, and one that asks in every other way.
ASKING = {
    *("access/knows_where_it_lies", "access/lists_the_project", "access/makes_a_file_beside_the_libraries"),
    *("access/reads_files_of_other_submissions", "access/reads_home_folders", "access/walks_the_tree_for_secrets"),
    *("afterwards/a_file", "limits/fills_the_disk"),
}
PROBES = tuple(probe for probe in corpus.probes(*Kind) if probe.id in ASKING)
OF_THE_SYSTEM = Path("/usr/bin/python3")


@pytest.fixture(params=["/tmp", "/opt", "/home"])
def clone(request: pytest.FixtureRequest) -> Iterator[Path]:
    parent = Path(request.param)
    if not os.access(parent, os.W_OK):
        pytest.skip(f"{NOT_RUN}this user may make no folder in {parent}")
    if sys.prefix == sys.base_prefix:
        pytest.skip(f"{NOT_RUN}what is not in a virtual environment cannot be reached by another path")
    with tempfile.TemporaryDirectory(prefix="assay-clone-", dir=parent) as name:
        folder = Path(name, "with space")
        for package in CODE:
            shutil.copytree(PROJECT / package, folder / package)
        (folder / ".venv").symlink_to(sys.prefix)
        yield folder


def graded(clone: Path, sources: dict[str, bytes]) -> dict[str, str]:
    """The verdict of each, by the copy's own `assay grade`."""
    folder = clone / "submissions"
    folder.mkdir()
    files = [folder / f"{name.replace('/', '-')}.py" for name in sources]
    for file, source in zip(files, sources.values(), strict=True):
        file.write_bytes(source)
    done = subprocess.run(
        [
            clone / ".venv/bin/python",
            "-P",
            "-m",
            "assay",
            "grade",
            *files,
            *("--challenge", "mha-rope", "--format", "json"),
        ],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
        cwd=clone,
        env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONPATH": str(clone)},
    )
    verdicts = [json.loads(line)["verdict"] for line in done.stdout.splitlines()]
    assert len(verdicts) == len(sources), done.stderr
    return dict(zip(sources, verdicts, strict=True))


def source_of(probe: Probe) -> bytes:
    submission = corpus.submission_of(probe)
    return submission.files[submission.main]


def test_right_answers_pass_and_probes_get_nothing_from_a_copy_elsewhere(clone: Path) -> None:
    right = {"right": (PROJECT / "examples/correct.py").read_bytes(), "compiled": COMPILED.read_bytes()}
    asking = {probe.id: source_of(probe) for probe in PROBES}
    assert set(asking) == ASKING
    verdicts = graded(clone, right | asking)
    assert {name: verdicts[name] for name in right} == dict.fromkeys(right, Verdict.PASSED)
    assert [probe.id for probe in PROBES if not is_expected(probe, Verdict(verdicts[probe.id]))] == []


def is_expected(probe: Probe, verdict: Verdict) -> bool:
    return verdict in probe.expected if probe.expected else verdict is not Verdict.PASSED


@pytest.mark.parametrize("clone", ["/tmp"], indirect=True)
def test_the_systems_own_python_tells_nothing_of_where_it_lies_either(clone: Path) -> None:
    """Debian's makes settings of its own, of others that are no paths; images from scripts/docker-base have it."""
    if not is_ours_too(OF_THE_SYSTEM):
        pytest.skip(f"{NOT_RUN}{OF_THE_SYSTEM} cannot run this installation's packages")
    use_python(clone, OF_THE_SYSTEM)
    (probe,) = (probe for probe in PROBES if probe.name == "knows_where_it_lies")
    verdicts = graded(clone, {"right": (PROJECT / "examples/correct.py").read_bytes(), probe.id: source_of(probe)})
    assert verdicts["right"] == Verdict.PASSED
    assert is_expected(probe, Verdict(verdicts[probe.id]))


def is_ours_too(python: Path) -> bool:
    """Whether compiled packages of this Python are that one's too."""
    if not python.is_file():
        return False
    ask = "import sysconfig; print(sysconfig.get_config_var('SOABI'))"
    told = subprocess.run([python, "-c", ask], capture_output=True, text=True, check=True).stdout
    return told.strip() == sysconfig.get_config_var("SOABI")


def use_python(clone: Path, python: Path) -> None:
    """Replaces the copy's environment by one of that Python, with the same packages."""
    environment, ours = clone / ".venv", Path(sys.prefix)
    environment.unlink()
    (environment / "bin").mkdir(parents=True)
    (environment / "bin/python").symlink_to(python)
    (environment / "lib").symlink_to(ours / "lib")
    (environment / "pyvenv.cfg").write_text(f"home = {python.parent}\n")
