"""`assay grade` takes the same modules along as `engine submit-build`, so that both come to the same verdict."""

from pathlib import Path

from assay.tasks import read_task, read_tasks
from grader.challenge import Challenge


def test_the_modules_that_a_file_imports_are_graded_with_it(tmp_path: Path, mha_rope: Challenge) -> None:
    package = tmp_path / "my_name_for_it"
    package.mkdir()
    for name in ("nn", "unused"):
        (package / f"{name}.py").write_text(f"# {name}\n")
    (package / "layers.py").write_text("from .nn import softmax\n")
    submission = read_task(package / "layers.py", mha_rope, 1).submission
    assert submission.main == "my_name_for_it/layers.py"
    assert dict(submission.files) == {
        "my_name_for_it/layers.py": b"from .nn import softmax\n",
        "my_name_for_it/nn.py": b"# nn\n",
    }


def test_a_file_of_another_name_is_graded_beside_the_usual_one(tmp_path: Path, mha_rope: Challenge) -> None:
    package = tmp_path / "cs336_basics"
    package.mkdir()
    (package / "masks.py").write_text("f = 1\n")
    (package / "layers.py").write_text("old = 1\n")
    (package / "solution.py").write_text("from .masks import f\nfrom .layers import old\n")
    submission = read_task(package / "solution.py", mha_rope, 1).submission
    assert submission.main == "cs336_basics/solution.py"
    assert sorted(submission.files) == ["cs336_basics/layers.py", "cs336_basics/masks.py", "cs336_basics/solution.py"]


def test_of_several_files_none_brings_another_along(tmp_path: Path, mha_rope: Challenge) -> None:
    """`from ada import *` had passed with all points, where both lay in the folder that staff graded."""
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "solutions").mkdir()
    (tmp_path / "solutions" / "right.py").write_text("f = 1\n")
    for path in ("ada.py", "eve.py", "mallory/layers.py", "mallory/own.py"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text("import ada, eve, own, solutions.right\n")
    files = [tmp_path / path for path in ("ada.py", "eve.py", "mallory/layers.py")]
    ada, eve, mallory = read_tasks(files, mha_rope, 1)
    assert (ada.modules, eve.modules) == ((), ())
    assert [Path(path).name for path in mallory.modules] == ["own.py"]


def test_one_file_alone_brings_its_project_along_also_by_two_names(tmp_path: Path, mha_rope: Challenge) -> None:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "own.py").touch()
    (tmp_path / "layers.py").write_text("import own\n")
    (tmp_path / "again.py").symlink_to("layers.py")
    files = [tmp_path / "layers.py", tmp_path / "again.py"]
    assert [task.modules for task in read_tasks(files, mha_rope, 1)] == [("own.py",), ("own.py",)]


def test_a_link_to_anothers_folder_is_not_followed(tmp_path: Path, mha_rope: Challenge) -> None:
    for name in ("ada", "mallory"):
        (tmp_path / name).mkdir()
    (tmp_path / "ada" / "layers.py").write_text("f = 1\n")
    (tmp_path / "ada" / "parts.py").write_text("f = 1\n")
    (tmp_path / "mallory" / "parts.py").symlink_to("../ada/parts.py")
    (tmp_path / "mallory" / "layers.py").write_text("import parts\n")
    files = [tmp_path / name / "layers.py" for name in ("ada", "mallory")]
    assert [task.modules for task in read_tasks(files, mha_rope, 1)] == [(), ()]
