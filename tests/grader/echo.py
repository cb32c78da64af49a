"""A small exercise whose answers take as long as a test wants: to give back the input."""

from pathlib import Path

from grader.challenge import Challenge, load_challenge

MANIFEST = """
title = "Echo"
summary = "The input again."
upload = "echo.py"
default_path = "echo.py"
baseline = "accepted/plain.py"

[[entry_points]]
name = "echo"
parameters = ["x"]

[source]
main = "echo"
modules = ["torch", "time", "resource", "threading"]

[families.values]
title = "Values"
points = 100
visibility = "public"

[families.efficiency]
title = "Efficiency"
points = 0
required = false
"""

CASES = """
from grader.guest.execution import Call
from grader.paper.case import Case


def values(draw):
    yield Case("one", "some values", Call("", "echo", {"x": draw.normal(3)}), growth=8)


def structure(draw):
    return []


def workload(draw, seq=32):
    return Call("workload", "echo", {"x": draw.normal(seq)})


FAMILIES = {"values": values}
"""

PLAIN = "def echo(x):\n    return 1 * x\n"


def written(root: Path, cases: str = CASES, plain: str = PLAIN) -> Challenge:
    """With `plain` as the answer that time is measured against."""
    files = {
        "challenge.toml": MANIFEST,
        "cases.py": cases,
        "reference.py": PLAIN,
        "accepted/plain.py": plain,
        "starter/echo.py": PLAIN,
        "spec.md": "The input again.",
        "questions.toml": "",
    }
    for name, text in files.items():
        path = root / "echo" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return load_challenge(root / "echo")
