"""Makes lazy imports and one-time initialisations happen once, in the zygote, with an exercise that everybody knows."""

import sys

import torch
from torch.cuda import nvtx

from grader.guest.execution import FULLY, UNTRACED, Call, CallStatus
from grader.guest.loading import load_program
from grader.guest.perform import perform
from grader.guest.submission import Submission
from worker.sandbox.frames import decode_call, decode_outcome, encode_call, encode_outcome

_PATH = "warmup/layers.py"
_SOURCE = b"""
import math
import einops, numpy, jaxtyping, typing_extensions
import torch
from einops import einsum, rearrange, reduce, repeat
from jaxtyping import Bool, Float, Int
from torch import Tensor

def attend(weight: Float[Tensor, "out in"], x: Float[Tensor, "... t in"]) -> Float[Tensor, "... t out"]:
    y = rearrange(einsum(x, weight, "... t i, o i -> ... t o"), "... t (h d) -> ... h t d", h=2)
    scores = torch.einsum("...id,...jd->...ij", y, y) / math.sqrt(y.shape[-1])
    scores = scores.masked_fill(torch.zeros(scores.shape, dtype=torch.bool), float("-inf"))
    y = rearrange(torch.softmax(scores, dim=-1) @ y, "... h t d -> ... t (h d)")
    angles = torch.outer(torch.arange(y.shape[-2]), 1.0 / 10000 ** (torch.arange(0, 4, 2) / 4))
    angles = repeat(torch.stack((angles.cos(), angles.sin()), dim=-1), "t d two -> t (d two)")
    y = y[..., : angles.shape[-1]] * angles
    with torch.no_grad():
        numpy.linalg.norm(x.detach().numpy()); torch.view_as_complex(torch.zeros(2, 2)); torch.triu(torch.ones(3, 3))
    return reduce(y, "... t d -> ... t", "sum")
"""
_AHEAD = b"""
import einx, torch

def attend(weight, x):
    return einx.dot("... [i], [i] -> ...", x, weight.sum(dim=0))
"""


def warm_up(*, imports_ahead: bool, beside_gpu: bool = False) -> None:
    """Runs the example once; one thread from here on. Raises RuntimeError when it fails: the installation is broken.

    Beside a GPU nothing is differentiated: autograd would ask for the devices, and start a thread for each, which no
    child would have.
    """
    torch.set_num_threads(1)
    _let_profilers_marks_pass()
    for source in (_AHEAD, _SOURCE) if imports_ahead else (_SOURCE,):
        _try(source, differentiates=not beside_gpu)


def _try(source: bytes, *, differentiates: bool) -> None:
    program = load_program(Submission(_PATH, {_PATH: source}))
    for tracing in (UNTRACED, FULLY, UNTRACED):
        call = Call(
            id="warm-up",
            function="attend",
            arguments={"weight": torch.randn(8, 8), "x": torch.randn(2, 5, 8)},
            gradient=torch.randn(2, 5) if differentiates else None,
            differentiate=("weight", "x") if differentiates else (),
            strided=("weight",),
            return_arguments=True,
            tracing=tracing,
        )
        outcome = perform(decode_call(encode_call(call)), program)
        decode_outcome(call, encode_outcome(outcome), elapsed_s=0.0)
        if outcome.status is not CallStatus.RETURNED or outcome.gradient_problem is not None:
            raise RuntimeError(f"the warm-up example failed: {outcome.problem or outcome.gradient_problem}")
    for name in [name for name in sys.modules if name.partition(".")[0] == "warmup"]:
        del sys.modules[name]


def _let_profilers_marks_pass() -> None:
    """Marks for NVIDIA's profiler change no result, but raise in a build of torch without CUDA: a right answer from a
    machine that has it would fail here.
    """
    if torch.version.cuda is None:
        for name in ("range_push", "range_pop", "range_start", "range_end", "mark"):
            setattr(nvtx, name, lambda *_: 0)
