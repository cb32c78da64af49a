"""Exercises that are not plain functions: a class, a library beside the submission, one exercise extending another."""

from pathlib import Path
from shutil import copytree

import pytest

from grader.challenge import Challenge, load_challenge
from grader.exercise import exercise_of
from grader.grade import grade
from grader.guest.submission import Submission
from grader.manifest import ManifestError
from grader.report import Report, Verdict
from worker.runner_client import RunnerClient

MANIFEST = """
title = "Doubling"
summary = "Twice the input, weighted."
upload = "double.py"
default_path = "double.py"
baseline = "accepted/same.py"

[[entry_points]]
name = "Double"
kind = "class"
parameters = ["size", "bias"]
optional = 1
methods = ["forward"]

[source]
main = "Double"
modules = ["torch", "smalltorch"]

[families.values]
title = "Values"
points = 96
visibility = "public"

[families.gradients]
title = "Gradients"
points = 4

[families.efficiency]
title = "Efficiency"
points = 0
required = false
"""

LIBRARY = """
def twice(x):
    return 2 * x
"""

HARNESS = """
import torch


def Double(student, size, weight, x):
    module = call_with(student.Double, {"size": size})
    if not hasattr(module, "weight"):
        raise LookupError("Double has no attribute `weight`.")
    return torch.func.functional_call(module, {"weight": weight}, (x,))
"""

REFERENCE = """
import torch
from smalltorch.core import twice


def weigh(x, weight):
    return x * weight


class Double(torch.nn.Module):
    def __init__(self, size, bias=False):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(size))

    def forward(self, x):
        return twice(weigh(x, self.weight))
"""

CASES = """
from grader.guest.execution import Call
from grader.paper.case import Aspect, Case, StructureCall


def arguments(draw):
    return {"size": 3, "weight": draw.normal(3), "x": draw.normal(2, 3)}


def values(draw):
    yield Case("one", "some values", Call("", "Double", arguments(draw)), growth=8)


def gradients(draw):
    call = Call("", "Double", arguments(draw), gradient=draw.normal(2, 3), differentiate=("weight", "x"))
    yield Case("both", "weight and input", call, growth=8, aspects=frozenset({Aspect.GRADIENTS}))


def structure(draw):
    return [StructureCall(Call("", "Double", arguments(draw)), heads=16)]


def workload(draw):
    return Call("workload", "Double", arguments(draw))


FAMILIES = {"values": values, "gradients": gradients}
"""

UNWEIGHTED = '''"""The weight is not used.

Every feature counts the same in your code. The weight says how much each of them counts.
"""


def weigh(x, weight):
    return x
'''


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("challenges")
    base = {
        "challenge.toml": MANIFEST,
        "reference.py": REFERENCE,
        "cases.py": CASES,
        "sandbox/harness.py": HARNESS,
        "sandbox/smalltorch/core.py": LIBRARY,
        "misconceptions/unweighted.py": UNWEIGHTED,
        "accepted/same.py": REFERENCE,
    }
    tripled = {
        "challenge.toml": 'extends = "double"\ntitle = "Tripling"\n',
        "reference.py": "def weigh(x, weight):\n    return 1.5 * x * weight\n",
        "accepted/same.py": REFERENCE.replace("x * weight", "1.5 * x * weight"),
    }
    for slug, files in (("double", base), ("triple", tripled)):
        for name, text in (files | {"starter/double.py": "raise NotImplementedError\n"}).items():
            path = root / slug / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    return root


@pytest.fixture(scope="module")
def double(root: Path) -> Challenge:
    return load_challenge(root / "double")


def graded(challenge: Challenge, source: str, runner: RunnerClient) -> Report:
    return grade(challenge, Submission("double.py", {"double.py": source.encode()}), 3, runner)


def test_a_class_over_the_exercises_library_passes(double: Challenge, runner: RunnerClient) -> None:
    report = graded(double, REFERENCE, runner)
    assert report.verdict is Verdict.PASSED, report
    assert report.efficiency is not None
    assert report.efficiency.ops["16"] == 4  # __mul__ twice, and the library's function and module


def test_renamed_parameters_are_no_mistake(double: Challenge, runner: RunnerClient) -> None:
    report = graded(
        double, REFERENCE.replace("size, bias=False", "n, b=False").replace("ones(size)", "ones(n)"), runner
    )
    assert report.verdict is Verdict.PASSED, report


@pytest.mark.parametrize(
    "method",
    [
        "def call(self, x):\n        return twice(weigh(x, self.weight))\n\n    forward = call",
        "if True:\n        def forward(self, x):\n            return twice(weigh(x, self.weight))",
    ],
)
def test_a_method_may_be_assigned_or_stand_under_an_if(double: Challenge, runner: RunnerClient, method: str) -> None:
    source = REFERENCE.partition("def forward")[0] + method
    report = graded(double, source, runner)
    assert report.verdict is Verdict.PASSED, report.summary


def test_a_wrong_class_is_diagnosed(double: Challenge, runner: RunnerClient) -> None:
    report = graded(double, REFERENCE.replace("return x * weight", "return x"), runner)
    assert report.verdict is Verdict.FAILED
    assert [diagnosis.id for diagnosis in report.diagnoses] == ["unweighted"]


def test_a_cut_graph_of_a_loaded_weight_is_seen(double: Challenge, runner: RunnerClient) -> None:
    report = graded(double, REFERENCE.replace("weigh(x, self.weight)", "weigh(x, self.weight.data)"), runner)
    assert [test.id for test in report.tests if test.status == "failed"] == ["gradients/both"]


def test_what_the_harness_misses_is_told(double: Challenge, runner: RunnerClient) -> None:
    report = graded(double, REFERENCE.replace("self.weight", "self.w"), runner)
    assert "has no attribute `weight`" in report.summary


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        (REFERENCE.replace("class Double", "class Treble"), "does not define `Double(size, bias=...)`"),
        (REFERENCE.replace("size, bias=False", "size, bias, what"), "Expected: Double(size, bias=...)"),
        (REFERENCE.replace("def forward", "def run"), "does not define the method `forward`"),
        (REFERENCE.replace("def forward", "forward = None\n\n    def run"), "does not define the method `forward`"),
    ],
)
def test_a_class_that_cannot_be_used_is_rejected(
    double: Challenge, runner: RunnerClient, source: str, sentence: str
) -> None:
    report = graded(double, source, runner)
    assert report.verdict is Verdict.REJECTED
    assert sentence in report.summary


def test_an_exercise_takes_over_what_it_does_not_redefine(root: Path, runner: RunnerClient) -> None:
    triple = load_challenge(root / "triple")
    assert triple.manifest.title == "Tripling"
    assert [mistake.id for mistake in exercise_of(triple).misconceptions] == ["unweighted"]
    right = (root / "triple/accepted/same.py").read_text()
    assert graded(triple, right, runner).verdict is Verdict.PASSED
    assert graded(triple, REFERENCE, runner).verdict is Verdict.FAILED
    assert triple.version != load_challenge(root / "double").version


def test_parts_of_a_module_follow_it_by_name_and_those_of_the_base_come_first(root: Path, tmp_path: Path) -> None:
    base, own = (Path(copytree(root / slug, tmp_path / slug)) for slug in ("double", "triple"))
    before = load_challenge(own).version
    (base / "cases_b.py").write_text("EXAMPLE_CALL = before + 'b'\n")
    (base / "cases_a.py").write_text("before = 'a'\n")
    (own / "cases.py").write_text("EXAMPLE_CALL += 'c'\n")
    assert exercise_of(load_challenge(own)).example_call == "abc"
    assert load_challenge(own).version != before


def test_the_base_of_an_exercise_extends_nothing(root: Path) -> None:
    third = root / "third"
    third.mkdir()
    (third / "challenge.toml").write_text('extends = "triple"\n')
    with pytest.raises(ManifestError, match="one step"):
        load_challenge(third)
