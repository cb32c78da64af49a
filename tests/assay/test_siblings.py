"""`assay grade` takes the same modules along as `engine submit-build`, so that both come to the same verdict."""

from pathlib import Path

from assay.tasks import read_task
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
