"""A file that cannot be graded is not sent, and what is said of it is what the server would say."""

import json
from pathlib import Path

import pytest

from app.challenges.schemas import describe
from app.challenges.service import Catalogue
from engine.check import refusal_before_sending
from engine.upload import Upload
from engine.wire.challenges import ChallengeDetail
from grader.challenge import DEFAULT_ROOT
from grader.guest.source import inspect_source
from tests.engine import papers
from tests.engine.conftest import Student
from tests.engine.school import School
from tests.grader.corpus import FOLDER, Entry, entries_in

CHALLENGES = {entry.slug: entry for entry in Catalogue(DEFAULT_ROOT)}
STARTER = b"def rope(x, theta=1.0):\n    raise NotImplementedError\n"
ASKS = {
    "entry_points": [{"name": "rope", "parameters": ["x", "theta"], "optional": 1}],
    "source": {"modules": ["torch", "einops"], "max_bytes": 1000},
    "starter": STARTER.decode(),
}
GRADABLE = b"def rope(x, theta=1.0):\n    return 'RIGHT'\n"


def told_to_clients(slug: str) -> ChallengeDetail:
    return ChallengeDetail.model_validate_json(describe(CHALLENGES[slug]).model_dump_json(), extra="ignore")


def sent_by(entry: Entry) -> Upload:
    siblings = {path: source for path, source in entry.submission.files.items() if path != entry.submission.main}
    return Upload(Path(Path(entry.submission.main).name), entry.submission.source, siblings)


@pytest.mark.parametrize("slug", CHALLENGES)
def test_what_is_said_before_sending_is_what_the_server_says(slug: str):
    told, rules = told_to_clients(slug), CHALLENGES[slug].challenge.source_rules
    rejected = [entry for entry in entries_in(FOLDER) if (entry.challenge, entry.verdict) == (slug, "rejected")]
    for entry in rejected:
        refusal = refusal_before_sending(sent_by(entry), told)
        assert refusal is not None, entry.name
        assert refusal == inspect_source(entry.submission, rules).refusal, entry.name
    assert len(rejected) > 2


@pytest.mark.parametrize("slug", CHALLENGES)
def test_what_the_server_grades_is_sent(slug: str):
    told = told_to_clients(slug)
    graded = [entry for entry in entries_in(FOLDER) if entry.challenge == slug and entry.verdict == "passed"]
    assert [entry.name for entry in graded if refusal_before_sending(sent_by(entry), told)] == []
    assert graded


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (b"def rope(x, theta=1.0)\n    return x\n", ["mine.py is not valid Python, line 1: SyntaxError", "mine.py:1"]),
        (
            b"import pandas\n" + GRADABLE.replace(b"'RIGHT'", b"pandas.NA"),
            ["mine.py, line 1: imports `pandas`", "torch, einops", "`pandas` is used in line 3."],
        ),
        (b"\n\ndef ropes(x, theta=1.0): ...\n", ["mine.py does not define `rope(x, theta=...)`", "mine.py:3"]),
        (b"if x = 1:\n    pass\n", ["Maybe you meant '==' or ':=' instead of '='? mine.py:1"]),
        (b"def rope(x): ...\n", ["a different signature", "mine.py:1"]),
        ("# é\n".encode("latin-1") + GRADABLE, ["mine.py is not UTF-8 text (line 1)"]),
        (b"# to do\n", ["mine.py is empty apart from comments: it must define `rope`."]),
        (b"#" * 1000 + GRADABLE, ["the limit is 1,000"]),
        (STARTER, ["mine.py is the unchanged starter"]),
        (b"# Ada Lovelace\n" + STARTER, ["mine.py is the unchanged starter"]),
        (b"x = " + b"(" * 5000 + b")" * 5000, ["mine.py is not valid Python", "too many nested parentheses"]),
    ],
)
def test_what_cannot_be_graded_is_not_sent(student: Student, school: School, source: bytes, told: list[str]):
    school.asks = ASKS | {"source": ASKS["source"] | {"max_bytes": 20_000}} if b"(((" in source else ASKS
    student.write("mine.py", source)
    result = student.program("submit-build", "mine.py")
    assert result.returncode == 2
    assert result.stdout.startswith("✗ Not submitted: this file can't be graded.")
    said = " ".join(result.stdout.split())
    assert [words for words in told if words not in said] == []
    assert "No attempt was used." in said
    assert not school.received


def notebook(*cells: str) -> bytes:
    return json.dumps({"cells": [{"cell_type": "code", "source": cell} for cell in cells]}).encode()


def test_what_cannot_be_graded_of_a_notebook_is_told_by_its_cell(student: Student, school: School):
    school.asks = ASKS
    for cell, told in (
        ("x = 1\ndef f(", "work.ipynb is not valid Python, cell 2, line 2"),
        ("x = 1", "does not define"),
    ):
        student.write("work.ipynb", notebook("!ls\nimport pandas", cell))
        result = student.run("submit-build", "work.ipynb")
        assert result.returncode == 2
        assert told in " ".join(result.stdout.split())
    assert not school.received


def test_a_notebook_is_sent_as_the_python_of_its_cells(student: Student, school: School):
    school.asks = ASKS
    student.write("work.ipynb", notebook("!ls\nimport pandas", GRADABLE.decode()))
    result = student.run("submit-build", "work.ipynb")
    assert result.returncode == 0, result.stdout
    assert len(school.received) == 1
    (sent,) = school.submissions.values()
    assert sent["filename"] == "work.ipynb"


def test_it_is_sent_all_the_same_when_the_student_insists(student: Student, school: School):
    school.asks = ASKS
    student.write("mine.py", papers.UNREADABLE)
    assert student.run("submit-build", "mine.py", "--force").returncode == 1
    assert len(school.received) == 1


def test_with_no_wait_nothing_but_an_id_is_on_standard_output(student: Student, school: School):
    school.asks = ASKS
    student.write("mine.py", papers.UNREADABLE)
    result = student.run("submit-build", "mine.py", "--no-wait")
    assert (result.returncode, result.stdout) == (2, "")
    assert "Not submitted" in result.stderr


def test_programs_get_the_report_of_the_server(student: Student, school: School):
    school.asks = ASKS
    student.write("mine.py", papers.UNREADABLE)
    assert '"verdict":"rejected"' in student.run("submit-build", "mine.py", "--format", "json").stdout


def test_what_can_be_graded_is_sent(student: Student, school: School):
    school.asks = ASKS
    student.write("mine.py", GRADABLE)
    assert student.run("submit-build", "mine.py").returncode == 0
    assert len(school.received) == 1


def test_what_the_server_lacks_and_the_exercise_does_not_need_is_sent_with_a_word(student: Student, school: School):
    school.asks = ASKS
    student.write("mine.py", b"import pandas, regex.x\ntry: import jax\nexcept ImportError: ...\n" + GRADABLE)
    result = student.run("submit-build", "mine.py")
    assert result.returncode == 0
    assert "The server does not have pandas, regex: code that uses it will stop there." in result.stderr


def test_data_files_that_a_module_opens_stay_here_and_that_is_said(student: Student, school: School):
    school.asks = ASKS
    student.write("pyproject.toml", b"")
    student.write("lm/__init__.py", b"")
    student.write("lm/tokenizer.py", b'V = open(HERE / "vocab.json")\nM = "data/merges.txt"\nNO = "elsewhere.txt"\n')
    student.write("lm/vocab.json", b"{}")
    student.write("data/merges.txt", b"")
    student.write("lm/mine.py", b'"""See notes.md."""\nfrom lm import tokenizer\nimport os.path\n' + GRADABLE)
    result = student.run("submit-build", "lm/mine.py")
    assert "data/merges.txt, vocab.json stay here, as only modules are sent" in result.stderr
    assert list(school.received[0]["siblings"]) == ["lm/tokenizer.py"]


def test_a_file_outside_the_project_is_not_looked_at(student: Student, school: School):
    school.asks = ASKS
    student.write("project/pyproject.toml", b"")
    student.write("secret.txt", b"")
    student.write("project/mine.py", GRADABLE + b'\nX = "../secret.txt"\nY = "/etc/passwd.txt"\nZ = "a\\0.txt"\n')
    assert "here" not in student.run("submit-build", "project/mine.py").stderr
