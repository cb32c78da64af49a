"""How the classes of this exercise are called: build the module, give it the weights of the case, run it.

Weights are given by what they are for, not by what they are called: a layer may be named W_query, q_proj or to_q, may
be an nn.Linear or an nn.Parameter, one for each head, or one for queries, keys and values together. Nothing secret.
"""

from contextlib import contextmanager
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn
from torch.func import functional_call

from grader.binding import call_with

ROLES = ("query", "key", "value")
# How far apart two numbers may be that differ by rounding only, as a share of them.
CLOSE = 1e-3
# Factors are told to the twentieth, shares of many random draws to the tenth: so roughly that chance does not show.
TWENTIETH, TENTH = 0.05, 0.1
# Small next to the weights, and large next to what float32 rounds: scores may be computed in it.
STEP = 3e-3


# --- The classes, put to the case -----------------------------------------------------------------------------------


def MultiHeadAttention(student, **given):  # noqa: N802  named as the entry point
    """`measure` says what comes back: the output, or something else about the module (see MEASURES)."""
    return _put(student.MultiHeadAttention, **given)


def CausalAttention(student, **given):  # noqa: N802
    """As above."""
    return _put(student.CausalAttention, **given)


def MultiHeadAttentionWrapper(student, **given):  # noqa: N802
    """As above; the weights of its heads are stacked, head after head."""
    return _put(student.MultiHeadAttentionWrapper, **given)


@dataclass(frozen=True)
class _Built:
    """A student's module with the tensors that stand in for its parameters, and how to make another one."""

    module: nn.Module
    stand_ins: dict[str, Tensor]
    kind: type
    sizes: dict[str, object]

    def __call__(self, x):
        output = functional_call(self.module, self.stand_ins, (x,))
        if not isinstance(output, Tensor):
            raise _NoTensorError(output)
        return output


class _NoTensorError(Exception):
    """A module returned something else: that is the answer then, whatever is measured."""

    def __init__(self, returned):
        super().__init__(returned)
        self.returned = _tensors_where_the_first_is(returned)


def _tensors_where_the_first_is(returned):
    """In a tuple that starts with the output, an empty tensor stands for what is none: only tensors can be sent."""
    if not isinstance(returned, tuple) or not returned or not isinstance(returned[0], Tensor):
        return returned
    return tuple(item if isinstance(item, Tensor) else returned[0].new_empty(0) for item in returned)


def _put(kind, *, x, measure="output", training=False, seed=0, before="nothing", **given):
    sizes = {name: value for name, value in given.items() if not isinstance(value, Tensor)}
    weights = {name: value for name, value in given.items() if isinstance(value, Tensor)}
    module = _build(kind, sizes, seed).to(x.dtype).train(training)
    if not any(True for _ in module.parameters()):
        module(x)  # what is not written yet says so itself
    stand_ins = {}
    if weights and measure not in ("made", "parameters"):
        widened = sizes | {"d_in": 2 * sizes["d_in"]}
        stand_ins = _stand_ins(module, weights, lambda: _build(kind, widened, seed))
    built = _Built(module, stand_ins, kind, sizes)
    try:
        BEFORE[before](built, x)
        return MEASURES[measure](built, x)
    except _NoTensorError as error:
        return error.returned


def _build(kind, sizes, seed):
    with _seeded(seed):
        module = call_with(kind, sizes)
    if not isinstance(module, nn.Module):
        raise LookupError(f"{kind.__name__} is no nn.Module: derive the class from nn.Module.")
    return module


@contextmanager
def _seeded(seed):
    with torch.random.fork_rng(devices=[]):
        # `torch.manual_seed` also keeps a stack trace for each kind of device that a process might use one day.
        torch.default_generator.manual_seed(seed)
        yield


# --- What may happen to a module before it is asked ------------------------------------------------------------------


def _used_longer(built, x):
    """As long as context_length allows."""
    tokens = built.sizes["context_length"]
    built((1 - x).repeat(1, -(-tokens // x.shape[1]), 1)[:, :tokens])


def _used_without_graph(built, x):
    with torch.no_grad():
        built(1 - x)


def _used_in_other_mode(built, x):
    training = built.module.training
    built.module.train(not training)
    built(1 - x)
    built.module.train(training)


def _given_other_weights(built, x):
    """Once used, the same parameters hold other numbers, as after a step of training."""
    _negate(built.stand_ins.values())
    _used_without_graph(built, x)
    built(x)
    _negate(built.stand_ins.values())


def _negate(tensors):
    with torch.no_grad():
        for tensor in tensors:
            tensor.neg_()


BEFORE = {
    "nothing": lambda built, x: None,
    "fewer tokens": lambda built, x: built(1 - x[:1, : -(-x.shape[1] // 2)]),
    "more tokens": _used_longer,
    "no graph": _used_without_graph,
    "the other mode": _used_in_other_mode,
    "other weights": _given_other_weights,
}


# --- What can be asked of a module ----------------------------------------------------------------------------------


def _opening(built, x):
    """The output of the first half of the tokens."""
    output = built(x)
    return output[:, : x.shape[1] // 2].clone() if output.dim() > 1 else output


def _parameters(built, x):
    """How many numbers training would change."""
    return x.new_tensor(float(sum(p.numel() for p in built.module.parameters() if p.requires_grad)))


def _made(built, x):
    """Nothing: making the module is all that is asked."""
    return x.new_zeros(())


def _saved(built, x):
    """The output of another module that was given this one's state_dict, which was in use before."""
    built(x)
    with torch.no_grad():
        for name, parameter in built.module.named_parameters():
            parameter.copy_(built.stand_ins.get(name, parameter))
    other = _build(built.kind, built.sizes, seed=1).to(x.dtype).eval()
    other.load_state_dict(built.module.state_dict())
    return replace(built, module=other, stand_ins={})(x)


def _beside(built, x):
    """The output after another module of the same class, with other sizes, was made and used."""
    sizes = built.sizes | {"d_out": 2 * built.sizes["d_out"], "context_length": 2 * built.sizes["context_length"]}
    _build(built.kind, sizes, seed=1).to(x.dtype).eval()(x)
    return built(x)


def _fates(built, x):
    """What becomes of each attention weight: it is read from the output, as in the case the values are an identity
    matrix, twice side by side. In training twice, with eval() before and after.
    """
    places = (built.sizes.get("num_heads", 1), 2, x.shape[1])
    modes, outputs = (False, True, True, False), []
    with _seeded(0):
        for training in modes:
            built.module.train(training)
            outputs.append(built(x).unflatten(-1, places))
    weights, first, second, after = outputs
    once, twice = torch.stack((first, second)).unbind(-2)
    weights, kept = weights.select(-2, 0), once.abs() > CLOSE * weights.select(-2, 0)
    visible = weights.amax(dim=(0, 2), keepdim=True).unsqueeze(0) > 0
    everywhere = kept.to(x.dtype).mean(dim=(0, 1, 3))[visible[0, 0, :, 0]]
    answers = (
        torch.equal(outputs[0], after) and torch.allclose(once, twice) and not (kept & ~visible).any(),
        everywhere.amin() > 0 and everywhere.amax() < 1,
    )
    shares = [1 - everywhere.mean(), *(_share_that_differs(kept, visible, axis) for axis in range(kept.dim()))]
    factor = _one_factor((once / weights)[kept & visible])
    told = (*(x.new_tensor(float(answer)) for answer in answers), factor, *map(_to_the_tenth, shares))
    return torch.stack(told).to(x.dtype)


def _share_that_differs(kept, visible, axis):
    """Of neighbours along this axis: one kept, the other dropped. Zero where there are no neighbours."""
    pairs = kept.shape[axis] - 1
    differ = kept.narrow(axis, 0, pairs) != kept.narrow(axis, 1, pairs)
    shown = visible.expand_as(kept)
    both = shown.narrow(axis, 0, pairs) & shown.narrow(axis, 1, pairs)
    return differ[both].double().mean().nan_to_num()


def _to_the_tenth(share):
    return (share / TENTH).round() * TENTH


def _one_factor(ratios):
    """What all ratios are; zero where there are none, or they differ."""
    is_one = ratios.numel() and ratios.amax() - ratios.amin() < CLOSE * ratios.amax()
    return (ratios.mean() / TWENTIETH).round() * TWENTIETH if is_one else ratios.new_zeros(())


def _slope(built, x):
    """Does the gradient fit what it is the gradient of, in training, where the same weights are dropped? 1 or 0."""

    def energy(scale):
        with _seeded(0):
            return replace(built, stand_ins={name: scale * w for name, w in built.stand_ins.items()})(x).square().sum()

    scale = x.new_ones(()).requires_grad_()
    energy(scale).backward()
    with torch.no_grad():
        rise = (energy(1 + STEP) - energy(1 - STEP)) / (2 * STEP)
    return ((scale.grad - rise).abs() < CLOSE * rise.abs()).to(x.dtype)


MEASURES = {
    "output": lambda built, x: built(x),
    "opening": _opening,
    "parameters": _parameters,
    "made": _made,
    "saved": _saved,
    "beside": _beside,
    "fates": _fates,
    "slope": _slope,
}
