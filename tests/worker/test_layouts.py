"""Files named like ours or like a library's, and packages that pretend to be something else."""

import pytest
import torch

from grader.guest.execution import Call, CallStatus, Ending, Execution
from grader.guest.inspection import EntryPoint, SourceRules
from grader.guest.limits import Limits
from grader.guest.submission import Submission
from worker.runner_client import RunnerClient

MODULES = ("torch", "einops")
RULES = SourceRules(main="f", entry_points=(EntryPoint("f", ("x",)),), modules=MODULES)
PLAIN = b"def f(x):\n    return x\n"


def run(runner: RunnerClient, files: dict[str, bytes], main: str = "pkg/layers.py") -> Execution:
    submission = Submission(main, files, modules=MODULES)
    with runner.open(submission, Limits(cpu_s=20, wall_s=40)) as session:
        assert session.inspect(RULES).refusal is None
    return runner.run(submission, [Call("f", "f", {"x": torch.ones(2)})], Limits(cpu_s=20, wall_s=40))


@pytest.mark.parametrize(
    "path",
    [
        *("torch.py", "torch/fx/evil.py", "einops/__init__.py", "grader/guest/loading.py", "worker/sandbox/guest.py"),
        *("json/encoder.py", "os.py", "typing.py", "random/__init__.py"),
    ],
)
def test_a_module_that_is_named_like_a_librarys_is_refused(runner: RunnerClient, path: str) -> None:
    """As the file itself, and as a module beside it."""
    for main, files in ((path, {path: PLAIN}), ("pkg/layers.py", {"pkg/layers.py": PLAIN, path: b"x = 1\n"})):
        with runner.open(Submission(main, files, modules=MODULES), Limits()) as session:
            refusal = session.inspect(RULES).refusal
        assert refusal is not None
        assert "has the name of a library" in refusal.message
        assert refusal.message.endswith("give it another name.")


@pytest.mark.parametrize("statement", ["import worker.sandbox.guest", "from grader.guest import perform as p"])
def test_nothing_stands_in_for_what_is_ours(runner: RunnerClient, statement: str) -> None:
    files = {"pkg/layers.py": PLAIN, "pkg/nn.py": statement.encode()}
    with runner.open(Submission("pkg/layers.py", files, modules=MODULES), Limits()) as session:
        refusal = session.inspect(RULES).refusal
    assert refusal is not None
    assert "which is not available here" in refusal.message


def test_nothing_stands_in_for_a_star_and_the_way_out_is_said(runner: RunnerClient) -> None:
    files = {"pkg/layers.py": PLAIN, "pkg/scene.py": b"from manim import *\n"}
    with runner.open(Submission("pkg/layers.py", files, modules=MODULES), Limits()) as session:
        refusal = session.inspect(RULES).refusal
    assert refusal is not None
    assert refusal.message.startswith("scene.py, line 1: imports `manim`, which is not available here.")
    assert refusal.message.endswith("Name what you take from it instead of `*`: then only what is used must be there.")


def test_such_a_name_inside_a_package_is_a_students_own(runner: RunnerClient) -> None:
    main = b"import random, torch\nfrom . import random as mine\nfrom .torch import two\n"
    main += b"def f(x):\n    return torch.as_tensor(x) * two * (random.random() < 2) * mine.one\n"
    files = {"pkg/layers.py": main, "pkg/random.py": b"one = 1\n", "pkg/torch.py": b"two = 2\n"}
    execution = run(runner, files)
    assert execution.outcomes[0].status is CallStatus.RETURNED, execution.problem or execution.outcomes[0].problem


def test_start_up_files_are_never_run(runner: RunnerClient) -> None:
    evil = b"raise SystemExit('run')\n"
    names = ("sitecustomize.py", "usercustomize.py", "conftest.py", "setup.py", "harness.py", "pkg/conftest.py")
    execution = run(runner, {"pkg/layers.py": PLAIN, **dict.fromkeys(names, evil)})
    assert execution.outcomes[0].status is CallStatus.RETURNED


def test_the_version_of_ones_own_package_can_be_read_and_nobody_elses_changes(runner: RunnerClient) -> None:
    source = b"import importlib.metadata as m, torch\nOWN = m.version('my-pkg')\n"
    source += b"assert m.version('torch') != OWN and m.version('numpy') != OWN\n"
    source += b"try:\n    m.version('absent')\nexcept m.PackageNotFoundError: pass\n"
    source += b"m.entry_points(); list(m.distributions()); m.metadata('My_Pkg')\n"
    execution = run(runner, {"my_pkg/layers.py": source + PLAIN}, "my_pkg/layers.py")
    assert execution.ending is Ending.COMPLETED, execution.problem
    assert execution.outcomes[0].status is CallStatus.RETURNED


def test_an_init_may_answer_and_need_its_own_modules(runner: RunnerClient) -> None:
    files = {"pkg/__init__.py": b"from .nn import f\n", "pkg/nn.py": b"import pkg\n" + PLAIN}
    execution = run(runner, files, "pkg/__init__.py")
    assert execution.outcomes[0].status is CallStatus.RETURNED, execution.problem
