"""Performs calls on a loaded submission: the same code in the sandbox's child and in the judge.

Holds nothing secret: in the sandbox a submission can read this module's memory.
"""

import sys
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from typing import Any, Final

import torch
from torch import Tensor
from torch.autograd import Variable

from grader.guest.binding import call_with, writing
from grader.guest.execution import (
    UNTRACED,
    Call,
    CallStatus,
    Detail,
    Gives,
    GradMode,
    Outcome,
    Problem,
    Trace,
    Value,
)
from grader.guest.loading import Program
from grader.guest.perform_values import performed_values
from grader.guest.raised import problem_from
from grader.guest.tracing import traced

# Frames that it may open once it has called itself without end: filling the whole stack takes a tenth of a second.
SHALLOW = 250
UNBEARABLE, ENDLESS = "raises when it is watched", "calls itself without end"  # of Program.noticed
LATEST, GIVEN = "arguments of the latest call", "what calls gave, by shape"  # of Program.held
_AS_IT_IS: Final = nullcontext()
MOST_KEPT = 10_000  # numbers of a result that is looked at again after the next one of its shape


def perform(call: Call, program: Program) -> Outcome:
    """Make one call and tell what happened. Never raises for anything that the called function does."""
    if ENDLESS in program.noticed:
        with _shallow_stack():
            return _performed(call, program)
    outcome = _performed(call, program)
    if call.tracing.detail is Detail.LIGHT and outcome.status is CallStatus.RAISED:
        # Some of torch, `torch.compile` for one, does not bear to be watched: the answer is what it gives alone. It
        # takes a second to raise, so there is no other trace.
        outcome = _performed(replace(call, tracing=UNTRACED), program)
        if outcome.status is CallStatus.RETURNED:
            program.noticed.add(UNBEARABLE)
    if outcome.problem is not None and outcome.problem.type == RecursionError.__name__:
        program.noticed.add(ENDLESS)
    return outcome


@contextmanager
def _shallow_stack() -> Iterator[None]:
    deepest = sys.getrecursionlimit()
    sys.setrecursionlimit(min(deepest, SHALLOW))
    try:
        yield
    finally:
        sys.setrecursionlimit(deepest)


def _performed(call: Call, program: Program) -> Outcome:
    if call.gives is Gives.VALUES:
        return performed_values(call, program, grad_mode(call.grad_mode))
    arguments = _arguments(call, program)
    with_graph = _requiring_grad(arguments)
    try:
        function = program.function(call.function)
        if call.tracing != UNTRACED:
            with writing(call.by_position), grad_mode(call.grad_mode), traced(program, call.tracing) as seen:
                returned = call_with(function, arguments)
                outputs = tensors_of(returned)
                given = seen.kept(outputs or ())
            trace: Trace | None = seen.trace(given or returned)
        else:
            with writing(call.by_position), grad_mode(call.grad_mode):
                returned = call_with(function, arguments)
            outputs, trace = tensors_of(returned), None
            given = outputs or ()
        await_device(call.device)  # what failed there is told only now
        changed_earlier = _changes_earlier(outputs or (), arguments, program)
    except BaseException as error:  # noqa: BLE001  the edge: whatever a submission raises is an outcome
        return Outcome(call.id, CallStatus.RAISED, problem=problem_from(error, program.module.__file__, program.own))
    if outputs is None:
        kind = type(returned).__name__
        wrong = Problem(kind, f"returned {'an' if kind[0] in 'aeiou' else 'a'} {kind}, not a tensor")
        return Outcome(call.id, CallStatus.MISTYPED, problem=wrong, trace=trace)
    if (stray := elsewhere(outputs, call.device)) is not None:
        return Outcome(call.id, CallStatus.MISTYPED, problem=stray, trace=trace)
    gradients, gradient_problem = _gradients(call, outputs[0], arguments, program)
    after = {
        name: at_home(value, call.device)
        for name, value in arguments.items()
        if call.return_arguments and isinstance(value, Tensor) and value.requires_grad is (name in with_graph)
    }
    return Outcome(
        id=call.id,
        status=CallStatus.RETURNED,
        outputs=tuple(at_home(output, call.device) for output in given),
        gradients=gradients,
        gradient_problem=gradient_problem,
        arguments=after,
        changed_earlier=changed_earlier,
        trace=trace,
    )


def grad_mode(mode: GradMode) -> AbstractContextManager[object]:
    """What `mode` is in torch."""
    match mode:
        case GradMode.DEFAULT:
            return _AS_IT_IS
        case GradMode.NO_GRAD:
            return torch.no_grad()
        case GradMode.INFERENCE:
            return torch.inference_mode()


def _arguments(call: Call, program: Program) -> dict[str, Value]:
    """What the function is called with. The next call may write into it."""
    earlier = program.held.get(LATEST, {})
    arguments = {name: _prepared(name, value, call) for name, value in call.arguments.items()}
    for name in call.reused:
        arguments[name] = _rewritten(earlier.get(name), arguments[name])
    for name in call.shared[:-1]:
        arguments[name] = _beginning(arguments[call.shared[-1]], arguments[name])
    program.held[LATEST] = arguments if call.device == "cpu" else {}  # nothing on a GPU is kept longer than a call
    return arguments


def _requiring_grad(arguments: Mapping[str, Value]) -> set[str]:
    return {name for name, value in arguments.items() if isinstance(value, Tensor) and value.requires_grad}


def _changes_earlier(outputs: tuple[Tensor, ...], arguments: Mapping[str, Value], program: Program) -> bool:
    """Whether what an earlier call gave in the shapes of these is no longer what it was. These are kept instead, but
    for what lies in the memory of arguments: there the caller may write.
    """
    kept: dict[tuple[int, torch.Size], tuple[Tensor, Tensor]] = program.held.setdefault(GIVEN, {})
    is_changed = False
    with torch.no_grad():
        for place, output in enumerate(outputs):
            if not _can_be_kept(output):
                continue
            earlier = kept.pop((place, output.shape), None)
            is_changed |= earlier is not None and not _is_same(*earlier)
            if not _lies_in(output, arguments):
                kept[place, output.shape] = output, output.clone()
    return is_changed


def _can_be_kept(output: Tensor) -> bool:
    return output.device.type == "cpu" and output.layout is torch.strided and output.numel() <= MOST_KEPT


def _is_same(output: Tensor, copy: Tensor) -> bool:
    return torch.equal(output, copy) or torch.equal(output.nan_to_num(), copy.nan_to_num())


def _lies_in(output: Tensor, arguments: Mapping[str, Value]) -> bool:
    """Whether it may lie in the memory of one of these."""
    first, last = _memory(output)
    memories = (_memory(value) for value in arguments.values() if isinstance(value, Tensor))
    return any(max(first, begin) < min(last, end) for begin, end in memories)


def _memory(tensor: Tensor) -> tuple[int, int]:
    storage = tensor.untyped_storage()
    return storage.data_ptr(), storage.data_ptr() + storage.nbytes()


def _rewritten(earlier: Value, value: Value) -> Value:
    """The earlier tensor, with the values of this one."""
    if not isinstance(earlier, Tensor) or not isinstance(value, Tensor):
        return value
    if (earlier.shape, earlier.dtype) != (value.shape, value.dtype):
        return value
    if earlier.is_inference() and not value.is_inference():
        return value  # outside of that mode nothing writes into it
    with torch.inference_mode(earlier.is_inference()), torch.no_grad():
        earlier.copy_(value)
    return earlier.requires_grad_(value.requires_grad)


def _beginning(whole: Value, value: Value) -> Value:
    """As much of that tensor as this one has, in its memory."""
    if not isinstance(whole, Tensor) or not isinstance(value, Tensor):
        return value
    part = whole if whole.shape == value.shape else whole[tuple(map(slice, value.shape))]
    if value.requires_grad:
        part.requires_grad_().retain_grad()
    return part


def _prepared(name: str, value: Value, call: Call) -> Value:
    """A copy of its own for this call, so that what one call does to its arguments cannot reach another."""
    if not isinstance(value, Tensor):
        return value
    mode = GradMode.DEFAULT if name in call.differentiate else call.grad_mode
    with grad_mode(mode):  # what a caller makes in inference mode is an inference tensor
        copy = value.to(call.device, copy=True)
        if name in call.strided and copy.dim() >= 2:
            copy = copy.mT.contiguous().mT
        if name in call.expanded:
            copy = copy[:1].expand_as(copy)
    return copy.requires_grad_() if name in call.differentiate else copy


def tensors_of(returned: object) -> tuple[Tensor, ...] | None:
    """The tensors of a result, without a class of the student's own: one, or those of a tuple that holds nothing else.
    None for every other result, an empty tuple too.
    """
    items = returned if isinstance(returned, tuple) else (returned,)
    return tuple(map(_plain, items)) if items and all(isinstance(item, Tensor) for item in items) else None


def _plain(tensor: Tensor) -> Tensor:
    """Without a class of the student's own, which could put its work off until nobody watches."""
    if type(tensor) is Tensor:
        return tensor
    with torch._C.DisableTorchFunctionSubclass():
        return tensor.as_subclass(Tensor)


def await_device(device: str) -> None:
    """Until all that was asked of it is done."""
    if device != "cpu":
        torch.cuda.synchronize()


def at_home(tensor: Tensor, device: str) -> Tensor:
    """The same values, shape and dtype without its graph, on the CPU. What inference mode made is copied: torch keeps
    such a tensor from most of what may be done with any other.
    """
    own = tensor.clone() if tensor.is_inference() else tensor.detach()
    return own if device == "cpu" else own.to("cpu")


def elsewhere(outputs: tuple[Tensor, ...], device: str) -> Problem | None:
    """What is wrong when a result is not where its arguments are. On the CPU, whoever compares finds out."""
    strays = [output.device.type for output in outputs if device not in ("cpu", output.device.type)]
    if not strays:
        return None
    return Problem("Tensor", f"returned a tensor on {strays[0]}, but its input is on {device}")


def _gradients(
    call: Call, output: Tensor, arguments: Mapping[str, Value], program: Program
) -> tuple[dict[str, Tensor | None], Problem | None]:
    if call.gradient is None:
        return {}, None
    inputs = {name: value for name in call.differentiate if isinstance(value := arguments[name], Tensor)}
    for value in inputs.values():
        value.grad = None
    try:
        _backward(output, call.gradient.to(output))
        found = {name: value.grad for name, value in inputs.items()}
    except BaseException as error:  # noqa: BLE001  a submission's own autograd.Function may raise anything
        return dict.fromkeys(call.differentiate), problem_from(error, program.module.__file__, program.own)
    return {
        name: None if gradient is None else at_home(gradient, call.device) for name, gradient in found.items()
    }, None


def _backward(output: Tensor, gradient: Tensor) -> None:
    """As a training loop does. `torch.autograd.grad` would do the same, but reentrant checkpoints refuse it."""
    if output.is_nested or output.shape != gradient.shape:
        torch.autograd.backward(output, gradient)  # says what is wrong
        return
    # What that does once it has compared the shapes; to compare them it imports SymPy, which takes half a second.
    run_backward: Any = Variable._execution_engine.run_backward
    run_backward((output,), (gradient,), False, False, (), allow_unreachable=True, accumulate_grad=True)
