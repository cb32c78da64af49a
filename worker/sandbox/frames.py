"""Calls and outcomes as frames: scalars in the header, tensors as safetensors. Decoding an outcome trusts nothing.

The judge encodes calls and decodes outcomes; the guest does the reverse. The runner between them looks at neither.
"""

from dataclasses import asdict, replace
from typing import Any

import torch
from safetensors.torch import load
from torch import Tensor

from grader.guest.execution import (
    Call,
    CallStatus,
    Detail,
    Drawn,
    Gives,
    GradMode,
    Outcome,
    Stage,
    Step,
    Trace,
    Tracing,
    Value,
)
from grader.guest.line_results import COLUMNS, MOST_RESULTS
from worker.sandbox.fields import count_of, flag_of, list_of, names_of, require, short_names, text_of
from worker.sandbox.framing import Frame, MalformedFrameError
from worker.sandbox.problems import decode_problem as decode_problem  # noqa: PLC0414  a frame's, for whoever reads one
from worker.sandbox.problems import encode_problem as encode_problem  # noqa: PLC0414
from worker.sandbox.tensor_body import pack, unpack
from worker.sandbox.value_frames import call_fields, call_of, most_shown, pack_values, unpack_values

_MAX_OUTPUTS = 16


# --- calls -----------------------------------------------------------------------------------------------------------


def encode_call(call: Call) -> Frame:
    """Writes a call as a frame: names, options and scalars in the header, tensors in the body."""
    if call.gives is Gives.VALUES:
        told, tensors = call_fields(call)
        values, arguments = {"values": told}, []
    else:
        values, arguments = {}, [[name, *_encode_value(value)] for name, value in call.arguments.items()]
        tensors = {f"a.{name}": value for name, value in call.arguments.items() if isinstance(value, Tensor)}
    if call.gradient is not None:
        tensors["gradient"] = call.gradient
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
        "grad_mode": call.grad_mode,
        "device": call.device,
        "tracing": vars(call.tracing),
        "stage": None if call.stage is None else asdict(call.stage),
        **values,
    }
    return Frame("call", fields, pack(tensors))


def _encode_value(value: Value) -> tuple[str, Any]:
    if isinstance(value, Tensor):
        return "tensor", None
    return ("drawn", [value.shape, value.scale]) if isinstance(value, Drawn) else ("scalar", value)


def decode_call(frame: Frame) -> Call:
    """Reads a call. Trusts the frame: the judge wrote it. Raises ValueError for a mode or detail that there is not."""
    if "values" in frame.fields:
        return replace(call_of(frame.fields, bytes(frame.body)), tracing=_decode_tracing(frame.fields["tracing"]))
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
        grad_mode=GradMode(fields["grad_mode"]),
        device=fields["device"],
        tracing=_decode_tracing(fields["tracing"]),
        stage=None if fields["stage"] is None else _decode_stage(fields["stage"]),
    )


def _decode_tracing(fields: dict[str, Any]) -> Tracing:
    altered = tuple(fields["altered"])
    return Tracing(Detail(fields["detail"]), altered, fields["alters_taken_out"], fields["counts_calls"])


def _decode_stage(fields: dict[str, Any]) -> Stage:
    return Stage(Step(fields["step"]), fields["seed"], tuple(fields["rows"]))


def _decode_value(kind: str, value: Any) -> Value:
    return Drawn(tuple(value[0]), value[1]) if kind == "drawn" else value


# --- outcomes --------------------------------------------------------------------------------------------------------


def encode_outcome(outcome: Outcome) -> Frame:
    """Writes an outcome as a frame. Raises TypeError for a complex or sparse tensor, MemoryError without room."""
    tensors = {f"o.{index}": tensor for index, tensor in enumerate(outcome.outputs[:_MAX_OUTPUTS])}
    tensors |= {f"g.{name}": tensor for name, tensor in outcome.gradients.items() if tensor is not None}
    tensors |= {f"a.{name}": tensor for name, tensor in outcome.arguments.items()}
    if outcome.trace is not None and outcome.trace.line_results is not None:
        tensors["line_results"] = outcome.trace.line_results
    values, body = (None, pack(tensors)) if outcome.values is None else pack_values(outcome.values)
    fields = {
        "id": outcome.id,
        "status": outcome.status.value,
        "outputs": min(len(outcome.outputs), _MAX_OUTPUTS),
        "gradients": {name: tensor is not None for name, tensor in outcome.gradients.items()},
        "arguments": list(outcome.arguments),
        "changed_earlier": outcome.changed_earlier,
        "problem": encode_problem(outcome.problem),
        "gradient_problem": encode_problem(outcome.gradient_problem),
        "trace": _encode_trace(outcome.trace),
        "values": values,
    }
    return Frame("outcome", fields, body)


def decode_outcome(call: Call, frame: Frame, elapsed_s: float) -> Outcome:
    """Reads the outcome of `call`. Raises MalformedFrameError for any frame that no honest guest could have sent."""
    try:
        return _decode_outcome(call, frame, elapsed_s)
    except (KeyError, TypeError, AttributeError) as error:
        raise MalformedFrameError(f"an outcome with a missing or mistyped field: {error!r}") from error


def _decode_outcome(call: Call, frame: Frame, elapsed_s: float) -> Outcome:
    fields = frame.fields
    require(frame.kind == "outcome" and fields["id"] == call.id, "it is not the outcome of this call")
    status = _decode_status(fields["status"])
    if call.gives is Gives.VALUES:
        return _decode_values(call, frame, status, elapsed_s)
    require(fields["values"] is None, "values that were not asked for")
    count = fields["outputs"]
    require(type(count) is int and 0 <= count <= _MAX_OUTPUTS, "the number of outputs")
    require((status is CallStatus.RETURNED) == (count > 0), "outputs that do not fit the status")
    problem = decode_problem(fields["problem"])
    require((status is CallStatus.RETURNED) == (problem is None), "a problem that does not fit the status")
    gradients = {text_of(name): flag_of(present) for name, present in fields["gradients"].items()}
    arguments = [text_of(name) for name in list_of(fields["arguments"])]
    require(set(gradients) <= set(call.differentiate), "gradients that were not asked for")
    tensor_names = {name for name, value in call.arguments.items() if isinstance(value, Tensor)}
    require(set(arguments) <= (tensor_names if call.return_arguments else set()), "arguments that were not asked for")
    expected = [f"o.{index}" for index in range(count)]
    expected += [f"g.{name}" for name, present in gradients.items() if present]
    expected += [f"a.{name}" for name in arguments]
    trace = _decode_trace(fields["trace"])
    if trace is not None and call.tracing.detail is Detail.LINES:
        expected.append("line_results")
    tensors = unpack(frame.body, frozenset(expected))
    if trace is not None and call.tracing.detail is Detail.LINES:
        trace = replace(trace, line_results=_rows(tensors["line_results"]))
    return Outcome(
        id=call.id,
        status=status,
        outputs=tuple(tensors[f"o.{index}"] for index in range(count)),
        gradients={name: tensors[f"g.{name}"] if present else None for name, present in gradients.items()},
        gradient_problem=decode_problem(fields["gradient_problem"]),
        arguments={name: tensors[f"a.{name}"] for name in arguments},
        changed_earlier=flag_of(fields["changed_earlier"]),
        problem=problem,
        trace=trace,
        elapsed_s=elapsed_s,
    )


def _decode_values(call: Call, frame: Frame, status: CallStatus, elapsed_s: float) -> Outcome:
    """Of a call that gives values. One that ended before may have shown some; one that says nothing has shown none."""
    fields = frame.fields
    problem = decode_problem(fields["problem"])
    require((status is CallStatus.RETURNED) == (problem is None), "a problem that does not fit the status")
    is_silent = fields["values"] is None and not frame.body and problem is not None
    values = () if is_silent else unpack_values(call, fields["values"], frame.body)
    require(status is not CallStatus.RETURNED or len(values) == most_shown(call), "values that do not fit the status")
    trace = _decode_trace(fields["trace"])
    return Outcome(call.id, status, values=values, problem=problem, trace=trace, elapsed_s=elapsed_s)


def _decode_status(value: object) -> CallStatus:
    allowed = {status.value: status for status in (CallStatus.RETURNED, CallStatus.RAISED, CallStatus.MISTYPED)}
    require(isinstance(value, str) and value in allowed, "the status")
    return allowed[str(value)]


# --- traces ----------------------------------------------------------------------------------------------------------


def _encode_trace(trace: Trace | None) -> dict[str, Any] | None:
    if trace is None:
        return None
    return {
        "operations": trace.operations,
        "kernels": [*short_names(trace.kernels)],
        "torch_functions": [*short_names(trace.torch_functions)],
        "own_functions": [*short_names(trace.own_functions)],
        "yielding": [*short_names(trace.yielding)],
        "altered": trace.altered,
        "unseen": [*short_names(trace.unseen)],
        "taken_out": trace.taken_out,
    }


def _decode_trace(data: object) -> Trace | None:
    if data is None:
        return None
    require(isinstance(data, dict), "a trace that is not an object")
    assert isinstance(data, dict)
    return Trace(
        operations=count_of(data["operations"]),
        kernels=names_of(data["kernels"]),
        torch_functions=names_of(data["torch_functions"]),
        own_functions=names_of(data["own_functions"]),
        yielding=names_of(data["yielding"]),
        altered=count_of(data["altered"]),
        unseen=names_of(data["unseen"]),
        taken_out=flag_of(data["taken_out"]),
    )


def _rows(found: Tensor) -> Tensor:
    is_table = found.dim() == 2 and found.shape[0] <= MOST_RESULTS and found.shape[1] == COLUMNS
    require(is_table and found.dtype is torch.float64, "results of lines that are no table")
    return found
