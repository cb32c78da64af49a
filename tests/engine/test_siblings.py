"""Which modules go along: those of the student's package that are imported, and no others."""

from pathlib import Path

import pytest

from engine.errors import WrongUsage
from engine.siblings import pack
from engine.upload import read_upload, with_siblings

DEFAULT = "cs336_basics/layers.py"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "project" / "cs336_basics"
    (folder / "deep").mkdir(parents=True)
    for name in ("nn", "rope", "masks", "unused", "deep/ops", "deep/__init__"):
        (folder / f"{name}.py").write_text(f"# {name}\n")
    (folder / "__init__.py").write_text("import importlib.metadata\nmagic = 1\n")
    (tmp_path / "outside.py").write_text("secret = 1\n")
    (folder.parent / "beside.py").write_text("f = 1\n")
    (folder.parent / "pyproject.toml").write_text("")
    return folder


def sent(package: Path, source: str, default: str = DEFAULT, name: str = "layers.py") -> list[str]:
    (package / name).write_text(source)
    packed = pack(package / name, (package / name).read_bytes(), default, ("torch", "einops"))
    return [path.removeprefix("cs336_basics/") for path in packed.siblings]


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("from cs336_basics.nn import softmax", ["nn.py"]),
        ("import cs336_basics.nn as nn", ["nn.py"]),
        ("from .nn import softmax", ["nn.py"]),
        ("from . import nn, rope", ["nn.py", "rope.py"]),
        ("from cs336_basics import nn", ["nn.py"]),
        ("from .nn import *", ["nn.py"]),
        ("def f():\n    from .masks import causal", ["masks.py"]),
        ("from .deep.ops import f", ["deep/__init__.py", "deep/ops.py"]),
        ("from .deep import ops", ["deep/__init__.py", "deep/ops.py"]),
        ("from cs336_basics import magic", ["__init__.py"]),
        ("import cs336_basics", ["__init__.py"]),
        ("import cs336_basics.nn", ["__init__.py", "nn.py"]),
        ("from .layers import f\nimport cs336_basics.layers as me", []),
        ("import torch, math\nfrom einops import rearrange\nfrom .absent import f", []),
        ("import nn", ["nn.py"]),
        ("import beside", ["beside.py"]),
        ("from ..beside import f\nfrom ...outside import secret\nimport outside", []),
        ("from .. import beside", []),
        ("def broken(:", []),
        ("x = '\\d'\nfrom .nn import f", ["nn.py"]),
    ],
)
def test_what_is_imported_goes_along(package: Path, source: str, names: list[str]):
    assert sent(package, source) == names


def test_imports_are_followed_through_the_package_and_in_circles(package: Path):
    (package / "nn.py").write_text("from .rope import rope\nfrom cs336_basics.layers import f\n")
    (package / "rope.py").write_text("from .deep.ops import f\n")
    (package / "deep/ops.py").write_text("from ..nn import g\nfrom ..masks import h\n")
    assert sent(package, "from .nn import f") == ["deep/__init__.py", "deep/ops.py", "masks.py", "nn.py", "rope.py"]


def test_a_file_of_another_name_stays_beside_the_usual_one(package: Path):
    (package / "layers.py").write_text("old = 1\n")
    assert sent(package, "from .nn import f\nfrom .layers import old", name="solution.py") == ["layers.py", "nn.py"]


def test_a_link_out_of_the_package_is_not_followed(package: Path):
    (package / "link.py").symlink_to(package.parents[1] / "outside.py")
    assert sent(package, "from .link import secret") == []


def test_loose_modules_beside_a_file_without_a_package(package: Path):
    assert sent(
        package, "import nn\nfrom rope import rope\nfrom deep import ops", default="attention.py", name="attention.py"
    ) == [
        "deep/__init__.py",
        "deep/ops.py",
        "nn.py",
        "rope.py",
    ]


@pytest.mark.parametrize("source", [b"(" * 100_000, b"-" * 200_000 + b"1", b"\0", b"\xff\xfe", b"x = " + b"9" * 5000])
def test_what_cannot_be_parsed_is_sent_alone(package: Path, source: bytes):
    (package / "layers.py").write_bytes(source)
    assert pack(package / "layers.py", (package / "layers.py").read_bytes(), DEFAULT).siblings == {}


def test_too_much_is_refused_and_says_what_is_large(package: Path):
    (package / "nn.py").write_bytes(b"#" * 1_100_000)
    (package / "layers.py").write_text("from .nn import f\n")
    with pytest.raises(WrongUsage) as raised:
        with_siblings(read_upload(package / "layers.py"), DEFAULT)
    assert "cs336_basics/nn.py (1,074 KiB)" in raised.value.hint


@pytest.mark.parametrize(
    ("files", "source", "main", "siblings"),
    [
        (["src/mypkg/__init__.py", "src/mypkg/nn.py"], "import mypkg.nn as nn", "mypkg/FILE", ["mypkg/nn.py"]),
        (["src/mypkg/nn.py"], "from .nn import f", "mypkg/FILE", ["mypkg/nn.py"]),
        (["nn.py", "src/mypkg/__init__.py"], "import nn", "mypkg/FILE", ["nn.py"]),
        (["hw-1/mypkg/__init__.py", "hw-1/mypkg/nn.py"], "from mypkg.nn import f", "mypkg/FILE", ["mypkg/nn.py"]),
        (["hw-1/mypkg/nn.py"], "from .nn import f", "mypkg/FILE", ["mypkg/nn.py"]),
        (["hw1/mypkg/nn.py"], "from mypkg import nn", "hw1/mypkg/FILE", ["mypkg/nn.py"]),
        (["scripts/nn.py", "nn.py"], "import nn", "scripts/FILE", ["nn.py"]),
        (["tests/a.py", "src/mypkg/nn.py"], "from mypkg.nn import f", "tests/FILE", ["mypkg/nn.py"]),
        (["mypkg/deep/__init__.py", "mypkg/__init__.py"], "from .. import x", "mypkg/deep/FILE", ["mypkg/__init__.py"]),
        (["mypkg/random.py", "mypkg/torch/__init__.py"], "import random, torch", "DEFAULT", []),
        (["mypkg/random.py"], "from .random import f", "mypkg/FILE", ["mypkg/random.py"]),
        (["mypkg/nn.py"], "import mypkg.FILE", "DEFAULT", []),
    ],
)
def test_modules_have_the_names_that_they_have_at_home(
    tmp_path: Path, files: list[str], source: str, main: str, siblings: list[str]
):
    (tmp_path / ".git").mkdir()
    for path in files:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(f"# {path}")
    file = (tmp_path / files[0]).parent / "mine.py"
    if files[0].startswith("nn.py"):
        file = tmp_path / "src/mypkg/mine.py"
    file.write_text(source.replace("FILE", "mine"))
    packed = pack(file, file.read_bytes(), DEFAULT, ("torch",))
    assert packed.main == (DEFAULT if main == "DEFAULT" else main.replace("FILE", "mine.py"))
    assert list(packed.siblings) == siblings
    if siblings == ["nn.py"]:
        assert packed.siblings["nn.py"] == f"# {files[0]}".encode()


def test_what_cannot_be_a_module_lies_where_the_challenge_wants_it(package: Path):
    (package / "my-work.py").write_text("from .nn import f")
    packed = pack(package / "my-work.py", b"from .nn import f", DEFAULT)
    assert packed.main == DEFAULT
    assert list(packed.siblings) == ["cs336_basics/nn.py"]
