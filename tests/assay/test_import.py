"""`assay challenge import`: what becomes of an assignment, and that nothing of it runs outside the sandbox."""

import json
import re
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from assay.importing import nbgrader, otter, otter_v0
from assay.importing.assignment import ImportRefusedError, share_points
from assay.importing.bringing import bring
from assay.importing.cells import read_cells
from assay.importing.comparisons import NotComparedError, comparisons_in
from assay.importing.doctests import NotATestError, from_cell, from_session
from assay.importing.module import Module, module_of
from assay.importing.plan import plan
from assay.importing.solutions import nbgrader_cell, otter_cell
from grader.challenge import load_challenge
from grader.grade import grade
from grader.guest.submission import Submission
from grader.report import TestStatus, Verdict
from tests.assay.conftest import ROOT, Assay, invoke_assay
from worker.private_runner import private_runner

ASSIGNMENTS = ROOT / "tests" / "assignments"


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> "subprocess.CompletedProcess[str]":
    """The Otter assignment, imported into `cwd/exercises`."""
    folder = tmp_path_factory.mktemp("lab")
    shutil.copy(ASSIGNMENTS / "otter" / "lab03.ipynb", folder)
    done = invoke_assay(folder, "challenge", "import", "lab03.ipynb", "--root", "exercises")
    done.args = folder / "exercises" / "lab03"
    return done


def test_an_otter_notebook_becomes_a_challenge_that_says_what_it_lacks(
    lab: "subprocess.CompletedProcess[str]",
) -> None:
    assert lab.returncode == 0, lab.stderr
    for line in (
        "  function attention(q, k, v, scale)",
        "  6 tests (7.83 points) as 6 cases",
        "    q3, cell 31: `out <= v.max(dim=0).values` is no comparison of a call with a value",
        "  cell 16: q2 is graded by hand (3 points): ask it in questions.toml, or leave it out",
        "  lab03/cases.py: no misconception is killed by q1, q1-hidden, q3, q3-hidden",
        "  lab03/questions.toml, line 1: it holds no question yet: docs/questions.md shows how to write one",
    ):
        assert line in lab.stdout.splitlines()
    manifest = load_challenge(Path(lab.args)).manifest
    assert {name: family.points for name, family in manifest.families.items()} == {
        "q1": 1.3333,
        "q1-hidden": 2,
        "q3": 3,
        "q3-hidden": 1.5,
        "efficiency": 0,
    }
    assert {name: section.points for name, section in manifest.forgeable.items()} == {"test_q1": 0.6667, "test_q3": 1.5}
    assert [(entry.name, entry.optional) for entry in manifest.entry_points] == [("softmax", 0), ("attention", 1)]


def test_what_was_imported_grades(lab: "subprocess.CompletedProcess[str]") -> None:
    challenge = load_challenge(Path(lab.args))
    right = (challenge.folder / "accepted" / "solution.py").read_text()
    wrong = right.replace("* factor", "")
    negative = right.replace(
        "return softmax(scores) @ v", "return softmax(scores) @ v + (v.max() if len(v) == 4 else 0)"
    )
    with private_runner() as sandbox:
        reports = [
            grade(challenge, Submission(main="lab03.py", files={"lab03.py": source.encode()}), 1, sandbox)
            for source in (right, wrong, negative, challenge.starter().decode())
        ]
    assert [report.verdict for report in reports] == [Verdict.PASSED, Verdict.FAILED, Verdict.FAILED, Verdict.REJECTED]
    assert (reports[0].score, reports[0].max_score) == (7.83, pytest.approx(7.8333))
    assert {test.group for test in reports[1].tests if test.status is TestStatus.FAILED} == {"q3", "q3-hidden"}
    assert reports[2].summary == "Not passed yet: of the tests that run beside your code, 1 of 2 failed (q3)."


def named(*cells: tuple[str, str, dict[str, Any]], path: Path) -> Path:
    found = [
        {"cell_type": kind, "source": text, "metadata": {"nbgrader": meta} if meta else {}, "outputs": []}
        for kind, text, meta in cells
    ]
    path.write_text(json.dumps({"cells": found, "nbformat": 4, "nbformat_minor": 5, "metadata": {}}))
    return path


SOLUTION = {"grade": False, "solution": True, "grade_id": "f"}
GRADED = {"grade": True, "solution": False, "points": 2, "grade_id": "t"}


def test_code_of_the_notebook_touches_nothing_outside_the_sandbox(tmp_path: Path) -> None:
    touched = tmp_path / "touched"
    hostile = f"def f(x, y=open({str(touched)!r}, 'w')):\n    return x"
    source = named(("code", hostile, SOLUTION), ("code", "assert f(1) == 1", GRADED), path=tmp_path / "evil.ipynb")
    brought = bring(source, None, tmp_path / "exercises")
    assert not touched.exists()
    assert brought.written.cases == []
    (left,) = brought.written.found.left
    assert left.reason.startswith(
        "a test of t (2 points): the solution itself does not pass it: Your code could not be imported: "
    )


def test_names_that_differ_in_signs_alone_do_not_put_hidden_tests_among_public_ones(tmp_path: Path) -> None:
    cells = [("code", "def f(x):\n    return x", SOLUTION)]
    hidden = "### BEGIN HIDDEN TESTS\nassert f(1) == 1\n### END HIDDEN TESTS"
    for name, text in (("t", hidden), ("t-hidden", "assert f(2) == 2")):
        cells.append(("code", text, {**GRADED, "grade_id": name}))
    found = nbgrader.read(read_cells(named(*cells, path=tmp_path / "a.ipynb")))
    planned = plan(found, module_of(found))
    assert [(one.family, one.test.is_hidden) for one in planned] == [("t-hidden", True), ("t-hidden-2", False)]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"not json", "is no notebook: it is not JSON."),
        (b"[" * 100_000, "is no notebook: it is not JSON."),
        (b'{"a": ' * 100_000, "is no notebook: it is not JSON."),
        (b"{}", "it has no list of cells"),
        (b'{"cells": [1]}', "it has no list of cells"),
        (b'{"cells": []}', "is no assignment of Otter or nbgrader"),
        (json.dumps({"cells": [{}] * 2001}).encode(), "has 2001 cells; the limit is 2000."),
        (json.dumps({"cells": [{"source": "x" * 65_000}]}).encode(), "Cell 1 has 65,000 characters"),
        (b" " * ((16 << 20) + 1), "has more than 16 MiB"),
    ],
)
def test_what_is_no_notebook_is_refused_in_a_sentence(content: bytes, told: str, assay: Assay, tmp_path: Path) -> None:
    (tmp_path / "a.ipynb").write_bytes(content)
    done = assay("challenge", "import", "a.ipynb", "--root", "mine")
    assert done.returncode == 1
    assert done.stderr.startswith("Error: Nothing was imported. ")
    assert told in done.stderr
    assert not (tmp_path / "mine").exists()


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("def f(x):\n    return " + "-" * 3000 + "x", "nested too deeply"),
        ("def f(x):\n    return " + "+x" * 20_000, "nested too deeply"),
        ("def f(x):\n    return " + "(" * 5000, "is not Python|nested too deeply"),
        ("def f(x):\n    return x + " + "+".join("1" * 900), "nested too deeply"),
        ("def f(x, y=0x" + "f" * 20_000 + "):\n    return x", "a whole number of more than 4096 bits"),
        ("def f(:", "is not Python"),
        ("def f(x):\n    return '\0'", "is not Python"),
        ("x = 1", "No cell in which students write defines a function or class"),
    ],
)
def test_a_solution_that_cannot_be_read_is_refused(code: str, told: str, tmp_path: Path) -> None:
    source = named(("code", code, SOLUTION), path=tmp_path / "a.ipynb")
    with pytest.raises(ImportRefusedError, match=told):
        bring(source, None, tmp_path / "mine")


def test_too_many_tests_are_refused_before_anything_is_made_of_them(tmp_path: Path) -> None:
    shutil.copytree(ASSIGNMENTS / "generated", tmp_path / "lab")
    (tmp_path / "lab" / "tests" / "q9.py").write_text("@test_case()\ndef t():\n    pass\n\n\n" * 20_000)
    before = time.process_time()
    with pytest.raises(ImportRefusedError, match=r"has 20\d\d\d tests; at most 500 are read"):
        bring(tmp_path / "lab", None, tmp_path / "mine")
    assert time.process_time() - before < 20


def test_a_name_that_is_taken_and_a_missing_file_are_told(assay: Assay, tmp_path: Path) -> None:
    (tmp_path / "mine" / "ps2").mkdir(parents=True)
    taken = assay("challenge", "import", str(ASSIGNMENTS / "nbgrader"), "--root", "mine")
    assert (taken.returncode, taken.stderr) == (
        2,
        "Error: mine/ps2 already exists. Remove it, or give another SLUG.\n",
    )
    nowhere = assay("challenge", "import", "nowhere", "--root", "mine")
    assert "nowhere does not exist: name the notebook of the assignment." in nowhere.stderr


def test_what_otter_has_generated_is_read_with_its_folder_of_tests() -> None:
    folder = ASSIGNMENTS / "generated"
    found = otter.read_generated(read_cells(folder / "hw01.ipynb"), folder / "tests")
    planned = plan(found, module_of(found))
    assert [(one.test.where, one.test.points, one.test.is_hidden, bool(one.cases)) for one in planned] == [
        ("tests/q1.py, case 1", 0.5, False, True),
        ("tests/q1.py, case 2", 2, False, False),
        ("tests/q1.py, case 3", 0.5, True, True),
        ("tests/q2.py, test_refusal", 2, True, True),
    ]
    assert [left.reason for left in found.left] == ["this test is left out: it looks names up in `env`"]


def test_nbgraders_cells_are_told_apart_by_their_metadata() -> None:
    found = nbgrader.read(read_cells(ASSIGNMENTS / "nbgrader" / "ps2.ipynb"))
    assert [(test.group, test.points, test.is_hidden) for test in found.tests] == [
        ("test_softmax", 2, True),
        ("test_overflow", 1, True),
        ("test_attention", 1.5, False),
        ("uses_softmax", 1, False),
    ]
    module = module_of(found)
    assert "softmax(scores) @ v" in module.solution
    assert module.starter.count("raise NotImplementedError") == 2
    assert "torch.exp" not in module.starter


def test_markdown_cells_stand_for_raw_ones_where_there_are_none(tmp_path: Path) -> None:
    def mark(text: str) -> tuple[str, str, dict[str, Any]]:
        return ("markdown", f"```otter\n{text}\n```", {})

    path = named(
        mark("# ASSIGNMENT CONFIG\nname: lab"),
        mark("# BEGIN QUESTION\nname: q1\npoints: 4"),
        ("markdown", "Twice the number.", {}),
        mark("# BEGIN SOLUTION"),
        ("code", "def f(x):\n    return 2 * x # SOLUTION", {}),
        mark("# END SOLUTION"),
        mark("# BEGIN TESTS"),
        ("code", "assert f(1) == 2", {}),
        ("code", "# HIDDEN\nf(3) == 6", {}),
        mark("# END TESTS"),
        mark("# END QUESTION"),
        path=tmp_path / "a.ipynb",
    )
    found = otter.read_source(read_cells(path))
    assert found.prompt == ["Twice the number."]
    assert found.answers == ["def f(x):\n    return 2 * x"]
    assert [(test.group, test.points, test.is_hidden) for test in found.tests] == [("q1", 2, False), ("q1", 2, True)]


def test_otters_older_format_is_put_into_format_1(tmp_path: Path) -> None:
    path = named(
        ("markdown", "```\nBEGIN ASSIGNMENT\nseed: 42\n```", {}),
        ("markdown", "# Numbers", {}),
        ("code", "import math", {}),
        ("markdown", "Twice the number.\n\n```\nBEGIN QUESTION\nname: q1\npoints: 4\n```", {}),
        ("code", "def f(x):\n    return 2 * x # SOLUTION", {}),
        ("code", "## Test ##\nassert f(1) == 2", {}),
        ("code", "## HIDDEN TEST ##\nassert f(3) == 6", {}),
        ("markdown", "Well done. Now in words:", {}),
        ("markdown", "```\nBEGIN QUESTION\nname: q2\nmanual: true\n```\nWhy is it even?", {}),
        ("markdown", "**SOLUTION:** Two divides it.", {}),
        ("code", "nine = f(4) + 1", {}),
        path=tmp_path / "a.ipynb",
    )
    cells = read_cells(path)
    assert otter_v0.is_source(cells)
    assert not otter.is_source(cells)
    found = otter.read_source([*otter_v0.in_format_1(cells)])
    assert found.prompt == ["# Numbers", "Twice the number.", "Well done. Now in words:"]
    assert found.answers == ["def f(x):\n    return 2 * x"]
    assert [(test.group, test.where, test.points, test.is_hidden) for test in found.tests] == [
        ("q1", "cell 6", 2, False),
        ("q1", "cell 7", 2, True),
    ]
    assert [left.where for left in found.left] == ["cell 1", "cell 9"]


@pytest.mark.parametrize(
    ("text", "solution", "starter"),
    [
        ("nine = square(3) # SOLUTION", "nine = square(3)", "nine = ..."),
        ("a, b = 1, 2 # SOLUTION", "a, b = 1, 2", "(a, b) = ..."),
        ("return y # SOLUTION", "return y", "..."),
        ("y = x # SOLUTION NO PROMPT\nz", "y = x\nz", "z"),
        ("np.random.seed(1) # SEED\nz", "np.random.seed(1)\nz", "z"),
        ("  # BEGIN SOLUTION\n  r = 3\n  # END SOLUTION\n  z", "  r = 3\n  z", "  ...\n  z"),
        ("# BEGIN SOLUTION NO PROMPT\nr = 3\n# END SOLUTION\nz", "r = 3\nz", "z"),
        ('r = 3 # SOLUTION NO PROMPT\n""" # BEGIN PROMPT\nr = ...\n"""; # END PROMPT', "r = 3", "r = ..."),
        ("# BEGIN IGNORE\nq\n# END IGNORE\nz # IGNORE\ny", "y", "y"),
        ("## solution ##\nplot(x) # SOLUTION NO PROMPT", "plot(x)", ""),
    ],
)
def test_otters_marks_are_taken_off(text: str, solution: str, starter: str) -> None:
    assert otter_cell(text) == (solution, starter)


def test_a_cell_of_nbgrader_without_marks_is_solution_as_a_whole() -> None:
    text = 'def f(x):\n    """Twice x."""\n    return 2 * x'
    assert nbgrader_cell(text) == (text, 'def f(x):\n    """Twice x."""\n    raise NotImplementedError')


@pytest.mark.parametrize(
    ("total", "said", "shared"),
    [  # of Otter's documentation
        (None, [None, None], [0.5, 0.5]),
        (None, [2, None], [2, 0]),
        (None, [0, None, None], [0, 0.5, 0.5]),
        (6, [2, 2, None, None], [2, 2, 1, 1]),
        (3, [None, None], [1.5, 1.5]),
    ],
)
def test_points_are_shared_as_otter_shares_them(
    total: float | None, said: list[float | None], shared: list[float]
) -> None:
    assert share_points(total, said) == shared


@pytest.mark.parametrize(
    ("session", "statements"),
    [
        (">>> f(2) == 4\nTrue", "assert f(2) == 4"),
        (">>> f(2)\n4", "assert f(2) == 4"),
        (">>> f(2)\ntensor([4.])", "assert repr(f(2)) == 'tensor([4.])'"),
        (">>> print(f(2))\n4", "assert str(f(2)) == '4'"),
        (">>> x = [1,\n... 2]\n>>> f(x);", "x = [1,\n2]\nf(x)"),
    ],
)
def test_what_an_interpreter_answers_is_asserted(session: str, statements: str) -> None:
    assert from_session(session) == statements


@pytest.mark.parametrize("code", ["x = 0x" + "f" * 20_000, "x = " + "+".join("1" * 900), "x = " + "(" * 5000])
def test_a_test_that_could_not_be_written_down_again_is_left_out(code: str) -> None:
    with pytest.raises(NotATestError, match="it is not Python"):
        from_cell(f"{code}\nassert f(x) == 1", None)


def test_a_cell_that_shows_a_value_needs_it_saved() -> None:
    assert from_cell("x = 1\nf(x)", "2") == "x = 1\nassert f(x) == 2"
    assert from_cell("f(1) == 2", None) == "assert f(1) == 2"
    with pytest.raises(NotATestError, match="run all cells and save it"):
        from_cell("f(x)", None)


@pytest.fixture(scope="module")
def module() -> Module:
    return module_of(nbgrader.read(read_cells(ASSIGNMENTS / "nbgrader" / "ps2.ipynb")))


BOTH = [("softmax", {"x": "1"}, 64, 0.0), ("softmax", {"x": "2"}, 64, 0.0)]


@pytest.mark.parametrize(
    ("source", "calls"),
    [
        ("assert softmax([1, 2]) == [1]", [("softmax", {"x": "[1, 2]"}, 64, 0.0)]),
        ("assert [1] == softmax(x=[2.0])", [("softmax", {"x": "[2.0]"}, 64, 0.0)]),
        ("assert np.allclose(softmax(np.zeros(3)), 1 / 3, rtol=1e-3)", [("softmax", {"x": "np.zeros(3)"}, 8389, 1e-5)]),
        ("np.testing.assert_allclose(softmax([0]), [1])", [("softmax", {"x": "[0]"}, 64, 0.0)]),
        ("assert (softmax(torch.eye(2).T) == 1).all()", [("softmax", {"x": "torch.eye(2).T"}, 64, 0.0)]),
        ("assert abs(softmax(3) - 1.5) < 0.01", [("softmax", {"x": "3"}, 64, 1311.0)]),
        ("assert round(softmax(3), 2) == 0.33", [("softmax", {"x": "3"}, 64, 655.4)]),
        ("x = np.random.randn(2, 3)\nout = softmax(x)\nassert torch.equal(out, x)", [("softmax", {"x": "x"}, 64, 0.0)]),
        (
            "assert softmax(1) == 1 and softmax(2) == 1",
            [("softmax", {"x": "1"}, 64, 0.0), ("softmax", {"x": "2"}, 64, 0.0)],
        ),
        (
            "assert np.array_equal(softmax(1), softmax(2))",
            [("softmax", {"x": "1"}, 64, 0.0), ("softmax", {"x": "2"}, 64, 0.0)],
        ),
        ("with pytest.raises(TypeError):\n    softmax('a')", [("softmax", {"x": "'a'"}, 64, 0.0)]),
    ],
)
def test_a_plain_comparison_becomes_a_case(source: str, calls: list[tuple[Any, ...]], module: Module) -> None:
    found = comparisons_in(source, module).cases
    assert [(case.function, case.arguments, case.growth, float(f"{case.scale:.4g}")) for case in found] == [
        (*call[:3], pytest.approx(call[3], rel=1e-2)) for call in calls
    ]


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("assert softmax(x).shape == (2,)", "is no comparison"),
        ("assert softmax(undefined) == 1", "`undefined` is no plain value"),
        ("assert attention(1, 2, 3) == softmax(1) + 1", "compares with `softmax`"),
        ("assert softmax(open('/etc/passwd')) == 1", "`open('/etc/passwd')` is no plain value"),
        ("assert softmax(torch.load('x')) == 1", "`torch.load('x')` is no plain value"),
        ("assert softmax(().__class__) == 1", "`().__class__` is no plain value"),
        ("assert softmax([x for x in y]) == 1", "is no plain value"),
        ("assert softmax(lambda: 1) == 1", "is no plain value"),
        ("assert softmax(torch.ones(2, requires_grad=True)) == 1", "asks for gradients"),
        ("draw = 1\nassert softmax(draw) == 1", "`draw` is what cases.py calls something else"),
        ("assert softmax(1, 2) == 1", "does not fit the signature"),
        ("assert softmax(*[1]) == 1", "does not fit the signature"),
        ("assert np.allclose(softmax(1), 1, atol=TOLERANCE)", "its tolerance `TOLERANCE` is no number"),
        ("assert abs(softmax(1) - 1) < 0**-3", "its tolerance `0 ** (-3)` is no number"),
        (f"assert abs(softmax(1) - 1) < {10**400}", "is no number"),
        ("assert np.allclose(softmax(1), 1, rtol=1e308)", "its tolerance `1e+308` is no number"),
        (f"assert round(softmax(1), {10**400}) == 1", "is no comparison"),
        ("assert round(softmax(1), -400) == 1", "is no comparison"),
        ("for n in range(3):\n    assert softmax(n) == 1", "is no comparison"),
        ("x = 1", "it compares nothing"),
        ("out = softmax(1)\nassert softmax(2) == 1", "it calls `out` and looks at something else"),
    ],
)
def test_all_else_stays_a_test_and_says_why(source: str, reason: str, module: Module) -> None:
    with pytest.raises(NotComparedError) as caught:
        comparisons_in(source, module)
    assert reason in str(caught.value)


def test_the_page_shows_what_the_command_prints(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "importing.md").read_text()
    command, shown = re.findall(r"```(?:sh|text)\n(.*?)```", page, re.DOTALL)
    shutil.copy(ASSIGNMENTS / "nbgrader" / "ps2.ipynb", tmp_path)
    done = invoke_assay(tmp_path, *command.split()[1:])
    numbers = re.compile(r"\d+(\.\d+)?")
    assert numbers.sub("#", done.stdout) == numbers.sub("#", shown)
