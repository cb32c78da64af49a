"""How the judge, which speaks torch, calls a submission, which speaks tinytorch. Lies beside every submission; no secret.

Arguments become Tensors that share their memory with torch's, so that what a call changes can be seen. Gradients cross
both ways: torch's upstream gradient goes into the submission's `backward()`, and every `.grad` comes back.
"""

import numpy as np
import torch
from tinytorch.core.tensor import Tensor

# `call_with` is here without an import: docs/challenges.md.

PROJECTIONS = ("q_proj", "k_proj", "v_proj", "out_proj")
SIZES = ("embed_dim", "num_heads", "head_dim")
LEFT_OUT = "left out"


def scaled_dot_product_attention(student, Q, K, V, mask=LEFT_OUT, handed_over="three Tensors", look_at="output"):
    """The submission's own function: output and attention weights."""

    def attend(q, k, v, m):
        given = {"Q": q, "K": k, "V": v} if handed_over == "three Tensors" else {"Q": q, "K": q, "V": q}
        given = given if m is LEFT_OUT else given | {"mask": m}
        return _pair(call_with(student.scaled_dot_product_attention, given))

    def call(q, k, v, m):
        m = LEFT_OUT if mask is LEFT_OUT else m
        if look_at == "output after another mask":
            _with_other_data(lambda: attend(q, k, v, m), (m, _turned))
        return attend(q, k, v, m)

    inputs = _inputs_by_columns if look_at == "output of columns" else _inputs
    return _Bridge.apply(inputs, call, Q, K, V, None if mask is LEFT_OUT else mask)


def MultiHeadAttention(  # noqa: N802  named like the entry point
    student,
    embed_dim,
    num_heads,
    q_proj_weight,
    q_proj_bias,
    k_proj_weight,
    k_proj_bias,
    v_proj_weight,
    v_proj_bias,
    out_proj_weight,
    out_proj_bias,
    x,
    mask=LEFT_OUT,
    look_at="output",
):
    """What `forward` gives with these weights; or, with `look_at`, something else that callers rely on."""
    module = _make(student, embed_dim, num_heads)
    if look_at == "sizes beside another":
        _make(student, 2 * embed_dim, 2 * embed_dim)
    if look_at.startswith("sizes"):
        return torch.tensor([_size(module, name) for name in SIZES], dtype=x.dtype)
    if look_at == "parameters again":
        _times_listed(_make(student, embed_dim, num_heads))
        _times_listed(module)
    if look_at == "parameters of equal numbers":
        for tensor in _weights_and_biases(module).values():
            tensor.data = np.ones(tensor.shape, tensor.data.dtype)
    if look_at.startswith("parameters"):
        return torch.tensor(_times_listed(module), dtype=x.dtype)

    def inputs(arrays, wanted):
        given = _inputs_by_columns if look_at == "output of columns" else _inputs
        return given(arrays[:2], wanted[:2]) + _load(module, arrays[2:])

    def call(x, m, *parts):
        m = LEFT_OUT if mask is LEFT_OUT else m
        if look_at == "output beside another":
            _load(_make(student, embed_dim, num_heads), [0.5 * part.data for part in parts])
        if look_at == "output beside a larger one":
            _make(student, 2 * embed_dim, 2 * embed_dim)
        if look_at == "second output":
            _forward_causally(module, 1.0 - x.data[:, :-1])
        if look_at == "output after another mask":
            _forward_causally(module, 1.0 - x.data)
        if look_at == "output after other data":
            _with_other_data(lambda: _forward(module, x, m), (m, _turned), *((part, _halved) for part in parts))
        return (_forward(module, x, m),)

    weights = (q_proj_weight, q_proj_bias, k_proj_weight, k_proj_bias, v_proj_weight, v_proj_bias)
    given = None if mask is LEFT_OUT else mask
    (output,) = _Bridge.apply(inputs, call, x, given, *weights, out_proj_weight, out_proj_bias)
    return output


def _make(student, embed_dim, num_heads):
    return call_with(student.MultiHeadAttention, {"embed_dim": embed_dim, "num_heads": num_heads})


def _with_other_data(call, *tensors):
    """Make a call while these Tensors hold something else, in the same arrays: a step of training writes like that."""
    kept = [tensor.data.copy() for tensor, _ in tensors]
    for tensor, other in tensors:
        tensor.data[...] = other(tensor.data)
    call()
    for (tensor, _), before in zip(tensors, kept, strict=True):
        tensor.data[...] = before


def _turned(mask):
    """As many ones, in other places; the diagonal stays."""
    return mask[..., ::-1, ::-1].copy()


def _halved(weights):
    return 0.5 * weights


class _Bridge(torch.autograd.Function):
    """One operation of torch's graph, whose inside is a graph of Tensors.

    `inputs` makes Tensors of the arrays, `call` makes a tuple of Tensors from them.
    """

    @staticmethod
    def forward(ctx, inputs, call, *arguments):
        ctx.set_materialize_grads(False)
        arrays = [None if argument is None else argument.detach().numpy() for argument in arguments]
        ctx.given = inputs(arrays, ctx.needs_input_grad[2:])
        asking = [tensor is not None and tensor.requires_grad for tensor in ctx.given]
        with np.errstate(all="ignore"):  # an overflow shows in the values, as it does in torch
            ctx.made = call(*ctx.given)
        _show_changes(arrays, ctx.given)
        if not any(ctx.needs_input_grad):  # else the way back needs the numbers
            _show_what_asks(arrays, ctx.given, asking)
        return tuple(_over(tensor.data, arrays[0].dtype) for tensor in ctx.made)

    @staticmethod
    def backward(ctx, *gradients):
        with np.errstate(all="ignore"):
            for tensor, gradient in zip(ctx.made, gradients, strict=True):
                if gradient is not None and tensor.requires_grad:
                    tensor.backward(gradient.numpy())
        return (None, None, *(_gradient(tensor) for tensor in ctx.given))


def _over(data, dtype):
    """In the array's own memory, where torch can be there: what a later call writes into it is seen."""
    array = np.asarray(data, dtype)
    return torch.from_numpy(array if array.flags.writeable and min(array.strides, default=0) >= 0 else array.copy())


def _inputs(arrays, wanted):
    """Tensors over the arrays' own memory."""
    return [
        None if array is None else Tensor(array, requires_grad=is_wanted)
        for array, is_wanted in zip(arrays, wanted, strict=True)
    ]


def _inputs_by_columns(arrays, wanted):
    """Tensors over arrays that hold the same, the first axis running fastest. What a call changes still shows."""
    return _inputs([None if array is None else np.asfortranarray(array) for array in arrays], wanted)


def _gradient(tensor):
    return None if tensor is None or tensor.grad is None else torch.from_numpy(np.array(tensor.grad))


def _show_changes(arrays, tensors):
    """A call that gave a caller's Tensor other data has changed it, too: so the array shows it. Where layers share a
    Tensor, it holds what was loaded last.
    """
    for place, (array, tensor) in enumerate(zip(arrays, tensors, strict=True), start=1):
        is_shared = any(tensor is later for later in tensors[place:])
        if tensor is not None and tensor.data is not array and not is_shared:
            array[...] = tensor.data if tensor.data.shape == array.shape else np.nan


def _show_what_asks(arrays, tensors, asked_before):
    """A call that gave a Tensor another `requires_grad` has changed it as well."""
    for array, tensor, asked in zip(arrays, tensors, asked_before, strict=True):
        if tensor is not None and tensor.requires_grad != asked:
            array[...] = np.nan


def _load(module, arrays):
    """Weights become the data of the Tensors that the module has already, wherever it may have listed them."""
    parts = _weights_and_biases(module)
    for (name, tensor), array in zip(parts.items(), arrays, strict=True):
        if tensor.shape != array.shape:
            message = f"your MultiHeadAttention's {name} has shape {tensor.shape}; it should be {array.shape}"
            raise LookupError(message)
        tensor.data = array
    return list(parts.values())


def _weights_and_biases(module):
    parts = {}
    for projection in PROJECTIONS:
        layer = _attribute(module, projection)
        for part in ("weight", "bias"):
            name, tensor = f"{projection}.{part}", getattr(layer, part, None)
            if not isinstance(tensor, Tensor):
                message = f"your MultiHeadAttention has no {name}; each projection is a Linear(embed_dim, embed_dim)"
                raise LookupError(message)
            parts[name] = tensor
    return parts


def _times_listed(module):
    """How often parameters() lists each of the eight Tensors, and how much else it lists."""
    listed = [id(parameter) for parameter in _method(module, "parameters")()]
    known = [id(tensor) for tensor in _weights_and_biases(module).values()]
    return [*(float(listed.count(each)) for each in known), float(len([each for each in listed if each not in known]))]


def _forward(module, x, mask):
    """forward's output, which is one Tensor."""
    forward = _method(module, "forward")
    return _tensor(forward(x) if mask is LEFT_OUT else forward(x, mask), "forward of your MultiHeadAttention")


def _forward_causally(module, x):
    batch, seq, _ = x.shape
    _forward(module, Tensor(x), Tensor(np.tril(np.ones((batch, seq, seq), x.dtype))))


def _pair(returned):
    name = "your scaled_dot_product_attention"
    if not isinstance(returned, (tuple, list)) or len(returned) != 2:
        many = f"{len(returned)} things" if isinstance(returned, (tuple, list)) else f"one {type(returned).__name__}"
        message = f"{name} returned {many}; it should return two Tensors, (output, attention_weights)"
        raise LookupError(message)
    output, weights = returned
    return _tensor(output, name), _tensor(weights, name)


def _tensor(returned, name):
    if not isinstance(returned, Tensor):
        message = f"{name} returned a {type(returned).__name__} where a Tensor is expected"
        raise LookupError(message)
    return returned


def _attribute(module, name):
    if not hasattr(module, name):
        message = f"your MultiHeadAttention has no attribute {name}"
        raise LookupError(message)
    return getattr(module, name)


def _size(module, name):
    size = _attribute(module, name)
    if not isinstance(size, (int, np.integer)):
        message = f"your MultiHeadAttention's {name} is {size!r}; it should be a whole number"
        raise LookupError(message)
    return size


def _method(module, name):
    if not callable(getattr(module, name, None)):
        message = f"your MultiHeadAttention has no method {name}()"
        raise LookupError(message)
    return getattr(module, name)
