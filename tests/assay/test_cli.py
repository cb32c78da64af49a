"""The other sub-commands, as typed."""

import re
import stat
import subprocess
import sys
from pathlib import Path

from tests.assay.conftest import Assay


def test_help_names_every_command_without_importing_torch_or_the_front_end(assay: Assay) -> None:
    done = assay("--help")
    assert "doctor" in done.stdout
    code = "import sys; from assay import cli; print(sorted({'torch', 'app', 'celery', 'redis'} & set(sys.modules)))"
    assert _python(code) == "[]"


def test_a_misspelt_command_is_2(assay: Assay) -> None:
    assert assay("grad").returncode == 2


def test_challenges_are_listed_and_shown(assay: Assay) -> None:
    assert re.search(r"^mha-rope +Multi-head .* \(layers\.py, 100 points\)$", assay("challenge", "list").stdout, re.M)
    assert "num_heads" in assay("challenge", "show", "mha-rope").stdout
    assert assay("challenge", "show", "mha-rop").returncode == 2


def test_people_are_added_listed_and_given_tokens(assay: Assay, tmp_path: Path) -> None:
    where = ("user", "--data-dir", tmp_path / "data")
    added = assay(*where, "add", "alice", "--role", "instructor")
    assert re.fullmatch(r"assay_[\w-]{32,}\n", added.stdout)
    assert assay(*where, "list").stdout == "alice\tinstructor\n"
    assert assay(*where, "token", "alice").stdout != added.stdout
    assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700


def test_a_name_that_is_taken_or_unknown_is_2_with_a_sentence(assay: Assay, tmp_path: Path) -> None:
    where = ("user", "--data-dir", tmp_path / "data")
    assay(*where, "add", "alice")
    for arguments in (("add", "alice"), ("add", "\n"), ("token", "bob")):
        done = assay(*where, *arguments)
        assert done.returncode == 2
        assert done.stderr.startswith("Error: ")


def test_doctor_says_that_this_machine_can_grade(assay: Assay) -> None:
    done = assay("doctor")
    assert done.returncode == 0, done.stdout
    assert "sandbox" in done.stdout
    assert "can grade" in done.stdout


def test_a_role_without_settings_says_what_it_needs(assay: Assay) -> None:
    for role, variable in (
        ("api", "ASSAY_DATABASE_URL"),
        ("recorder", "ASSAY_DATABASE_URL"),
        ("worker", "ASSAY_WORKER_REDIS_URL"),
        ("runner", "ASSAY_RUNNER_SOCKET"),
    ):
        done = assay(role)
        assert done.returncode != 0
        assert variable in done.stderr
        assert "Traceback" not in done.stderr


def test_a_misspelt_variable_stops_a_role(assay: Assay) -> None:
    done = assay("worker", ASSAY_WORKER_REDIS_ULR="redis://127.0.0.1:1/0")
    assert done.returncode != 0
    assert "ASSAY_WORKER_REDIS_ULR" in done.stderr


def _python(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
