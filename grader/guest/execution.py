"""The seam between the judge and whatever runs code: calls go in, outcomes come back.

Two kinds of implementation: the in-process executor for trusted code (`grader.inprocess`) and the sandbox for learners'
code (`worker.sandbox`). Both take the same calls and give the same outcomes, so a verdict cannot depend on which ran.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

import numpy as np
from torch import Tensor

from grader.guest.inspection import Inspection, SourceRules
from grader.guest.limits import Ending as Ending  # noqa: PLC0414  whoever knows sessions knows how they end
from grader.guest.limits import Limits, Usage
from grader.guest.moves import Move, MoveKind
from grader.guest.problem import Problem as Problem  # noqa: PLC0414  whoever knows outcomes knows what may be in them
from grader.guest.submission import Submission
from grader.guest.values import MOST_TAKEN, Data

MOST_LINES = 10_000_000  # of a file; code that was put together at run time may say anything of its lines
Scalar = int | float | bool | str | None


@dataclass(frozen=True)
class Drawn:
    """A tensor too large to travel: normal float32 values times `scale`, drawn where the call is made."""

    shape: tuple[int, ...]
    scale: float = 1.0


Plain = Data | list[Any] | tuple[Any, ...] | dict[Any, Any] | np.ndarray[Any, Any]  # of calls that give values
Value = Tensor | Drawn | Scalar | Plain


class Step(StrEnum):
    """A call in three steps, so that only what it does itself is timed. In each the call is the same but for this."""

    PREPARE = "prepare"  # draw the arguments, having made the call once with others
    PERFORM = "perform"  # make it: gives what the process itself saw, (seconds on the device, peak bytes there)
    SHOW = "show"  # give these rows of its result, and let go of everything


@dataclass(frozen=True)
class Stage:
    """One step of a call, with the seed of what is drawn. `rows` are shown, of the result as rows of its last axis."""

    step: Step
    seed: int
    rows: tuple[int, ...] = ()


class Detail(StrEnum):
    """How closely a call is watched."""

    NONE = "none"
    LIGHT = "light"  # which torch functions ran: so little work that every call of a paper can bear it
    FULL = "full"  # count dispatched operations too, and note which own functions ran
    LINES = "lines"  # what each operation gave, and on which line


@dataclass(frozen=True)
class Tracing:
    """How a call is traced, and what is altered in it to see if the output depends on it: what the functions named in
    `altered` return, and with `alters_taken_out` what leaves torch. With `counts_calls`, a light trace counts those
    into the exercise's libraries.
    """

    detail: Detail = Detail.NONE
    altered: tuple[str, ...] = ()
    alters_taken_out: bool = False
    counts_calls: bool = False


UNTRACED, LIGHTLY, FULLY, BY_LINE = (Tracing(detail) for detail in Detail)


class Gives(StrEnum):
    """What a call may give."""

    TENSORS = "tensors"  # a tensor, or a tuple of tensors
    VALUES = "values"  # whatever `grader.guest.values` makes data of


class GradMode(StrEnum):
    """torch's grad mode while a call is made. Only the default one leaves a graph to take gradients from."""

    DEFAULT = "default"
    NO_GRAD = "no_grad"
    INFERENCE = "inference"


@dataclass(frozen=True)
class Call:
    """One call of one function.

    `arguments` are in the order of the contract's signature. `gradient` is the upstream gradient of the output:
    when it is given, the gradients of `differentiate` (names of tensor arguments) come back. `strided` names tensor
    arguments that are handed over as non-contiguous views with the same values, `expanded` those that are equal along
    their first axis and share their memory along it. Those that `shared` names lie in one memory: each is the beginning
    of the last of them, and the very same tensor where it has its shape. `reused` names those that are the tensors of
    the session's call before, if they fit, with these values written into them. The first `by_position` arguments are
    given by position where the function takes them so, the others by name where it knows them.

    A call that gives values takes them as well; of iterators so many items are taken, and random generators start from
    `random_seed` where there is one. With `moves` it is a sequence of calls about `function`, which has no arguments.
    """

    id: str
    function: str
    arguments: Mapping[str, Value]
    gradient: Tensor | None = None
    differentiate: tuple[str, ...] = ()
    strided: tuple[str, ...] = ()
    expanded: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()
    reused: tuple[str, ...] = ()
    by_position: int = 0
    return_arguments: bool = False  # tensor arguments as they are after the call, but for what requires a gradient anew
    grad_mode: GradMode = GradMode.DEFAULT  # in force in the call alone: arguments are made, values read, outside it
    device: str = "cpu"  # torch's word for where the arguments are put, and the result must be
    tracing: Tracing = UNTRACED
    stage: Stage | None = None  # of the three, which; else the call is made at once
    gives: Gives = Gives.TENSORS
    moves: tuple[Move, ...] = ()
    most_taken: int = MOST_TAKEN
    random_seed: int | None = None

    def __post_init__(self) -> None:
        if self.gradient is not None and self.grad_mode is not GradMode.DEFAULT:
            message = f"{self.id or self.function} asks for gradients of a call that is made without a graph"
            raise ValueError(message)
        if self.gives is Gives.VALUES and (self.gradient is not None or self.strided or self.shared or self.reused):
            message = f"{self.id or self.function} gives values: gradients, strided, shared and reused are for tensors"
            raise ValueError(message)

    @property
    def argument_names(self) -> list[str]:
        """Of the function: in a sequence of calls, of the first one of it."""
        calls = (move for move in self.moves if move.kind is MoveKind.CALL and move.name == self.function)
        first = next(calls, None)
        return [*(self.arguments if first is None else first.named)]

    @property
    def functions(self) -> frozenset[str]:
        """All that are called: a sequence of calls is about one, and may call others too."""
        return frozenset({self.function, *(move.name for move in self.moves if move.kind is MoveKind.CALL)})


class CallStatus(StrEnum):
    """How a call ended."""

    RETURNED = "returned"  # the function gave a tensor, or a tuple of tensors
    RAISED = "raised"  # the function raised
    MISTYPED = "mistyped"  # it returned something that is not a tensor or a tuple of tensors
    NOT_RUN = "not_run"  # the session had ended before this call


@dataclass(frozen=True)
class Trace:
    """What a call was seen to do. A hostile submission may forge it: it can lose points by that, never win values."""

    operations: int = 0  # dispatched ATen operations; where the call was traced lightly, torch functions called
    kernels: frozenset[str] = frozenset()  # names of those operations, such as "aten.mm"
    torch_functions: frozenset[str] = frozenset()  # names such as "scaled_dot_product_attention"
    own_functions: frozenset[str] = frozenset()  # qualified names of the student's functions that ran
    yielding: frozenset[str] = frozenset()  # those of them that returned what the call itself returned
    altered: int = 0  # results of own functions
    unseen: frozenset[str] = frozenset()  # where work may have been done out of sight, such as an operator of their own
    taken_out: bool = False  # about as many values as the result has left torch, to NumPy say; told where it is watched
    line_results: Tensor | None = None  # rows as in `grader.guest.line_results`, where lines were asked for


@dataclass(frozen=True, eq=False)
class Outcome:
    """What the sandbox saw of one call. Tensors only; whoever compares them is elsewhere. Equal only to itself."""

    id: str
    status: CallStatus
    outputs: tuple[Tensor, ...] = ()
    gradients: Mapping[str, Tensor | None] = field(default_factory=dict)
    values: tuple[Data, ...] | None = None  # of a call that gives values: what was seen of it, in order
    gradient_problem: Problem | None = None  # backward raised, or the output carries no graph
    arguments: Mapping[str, Tensor] = field(default_factory=dict)
    changed_earlier: bool = False  # what the session's call before gave is no longer what it was
    problem: Problem | None = None
    trace: Trace | None = None
    elapsed_s: float = 0.0  # taken outside the sandbox


@dataclass(frozen=True)
class End:
    """How a session ended, and what is left to say of it."""

    ending: Ending
    problem: Problem | None = None  # with IMPORT_FAILED, and with OUT_OF_TIME where it is known what took so long
    detail: str = ""  # exit status or signal, in words
    log: str = ""  # the beginning of stdout and stderr; untrusted text
    wall_s: float = 0.0
    peak_memory_bytes: int | None = None


@dataclass(frozen=True)
class Execution(End):
    """A whole session: one outcome for each call, in the order of the calls."""

    outcomes: tuple[Outcome, ...] = ()


@dataclass(frozen=True)
class Device:
    """Where the GPU stage runs. `kind` is torch's word: tests put `cpu` in place of `cuda`."""

    kind: str
    name: str
    free_bytes: int


class SandboxUnavailable(Exception):
    """The service could not run the submission. Never the student's fault: the job is tried again."""


OnOutcome = Callable[[Outcome], None]


def ignore_outcome(_: Outcome) -> None:
    """For callers who only want the execution as a whole."""


class Session(Protocol):
    """One submission in a fresh sandbox. Whatever it does is an answer; only a fault of the service is an exception,
    SandboxUnavailable. From its end on, calls are answered with NOT_RUN.
    """

    def inspect(self, rules: SourceRules) -> Inspection:
        """Read the source, before anything runs. One that kills its reader gives an Inspection that says so."""

    def load(self) -> None:
        """Import the submission. May fail, which ends the session."""

    def calls(self, calls: Sequence[Call]) -> Iterator[Outcome]:
        """Make these calls, in order; the submission must have been loaded. They are under way when this returns, and
        each outcome is given as soon as it is there: take all of them before anything else is asked.
        """

    def call(self, call: Call) -> Outcome:
        """Make one call."""
        return next(self.calls([call]))

    def usage(self) -> Usage | None:
        """What it has used so far, counted outside the sandbox; None where nobody counts, or it has ended. While it
        works it may not have been told of the last milliseconds yet.
        """

    @property
    def ending(self) -> Ending:
        """How it stands: COMPLETED as long as every call was answered."""

    def end(self) -> End:
        """End it, if it has not ended yet. May be asked again."""


class Executor(Protocol):
    """Runs submissions. Every implementation passes the same conformance suite, and subclasses this."""

    @property
    def description(self) -> str:
        """What runs the code and how confined, for the report's `environment.sandbox`."""

    def open(self, submission: Submission, limits: Limits) -> AbstractContextManager[Session]:
        """A session, which is over at the latest when the block is. It is given `limits.wall_s` for all its answers
        together. Raises SandboxUnavailable when the service is at fault.
        """

    def inspect(self, submission: Submission, rules: SourceRules) -> Inspection:
        """A session only to read the source."""
        with self.open(submission, Limits()) as session:
            return session.inspect(rules)

    def run(
        self,
        submission: Submission,
        calls: Sequence[Call],
        limits: Limits,
        on_outcome: OnOutcome = ignore_outcome,
    ) -> Execution:
        """A whole session: import the submission, make the calls in order, and end it."""
        outcomes = []
        with self.open(submission, limits) as session:
            session.load()
            for outcome in session.calls(calls):
                outcomes.append(outcome)
                if outcome.status is not CallStatus.NOT_RUN:
                    on_outcome(outcome)
            end = session.end()
        return Execution(**vars(end), outcomes=tuple(outcomes))
