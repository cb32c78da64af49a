"""Imports a submission from memory and performs calls on it: the same code in the sandbox's child and in the judge.

Holds nothing secret: in the sandbox a submission can read this module's memory.
"""

import importlib.abc
import importlib.machinery
import importlib.util
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from inspect import Parameter, signature
from pathlib import PurePosixPath
from types import ModuleType
from typing import Any

import torch
from torch import Tensor

from grader.execution import Call, CallStatus, Observation, Outcome, Problem, Value
from grader.observe import observing
from grader.submission import Submission

MESSAGE_CHARACTERS = 2000


class _MemoryFinder(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Serves a submission's files as modules; folders become namespace packages."""

    def __init__(self, submission: Submission) -> None:
        self.files = {_module_name(path): (path, source) for path, source in submission.files.items()}
        self.packages = {
            name.rsplit(".", depth)[0] for name in self.files for depth in range(1, name.count(".") + 1)
        } - set(self.files)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        del path, target
        if fullname in self.packages:
            spec = importlib.machinery.ModuleSpec(fullname, None, is_package=True)
            spec.submodule_search_locations = []
            return spec
        if fullname in self.files:
            origin = self.files[fullname][0]
            spec = importlib.machinery.ModuleSpec(fullname, self, origin=origin, is_package=self.is_package(fullname))
            spec.has_location = True
            return spec
        return None

    def is_package(self, fullname: str) -> bool:
        return PurePosixPath(self.files[fullname][0]).name == "__init__.py"

    def get_source(self, fullname: str) -> str:
        return importlib.util.decode_source(self.files[fullname][1])

    def get_code(self, fullname: str) -> Any:
        path, source = self.files[fullname]
        return compile(source, path, "exec", dont_inherit=True)

    def exec_module(self, module: ModuleType) -> None:
        module.__file__ = self.files[module.__name__][0]
        exec(self.get_code(module.__name__), module.__dict__)  # noqa: S102  running the submission is what this is for


def _module_name(path: str) -> str:
    parts = PurePosixPath(path).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def load_module(submission: Submission) -> ModuleType:
    """Import the uploaded file, with its siblings importable beside it. Raises whatever the module raises."""
    finder = _MemoryFinder(submission)
    sys.meta_path.insert(0, finder)
    return importlib.import_module(_module_name(submission.main))


def perform(call: Call, module: ModuleType) -> Outcome:
    """Make one call and tell what happened. Never raises for anything that the called function does."""
    arguments = {name: _prepared(name, value, call) for name, value in call.arguments.items()}
    try:
        function = getattr(module, call.function)
        bind = _binder(function, arguments)
        if call.observe:
            with observing(module) as seen:
                returned = bind()
            observation: Observation | None = seen.observation()
        else:
            returned, observation = bind(), None
        outputs = _tensors(returned)
    except BaseException as error:  # noqa: BLE001  the edge: whatever a submission raises is an outcome
        return Outcome(call.id, CallStatus.RAISED, problem=problem_from(error, module.__file__))
    if outputs is None:
        wrong = Problem(type(returned).__name__, f"returned {type(returned).__name__}, not a tensor")
        return Outcome(call.id, CallStatus.MISTYPED, problem=wrong, observation=observation)
    gradients, gradient_problem = _gradients(call, outputs[0], arguments, module.__file__)
    after = {
        name: value.detach() for name, value in arguments.items() if call.return_arguments and isinstance(value, Tensor)
    }
    return Outcome(
        id=call.id,
        status=CallStatus.RETURNED,
        outputs=tuple(output.detach() for output in outputs),
        gradients=gradients,
        gradient_problem=gradient_problem,
        arguments=after,
        observation=observation,
    )


def _prepared(name: str, value: Value, call: Call) -> Value:
    """A copy of its own for this call, so that what one call does to its arguments cannot reach another."""
    if not isinstance(value, Tensor):
        return value
    copy = value.clone()
    if name in call.strided and copy.dim() >= 2:
        copy = copy.mT.contiguous().mT
    return copy.requires_grad_() if name in call.differentiate else copy


def _binder(function: Callable[..., Any], arguments: Mapping[str, Value]) -> Callable[[], Any]:
    """By the contract's names where the function knows them all, else by position: a renamed parameter is no
    mistake.
    """
    try:
        parameters = signature(function).parameters.values()
    except (TypeError, ValueError):
        return lambda: function(*arguments.values())
    keywords = {p.name for p in parameters if p.kind in (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)}
    if set(arguments) <= keywords or any(p.kind is Parameter.VAR_KEYWORD for p in parameters):
        return lambda: function(**arguments)
    return lambda: function(*arguments.values())


def _tensors(returned: object) -> tuple[Tensor, ...] | None:
    if isinstance(returned, Tensor):
        return (returned,)
    if isinstance(returned, tuple) and returned and all(isinstance(item, Tensor) for item in returned):
        return returned
    return None


def _gradients(
    call: Call, output: Tensor, arguments: Mapping[str, Value], path: str | None
) -> tuple[dict[str, Tensor | None], Problem | None]:
    if call.gradient is None:
        return {}, None
    inputs = [value for name in call.differentiate if isinstance(value := arguments[name], Tensor)]
    try:
        upstream = call.gradient.to(output.dtype)
        found = torch.autograd.grad(output, inputs, upstream, allow_unused=True)
    except BaseException as error:  # noqa: BLE001  a submission's own autograd.Function may raise anything
        return dict.fromkeys(call.differentiate), problem_from(error, path)
    return {
        name: None if gradient is None else gradient.detach()
        for name, gradient in zip(call.differentiate, found, strict=True)
    }, None


def problem_from(error: BaseException, path: str | None) -> Problem:
    """The exception in words, with the last line of the uploaded file that it passed through."""
    line = None
    for frame, number in _frames(error):
        if frame == path:
            line = number
    if isinstance(error, SyntaxError) and error.filename == path:
        line = error.lineno
    text = str(error)[:MESSAGE_CHARACTERS]
    return Problem(
        type=type(error).__name__,
        message=text,
        line=line,
        out_of_memory=isinstance(error, MemoryError) or "can't allocate memory" in text or "not enough memory" in text,
        bases=tuple(base.__name__ for base in type(error).__mro__),
    )


def _frames(error: BaseException) -> Iterator[tuple[str, int]]:
    for frame, line in traceback.walk_tb(error.__traceback__):
        yield frame.f_code.co_filename, line
