"""Getting a challenge: its files come once, and a student's work is never overwritten."""

import pytest

from tests.engine.conftest import Student
from tests.engine.school import School


def test_it_writes_the_starter_and_the_specification_and_says_what_is_next(student: Student):
    (student.folder / "cs336_basics/layers.py").unlink()
    result = student.invoke("init", "mha-rope")
    assert result.exit_code == 0
    assert (student.folder / "cs336_basics/layers.py").read_bytes() == b"import torch\n"
    assert (student.folder / "cs336_basics/mha-rope.md").read_text() == "# Multi-head attention\n"
    assert "engine submit-build" in result.stdout


def test_work_is_not_overwritten_unless_forced(student: Student):
    before = (student.folder / "cs336_basics/layers.py").read_bytes()
    result = student.invoke("init", "mha-rope")
    assert result.exit_code == 2
    assert (student.folder / "cs336_basics/layers.py").read_bytes() == before
    assert not (student.folder / "cs336_basics/mha-rope.md").exists()
    assert student.invoke("init", "mha-rope", "--force").exit_code == 0
    assert (student.folder / "cs336_basics/layers.py").read_bytes() == b"import torch\n"


def test_a_challenge_of_an_exercise_repository_has_its_namespace(student: Student, school: School):
    school.more = {"cs336.linear": {"default_path": "linear.py", "upload": "linear.py"}}
    assert "cs336.linear" in student.invoke("challenges").stdout
    assert student.invoke("init", "cs336.linear").exit_code == 0
    assert (student.folder / "cs336.linear.md").is_file()
    assert student.invoke("submit-build", "linear.py", "--no-wait").exit_code == 0
    assert school.received[0]["challenge"] == "cs336.linear"


def test_of_several_exercises_in_a_folder_the_one_that_is_meant_is_named(student: Student, school: School):
    (student.folder / "cs336_basics/layers.py").unlink()
    paths = {"cs336.linear": "linear.py", "cs336.rms": "rms.py"}
    school.more = {slug: {"default_path": path, "upload": path} for slug, path in paths.items()}
    assert "3. Submit it: engine submit-build\n" in student.invoke("init", "cs336.linear").stdout
    assert "3. Submit it: engine submit-build rms.py" in student.invoke("init", "cs336.rms").stdout
    result = student.invoke("submit-build")
    assert result.exit_code == 2
    assert "Several exercises are in this folder: linear.py, rms.py." in result.stderr
    assert school.received == []


def test_an_unknown_challenge_is_wrong_usage(student: Student):
    result = student.invoke("init", "attention-2")
    assert result.exit_code == 2
    assert "attention-2 is not a challenge here" in result.stderr


def test_a_server_cannot_write_outside_the_folder(student: Student, school: School):
    for path in ("../layers.py", "/tmp/layers.py", "a/../../b.py", "C:\\x.py", ".bashrc", "a\x1b[2J.py", "a\r\n.py"):
        school.default_path = path
        result = student.invoke("init", "mha-rope")
        assert result.exit_code == 3
    assert [file.name for file in student.folder.parent.iterdir()] == ["course"]


@pytest.mark.parametrize("slug", ["x\x1b]0;owned\x07", "a\r\nb", "../x", "a/b", "a..b", ".a", "a.", "a.b.c"])
def test_a_server_cannot_name_files_as_it_likes(student: Student, school: School, slug: str):
    school.slug = slug
    before = sorted(student.folder.rglob("*"))
    assert student.invoke("init", "mha-rope").exit_code == 3
    assert sorted(student.folder.rglob("*")) == before


def test_it_brings_the_library_that_the_challenge_builds_on(student: Student, school: School):
    (student.folder / "cs336_basics/layers.py").unlink()
    school.libraries = {"smalltorch/__init__.py": "", "smalltorch/core/tensor.py": "class Tensor: ...\n"}
    result = student.invoke("init", "mha-rope")
    assert result.exit_code == 0
    assert (student.folder / "smalltorch/core/tensor.py").read_text() == "class Tensor: ...\n"
    assert "smalltorch" in result.stdout


def test_a_library_of_the_same_name_is_not_overwritten(student: Student, school: School):
    (student.folder / "cs336_basics/layers.py").unlink()
    (student.folder / "smalltorch").mkdir()
    (student.folder / "smalltorch/tensor.py").write_text("mine = 1\n")
    school.libraries = {"smalltorch/tensor.py": "class Tensor: ...\n"}
    assert student.invoke("init", "mha-rope").exit_code == 2
    assert (student.folder / "smalltorch/tensor.py").read_text() == "mine = 1\n"
    assert not (student.folder / "cs336_basics/layers.py").exists()


def test_a_library_cannot_be_written_outside_the_folder(student: Student, school: School):
    for path in ("../tensor.py", "/tmp/tensor.py", "a/../../b.py", ".bashrc"):
        school.libraries = {path: ""}
        assert student.invoke("init", "mha-rope").exit_code == 3
    assert [file.name for file in student.folder.parent.iterdir()] == ["course"]


def test_submit_build_remembers_what_init_got(student: Student, school: School):
    (student.folder / "cs336_basics/layers.py").unlink()
    student.invoke("init", "mha-rope-causal")
    assert student.invoke("submit-build").exit_code == 1
    assert school.received[0]["challenge"] == "mha-rope-causal"


def test_the_list_of_challenges_shows_markup_as_it_is(student: Student):
    assert "[bold]never[/bold]" in student.invoke("challenges").stdout
