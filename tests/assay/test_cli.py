"""The other sub-commands, as typed."""

import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from assay.datadir import Address, DataDir
from grader.challenge import DEFAULT_ROOT
from tests.assay.conftest import Assay


def test_help_names_every_command_without_importing_torch_or_the_front_end(program: Assay) -> None:
    done = program("--help")
    assert "doctor" in done.stdout
    code = "import sys; from assay import cli; print(sorted({'torch', 'app', 'celery', 'redis'} & set(sys.modules)))"
    assert _python(code) == "[]"


@pytest.mark.parametrize(
    "group",
    ["user", "course", "exercises", "regrade", "challenge"]
    + [f"course {name}" for name in ("roster", "assignment", "exception", "override", "grades")],
)
def test_what_a_command_does_is_said_in_a_whole_sentence(assay: Assay, group: str) -> None:
    listed = assay(*group.split(), "--help").stdout.partition("Commands:")[2]
    assert listed
    assert "..." not in listed


def test_a_misspelt_command_is_2_and_told_which_was_meant(assay: Assay) -> None:
    done = assay("grad")
    assert done.returncode == 2
    assert "(Did you mean one of: 'grade', " in done.stderr


def test_challenges_are_listed_and_shown(assay: Assay) -> None:
    assert re.search(r"^mha-rope +Multi-head .* \(layers\.py, 100 points\)$", assay("challenge", "list").stdout, re.M)
    assert "num_heads" in assay("challenge", "show", "mha-rope").stdout
    assert assay("challenge", "show", "mha-rop").returncode == 2


def test_questions_are_shown_as_a_student_is_asked_them(assay: Assay) -> None:
    questions = ("challenge", "questions", "mha-rope")
    asked = assay(*questions).stdout
    assert re.match(r"mha-rope: \d+ questions, \d+ points, asked of anna\n", asked)
    assert "Asked of those whose earlier attempt showed rope-on-v." in asked
    assert "even = ____" in asked
    answer = "turned_even * cos + turned_odd * sin: Rotating back is"
    assert answer not in asked
    assert answer in " ".join(assay(*questions, "--answers").stdout.split())
    assert assay(*questions, "--student", "bob").stdout != asked
    assert assay("challenge", "questions", "mha-rop").returncode == 2


def test_a_bank_that_is_broken_is_1_with_a_sentence(assay: Assay, tmp_path: Path) -> None:
    shutil.copytree(DEFAULT_ROOT / "rmsnorm", tmp_path / "rmsnorm")
    (tmp_path / "rmsnorm" / "questions.toml").write_text("questions = 3", encoding="utf-8")
    done = assay("challenge", "questions", "rmsnorm", "--root", tmp_path)
    assert (done.returncode, "questions.toml, line 1: `questions` must be a list" in done.stderr) == (1, True)


def test_people_are_added_listed_and_given_tokens(assay: Assay, tmp_path: Path) -> None:
    where = ("user", "--data-dir", tmp_path / "data")
    added = assay(*where, "add", "alice", "--role", "instructor")
    assert re.fullmatch(r"assay_[\w-]{32,}\n", added.stdout)
    assert assay(*where, "list").stdout == "alice\tinstructor\n"
    assert assay(*where, "token", "alice").stdout != added.stdout
    assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700


def test_the_database_may_be_named_behind_the_sub_command_too(assay: Assay, tmp_path: Path) -> None:
    data, other = ("--data-dir", tmp_path / "data"), ("--data-dir", tmp_path / "other")
    assert assay("user", "add", "alice", *data).returncode == 0
    assert assay("user", *data, "list").stdout == assay("user", "list", *data).stdout == "alice\tstudent\n"
    assert assay("user", *other, "list", *data).stdout == "alice\tstudent\n"
    for command in ("exercises", "course"):
        assert assay(command, "list", *data).returncode == 0
        missing = assay(command, "list", *other)
        assert (missing.returncode, f"`assay migrate --data-dir {other[1]}`" in missing.stderr) == (2, True)
    two = assay("exercises", *other, "list", "--database-url", f"sqlite:///{tmp_path}/data/assay.db")
    assert (two.returncode, "Give one of the two" in two.stderr) == (2, True)


def test_an_operator_is_put_into_no_course_unless_told(assay: Assay, tmp_path: Path) -> None:
    data = ("--data-dir", tmp_path / "data")
    assay("user", *data, "add", "root", "--role", "operator")
    assert "demo" not in assay("course", *data, "list").stdout
    assay("user", *data, "add", "alice")
    assert "demo" in assay("course", *data, "list").stdout
    assay("user", *data, "add", "olga", "--role", "operator", "--course", "here")
    assert "here" in assay("course", *data, "list").stdout


def test_a_link_begins_with_the_address_of_the_running_service(assay: Assay, tmp_path: Path) -> None:
    where = ("user", "--data-dir", tmp_path / "data")
    assay(*where, "add", "alice")
    data = DataDir.at(tmp_path / "data")
    assert assay(*where, "link", "alice").stdout.startswith("http://127.0.0.1:8000/code#")
    data.announce(Address("http://127.0.0.1:8471", 1, ""))
    assert assay(*where, "link", "alice").stdout.startswith("http://127.0.0.1:8471/code#")
    assert assay(*where, "link", "alice", "--server", "https://a.example/").stdout.startswith("https://a.example/code#")


def test_a_name_that_is_taken_or_unknown_is_2_with_a_sentence(assay: Assay, tmp_path: Path) -> None:
    where = ("user", "--data-dir", tmp_path / "data")
    assay(*where, "add", "alice")
    for arguments in (("add", "alice"), ("add", "\n"), ("token", "bob")):
        done = assay(*where, *arguments)
        assert done.returncode == 2
        assert done.stderr.startswith("Error: ")


def test_doctor_says_that_this_machine_can_grade(program: Assay) -> None:
    done = program("doctor")
    assert done.returncode == 0, done.stdout
    assert "sandbox" in done.stdout
    assert "can grade" in done.stdout
    assert "secure cookies and HSTS are off" in done.stdout


def test_doctor_says_when_people_come_over_https(assay: Assay) -> None:
    said = assay("doctor", ASSAY_PUBLIC_URL="https://assay.example.edu").stdout
    assert "https://assay.example.edu: cookies over HTTPS only, and HSTS" in said


def test_a_role_without_settings_says_what_it_needs(program: Assay) -> None:
    for role, variable in (
        ("api", "ASSAY_DATABASE_URL"),
        ("recorder", "ASSAY_DATABASE_URL"),
        ("worker", "ASSAY_WORKER_REDIS_URL"),
        ("runner", "ASSAY_RUNNER_SOCKET"),
        ("verifier", "ASSAY_VERIFIER_REDIS_URL"),
    ):
        done = program(role)
        assert done.returncode != 0
        assert variable in done.stderr
        assert "Traceback" not in done.stderr


def test_a_misspelt_variable_stops_a_role(program: Assay) -> None:
    done = program("worker", ASSAY_WORKER_REDIS_ULR="redis://127.0.0.1:1/0")
    assert done.returncode != 0
    assert "ASSAY_WORKER_REDIS_ULR" in done.stderr


def _python(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
