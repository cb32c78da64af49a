"""`assay grade` and `engine submit-build` take the same modules along, so that both come to the same verdict."""

from pathlib import Path

import pytest

from engine.siblings import imported_siblings
from grader.siblings import collect_siblings

IN_PACKAGE = "cs336_basics/layers.py"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "cs336_basics"
    (folder / "deep").mkdir(parents=True)
    for name in ("nn", "rope", "masks", "unused", "deep/ops", "deep/__init__", "deep/more"):
        (folder / f"{name}.py").write_text(f"# {name}\n")
    (folder / "__init__.py").write_text("import importlib.metadata\nmagic = 1\n")
    (folder / "nn.py").write_text("from .rope import rope\nfrom cs336_basics.layers import f\n")
    (folder / "deep/ops.py").write_text("from ..nn import g\nfrom ..masks import h\n")
    (tmp_path / "outside.py").write_text("secret = 1\n")
    (folder / "link.py").symlink_to(tmp_path / "outside.py")
    return folder


@pytest.mark.parametrize("place", [IN_PACKAGE, "layers.py"])
@pytest.mark.parametrize(
    "source",
    [
        "from cs336_basics.nn import softmax",
        "import cs336_basics.nn as nn",
        "from .masks import *",
        "from . import nn, masks",
        "from . import masks, magic",
        "from cs336_basics import masks",
        "from cs336_basics import magic",
        "import cs336_basics",
        "import nn\nfrom deep import ops",
        "def f():\n    from .masks import causal",
        "from .deep.ops import f",
        "from .deep import more",
        "from .deep import name",
        "import cs336_basics.deep.more",
        "from .layers import f\nimport cs336_basics.layers",
        "import torch\nfrom einops import rearrange\nfrom .absent import f",
        "from ..outside import secret\nfrom ...outside import secret\nimport outside",
        "from .. import outside",
        "from .link import secret",
        "def broken(:",
        "x = '\\d'\nfrom .masks import f",
    ],
)
def test_both_take_the_same_modules_along(package: Path, source: str, place: str) -> None:
    file = package / "layers.py"
    file.write_text(source)
    assert collect_siblings(file, place) == imported_siblings(file, place)


def test_a_file_of_another_name_takes_the_place_of_the_uploaded_one(package: Path) -> None:
    (package / "layers.py").write_text("old = 1\n")
    (package / "solution.py").write_text("from .masks import f\nfrom .layers import old")
    assert list(collect_siblings(package / "solution.py", IN_PACKAGE)) == ["cs336_basics/masks.py"]
