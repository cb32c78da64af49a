"""einx and torch's compiler: imported ahead, or by the submission itself, which makes no difference but time."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import torch

from grader.guest.execution import FULLY, LIGHTLY, Call, Ending, Execution, Outcome
from grader.guest.limits import Limits
from grader.guest.submission import Submission
from worker.private_runner import private_runner
from worker.runner_client import RunnerClient
from worker.sandbox.ahead import is_needed_by, is_needed_in

PATH = "layers.py"
USES = {
    "einx": "import einx\ndef f(x): return einx.multiply('a b, b -> a b', x, x[0])",
    "checkpoints": (
        "from torch.utils.checkpoint import checkpoint\n"
        "def f(x): return checkpoint(lambda y: y * y, x, use_reentrant=False)"
    ),
    "a compiled function": "import torch\n@torch.compile(backend='eager')\ndef f(x): return x * 2",
    "the compiler, found late": (
        "import torch\ndef f(x): return getattr(torch, 'com' 'pile')(lambda y: y * 2, backend='eager')(x)"
    ),
    "gradients of one's own": (
        "import torch\ndef f(x):\n"
        "    y = x.detach().requires_grad_()\n    (y * 2).backward(torch.ones(2, 3))\n    return x * y.grad"
    ),
}
HELD = b"""
import sys, torch

def f(x):
    return torch.tensor([name in sys.modules for name in ("einx", "torch._dynamo", "sympy")])
"""
# Traced lightly, fully, and with gradients: all that the watching does, and what is asked of autograd.
CALLS = [
    Call("traced lightly", "f", {"x": torch.ones(2, 3)}, tracing=LIGHTLY),
    Call("traced fully", "f", {"x": torch.ones(2, 3)}, tracing=FULLY),
    Call("trained", "f", {"x": torch.ones(2, 3)}, gradient=torch.ones(2, 3), differentiate=("x",)),
]


@pytest.fixture(scope="module")
def runners() -> Iterator[Sequence[RunnerClient]]:
    """One that has imported ahead, and one that has not."""
    with private_runner(imports_ahead="true") as ready, private_runner(imports_ahead="false") as lean:
        yield ready, lean


def run(runner: RunnerClient, source: bytes, calls: list[Call] = CALLS) -> Execution:
    return runner.run(Submission(PATH, {PATH: source}), calls, Limits())


def seen(outcome: Outcome) -> object:
    gradient = outcome.gradients.get("x")
    return (
        outcome.status,
        [output.tolist() for output in outcome.outputs],
        None if gradient is None else gradient.tolist(),
        outcome.trace,
    )


def test_a_submission_gets_the_same_whether_its_zygote_has_imported_ahead_or_not(
    runners: Sequence[RunnerClient],
) -> None:
    for what, source in USES.items():
        told = [run(runner, source.encode()) for runner in runners]
        assert [execution.ending for execution in told] == [Ending.COMPLETED] * 2, what
        assert [seen(one) for one in told[0].outcomes] == [seen(other) for other in told[1].outcomes], what
    held = [run(runner, HELD, CALLS[:2]).outcomes[-1].outputs[0].tolist() for runner in runners]
    assert held == [[True, True, True], [False, False, False]]  # not by watching either: that would take a second


def test_garbage_is_collected_in_a_sandbox_as_anywhere(runners: Sequence[RunnerClient]) -> None:
    source = b"import gc, torch\ndef f(x): return torch.tensor([gc.isenabled()])"
    for runner in runners:
        assert run(runner, source, CALLS[:1]).outcomes[0].outputs[0].tolist() == [True]


@pytest.mark.parametrize(
    "source",
    ["import einx", "from einx import dot", "@torch.compile", "from torch.utils import checkpoint", "torch.jit.script"],
)
def test_what_needs_it_is_told_by_its_words(source: str, tmp_path: Path) -> None:
    (tmp_path / "accepted").mkdir()
    plain, needy = tmp_path / "plain.py", tmp_path / "accepted" / "needy.py"
    plain.write_text("import torch")
    needy.write_text(source)
    assert is_needed_by([plain, needy])
    assert is_needed_in(tmp_path)


def test_plain_code_needs_none_of_it(tmp_path: Path) -> None:
    plain = tmp_path / "plain.py"
    plain.write_text("import torch, einops\nfrom torch.func import vmap\ncompiled = recompile = 1\n")
    assert not is_needed_by([plain, tmp_path / "nothing.py", tmp_path])
    assert not is_needed_in(tmp_path)


def test_a_link_is_not_followed_out_of_a_folder(tmp_path: Path) -> None:
    folder, outside = tmp_path / "exercise", tmp_path / "outside.py"
    folder.mkdir()
    outside.write_text("import einx")
    (folder / "link.py").symlink_to(outside)
    (folder / "up").symlink_to(tmp_path)
    assert not is_needed_in(folder)
