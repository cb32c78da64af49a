"""A call on a device in three steps (`execution.Step`), and any other call in one: in the sandbox's child and in the
judge. Holds nothing secret: in the sandbox a submission can read this module's memory, and forge what it tells.
"""

import time

import torch
from torch import Tensor

from grader.guest.binding import call_with
from grader.guest.execution import Call, CallStatus, Drawn, Outcome, Stage, Step, Value
from grader.guest.loading import Program
from grader.guest.perform import await_device, elsewhere, perform, tensors_of
from grader.guest.raised import problem_from

_ARGUMENTS, _RESULT = "arguments", "result"
_OTHER_SEED = 1 << 40  # far from any seed that a case is given


def answer(call: Call, program: Program) -> Outcome:
    """Make the call, or the step of it. Never raises for anything that the called function does."""
    if call.stage is None:
        return perform(call, program)
    try:
        return Outcome(call.id, CallStatus.RETURNED, outputs=(_STEPS[call.stage.step](call, call.stage, program),))
    except BaseException as error:  # noqa: BLE001  the edge: whatever a submission raises is an outcome
        program.held.clear()
        return Outcome(call.id, CallStatus.RAISED, problem=problem_from(error, program.module.__file__, program.own))


def _prepare(call: Call, stage: Stage, program: Program) -> Tensor:
    """Once with other values: libraries load, kernels are chosen, memory is fetched. What that gave is of no use."""
    _make(call, program, _drawn(call, stage.seed + _OTHER_SEED))
    program.held[_ARGUMENTS] = _drawn(call, stage.seed)
    await_device(call.device)
    return torch.zeros(1)


def _perform(call: Call, _: Stage, program: Program) -> Tensor:
    arguments = program.held.pop(_ARGUMENTS)
    if call.device == "cpu":
        started = time.perf_counter()
        program.held[_RESULT] = _make(call, program, arguments)
        return torch.tensor([time.perf_counter() - started, 0.0], dtype=torch.float64)
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))  # type: ignore[no-untyped-call]
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    begin.record()
    program.held[_RESULT] = _make(call, program, arguments)
    end.record()
    torch.cuda.synchronize()
    peak = torch.cuda.max_memory_allocated() - before
    return torch.tensor([begin.elapsed_time(end) / 1000, peak], dtype=torch.float64)


def _show(call: Call, stage: Stage, program: Program) -> Tensor:
    result: Tensor = program.held.pop(_RESULT)
    shown = result.flatten(0, -2)[list(stage.rows)].to("cpu", copy=True)
    del result
    if call.device != "cpu":
        torch.cuda.empty_cache()  # whoever's turn is next shall find the device empty
    return shown


def _make(call: Call, program: Program, arguments: dict[str, Value]) -> Tensor:
    with torch.no_grad():
        outputs = tensors_of(call_with(program.function(call.function), arguments))
    await_device(call.device)
    if outputs is None:
        raise TypeError("returned something that is not a tensor")
    if (stray := elsewhere(outputs, call.device)) is not None:
        raise TypeError(stray.message)
    return outputs[0]


def _drawn(call: Call, seed: int) -> dict[str, Value]:
    """In the order of the arguments: the same values in every process on devices of one kind."""
    generator = torch.Generator(call.device).manual_seed(seed)
    return {
        name: torch.randn(value.shape, generator=generator, device=call.device) * value.scale
        if isinstance(value, Drawn)
        else value
        for name, value in call.arguments.items()
    }


_STEPS = {Step.PREPARE: _prepare, Step.PERFORM: _perform, Step.SHOW: _show}
