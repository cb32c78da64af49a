"""What is imported and not there: importing it is no mistake, using it is, and nothing can be hidden behind it."""

import pytest
import torch

from grader.guest.execution import Call, CallStatus, Ending, Execution, Outcome
from grader.guest.limits import Limits
from grader.guest.submission import Submission
from worker.runner_client import RunnerClient

MODULES = ("torch", "numpy", "einops", "jaxtyping")
MAIN = "pkg/layers.py"
REST = b"""
import torch
from abc import ABC
from dataclasses import dataclass, field
from typing import Optional, Protocol, Union

import jax, regex as re
import rich.progress
import rich.progress as bars
import sympy
import tiktoken, typer
from beartype import beartype
from einops import rearrange
from jaxtyping import Float
from loguru import logger
from pydantic import BaseModel, Field
from regex import compile

try:
    import flash_attn
except ImportError:
    flash_attn = None
try:
    from triton import *
except (ImportError, OSError):
    jit = None

PATTERN = compile(r"\\p{L}+", re.IGNORECASE)
WORDS, SIZE = re.compile("x").pattern, tiktoken.get_encoding("gpt2").n_vocab
app = typer.Typer(help="train")
rich.SETTINGS["width"] = rich.SETTINGS.width = 80
with rich.progress.Progress() as shown:
    shown.add_task("import")
logger.info(f"{bars.Progress} {rich.progress.track!r}")
KINDS = {BaseModel: 1, "other": jax.Array}


class Config(BaseModel, ABC, frozen=True):
    size: int = Field(default=3)
    name: Optional[re.Pattern] = None

    def shown(self) -> Union[jax.Array, None]:
        return super().shown()


@dataclass
class Run:
    config: Config = field(default_factory=Config)
    model: BaseModel | None = None


class Network(torch.nn.Module, jax.Mixin):
    def forward(self, x: Float[jax.Array, "... d"]) -> Float[torch.Tensor, "... d"]:
        return x


@app.command()
def train(steps: int = SIZE) -> None: ...


@beartype
def checked(x): return x


def untouched(x): return rearrange(x, "d -> 1 d")
def falls_back(x): return x if flash_attn is None and jit is None else None
def asks_what_it_is(x): return x if not isinstance(x, (jax.Array, BaseModel)) else None
def handles_its_own(x):
    try:
        raise ValueError("its own")
    except sympy.SympifyError:
        return x


def finds(x): return PATTERN.findall("a b")
def calls(x): return rich.progress.track(x)
def draws(x): return x * sympy.pi
def counts(x): return range(SIZE)
def raises(x): raise sympy.SympifyError("no")
def builds(x): return Config(size=2)
def builds_by_default(x): return Run()
def has_a_network(x): return Network()
def runs_a_command(x): return train()
def is_checked(x): return checked(x)
def sets(x): rich.SETTINGS["width"] = 1
def enters(x):
    with rich.progress.Progress(): return x
def loops(x): return [x for _ in sympy.primes]
def imports_late(x):
    import regex
    return regex.findall("a", "a")
"""


def outcomes(runner: RunnerClient, files: dict[str, bytes], *names: str) -> dict[str, Outcome]:
    calls = [Call(name, name, {"x": torch.ones(2)}) for name in names]
    execution = executed(runner, files, *calls)
    assert execution.ending is Ending.COMPLETED, (execution.problem, execution.log)
    return dict(zip(names, execution.outcomes, strict=True))


def executed(runner: RunnerClient, files: dict[str, bytes], *calls: Call) -> Execution:
    return runner.run(Submission(MAIN, files, modules=MODULES), calls, Limits(cpu_s=20, wall_s=40))


def line_of(text: bytes) -> int:
    return REST[: REST.index(text)].count(b"\n") + 1


def test_whatever_does_not_need_it_is_right(runner: RunnerClient) -> None:
    names = ("untouched", "falls_back", "asks_what_it_is")
    for name, outcome in outcomes(runner, {MAIN: REST}, *names).items():
        assert outcome.status is CallStatus.RETURNED, (name, outcome.problem)


def test_an_exception_of_its_is_not_taken_for_another(runner: RunnerClient) -> None:
    (outcome,) = outcomes(runner, {MAIN: REST}, "handles_its_own").values()
    assert outcome.problem is not None
    assert (outcome.problem.type, outcome.problem.message) == ("ValueError", "its own")


USES = {
    "finds": ("`regex.compile(...).findall` is not available here (`regex` is imported in layers.py,", b"def finds"),
    "calls": ("`rich.progress.track` is not available here", b"def calls"),
    "draws": ("`sympy.pi` is not available here", b"def draws"),
    "counts": ("`tiktoken.get_encoding(...).n_vocab` is not available here", b"def counts"),
    "raises": ("`sympy.SympifyError` is not available here", b"def raises"),
    "builds": ("`Config` is built on `pydantic.BaseModel`, which is not available here", b"def builds"),
    "builds_by_default": ("`Config` is built on `pydantic.BaseModel`", b"def builds_by"),
    "has_a_network": ("`Network` is built on `jax.Mixin`", b"def has_a"),
    "runs_a_command": ("`train` is built on `typer.Typer(...).command`", b"def runs_a"),
    "is_checked": ("`checked` is built on `beartype.beartype`", b"def is_checked"),
    "loops": ("`sympy.primes` is not available here", b"def loops"),
    "sets": ("`rich.SETTINGS` is not available here", b"def sets"),
    "enters": ("`rich.progress.Progress` is not available here", b"    with rich.progress.Progress(): return"),
    "imports_late": ("No module named 'regex': it is not available here", b"    import regex\n    return"),
    "checked": ("`checked` is built on `beartype.beartype`", b"@beartype"),
}


@pytest.fixture(scope="module")
def uses(runner: RunnerClient) -> dict[str, Outcome]:
    return outcomes(runner, {MAIN: REST}, *USES)


@pytest.mark.parametrize("name", USES)
def test_using_it_raises_with_the_line_and_what_to_do(name: str, uses: dict[str, Outcome]) -> None:
    problem = uses[name].problem
    said, line = USES[name]
    assert problem is not None
    assert problem.type == "ModuleNotFoundError"
    assert problem.message.startswith(said), problem.message
    assert problem.message.endswith(
        "You may use the standard library, torch, numpy, einops, jaxtyping, and your own modules."
    )
    assert problem.line == line_of(line)


def test_what_needs_a_value_while_it_is_imported_says_so(runner: RunnerClient) -> None:
    for use in (b"int(tiktoken.N)", b"[*tiktoken.load()]", b"1 if tiktoken.load() else 2", b"tiktoken.load() == 3"):
        execution = executed(runner, {MAIN: b"import tiktoken\n\nSIZE = " + use})
        assert execution.ending is Ending.IMPORT_FAILED
        assert execution.problem is not None
        assert "is not available here (`tiktoken` is imported in layers.py, line 1)" in execution.problem.message
        assert execution.problem.line == 3


def test_a_sibling_that_was_not_sent_is_told_as_such(runner: RunnerClient) -> None:
    source = b"from .words import Token\nfrom . import native, nn\ndef f(x): return Token()\ndef g(x): return nn.g(x)"
    files = {MAIN: source, "pkg/nn.py": b"from pkg.native import fast\ndef g(x): return x"}
    found = outcomes(runner, files, "f", "g")
    assert found["g"].status is CallStatus.RETURNED
    assert found["f"].problem is not None
    assert "`pkg.words.Token` was not uploaded" in found["f"].problem.message


ASKS = b"""
import importlib, importlib.util, sys
import flash_attn, torch
from einops import rearrange

def absent(x):
    assert "flash_attn" not in sys.modules and importlib.util.find_spec("flash_attn") is None
    try:
        importlib.import_module("flash_attn")
    except ModuleNotFoundError:
        return rearrange(x, "d -> 1 d")

def guarded(x):
    try:
        import flash_attn
    except ImportError:
        return x
"""


def test_whoever_asks_if_a_library_is_there_is_told_the_truth(runner: RunnerClient) -> None:
    for outcome in outcomes(runner, {MAIN: ASKS}, "absent", "guarded").values():
        assert outcome.status is CallStatus.RETURNED, outcome.problem


FORBIDDEN = b"""
import torch
try:
    import sympy
except ImportError:
    sympy = None
def at_the_top(x): return x if sympy is None else None
def in_a_function(x):
    import safetensors
def of_ours(x):
    from grader.guest import standins
def in_a_match(x):
    match 1:
        case 1:
            import networkx
def in_a_nested_class(x):
    class Inner:
        for _ in range(1):
            with torch.no_grad():
                import filelock
"""


def test_what_lies_in_the_sandbox_and_is_not_allowed_is_not_there_either(runner: RunnerClient) -> None:
    """Torch brings SymPy and more. An exercise without torch has the same."""
    found = outcomes(
        runner, {MAIN: FORBIDDEN}, "at_the_top", "in_a_function", "of_ours", "in_a_match", "in_a_nested_class"
    )
    assert found.pop("at_the_top").status is CallStatus.RETURNED
    for name, outcome in found.items():
        assert outcome.problem is not None, name
        assert outcome.problem.message.startswith("No module named"), name


@pytest.mark.parametrize("shape", ["nested", "chained"])
def test_deep_and_long_files_are_read_as_before(runner: RunnerClient, shape: str) -> None:
    nested = "".join(f"{' ' * level}if True:\n" for level in range(95)) + " " * 95 + "import regex\n"
    chained = "def f(x):\n if x is None: pass\n" + " elif x == 1:\n  import regex\n" * 400
    source = f"{nested if shape == 'nested' else chained}\ndef g(x): return x\n"
    (outcome,) = outcomes(runner, {MAIN: source.encode()}, "g").values()
    assert outcome.status is CallStatus.RETURNED
