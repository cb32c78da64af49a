"""Calls and outcomes as frames: scalars in the header, tensors as safetensors. Decoding an outcome trusts nothing.

The judge encodes calls and decodes outcomes; the guest does the reverse. The runner between them looks at neither.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

import torch
from safetensors import SafetensorError, TensorSpec, serialize
from safetensors.torch import load
from torch import Tensor

from grader.execution import MOST_LINES, Call, CallStatus, Drawn, GradMode, Observation, Outcome, Problem, Step, Value
from worker.sandbox.framing import HEADER_BYTES, Frame, MalformedFrameError

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
_MAX_OUTPUTS = 16
_MAX_DIMENSIONS = 16
_MAX_NAMES = 512
_NAME_CHARACTERS = 200
_MESSAGE_CHARACTERS = 2000
# Controls, what turns the direction of the text around it, and what only some programs take for the end of a line.
_STEERING = (*range(0x20), *range(0x7F, 0xA0), *range(0x2028, 0x202F), *range(0x2066, 0x206A), 0xFFFE, 0xFFFF)
_NO_CONTROLS = {
    **{code: "\ufffd" for code in _STEERING if chr(code) not in "\t\n"},
    ord("\r"): "",
}


# --- calls -----------------------------------------------------------------------------------------------------------


def encode_call(call: Call) -> Frame:
    tensors = {f"a.{name}": value for name, value in call.arguments.items() if isinstance(value, Tensor)}
    if call.gradient is not None:
        tensors["gradient"] = call.gradient
    arguments = [[name, *_encode_value(value)] for name, value in call.arguments.items()]
    fields = {
        "id": call.id,
        "function": call.function,
        "arguments": arguments,
        "differentiate": call.differentiate,
        "strided": call.strided,
        "expanded": call.expanded,
        "shared": call.shared,
        "reused": call.reused,
        "by_position": call.by_position,
        "return_arguments": call.return_arguments,
        "glance": call.glance,
        "observe": call.observe,
        "disturb": call.disturb,
        "grad_mode": call.grad_mode,
        "device": call.device,
        "step": call.step,
        "seed": call.seed,
        "rows": call.rows,
    }
    return Frame("call", fields, _pack(tensors))


def _encode_value(value: Value) -> tuple[str, Any]:
    if isinstance(value, Tensor):
        return "tensor", None
    return ("drawn", [value.shape, value.scale]) if isinstance(value, Drawn) else ("scalar", value)


def decode_call(frame: Frame) -> Call:
    """Trusts the frame: the judge wrote it. Raises ValueError for a mode or step that there is not."""
    tensors = load(bytes(frame.body)) if frame.body else {}
    fields = frame.fields
    arguments: dict[str, Value] = {
        name: tensors[f"a.{name}"] if kind == "tensor" else _decode_value(kind, value)
        for name, kind, value in fields["arguments"]
    }
    return Call(
        id=fields["id"],
        function=fields["function"],
        arguments=arguments,
        gradient=tensors.get("gradient"),
        differentiate=tuple(fields["differentiate"]),
        strided=tuple(fields["strided"]),
        expanded=tuple(fields["expanded"]),
        shared=tuple(fields["shared"]),
        reused=tuple(fields["reused"]),
        by_position=fields["by_position"],
        return_arguments=fields["return_arguments"],
        glance=fields["glance"],
        observe=fields["observe"],
        disturb=tuple(fields["disturb"]),
        grad_mode=GradMode(fields["grad_mode"]),
        device=fields["device"],
        step=None if fields["step"] is None else Step(fields["step"]),
        seed=fields["seed"],
        rows=tuple(fields["rows"]),
    )


def _decode_value(kind: str, value: Any) -> Value:
    return Drawn(tuple(value[0]), value[1]) if kind == "drawn" else value


# --- outcomes --------------------------------------------------------------------------------------------------------


def encode_outcome(outcome: Outcome) -> Frame:
    """Raises TypeError for a tensor that cannot be sent (complex or sparse, say), MemoryError without room."""
    tensors = {f"o.{index}": tensor for index, tensor in enumerate(outcome.outputs[:_MAX_OUTPUTS])}
    tensors |= {f"g.{name}": tensor for name, tensor in outcome.gradients.items() if tensor is not None}
    tensors |= {f"a.{name}": tensor for name, tensor in outcome.arguments.items()}
    fields = {
        "id": outcome.id,
        "status": outcome.status.value,
        "outputs": min(len(outcome.outputs), _MAX_OUTPUTS),
        "gradients": {name: tensor is not None for name, tensor in outcome.gradients.items()},
        "arguments": list(outcome.arguments),
        "changed_earlier": outcome.changed_earlier,
        "problem": encode_problem(outcome.problem),
        "gradient_problem": encode_problem(outcome.gradient_problem),
        "observation": _encode_observation(outcome.observation),
    }
    return Frame("outcome", fields, _pack(tensors))


def decode_outcome(call: Call, frame: Frame, elapsed_s: float) -> Outcome:
    """Raises MalformedFrameError unless the frame is exactly what an honest guest could have sent for `call`."""
    try:
        return _decode_outcome(call, frame, elapsed_s)
    except (KeyError, TypeError, AttributeError) as error:
        raise MalformedFrameError(f"an outcome with a missing or mistyped field: {error!r}") from error


def _decode_outcome(call: Call, frame: Frame, elapsed_s: float) -> Outcome:
    fields = frame.fields
    _require(frame.kind == "outcome" and fields["id"] == call.id, "it is not the outcome of this call")
    status = _decode_status(fields["status"])
    count = fields["outputs"]
    _require(type(count) is int and 0 <= count <= _MAX_OUTPUTS, "the number of outputs")
    _require((status is CallStatus.RETURNED) == (count > 0), "outputs that do not fit the status")
    problem = decode_problem(fields["problem"])
    _require((status is CallStatus.RETURNED) == (problem is None), "a problem that does not fit the status")
    gradients = {_text(name): _flag(present) for name, present in fields["gradients"].items()}
    arguments = [_text(name) for name in _list(fields["arguments"])]
    _require(set(gradients) <= set(call.differentiate), "gradients that were not asked for")
    tensor_names = {name for name, value in call.arguments.items() if isinstance(value, Tensor)}
    _require(set(arguments) <= (tensor_names if call.return_arguments else set()), "arguments that were not asked for")
    expected = [f"o.{index}" for index in range(count)]
    expected += [f"g.{name}" for name, present in gradients.items() if present]
    expected += [f"a.{name}" for name in arguments]
    tensors = _unpack(frame.body, frozenset(expected))
    return Outcome(
        id=call.id,
        status=status,
        outputs=tuple(tensors[f"o.{index}"] for index in range(count)),
        gradients={name: tensors[f"g.{name}"] if present else None for name, present in gradients.items()},
        gradient_problem=decode_problem(fields["gradient_problem"]),
        arguments={name: tensors[f"a.{name}"] for name in arguments},
        changed_earlier=_flag(fields["changed_earlier"]),
        problem=problem,
        observation=_decode_observation(fields["observation"]),
        elapsed_s=elapsed_s,
    )


def _decode_status(value: object) -> CallStatus:
    allowed = {status.value: status for status in (CallStatus.RETURNED, CallStatus.RAISED, CallStatus.MISTYPED)}
    _require(isinstance(value, str) and value in allowed, "the status")
    return allowed[str(value)]


# --- problems and observations ---------------------------------------------------------------------------------------


def encode_problem(problem: Problem | None) -> dict[str, Any] | None:
    if problem is None:
        return None
    return asdict(problem) | {
        "type": _short(problem.type),
        "file": None if problem.file is None else _short(problem.file),
        "message": problem.message[:_MESSAGE_CHARACTERS].encode("utf-8", "replace").decode(),
        "bases": [_short(name) for name in problem.bases[:8]],
    }


def decode_problem(data: object) -> Problem | None:
    """Raises MalformedFrameError, TypeError or KeyError when `data` is not what `encode_problem` wrote."""
    if data is None:
        return None
    _require(isinstance(data, dict), "a problem that is not an object")
    assert isinstance(data, dict)
    line = data["line"]
    _require(line is None or (type(line) is int and 0 < line < MOST_LINES), "the line of a problem")
    return Problem(
        type=_text(data["type"]),
        message=_text(data["message"], _MESSAGE_CHARACTERS),
        line=line,
        file=None if data["file"] is None else _text(data["file"]),
        out_of_memory=_flag(data["out_of_memory"]),
        bases=tuple(_text(name) for name in _list(data["bases"])),
    )


def _encode_observation(observation: Observation | None) -> dict[str, Any] | None:
    if observation is None:
        return None
    return {
        "operations": observation.operations,
        "kernels": _short_names(observation.kernels),
        "torch_functions": _short_names(observation.torch_functions),
        "own_functions": _short_names(observation.own_functions),
        "yielding": _short_names(observation.yielding),
        "disturbed": observation.disturbed,
        "unseen": _short_names(observation.unseen),
        "taken_out": observation.taken_out,
    }


def _decode_observation(data: object) -> Observation | None:
    if data is None:
        return None
    _require(isinstance(data, dict), "an observation that is not an object")
    assert isinstance(data, dict)
    return Observation(
        operations=_count(data["operations"]),
        kernels=_names(data["kernels"]),
        torch_functions=_names(data["torch_functions"]),
        own_functions=_names(data["own_functions"]),
        yielding=_names(data["yielding"]),
        disturbed=_count(data["disturbed"]),
        unseen=_names(data["unseen"]),
        taken_out=_flag(data["taken_out"]),
    )


# --- tensors ---------------------------------------------------------------------------------------------------------


def _pack(tensors: Mapping[str, Tensor]) -> bytes:
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


def _unpack(body: bytes | bytearray | memoryview, expected: frozenset[str]) -> dict[str, Tensor]:
    """Names are checked before any tensor is made: a hundred thousand empty ones would take a second to parse."""
    if not body and not expected:
        return {}
    _require(len(body) >= 8, "a body that is cut off")
    header_bytes = int.from_bytes(bytes(body[:8]), "little")
    _require(header_bytes <= min(HEADER_BYTES, len(body) - 8), "the tensors' header is too large")
    try:
        declared = json.loads(bytes(body[8 : 8 + header_bytes]))
    except (ValueError, RecursionError) as error:
        raise MalformedFrameError(f"the tensors' header is not JSON: {error}") from error
    _require(isinstance(declared, dict) and frozenset(declared) == expected, "other tensors than it lists")
    try:
        tensors = load(bytes(body))
    except (SafetensorError, RuntimeError, ValueError, AssertionError) as error:
        raise MalformedFrameError(f"tensors that cannot be read: {error}") from error
    _require(all(_is_plain(tensor) for tensor in tensors.values()), "a dtype or shape that is not allowed")
    return tensors


def _is_plain(tensor: Tensor) -> bool:
    return tensor.dtype in DTYPES and tensor.dim() <= _MAX_DIMENSIONS


# --- small strict pieces ---------------------------------------------------------------------------------------------


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise MalformedFrameError(f"the submission's process sent {what}")


def _text(value: object, limit: int = _NAME_CHARACTERS) -> str:
    """Fit to be stored and shown: a lone surrogate or a NUL stops a database, an escape sequence steers a terminal."""
    _require(isinstance(value, str) and len(value) <= limit, "a text that is too long or no text")
    text = str(value)
    if text.isascii() and text.isprintable():  # nearly all: to look at each letter of each name takes its time
        return text
    return text.encode("utf-8", "replace").decode().translate(_NO_CONTROLS)


def _flag(value: object) -> bool:
    _require(isinstance(value, bool), "a flag that is not true or false")
    return bool(value)


def _count(value: object) -> int:
    _require(type(value) is int and 0 <= value < 1 << 53, "a number of operations")
    assert isinstance(value, int)
    return value


def _list(value: object) -> list[object]:
    _require(isinstance(value, list) and len(value) <= _MAX_NAMES, "a list that is too long or no list")
    assert isinstance(value, list)
    return value


def _names(value: object) -> frozenset[str]:
    return frozenset(_text(name) for name in _list(value))


def _short(text: str) -> str:
    return text[:_NAME_CHARACTERS].encode("utf-8", "replace").decode()


def _short_names(names: Iterable[str]) -> list[str]:
    """At most as many as fit the header: a submission may have thousands of functions."""
    kept, room = [], HEADER_BYTES // 8
    for name in sorted(map(_short, names))[:_MAX_NAMES]:
        room -= len(json.dumps(name)) + 1
        if room < 0:
            break
        kept.append(name)
    return kept
