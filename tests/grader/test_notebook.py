"""Notebooks become one file of Python, of which only definitions run, and reports speak of their cells."""

import json
import time
from typing import Any

import pytest

from grader.challenge import Challenge
from grader.exercise import exercise_of
from grader.grade import grade
from grader.guest.notebook import definitions_only
from grader.guest.submission import Submission
from grader.inprocess import InProcess
from grader.notebook import NotebookError, Places, cells_in, source_of
from grader.report import Report, Verdict

MAIN = "cs336_basics/layers.py"


def notebook(*cells: str, **more: Any) -> bytes:
    made = [{"cell_type": "code", "source": cell.splitlines(keepends=True), **more} for cell in cells]
    return json.dumps({"cells": [{"cell_type": "markdown", "source": "# Title"}, *made], "nbformat": 4}).encode()


def graded(challenge: Challenge, *cells: str) -> Report:
    source = source_of(notebook(*cells))
    submission = Submission(MAIN, {MAIN: source}, sent_as="work.ipynb")
    return grade(challenge, submission, 3, InProcess(), is_timed=False)


def parts_of(challenge: Challenge) -> tuple[str, str, str]:
    """Imports, the parts, and the main function, as three cells."""
    source = exercise_of(challenge).reference_source.decode()
    imports, rest = source[: source.index("\ndef ")], source[source.index("\ndef ") :]
    at = rest.index("\ndef multihead")
    return imports, rest[:at], rest[at:]


@pytest.mark.parametrize(
    ("cells", "python"),
    [
        (["x = 1", "y = 2"], "# %% cell 1\nx = 1\n\n# %% cell 2\ny = 2\n"),
        (["%matplotlib inline\n!pip install x\n  %time f()\nx.f?\n?x\ny = a % b\n% c"],) * 1
        + ("# %% cell 1\npass\npass\n  pass\npass\npass\ny = a % b\n% c\n",),
        (["%%bash\nrm -r /\n", "%%time\nx = 1"], "# %% cell 1\n\n\n\n\n# %% cell 2\n\nx = 1\n"),
        (["x = 1\r\ny = 2\r"], "# %% cell 1\nx = 1\ny = 2\n\n"),
        (["\ud800"], "# %% cell 1\n?\n"),
        (["x = (a\n  != b\n  %c)\n'%d'\n  %n"], "# %% cell 1\nx = (a\n  != b\n  %c)\n'%d'\n  pass\n"),
        (["!pip install \\\n    torch\nx = 1"], "# %% cell 1\npass\n\nx = 1\n"),
        (["files = !ls\na, b =  %time f()"], "# %% cell 1\nfiles = None\na, b = None\n"),
    ],
)
def test_code_cells_become_python_line_for_line(cells: list[str], python: str) -> None:
    assert source_of(notebook(*cells)).decode() == python


def test_older_notebooks_are_read_too() -> None:
    old = {"nbformat": 3, "worksheets": [{"cells": [{"cell_type": "code", "input": ["x = 1\n", "y = 2"]}]}]}
    assert b"x = 1\ny = 2" in source_of(json.dumps(old).encode())


def test_what_has_been_made_of_a_notebook_stays() -> None:
    made = source_of(notebook("x = 1"))
    assert source_of(made) == made
    assert cells_in(made.decode()) == {"cell 1": (1, "x = 1\n")}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"x = 1", "it is not JSON"),
        (b"[" * 100_000, "it is not JSON"),
        (b"\xff\xfe", "it is not JSON"),
        (b"[]", "no list of cells"),
        (b'{"cells": 3}', "no list of cells"),
        (b'{"cells": [3]}', "no list of cells"),
        (b'{"cells": [{"cell_type": "markdown"}]}', "no code cells"),
        (b'{"cells": [{"cell_type": "code", "source": [1]}]}', "is not text"),
        (b'{"cells": [{"cell_type": "code", "source": {"a": 1}}]}', "is not text"),
        (json.dumps({"cells": [{}] * 2001}).encode(), "the limit is 2000"),
    ],
)
def test_what_is_no_notebook_is_told_in_a_sentence(content: bytes, said: str) -> None:
    with pytest.raises(NotebookError, match=said):
        source_of(content)


@pytest.mark.parametrize(
    "cell",
    ["%" * 400_000, "?" * 400_000, "a." * 200_000, " " * 400_000 + "x", "# %% cell 1\n" * 30_000, "x?\n" * 130_000],
)
def test_no_notebook_takes_long_to_read(cell: str) -> None:
    before = time.thread_time()
    made = source_of(notebook(cell))
    Places(made).text("line 3 " * 1000)
    assert time.thread_time() - before < 2


TRIED_OUT = """import torch
import matplotlib.pyplot as plt
SCALE = 2.0
device = "cuda" if torch.cuda.is_available() else "cpu"
x = torch.randn(3)

def double(x):
    return SCALE * helper(x)

@torch.no_grad()
def helper(y: torch.Tensor):
    return y

print(double(x)); plt.plot(x)
for step in range(10**12):
    SCALE = 3.0
assert double(x) is None
if __name__ == "__main__":
    double(1)
result = [double(value) for value in x]
"""


def test_only_definitions_and_what_they_need_stay() -> None:
    kept = definitions_only(TRIED_OUT.encode(), ["double"]).decode().split("\n")
    assert len(kept) == len(TRIED_OUT.split("\n")), "each line where it was"
    assert [line for line in kept if line] == [
        "import torch",
        "SCALE = 2.0",
        "def double(x):",
        "    return SCALE * helper(x)",
        "@torch.no_grad()",
        "def helper(y: torch.Tensor):",
        "    return y",
    ]


@pytest.mark.parametrize(
    ("cells", "kept"),
    [
        (["f = partial(g, 1)", "def g(a): ...", "print(g(1))"], ["f = partial(g, 1)", "def g(a): ..."]),
        (["f = make(1)", "y = make(2)", "def make(n): ..."], ["f = make(1)", "def make(n): ..."]),
        (["from helpers import f, g", "import pandas"], ["from helpers import f, g"]),
        (["import plt", "def f(): ...", "def show(x): plt.plot(x)"], ["def f(): ..."]),
        (["def f(): return gg()", "def g(): ..."], ["def f(): return gg()", "def g(): ..."]),
        (["def rop(): ...", "k = 1"], ["def rop(): ..."]),
        (["class f: ...", "def run(self): ...", "f.run = run"], ["class f: ...", "def run(self): ...", "f.run = run"]),
        (["T = []", "T.append(1)", "U.append(1)", "def f(): T"], ["T = []", "T.append(1)", "def f(): T"]),
        (
            ["for i in r: t = i", "for i in r: u = i", "def f(): t", "r = 3"],
            ["for i in r: t = i", "def f(): t", "r = 3"],
        ),
        (["t = 1", "for i in r: t = i", "def f(): t"], ["t = 1", "def f(): t"]),
        (["def f(): ...", "@add(f)", "def run(): ...", "def add(f): ..."], None),
        (["x = 1; y = [", "2]", "z = 3", "def f(): x"], ["x = 1; y = [", "2]", "def f(): x"]),
        (["import torch", "torch.manual_seed(0)", "def f(): torch"], ["import torch", "def f(): torch"]),
    ],
)
def test_what_the_wanted_name_needs_stays(cells: list[str], kept: list[str] | None) -> None:
    left = definitions_only("\n".join(cells).encode(), ["f"]).decode()
    assert [line for line in left.split("\n") if line] == (cells if kept is None else kept)


def test_a_class_may_grow_over_several_cells() -> None:
    source = b"class A: ...\ndef forward(self): return W\nA.forward = forward\nx.y = 1\nW = 2\nA().forward()\n"
    kept = definitions_only(source, ["A"]).decode().split("\n")
    assert kept == ["class A: ...", "def forward(self): return W", "A.forward = forward", "", "W = 2", "", ""]


@pytest.mark.parametrize("source", [b"def f(:\n", b"\xff", b"(" * 10_000, b"x = 1\0"])
def test_what_python_cannot_read_stays_for_the_check_to_tell(source: bytes) -> None:
    assert definitions_only(source, ["f"]) == source


@pytest.mark.parametrize(
    "source",
    [
        "".join(f"a{number} = a{number + 1}\n" for number in range(8000)) + "a8000 = 1\ndef f():\n    return a0\n",
        "x = 1; " * 20_000 + "\ndef f(): x",
        "def f(): g()\n" * 10_000,
        "".join(f"def f{number}(): f{number + 1}()\n" for number in range(8000)) + "def f(): f0()",
        "for i in i: f = i; i = f\n" * 6000,
        "f" + ".a" * 500 + " = 1\n" + "f.a.append(f)\n" * 10_000,
        ", ".join(f"a{number}" for number in range(20_000)) + " = f = 1\n",
        "@f(f)\n" * 5000 + "def g(): ...",
    ],
    ids=["chain", "one line", "again", "calls", "loops", "attributes", "wide", "decorators"],
)
def test_what_is_needed_is_found_in_time_that_grows_with_the_source(source: str) -> None:
    before = time.thread_time()
    kept = definitions_only(source.encode(), ["f"])
    assert time.thread_time() - before < 3
    compile(kept, "notebook", "exec")
    if source.startswith("a0 = "):
        assert b"a8000 = 1" in kept


def test_a_right_notebook_passes_whatever_it_tries_out(mha_rope: Challenge) -> None:
    imports, parts, main = parts_of(mha_rope)
    tried = "!nvidia-smi\nimport matplotlib.pyplot as plt\nplt.plot([1])\nwhile True:\n    print(rope(1))"
    report = graded(mha_rope, imports, parts, tried, main, "raise SystemExit")
    assert report.verdict is Verdict.PASSED, report.summary


def test_lines_are_told_as_those_of_cells(mha_rope: Challenge) -> None:
    imports, parts, main = parts_of(mha_rope)
    wrong = parts.replace("torch.exp(", "torch.expp(")
    line = next(number for number, text in enumerate(wrong.split("\n"), start=1) if "expp" in text)
    report = graded(mha_rope, imports, "print('hello')", wrong, main)
    assert report.summary.startswith(f"Cell 3, line {line} raises AttributeError")
    assert report.place == (line, "cell 3")


def test_the_line_of_a_mistake_without_a_name_is_told_as_one_of_its_cell(mha_rope: Challenge) -> None:
    imports, parts, main = parts_of(mha_rope)
    wrong = parts.replace("torch.exp(", "1.1 + torch.exp(")
    line = next(number for number, text in enumerate(wrong.split("\n"), start=1) if "1.1" in text)
    report = graded(mha_rope, imports, "print('hello')", wrong, main)
    assert report.place == (line, "cell 3")
    assert f"Look at cell 3, line {line} first:" in report.summary


def test_a_cell_that_is_no_python_is_told_with_its_line(mha_rope: Challenge) -> None:
    report = graded(mha_rope, "x = 1", "y = 2\ndef f(\n")
    assert report.verdict is Verdict.REJECTED
    assert report.summary.startswith("work.ipynb is not valid Python, cell 2, line 2:")
    assert report.place == (2, "cell 2")


def test_lines_of_other_files_stay(mha_rope: Challenge) -> None:
    places = Places(source_of(notebook("x = 1\ny = 2")))
    assert places.text("Line 2 and utils.py, line 2; work.ipynb, line 3") == (
        "Cell 1, line 1 and utils.py, line 2; work.ipynb, cell 1, line 2"
    )
    assert places.of(2, "cs336_basics/utils.py") == (2, "cs336_basics/utils.py")
