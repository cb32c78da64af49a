"""`assay export autograder`: the zip, and what is in it."""

import hashlib
import subprocess
import zipfile
from pathlib import Path

import pytest

from tests.assay.conftest import ROOT, invoke_assay


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("zip")
    done = invoke_assay(folder, "export", "autograder", "mha-rope-causal", "--output", "autograder.zip")
    assert done.returncode == 0, done.stderr
    assert "set the assignment's points to 100" in done.stderr
    return folder / "autograder.zip"


def names(archive: Path) -> set[str]:
    with zipfile.ZipFile(archive) as opened:
        return set(opened.namelist())


def test_both_scripts_lie_at_the_root_and_can_be_run(archive: Path) -> None:
    with zipfile.ZipFile(archive) as opened:
        for name in ("setup.sh", "run_autograder"):
            assert opened.getinfo(name).external_attr >> 16 & 0o111 == 0o111
            assert opened.read(name).startswith(b"#!/usr/bin/env bash\n")
            subprocess.run(["bash", "-n"], input=opened.read(name), check=True)


def test_it_holds_the_exercise_with_the_one_that_it_extends_and_no_other(archive: Path) -> None:
    exercises = {name.split("/")[2] for name in names(archive) if name.startswith("code/challenges/")}
    assert exercises == {"__init__.py", "mha-rope", "mha-rope-causal"}
    with zipfile.ZipFile(archive) as opened:
        assert opened.read("challenge") == b"mha-rope-causal\n"


def test_it_holds_the_grader_and_the_lock_and_nothing_of_the_service(archive: Path) -> None:
    packages = {name.split("/")[1] for name in names(archive) if name.startswith("code/")}
    assert packages == {"assay", "challenges", "engine", "grader", "worker"}
    with zipfile.ZipFile(archive) as opened:
        assert opened.read("install/requirements.lock") == (ROOT / "requirements.lock").read_bytes()
    assert not any("__pycache__" in name or name.startswith("code/assay/template") for name in names(archive))


def test_the_same_source_gives_the_same_bytes(archive: Path, tmp_path: Path) -> None:
    invoke_assay(tmp_path, "export", "autograder", "mha-rope-causal", "--output", "again.zip")
    digests = {hashlib.sha256(path.read_bytes()).hexdigest() for path in (archive, tmp_path / "again.zip")}
    assert len(digests) == 1


def test_another_index_is_told_to_pip(tmp_path: Path) -> None:
    words = ["export", "autograder", "rmsnorm", "--output", "a.zip", "--extra-index", "https://wheels.example.edu/cpu"]
    assert invoke_assay(tmp_path, *words).returncode == 0
    with zipfile.ZipFile(tmp_path / "a.zip") as opened:
        told = opened.read("install/pip.conf").decode()
    assert told == "[global]\nextra-index-url = https://wheels.example.edu/cpu\n"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nosuch", "--output", "a.zip"], "There is no challenge 'nosuch'."),
        (["mha-rope", "--output", "there.zip"], "there.zip is there already."),
        (["mha-rope", "--output", "a.zip", "--extra-index", "wheels"], "It begins with https://"),
        (["mha-rope", "--output", "a.zip", "--extra-index", "https://x/\nindex-url = y"], "is no address of an index"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_sentence(words: list[str], sentence: str, tmp_path: Path) -> None:
    (tmp_path / "there.zip").write_text("of somebody")
    done = invoke_assay(tmp_path, "export", "autograder", *words)
    assert done.returncode == 2
    assert sentence in " ".join(done.stderr.split())
    assert (tmp_path / "there.zip").read_text() == "of somebody"
    assert not (tmp_path / "a.zip").exists()


def test_a_course_is_exported_as_before(tmp_path: Path) -> None:
    invoke_assay(tmp_path, "migrate", "--data-dir", tmp_path)
    done = invoke_assay(tmp_path, "export", "dl-2026", "--data-dir", tmp_path)
    assert done.returncode == 2
    assert "dl-2026" in done.stderr
