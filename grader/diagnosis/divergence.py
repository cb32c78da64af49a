"""Which of the student's functions is the first that is wrong: a part, or the one that puts the parts together?

A part is asked what the reference asks of it while it answers a case that failed. Only what was seen is said.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from inspect import signature
from typing import Any

import torch
from torch import Tensor

from grader.comparison.scored_case import ScoredCase
from grader.diagnosis.trying_order import size
from grader.exercise import Exercise
from grader.guest.execution import Call, CallStatus, Gives
from grader.inprocess import fresh_module, outcomes_of
from grader.paper.case import Aspect, Case

MOST_FAMILIES = 8
LAYOUT = re.compile(r"\bview size is not|\bstrides?\b|\bcontiguous\b")


@dataclass(frozen=True)
class Divergence:
    """`first_wrong` is None where several parts are wrong, each on its own."""

    first_wrong: str | None
    message: str


def calls_of_parts(exercise: Exercise, scored: Sequence[ScoredCase]) -> list[Case]:
    """Returns what the reference's main function asks of its parts in cases that failed: one case of each family."""
    main = exercise.challenge.manifest.source.main
    smallest: dict[str, ScoredCase] = {}
    for item in scored:
        is_asked = item.case.call.gives is Gives.TENSORS and item.function == main
        if is_asked and not item.is_right and not item.case.raises:
            known = smallest.setdefault(item.case.family, item)
            smallest[item.case.family] = min(known, item, key=size)
    return [part for item in list(smallest.values())[:MOST_FAMILIES] for part in _parts_within(exercise, item.case)]


def first_divergence(
    exercise: Exercise, scored: Sequence[ScoredCase], within: Sequence[ScoredCase]
) -> Divergence | None:
    """`within` are the cases of `calls_of_parts`, judged. None where nothing is certain: entry points that give values
    need not be made of each other.
    """
    if any(item.case.call.gives is Gives.VALUES for item in scored):
        return None
    main = exercise.challenge.manifest.source.main
    parts = [entry.name for entry in exercise.challenge.manifest.entry_points if entry.name != main]
    failing = {item.function for item in scored if not item.is_right}
    wrong = [part for part in parts if part in failing]
    if wrong:
        right = [part for part in parts if part not in failing and _is_tested(part, scored)]
        return _wrong_alone(main, wrong, right, is_main_wrong=main in failing)
    if main not in failing or not within or any(_is_about_layout(item) for item in scored):
        return None
    culprit = next((item for item in within if not item.is_right), None)
    if culprit is not None:
        part = culprit.function
        return Divergence(
            part,
            f"Your `{part}` passes its own tests, but is wrong for the arguments that `{main}` passes to it "
            f"({culprit.case.title}): look there first.",
        )
    asked = dict.fromkeys(item.function for item in within)
    said = _right_alone(list(asked))
    return Divergence(main, f"The problem is in `{main}` itself: {said[0].lower()}{said[1:]}.")


def _wrong_alone(main: str, wrong: Sequence[str], right: Sequence[str], *, is_main_wrong: bool) -> Divergence:
    if len(wrong) > 1:
        names = " and ".join(f"`{part}`" for part in wrong)
        rest = f"fix them before you look at `{main}`" if is_main_wrong else f"`{main}` is right"
        return Divergence(None, f"{names} are each wrong when called on their own: {rest}.")
    (part,) = wrong
    if not is_main_wrong:
        return Divergence(part, f"Only `{part}` is wrong, when it is called on its own: `{main}` is right.")
    said = f"Start with `{part}`: it is already wrong when called on its own, and `{main}` is built on it."
    return Divergence(part, f"{said} {_right_alone(right)}." if right else said)


def _right_alone(parts: Sequence[str]) -> str:
    first, *others = parts
    return f"Your `{first}` is right on its own" + "".join(f", and so is your `{other}`" for other in others)


def _is_tested(part: str, scored: Sequence[ScoredCase]) -> bool:
    return any(item.function == part for item in scored)


def _is_about_layout(item: ScoredCase) -> bool:
    """A part is asked with tensors that lie in memory in their own order, which the student's main may not give it."""
    problem = item.outcome.problem
    return problem is not None and LAYOUT.search(problem.message) is not None


def _parts_within(exercise: Exercise, case: Case) -> Iterator[Case]:
    program = exercise.program_with()
    module = fresh_module(exercise.challenge.manifest.default_path, exercise.reference_source)
    recorded: list[tuple[str, Mapping[str, Any]]] = []
    for entry in exercise.challenge.manifest.entry_points:
        original = getattr(module, entry.name, None)
        if entry.name != case.call.function and callable(original) and not isinstance(original, type):
            setattr(module, entry.name, _recording(entry.name, original, recorded))
    outcomes_of(replace(program, module=module), [case.call])
    for number, (part, arguments) in enumerate(recorded):
        if all(value is None or isinstance(value, Tensor | int | float | str) for value in arguments.values()):
            yield _as_case(exercise, case, part, arguments, number)


def _recording(
    name: str, original: Callable[..., Any], recorded: list[tuple[str, Mapping[str, Any]]]
) -> Callable[..., Any]:
    @wraps(original)
    def record(*args: Any, **kwargs: Any) -> Any:
        recorded.append((name, dict(signature(original).bind(*args, **kwargs).arguments)))
        return original(*args, **kwargs)

    return record


def _as_case(exercise: Exercise, case: Case, part: str, arguments: Mapping[str, Any], number: int) -> Case:
    """Looked at as the failing case was, and no more exactly: its roundings are at least those of its parts."""
    plain = {name: value.detach() if isinstance(value, Tensor) else value for name, value in arguments.items()}
    call = Call(
        id=f"{case.id}/{part}-{number}",
        function=part,
        arguments=plain,
        return_arguments=Aspect.ARGUMENTS in case.aspects,
        grad_mode=case.call.grad_mode,
    )
    if Aspect.GRADIENTS in case.aspects:
        call = _with_gradients(exercise, call)
    return Case(call.id, case.title, call, growth=case.growth, aspects=case.aspects)


def _with_gradients(exercise: Exercise, call: Call) -> Call:
    (outcome,) = outcomes_of(exercise.program_with(), [call])
    if outcome.status is not CallStatus.RETURNED:
        return call
    fixed = torch.Generator().manual_seed(0)
    upstream = torch.randn(outcome.outputs[0].shape, generator=fixed)
    tensors = {name: value for name, value in call.arguments.items() if isinstance(value, Tensor)}
    floating = tuple(name for name, value in tensors.items() if value.is_floating_point())
    return replace(call, gradient=upstream.to(outcome.outputs[0].dtype), differentiate=floating)
