"""The executor for code that we trust: reference, misconceptions, accepted variants. No sandbox, no limits, the
same outcomes.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec
from pathlib import Path
from types import CodeType, ModuleType

from grader.guest.execution import Call, End, Ending, Executor, Outcome, Session
from grader.guest.inspection import Inspection, SourceRules
from grader.guest.limits import Limits, Usage
from grader.guest.loading import Program, program_of, serve_support
from grader.guest.notebook import module_files
from grader.guest.perform import perform
from grader.guest.source import inspect_source
from grader.guest.steps import answer
from grader.guest.submission import Submission


@lru_cache(maxsize=2048)  # more than there are mistakes in a bank
def compiled(path: str, source: bytes) -> CodeType:
    """Compiles a source: to the same object for the same source."""
    return compile(source, path, "exec", dont_inherit=True)


@lru_cache(maxsize=2048)  # more than there are mistakes in a bank
def trusted_module(path: str, *sources: bytes) -> ModuleType:
    """One module made of all sources in order, made once: a later definition replaces an earlier one of the same
    name.
    """
    return fresh_module(path, *sources)


def fresh_module(path: str, *sources: bytes) -> ModuleType:
    """Makes one module of all sources in order, anew: nothing remembers an earlier call."""
    loader = _Sources(path, sources)
    module = module_from_spec(ModuleSpec(path.removesuffix(".py").replace("/", "."), loader, origin=path))
    loader.exec_module(module)
    return module


@dataclass(frozen=True)
class _Sources(Loader):
    """Loads one module from several sources, in order."""

    path: str
    sources: tuple[bytes, ...]

    def exec_module(self, module: ModuleType) -> None:
        module.__file__ = self.path
        for source in self.sources:
            exec(compiled(self.path, source), module.__dict__)  # noqa: S102  our own code


def module_of_files(paths: Sequence[Path]) -> ModuleType:
    """One module made of all files in order: an exception in it names the file and its line."""
    module = ModuleType(paths[-1].stem)
    for path in paths:
        exec(compiled(str(path), path.read_bytes()), module.__dict__)  # noqa: S102  our own code
    return module


def outcomes_of(program: Program, calls: Sequence[Call]) -> tuple[Outcome, ...]:
    """Runs a trusted program on these calls."""
    return tuple(perform(call, program) for call in calls)


class InProcess(Executor):
    """Runs trusted, single-file submissions in this process."""

    @property
    def description(self) -> str:
        return "none (in process)"

    @contextmanager
    def open(self, submission: Submission, limits: Limits) -> Iterator[Session]:
        del limits  # trusted code
        yield _Session(submission)


class _Session(Session):
    """Trusted code does not end one."""

    ending = Ending.COMPLETED

    def __init__(self, submission: Submission) -> None:
        self._submission = submission
        self._wall_s = 0.0

    def inspect(self, rules: SourceRules) -> Inspection:
        return inspect_source(self._submission, rules)

    def load(self) -> None:
        serve_support(self._submission.support)
        module = fresh_module(self._submission.main, module_files(self._submission)[self._submission.main])
        self._program = program_of(module, self._submission)

    def calls(self, calls: Sequence[Call]) -> Iterator[Outcome]:
        return map(self._outcome, calls)

    def _outcome(self, call: Call) -> Outcome:
        started = time.perf_counter()
        outcome = answer(call, self._program)
        elapsed_s = time.perf_counter() - started
        self._wall_s += elapsed_s
        return replace(outcome, elapsed_s=elapsed_s)

    def usage(self) -> Usage | None:
        return None

    def end(self) -> End:
        return End(self.ending, wall_s=self._wall_s)
