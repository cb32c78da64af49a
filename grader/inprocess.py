"""The executor for code that we trust: reference, misconceptions, accepted variants. No sandbox, no limits, the
same outcomes.
"""

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from types import CodeType, ModuleType

from grader.execution import Call, Ending, Execution, OnOutcome, Outcome, ignore_outcome
from grader.inspection import Inspection, SourceRules
from grader.limits import Limits
from grader.loading import Program, program_of, serve_support
from grader.perform import perform
from grader.source import inspect_source
from grader.submission import Submission


@lru_cache(maxsize=256)
def _compiled(path: str, source: bytes) -> CodeType:
    return compile(source, path, "exec", dont_inherit=True)


@lru_cache(maxsize=256)
def trusted_module(path: str, *sources: bytes) -> ModuleType:
    """One module made of all sources in order, made once: a later definition replaces an earlier one of the same
    name.
    """
    return fresh_module(path, *sources)


def fresh_module(path: str, *sources: bytes) -> ModuleType:
    """The same, made anew: nothing remembers an earlier call."""
    module = ModuleType(path.removesuffix(".py").replace("/", "."))
    module.__file__ = path
    for source in sources:
        exec(_compiled(path, source), module.__dict__)  # noqa: S102  our own code
    return module


def outcomes_of(program: Program, calls: Sequence[Call]) -> tuple[Outcome, ...]:
    """What a trusted program gives for these calls."""
    return tuple(perform(call, program) for call in calls)


class InProcess:
    """Implements `Executor` for trusted, single-file submissions."""

    description = "none (in process)"

    def inspect(self, submission: Submission, rules: SourceRules) -> Inspection:
        return inspect_source(submission, rules)

    def run(
        self,
        submission: Submission,
        calls: Sequence[Call],
        limits: Limits,
        on_outcome: OnOutcome = ignore_outcome,
    ) -> Execution:
        del limits  # trusted code
        serve_support(submission.support)
        program = program_of(fresh_module(submission.main, submission.source), submission)
        outcomes = []
        started = time.perf_counter()
        for call in calls:
            before = time.perf_counter()
            outcome = replace(perform(call, program), elapsed_s=time.perf_counter() - before)
            outcomes.append(outcome)
            on_outcome(outcome)
        return Execution(Ending.COMPLETED, tuple(outcomes), wall_s=time.perf_counter() - started)
