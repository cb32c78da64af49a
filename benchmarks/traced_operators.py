"""Would the operators that torch dispatches tell copies better than the source's structure? (docs/dashboard.md)

    python -m benchmarks.traced_operators [SLUG ...]

Runs the honest classes of `benchmarks.similarity` in this process (they are ours), on up to three of the calls that
the grader traces fully, and makes of each traced operator the label that a step of the source has: its name, and what
it was applied to, two levels down. What a third of the class has is left out, as there. Every third file is disguised
in all ways together; whether the copy still gives the original's results is counted, too.
"""

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from app.similarity.common import common_to
from app.similarity.steps import DEPTH, Value, value_of
from app.similarity.structure import SHARE_MIN, STEPS_MIN, share_of
from benchmarks.disguise import DISGUISES, disguise
from benchmarks.similarity import SLUGS, Class, hand
from grader.challenge import Challenge, load_challenges
from grader.exercise import exercise_of
from grader.grade import calls_of
from grader.guest.execution import UNTRACED, Call, Detail
from grader.guest.limits import Limits
from grader.guest.submission import Submission
from grader.inprocess import InProcess

SEED = 77
CALLS = 3
EVERY = 3
GIVEN = value_of("given")


class Operators(TorchDispatchMode):  # type: ignore[no-untyped-call]  # torch does not annotate it
    """The operators that are dispatched, as steps."""

    def __init__(self) -> None:
        super().__init__()
        self.labels: set[int] = set()
        self._values: dict[int, Value] = {}  # by the tensor
        self._kept: list[Tensor] = []  # or another could have its address

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        result = func(*args, **(kwargs or {}))
        given = [self._values.get(id(tensor), GIVEN) for tensor in tensors_of(args)]
        value = value_of(str(getattr(func, "overloadpacket", func)), given)
        self.labels.add(value.labels[DEPTH])
        for tensor in tensors_of(result):
            self._values[id(tensor)] = value
            self._kept.append(tensor)
        return result


def tensors_of(held: object) -> list[Tensor]:
    """The tensors in arguments or a result."""
    if isinstance(held, list | tuple):
        return [tensor for each in held for tensor in tensors_of(each)]
    return [held] if isinstance(held, Tensor) else []


class Traced:
    """What one file dispatched, and what it gave."""

    def __init__(self, challenge: Challenge, text: str, calls: Sequence[Call]) -> None:
        main, operators = challenge.manifest.default_path, Operators()
        with InProcess().open(Submission(main, {main: text.encode()}, challenge.support), Limits()) as session:
            session.load()
            with operators:
                outcomes = list(session.calls(calls))
        self.labels = frozenset(operators.labels)
        self.outputs = [output for outcome in outcomes for output in outcome.outputs]

    def gives_the_same(self, other: "Traced") -> bool:
        """Whether the results are equal but for roundings."""
        return len(self.outputs) == len(other.outputs) and all(
            torch.allclose(one, another, rtol=1e-3, atol=1e-5, equal_nan=True)
            for one, another in zip(self.outputs, other.outputs, strict=True)
        )


def measure(slug: str) -> Counter[str]:
    """Counts what is told of a class."""
    challenge, class_, counts = load_challenges()[slug], Class(slug), Counter[str]()
    traced_calls = [call for call in calls_of(exercise_of(challenge), SEED) if is_traced(call)]
    calls = [replace(call, tracing=UNTRACED) for call in traced_calls[:CALLS]]
    files = {index: traced for index, text in enumerate(class_.texts) if (traced := trace(challenge, text, calls))}
    common = common_to([traced.labels for traced in files.values()])
    own = {index: traced.labels - common for index, traced in files.items()}
    for pair in combinations(own, 2):
        counts["pairs"] += 1
        counts[f"alike, {hand(class_, pair)}"] += is_alike(own[pair[0]], own[pair[1]])
    for index in list(files)[::EVERY]:
        copy = trace(challenge, disguise(class_.texts[index], tuple(DISGUISES), index), calls)
        counts["copies"] += 1
        counts["copies that give the same"] += copy is not None and copy.gives_the_same(files[index])
        counts["found"] += copy is not None and is_alike(own[index], copy.labels - common)
    return counts


def is_traced(call: Call) -> bool:
    """Whether the grader traces it fully."""
    return call.tracing.detail is Detail.FULL


def trace(challenge: Challenge, text: str, calls: Sequence[Call]) -> Traced | None:
    """None for what cannot be run here: a file that asks for its own module by name, a copy that a disguise broke."""
    try:
        return Traced(challenge, text, calls)
    except Exception:  # noqa: BLE001 - whatever it is, it is counted
        return None


def is_alike(one: frozenset[int], other: frozenset[int]) -> bool:
    """By the same measure as the steps of a source."""
    return len(one & other) >= STEPS_MIN and share_of(one, other) >= SHARE_MIN


def main() -> None:
    """Prints a line for each exercise, and the sum."""
    torch.set_num_threads(1)
    total = Counter[str]()
    for slug in sys.argv[1:] or SLUGS:
        counts = measure(slug)
        total += counts
        print(slug, dict(counts), flush=True)
    print("together", dict(total))


if __name__ == "__main__":
    main()
