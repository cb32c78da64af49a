"""A misconception's file is one mistake, or a family of them."""

from pathlib import Path

import pytest

from grader.inprocess import fresh_module
from grader.manifest import ManifestError
from grader.misconception import misconceptions_in

FAMILY = '''"""The {each} is left out.

At the desk: you forgot the {each}.
"""

EACH = {"scale": 2.0, "last bias": 3.0}


def scale(x):
    return each * x
'''


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "left-out.py"


def test_a_family_is_one_mistake_for_each_word(path: Path):
    path.write_text(FAMILY)
    found = list(misconceptions_in(path))
    assert [mistake.name for mistake in found] == ["left-out.scale", "left-out.last-bias"]
    assert [mistake.id for mistake in found] == ["left-out", "left-out"]
    assert [mistake.title for mistake in found] == ["The scale is left out", "The last bias is left out"]
    assert [mistake.explanation for mistake in found][1] == "At the desk: you forgot the last bias."
    assert [fresh_module("x.py", mistake.source).scale(1.0) for mistake in found] == [2.0, 3.0]
    assert {mistake.redefines for mistake in found} == {frozenset({"scale"})}


def test_two_families_in_one_program_keep_each_its_own_word(path: Path):
    path.write_text(FAMILY)
    other = path.with_name("shifted.py")
    other.write_text(FAMILY.replace("{each}", "shift by {each}").replace("scale(x)", "shift(x)").replace("*", "+"))
    scaled, shifted = next(misconceptions_in(path)), [*misconceptions_in(other)][1]
    module = fresh_module("x.py", scaled.source, shifted.source)
    assert (module.scale(10.0), module.shift(10.0)) == (20.0, 13.0)


def test_a_file_without_a_family_is_one_mistake(path: Path):
    path.write_text(FAMILY.replace("EACH", "OTHER"))
    (mistake,) = misconceptions_in(path)
    assert (mistake.name, mistake.source) == ("left-out", path.read_bytes())


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            FAMILY.replace('{"scale": 2.0, "last bias": 3.0}', '["scale"]'),
            r"line \d+: EACH is a dictionary .*, such as",
        ),
        (FAMILY.replace('{"scale": 2.0, "last bias": 3.0}', "dict(scale=2.0)"), r"line \d+: EACH is a dictionary"),
        (FAMILY.replace("3.0}", "float(3)}"), "line 6: EACH is a dictionary .* nothing that is called"),
        (
            FAMILY.replace("At the desk: you forgot the {each}.\n", ""),
            "line 1: a misconception begins with a docstring",
        ),
    ],
)
def test_what_it_lacks_is_told(path: Path, text: str, told: str):
    path.write_text(text)
    with pytest.raises(ManifestError, match=told):
        list(misconceptions_in(path))
