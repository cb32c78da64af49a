"""One project that answers several exercises: its parts are found, submitted if they changed, and shown on a board."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine import client
from engine.errors import WrongUsage
from engine.parts import PartFile, Parts, written
from tests.engine.conftest import Student
from tests.engine.school import School

ENTRY = {"optional": 0, "keywords": [], "kind": "function", "methods": []}
SOURCE = {"modules": ["torch"], "max_bytes": 100_000}


def asks(name: str, *parameters: str, path: str) -> dict[str, Any]:
    entries = [ENTRY | {"name": name, "parameters": list(parameters)}]
    return {"entry_points": entries, "source": SOURCE, "default_path": path, "upload": path.rpartition("/")[2]}


@pytest.fixture
def project(student: Student, school: School) -> Student:
    """A package under src with two right parts and a wrong one, and nothing that says so."""
    (student.folder / "cs336_basics/layers.py").unlink()
    school.asks = asks("attend", "x", "heads", path="cs336_basics/layers.py")
    school.more = {
        "rmsnorm": asks("rmsnorm", "x", "weight", path="rmsnorm.py"),
        "mha-causal": asks("attend", "x", "heads", path="cs336_basics/layers.py"),
        "linear": asks("linear", "x", "weight", path="linear.py"),
    }
    student.write("pyproject.toml", b"")
    student.write("src/lm/__init__.py", b"from .attention import attend\n")
    student.write("src/lm/nn.py", b"import regex\n")
    student.write("src/lm/attention.py", b"from .nn import x\ndef attend(x, heads): return 'RIGHT'\n")
    student.write("src/lm/norm.py", b"def rmsnorm(x, weight): return 'RIGHT'\n")
    student.write("tests/old.py", b"def attend(x, heads): ...\n")
    student.write("src/lm/linear.py", b"def linear(weight, x): return 'RIGHT'\n")  # in another order
    student.write(".venv/lib/linear.py", b"def linear(x, weight): return 'RIGHT'\n")
    return student


def toml(project: Student, **parts: str) -> None:
    lines = [f'{slug.replace("_", "-")} = "{file}"\n' for slug, file in parts.items()]
    project.write("engine.toml", f"[exercises]\n{''.join(lines)}".encode())


def two_parts(project: Student) -> None:
    toml(project, mha_rope="src/lm/attention.py", rmsnorm="src/lm/norm.py")


def test_init_finds_the_parts_and_asks(project: Student) -> None:
    said = project.converse("init", typed=("y\n",), prompt="[Y/n]: ")
    assert said.exit_code == 0
    assert (project.folder / "engine.toml").read_text().splitlines()[-3:] == [
        "[exercises]",
        'mha-rope = "src/lm/attention.py"',
        'rmsnorm = "src/lm/norm.py"',
    ]
    assert "(also: tests/old.py" in said.text
    assert "mha-causal asks for the same functions as mha-rope" in said.text


def test_init_takes_no_for_an_answer_and_asks_nobody_who_is_not_there(project: Student) -> None:
    assert project.converse("init", typed=("n\n",), prompt="[Y/n]: ").exit_code == 0
    refused = project.run("init")
    assert refused.returncode == 2
    assert "engine init --yes" in refused.stderr
    assert not (project.folder / "engine.toml").exists()
    assert project.run("init", "--yes").returncode == 0
    before = (project.folder / "engine.toml").read_bytes()
    again = project.run("init", "--yes")
    assert (again.returncode, (project.folder / "engine.toml").read_bytes()) == (2, before)


def test_of_alike_exercises_the_assigned_one_is_meant(project: Student, school: School) -> None:
    score = {"code": 0, "code_max": 1, "questions": 0, "questions_max": 0, "total": 0, "total_max": 1}
    standing = {"course": "demo", "slug": "a", "title": "A", "challenge": "mha-causal"}
    school.me = {"assignments": [standing | {"score": score | {"unanswered": 0, "waiting": 0}}]}
    assert project.run("init", "--yes").returncode == 0
    parts = Parts.read(project.folder)
    assert parts is not None
    assert [item.challenge for item in parts.items] == ["mha-causal", "rmsnorm"]


def test_exercises_of_a_repository_have_a_dot_in_their_names(project: Student, school: School) -> None:
    school.more = {"cs336.norm": asks("rmsnorm", "x", "weight", path="rmsnorm.py")}
    assert "cs336.norm" in project.run("challenges").stdout
    assert project.run("init", "--yes").returncode == 0
    assert '"cs336.norm" = "src/lm/norm.py"' in (project.folder / "engine.toml").read_text()
    assert project.run("submit-build").returncode == 0
    assert [sent["challenge"] for sent in school.received] == ["mha-rope", "cs336.norm"]


def test_a_project_that_answers_nothing_is_told_where_to_begin(student: Student, school: School) -> None:
    school.asks = asks("attend", "x", path="a.py")
    result = student.run("init", "--yes")
    assert result.returncode == 2
    assert "No file here defines what an exercise asks for" in result.stderr


def test_only_what_changed_is_submitted_and_the_board_shows_all(project: Student, school: School) -> None:
    two_parts(project)
    first = project.run("submit-build")
    assert first.returncode == 0, first.stdout + first.stderr
    assert first.stdout.splitlines()[0] == "2 of 2 parts passed"
    assert [sent["challenge"] for sent in school.received] == ["mha-rope", "rmsnorm"]
    assert (school.received[0]["path"], list(school.received[0]["siblings"])) == ("lm/attention.py", ["lm/nn.py"])
    assert first.stdout.count("first attempt") == 2

    again = project.run("submit-build")
    assert (again.returncode, again.stdout.count("unchanged"), len(school.received)) == (0, 2, 2)

    project.write("src/lm/nn.py", b"import regex, torch\n")
    third = project.run("submit-build")
    assert [sent["challenge"] for sent in school.received] == ["mha-rope", "rmsnorm", "mha-rope"]
    assert third.stdout.count("unchanged") == 1
    forced = project.run("submit-build", "--force")
    assert (forced.returncode, len(school.received)) == (0, 5)
    assert forced.stdout.count("as before") == 2


def test_more_parts_than_are_taken_in_a_minute_are_sent_one_after_another(
    project: Student, school: School, monkeypatch: pytest.MonkeyPatch
) -> None:
    two_parts(project)
    waited: list[float] = []
    monkeypatch.setattr(client, "time", SimpleNamespace(sleep=waited.append))
    school.busy, school.busy_for_s = 1, 42
    result = project.invoke("submit-build")
    assert result.exit_code == 0, result.stderr
    assert "takes no more at the moment; trying again in 42 s." in result.stderr
    assert waited[0] == 42
    assert result.stdout.splitlines()[0] == "2 of 2 parts passed"


def test_a_wrong_part_is_named_with_what_became_of_it(project: Student, school: School) -> None:
    two_parts(project)
    project.run("submit-build")
    project.write("src/lm/norm.py", b"def rmsnorm(x, weight): return 'ROPE_ON_V'\n")
    result = project.run("submit-build")
    assert result.returncode == 1
    lines = result.stdout.splitlines()
    assert lines[0] == "1 of 2 parts passed"
    (row,) = (line for line in lines if line.startswith("✗ rmsnorm"))
    assert "src/lm/norm.py" in row
    assert "Not passed yet" in row
    assert "37.5 of 100" in row
    assert "New: RoPE is applied to V" in result.stdout
    assert "rmsnorm (src/lm/norm.py)" in result.stdout
    assert "In full: engine status" in result.stdout


def test_what_cannot_be_graded_keeps_nothing_else_back(project: Student, school: School) -> None:
    two_parts(project)
    project.write("src/lm/attention.py", b"def attend(x, heads)\n    return x\n")
    result = project.run("submit-build")
    assert result.returncode == 2
    assert [sent["challenge"] for sent in school.received] == ["rmsnorm"]
    assert "can't be graded" in result.stdout
    assert "attention.py is not valid Python, line 1" in result.stdout


def test_the_board_is_json_for_programs(project: Student) -> None:
    two_parts(project)
    for option in (["--json"], ["--format", "json"]):
        result = project.run("submit-build", *option)
        assert result.returncode == 0
        (line,) = result.stdout.splitlines()
        told = json.loads(line)
        assert told["schema"] == "assay.parts/1"
        assert [(part["challenge"], part["verdict"], part["score"]) for part in told["parts"]] == [
            ("mha-rope", "passed", 100.0),
            ("rmsnorm", "passed", 100.0),
        ]
        assert {part["report"]["schema"] for part in told["parts"]} == {"assay.report/1"}
    assert {part["since"] for part in told["parts"]} == {"unchanged"}


def test_no_wait_prints_the_ids_of_what_was_sent(project: Student, school: School) -> None:
    two_parts(project)
    result = project.run("submit-build", "--no-wait")
    assert result.returncode == 0
    assert result.stdout.split() == list(school.submissions)


def test_one_part_may_be_named_and_has_its_own_assignment(project: Student, school: School) -> None:
    parts = (PartFile("mha-rope", "src/lm/attention.py"), PartFile("rmsnorm", "src/lm/norm.py", "demo/norms"))
    project.write("engine.toml", written(parts).encode())
    result = project.run("submit-build", "src/lm/norm.py")
    assert result.returncode == 0
    assert result.stdout.startswith("✓ Passed")
    assert [(sent["challenge"], sent["assignment"]) for sent in school.received] == [("rmsnorm", "demo/norms")]
    assert project.run("submit-build", "--challenge", "mha-rope").returncode == 0
    assert school.received[1]["path"] == "lm/attention.py"
    for words in (["--format", "junit"], ["--assignment", "demo/norms"]):
        refused = project.run("submit-build", *words)
        assert refused.returncode == 2
        assert "Name its file" in refused.stderr
    assert len(school.received) == 2


def test_a_challenge_of_an_exercise_repository_stands_in_quotes(tmp_path: Path) -> None:
    (tmp_path / "linear.py").write_text("")
    (tmp_path / "engine.toml").write_text(written([PartFile("cs336.linear", "linear.py")]))
    found = Parts.read(tmp_path)
    assert found is not None
    assert found.items == (PartFile("cs336.linear", "linear.py"),)


@pytest.mark.parametrize(
    ("text", "sentence", "hint"),
    [
        ('[exercises]\nmha-rope = "a.py\n', "engine.toml, line 2: ", "Each line is like"),
        ('[exercises]\n\nmha-rope = "b.py"\n', "engine.toml, line 3: there is no file b.py for mha-rope", "Correct"),
        ("[exercises]\nmha-rope = 3\n", "engine.toml, line 2: mha-rope needs the path of a file", "Write it like"),
        ('[exercises]\nmha-rope = { path = "a.py" }\n', "line 2: mha-rope needs the path", "Write it like"),
        ('[exercises]\nmha-rope = { file = "a.py", assignment = 3 }\n', "line 2: the assignment of", "course/"),
        ('[exercises]\ncs336.rmsnorm = "a.py"\n', "line 2: cs336 needs the path of a file", "with the name in quotes"),
        ('[exercises]\n"a.b.c" = "a.py"\n', "engine.toml, line 2: 'a.b.c' is not an exercise's name", "engine"),
        ('[exercise]\nmha-rope = "a.py"\n', "engine.toml, line 1: `exercise` is not known", "[exercises]"),
        ("[exercises]\n", "there is no exercise in [exercises]", "engine init"),
        ("", "there is no exercise in [exercises]", "engine init"),
        ('[exercises]\n"mha rope" = "a.py"\n', "engine.toml, line 2: 'mha rope' is not an exercise's name", "engine"),
        ('[exercises]\nx = "../a.py"\n', "line 2: '../a.py' is not a path inside this folder", "Write it like"),
        ('[exercises]\nx = "/etc/passwd"\n', "is not a path inside this folder", "Write it like"),
        ('[exercises]\nx = "link.py"\n', "line 2: link.py is a link that leaves this folder", "Put the file"),
        ('[exercises]\nx = "folder"\n', "there is no file folder for x", "Correct"),
        ('[exercises]\nx = "a\\u001b.py"\n', "is not a path inside this folder", "Write it like"),
        ('[exercises]\nx = "a.py"\nx = "a.py"\n', "engine.toml, line 3: ", "Each line"),
        ("x = " + "[" * 10_000, "engine.toml: it cannot be read", "Each line"),
        ("x = " + "9" * 10_000, "engine.toml: it cannot be read", "Each line"),
    ],
)
def test_what_is_wrong_in_engine_toml_is_told_with_its_line(
    tmp_path: Path, text: str, sentence: str, hint: str
) -> None:
    folder = tmp_path / "project"
    (folder / "folder").mkdir(parents=True)
    (folder / "a.py").write_text("")
    (tmp_path / "outside.py").write_text("")
    (folder / "link.py").symlink_to(tmp_path / "outside.py")
    (folder / "engine.toml").write_text(text)
    with pytest.raises(WrongUsage) as raised:
        Parts.read(folder)
    assert sentence in raised.value.message
    assert hint in raised.value.hint


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    items = (PartFile("mha-rope", "src/é 1.py"), PartFile("cs336.rmsnorm", "src/é 1.py", "course/one"))
    (tmp_path / "src").mkdir()
    (tmp_path / "src/é 1.py").write_text("")
    (tmp_path / "engine.toml").write_text(written(items), encoding="utf-8")
    parts = Parts.read(tmp_path)
    assert parts is not None
    assert parts.items == items


def test_no_engine_toml_takes_long_to_read(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("")
    lines = "".join(f'x{number} = "a.py"\n' for number in range(2000))
    (tmp_path / "engine.toml").write_text(f"[exercises]\n{lines}")
    parts = Parts.read(tmp_path)
    assert parts is not None
    assert len(parts.items) == 2000
    (tmp_path / "engine.toml").write_text(f"[exercises]\n{lines}y = 3\n")
    with pytest.raises(WrongUsage, match="line 2002"):
        Parts.read(tmp_path)


def test_what_the_server_does_not_accept_keeps_no_other_part_from_being_sent(project: Student, school: School) -> None:
    two_parts(project)
    project.write("src/lm/attention.py", b"def attend(x, heads): return 'TEAPOT'\n")
    result = project.run("submit-build")
    assert result.returncode == 2
    assert "mha-rope  src/lm/attention.py  not accepted" in result.stdout
    assert "It ended [red]yesterday[/red]." in result.stdout
    assert [sent["challenge"] for sent in school.received] == ["rmsnorm"]


def test_the_board_tears_no_words_apart_in_a_narrow_terminal(project: Student, school: School) -> None:
    two_parts(project)
    told = project.converse("submit-build", COLUMNS="40", NO_COLOR="1").text
    assert "mha-rope, src/lm/attention.py," in told
