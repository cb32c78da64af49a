"""Sending a file, and what comes back: text for people, one line for programs, exit codes for both."""

import json
import os
import signal
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest
from pydantic import ConfigDict

from engine.wire.submissions import Submission
from grader.report import Report
from tests.engine import papers
from tests.engine.conftest import ENGINE, Student
from tests.engine.school import School
from tests.patience import PATIENCE_S, wait_until


def test_a_failed_submission_tells_verdict_cause_tests_and_next_step(student: Student):
    result = student.program("submit-build")
    assert result.returncode == 1
    lines = result.stdout.splitlines()
    assert lines[0] == "✗ Not passed yet: 37.5 of 100 points."
    assert result.stdout.index("RoPE is applied to V") < result.stdout.index("What failed")
    assert "cs336_basics/layers.py:5" in result.stdout
    assert "5 │     for h in range(num_heads):" in result.stdout
    assert "2 hidden tests" in result.stdout
    assert "Next: fix the cause above first" in result.stdout
    assert "engine answer" in result.stdout


def test_a_passed_submission_ends_with_zero(student: Student):
    student.write("right.py", papers.RIGHT)
    result = student.run("submit-build", "right.py")
    assert result.returncode == 0
    assert result.stdout.startswith("✓ Passed: 100 of 100 points.")
    told = " ".join(result.stdout.split())
    assert "roughly 1.1" in told
    assert "Time and memory are rough figures" in told


@pytest.mark.parametrize(
    ("source", "first_line"),
    [
        (papers.UNREADABLE, "✗ Not graded: this file can't be graded."),
        (b"CRASH", "✗ Not passed: your code stopped with an error."),
    ],
)
def test_other_verdicts_say_whose_fault_it_is(student: Student, source: bytes, first_line: str):
    student.write("mine.py", source)
    result = student.run("submit-build", "mine.py")
    assert result.returncode == 1
    assert result.stdout.splitlines()[0] == first_line


def test_whose_result_is_held_is_told_so_and_does_not_wait_for_it(student: Student, school: School):
    school.hold, school.is_held = True, True
    result = student.run("submit-build")
    assert (result.returncode, result.stdout.splitlines()[0]) == (0, "Submitted.")
    assert "held until your instructor releases it" in " ".join(result.stdout.split())


def test_progress_goes_to_standard_error_as_plain_lines(student: Student):
    result = student.run("submit-build")
    assert result.stderr.splitlines()[1:] == ["Waiting for a free grader.", "Grading.", "Graded."]
    assert "\x1b" not in result.stderr + result.stdout
    assert not any(line != line.rstrip() for line in result.stdout.splitlines())


def test_json_is_the_report_on_one_line_and_nothing_else(student: Student):
    result = student.program("submit-build", "--format", "json")
    assert result.returncode == 1
    assert result.stdout.count("\n") == 1
    assert Report.model_validate_json(result.stdout) == papers.report_for(papers.ROPE_ON_V, "layers.py")


def test_junit_is_xml_that_counts(student: Student):
    result = student.run("submit-build", "--format", "junit")
    suite = ElementTree.fromstring(result.stdout)[0]
    assert (suite.get("tests"), suite.get("failures")) == ("14", "9")
    assert suite.get("name") == "assay.mha-rope"


def test_no_wait_prints_the_id_and_ends_with_zero(student: Student, school: School):
    result = student.run("submit-build", "--no-wait")
    assert result.returncode == 0
    assert result.stdout.strip() in school.submissions
    assert student.run("submit-build", "--no-wait", "--format", "json").returncode == 2


@pytest.mark.parametrize(
    ("path", "source", "sentence"),
    [
        ("empty.py", b" \n", "is empty"),
        ("big.py", b"#" * 262_145, "the limit is 256 KiB"),
        ("work.ipynb", b"{}", "it has no list of cells"),
        ("folder/layers.py", b"x = 1", "is a folder"),
    ],
)
def test_a_bad_file_is_refused_before_anything_is_sent(
    student: Student, school: School, path: str, source: bytes, sentence: str
):
    file = student.write(path, source)
    result = student.invoke("submit-build", str(file.parent if "folder" in sentence else file))
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert not school.received


def test_a_file_that_is_not_there_says_where_it_looked(student: Student):
    (student.folder / "cs336_basics/layers.py").unlink()
    result = student.run("submit-build")
    assert result.returncode == 2
    assert f"There is no file cs336_basics/layers.py in {student.folder}" in result.stderr
    assert "engine init" in result.stderr


def test_modules_that_the_file_imports_go_along(student: Student, school: School):
    student.write("cs336_basics/layers.py", b"from cs336_basics.nn import softmax\n" + papers.RIGHT)
    student.write("cs336_basics/nn.py", b"softmax = 1\n")
    student.write("cs336_basics/unused.py", b"")
    result = student.run("submit-build")
    assert school.received[0]["siblings"] == {"cs336_basics/nn.py": b"softmax = 1\n"}
    assert "with cs336_basics/nn.py" in result.stderr


def test_a_lost_answer_never_submits_twice(student: Student, school: School):
    school.lost_posts = 2
    result = student.invoke("submit-build")
    assert result.exit_code == 1
    assert "trying again" in result.stderr
    assert len(school.submissions) == 1


def test_not_even_when_the_student_has_to_run_it_again(student: Student, school: School):
    school.lost_posts = 4
    assert student.invoke("submit-build").exit_code == 3
    assert student.invoke("submit-build").exit_code == 1
    assert len(school.submissions) == 1
    assert student.invoke("submit-build").exit_code == 1
    assert len(school.submissions) == 2, "the same file sent on purpose is a new attempt"


def test_a_home_that_cannot_be_written_to_does_not_stop_a_submission(student: Student):
    student.environment["XDG_CONFIG_HOME"] = "/proc/nowhere"
    assert student.invoke("submit-build").exit_code == 1


def test_a_gateway_that_stumbles_is_asked_again(student: Student, school: School):
    school.gateway_errors = 2
    assert student.invoke("submit-build").exit_code == 1


def test_something_else_than_assay_at_the_address_is_a_sentence(student: Student, school: School):
    school.gateway_errors = 99
    result = student.invoke("history")
    assert result.exit_code == 3
    assert "unlike an Assay server" in result.stderr


def test_a_busy_server_is_waited_for_once_when_it_is_short(student: Student, school: School):
    school.busy = 1
    result = student.invoke("submit-build")
    assert result.exit_code == 1
    assert "trying again in 1 s" in result.stderr


def test_and_else_says_when_to_come_back(student: Student, school: School):
    school.busy, school.busy_for_s = 1, 42
    result = student.invoke("submit-build")
    assert result.exit_code == 3
    assert "Try again in 42 seconds" in result.stderr


def test_a_server_that_says_when_is_not_repeated(student: Student, school: School):
    school.busy, school.busy_for_s, school.busy_because = 1, 42, "One an hour. Try again at 20:51 CET."
    result = student.invoke("submit-build")
    assert "One an hour. Try again at 20:51 CET." in result.stderr
    assert "42 seconds" not in result.stderr


def test_words_of_the_server_cannot_steer_the_terminal(student: Student):
    student.write("teapot.py", b"TEAPOT")
    result = student.run("submit-build", "teapot.py")
    assert result.returncode == 3
    assert "It ended [red]yesterday[/red]." in result.stderr
    assert "\x1b" not in result.stderr


def test_ctrl_c_says_that_the_submission_goes_on(student: Student, school: School):
    school.hold = True
    process = subprocess.Popen(
        [*ENGINE, "submit-build"],
        cwd=student.folder,
        env=student.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    wait_until(lambda: bool(school.last_event_ids))
    os.kill(process.pid, signal.SIGINT)
    stdout, stderr = process.communicate(timeout=PATIENCE_S)
    school.hold = False
    assert process.returncode == 130
    assert stdout == b""
    assert f"engine status {next(iter(school.submissions))}" in stderr.decode()


def test_a_terminal_gets_colours_and_a_frame_and_no_color_is_honoured(student: Student):
    colourful = student.converse("submit-build", typed=("q\n",))
    assert "\x1b[1;31m" in colourful.text
    assert "╭" in colourful.text
    plain = student.converse("submit-build", typed=("q\n",), NO_COLOR="1")
    assert "\x1b[1;31m" not in plain.text
    assert "\x1b[2m" not in plain.text


def test_a_dumb_terminal_gets_plain_lines(student: Student):
    dumb = student.converse("submit-build", typed=("q\n",), TERM="dumb")
    assert "\x1b" not in dumb.text


def test_narrow_terminals_and_old_encodings_are_fine(student: Student):
    narrow = student.converse("submit-build", typed=("q\n",), COLUMNS="30")
    assert narrow.exit_code == 1
    student.environment.pop("PYTHONUTF8")
    old = student.program("submit-build", PYTHONIOENCODING="ascii")
    assert old.returncode == 1
    assert old.stdout.startswith("x Not passed yet")


def test_what_the_client_reads_is_what_the_contract_says(student: Student, school: School):
    student.invoke("submit-build", "--no-wait")
    submission = school.submission(next(iter(school.submissions)))
    assert Submission.model_validate_json(json.dumps(submission)).challenge == "mha-rope"


class NewerReport(Report):
    """As a later version of the server may send it."""

    model_config = ConfigDict(extra="allow")


def test_a_report_of_a_newer_server_is_read_all_the_same(
    student: Student, school: School, monkeypatch: pytest.MonkeyPatch
):
    known = papers.report_for(papers.ROPE_ON_V, "layers.py").model_dump(by_alias=True)
    newer = NewerReport.model_validate(known | {"mood": "bright"})
    monkeypatch.setattr(school, "report", lambda source, filename: newer)
    assert "RoPE is applied to V" in student.run("submit-build").stdout
    assert '"mood":"bright"' in newer.to_json()


def test_a_file_elsewhere_is_taken_by_its_path(student: Student, tmp_path: Path, school: School):
    (tmp_path / "mine.py").write_bytes(papers.RIGHT)
    assert student.invoke("submit-build", str(tmp_path / "mine.py")).exit_code == 0


def test_the_assignment_named_is_sent_along(student: Student, school: School):
    student.run("submit-build", "--no-wait", "--assignment", "cs336/attention")
    student.run("submit-build", "--no-wait")
    assert [sent["assignment"] for sent in school.received] == ["cs336/attention", None]


def test_what_was_lost_on_its_way_is_not_the_same_for_another_assignment(student: Student, school: School):
    school.lost_posts = 4
    assert student.invoke("submit-build", "--no-wait", "--assignment", "cs336/attention").exit_code == 3
    student.invoke("submit-build", "--no-wait", "--assignment", "ml/a1")
    assert [sent["assignment"] for sent in school.received] == ["cs336/attention", "ml/a1"]
