"""Named tensors as the body of a frame, by safetensors. Trusts no body that a guest has packed."""

import json
from collections.abc import Mapping

import torch
from safetensors import SafetensorError, TensorSpec, serialize
from safetensors.torch import load
from torch import Tensor

from worker.sandbox.fields import require
from worker.sandbox.framing import HEADER_BYTES, MalformedFrameError

DTYPES = frozenset(
    (
        torch.float64,
        torch.float32,
        torch.float16,
        torch.bfloat16,
        torch.int64,
        torch.int32,
        torch.int16,
        torch.int8,
        torch.uint8,
        torch.bool,
    )
)
_MAX_DIMENSIONS = 16


def pack(tensors: Mapping[str, Tensor]) -> bytes:
    """Copies dense tensors of any device into one body, empty for none. Raises TypeError for any other tensor."""
    plain = {name: _plain(tensor) for name, tensor in tensors.items()}  # holds the memory until it has been read
    return serialize({name: _spec(tensor) for name, tensor in plain.items()}) if plain else b""


def _plain(tensor: Tensor) -> Tensor:
    bare = tensor.as_subclass(Tensor).detach()
    if bare.dtype not in DTYPES or bare.layout is not torch.strided or bare.dim() > _MAX_DIMENSIONS:
        raise TypeError(f"a {bare.dim()}-dimensional tensor of {bare.dtype} ({bare.layout}) cannot be compared")
    return bare.to("cpu").resolve_neg().contiguous()


def _spec(tensor: Tensor) -> TensorSpec:
    """The library's own function for torch finds out four times as slowly where a small tensor lies."""
    dtype = str(tensor.dtype).removeprefix("torch.")
    return TensorSpec(dtype=dtype, shape=tensor.shape, data_ptr=tensor.data_ptr(), data_len=tensor.nbytes)


def unpack(body: bytes | bytearray | memoryview, expected: frozenset[str]) -> dict[str, Tensor]:
    """Reads exactly the tensors that are expected. Raises MalformedFrameError for any other body.

    Names are checked before any tensor is made: a hundred thousand empty ones would take a second to parse.
    """
    if not body and not expected:
        return {}
    require(len(body) >= 8, "a body that is cut off")
    header_bytes = int.from_bytes(bytes(body[:8]), "little")
    require(header_bytes <= min(HEADER_BYTES, len(body) - 8), "the tensors' header is too large")
    try:
        declared = json.loads(bytes(body[8 : 8 + header_bytes]))
    except (ValueError, RecursionError) as error:
        raise MalformedFrameError(f"the tensors' header is not JSON: {error}") from error
    require(isinstance(declared, dict) and frozenset(declared) == expected, "other tensors than it lists")
    try:
        tensors = load(bytes(body))
    except (SafetensorError, RuntimeError, ValueError, AssertionError) as error:
        raise MalformedFrameError(f"tensors that cannot be read: {error}") from error
    require(all(_is_plain(tensor) for tensor in tensors.values()), "a dtype or shape that is not allowed")
    return tensors


def _is_plain(tensor: Tensor) -> bool:
    return tensor.dtype in DTYPES and tensor.dim() <= _MAX_DIMENSIONS
