"""How the classes of this exercise are called: build the module, give it the weights of the case, run it.

Weights are given by what they are for, not by what they are called: a layer may be named W_query, q_proj or to_q, may
be an nn.Linear or an nn.Parameter, one for each head, or one for queries, keys and values together. That is
harness_roles.py, and what is asked of a module harness_measures.py. Nothing secret.
"""

from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn
from torch.func import functional_call

# `call_with` is here without an import: docs/challenges.md.

ROLES = ("query", "key", "value")


# --- The classes, put to the case -----------------------------------------------------------------------------------


def MultiHeadAttention(student, **given):  # noqa: N802  named as the entry point
    """`measure` says what comes back: the output, or something else about the module (see MEASURES); `before`, which
    calls the module has behind it by then (see BEFORE); `mode`, the grad mode of all of them (see MODES).
    """
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
    weights: dict[str, Tensor]
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


def _put(kind, *, x, measure="output", training=False, seed=0, before="none", mode="default", **given):
    sizes = {name: value for name, value in given.items() if not isinstance(value, Tensor)}
    weights = {name: value for name, value in given.items() if isinstance(value, Tensor)}
    module = _build(kind, sizes, seed).to(x.dtype).train(training)
    if measure == "made":
        return x.new_ones(())
    if not any(True for _ in module.parameters()):
        module(x)  # what is not written yet says so itself
    built = _Built(module, weights, {}, kind, sizes)
    if weights and measure != "parameters":
        built = replace(built, stand_ins=_stand_ins(built, weights))
    try:
        with _drawing_from(seed):  # what dropout drops decides what is measured of it: no name may be a matter of luck
            with torch.no_grad() if mode == "inference_mode" else MODES[mode]():
                built = BEFORE[before](built, x.detach(), training)
            with MODES[mode]():
                return MEASURES[measure](built, x)
    except _NoTensorError as error:
        return error.returned


@contextmanager
def _drawing_from(seed):
    with torch.random.fork_rng(devices=[]):
        # `torch.manual_seed` also keeps a stack trace for each kind of device that a process might use one day.
        torch.default_generator.manual_seed(seed)
        yield


def _build(kind, sizes, seed):
    with _drawing_from(seed):
        module = call_with(kind, sizes)
    if not isinstance(module, nn.Module):
        raise LookupError(f"{kind.__name__} is not an nn.Module: derive the class from nn.Module.")
    return module


# --- What a module may have behind it -------------------------------------------------------------------------------

MODES = {"default": nullcontext, "no_grad": torch.no_grad, "inference_mode": torch.inference_mode}


def _nothing(built, x, training):
    return built


def _several(built, x, training):
    """Used in eval() and in train(), with fewer tokens, as many, as many as it can take, and the very same; since then
    an optimiser has changed the weights, in place. For a call in inference_mode that was under no_grad: a mask that is
    made at the first call and kept may be used in training later.
    """
    kept = {name: tensor.detach().clone() for name, tensor in built.stand_ins.items()}
    with torch.no_grad():
        for tensor in built.stand_ins.values():
            tensor.mul_(-0.5)
    spare = [x[:, :1]] * (built.sizes["context_length"] - x.shape[1])
    longer, shorter = torch.cat((1 - x, *spare), dim=1), 1 - torch.cat((x, x[:1]))[:, : max(1, x.shape[1] - 1)]
    for is_training, other in ((False, shorter), (True, longer), (False, 1 - x), (False, x)):
        built.module.train(is_training)
        built(other)
    built.module.train(training)
    with torch.no_grad():
        for name, tensor in built.stand_ins.items():
            tensor.copy_(kept[name])
    return built


def _loaded(built, x, training):
    """Another module, which was given the state_dict of this one after use."""
    built(x)
    with torch.no_grad():
        for name, parameter in built.module.named_parameters():
            parameter.copy_(built.stand_ins.get(name, parameter))
    other = _build(built.kind, built.sizes, seed=1).to(x.dtype).train(training)
    other.load_state_dict(built.module.state_dict())
    return replace(built, module=other, stand_ins={})


BEFORE = {"none": _nothing, "several": _several, "loaded": _loaded}
