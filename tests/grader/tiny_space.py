"""The template of `assay challenge new` with a space: the smallest exercise whose calls in combination are proven."""

from pathlib import Path

from assay.new_challenge import Names, write_challenge
from grader.challenge import load_challenge
from grader.exercise import Exercise

FUNCTION = "soft_maximum"
SPACE = '''"""Any call of soft_maximum, for the family `combinations`."""

from grader.paper.combinations import Space

DIMENSIONS = {
    "rows": (1, 2, 3),
    "n": (1, 2, 3),
    "axes": ("none", "(rows)"),
    "dtype": ("float32", "float64"),
    "values": ("usual", "thousands"),
}


def _settled(choice):
    if choice["axes"] == "none":
        del choice["rows"]
    return choice


def _sizes(choice):
    return {name: choice[name] for name in ("rows", "n") if name in choice}


def _combination(draw, choice):
    x = draw.normal(*_sizes(choice).values()).to(getattr(torch, choice["dtype"]))
    x = x + 1000 if choice["values"] == "thousands" else x
    return Case("", ", ".join(map(str, choice.values())), Call("", FUNCTION, {"x": x}), growth=_growth(x))


STATED = {
    "axes": "any number of leading axes",
    "dtype": "The result has the same shape and dtype",
    "values": "Values may be large",
}

SPACES = {FUNCTION: Space(DIMENSIONS, _settled, _sizes, _combination, STATED)}
'''
FAMILY = """
[families.combinations]
title = "Every pair"
points = 10
"""


def write_tiny(root: Path) -> Path:
    """The folder, without tables: `assay challenge combine` writes them."""
    folder = write_challenge(Names.of("soft-maximum", None), root)
    (folder / "space.py").write_text(SPACE)
    manifest = folder / "challenge.toml"
    manifest.write_text(manifest.read_text().replace("points = 40", "points = 30") + FAMILY)
    return folder


def tiny(folder: Path) -> Exercise:
    """Read anew, whatever was read of this folder before."""
    return Exercise(load_challenge(folder))
