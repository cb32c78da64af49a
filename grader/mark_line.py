"""Marks a line that a student filled in: it is run, and must give what the bank's own line gives."""

from collections.abc import Sequence

import torch
from pydantic import JsonValue

from grader.comparison.problems import explained
from grader.guest.closeness import roughly_equal
from grader.guest.execution import Call, CallStatus, Ending, Executor, Outcome, Value
from grader.guest.limits import Limits
from grader.guest.submission import Submission
from grader.inprocess import InProcess
from grader.questions import LineVariant, Mark

PATH = "line.py"
LIMITS = Limits(wall_s=5, cpu_s=5, memory_bytes=512 << 20, output_bytes=4 << 20)
ROUNDS = 3  # inputs drawn anew: what is right by chance once is not right three times
CLOSE = 1e-4  # of the largest number; a line has little to round


def mark_line(variant: LineVariant, given: JsonValue, execute: Executor) -> Mark:
    """Raises SandboxUnavailable, and AnswerFormatError for what `variant.mark` would not have taken."""
    calls = [Call(f"round-{number}", variant.function, _inputs(variant, number)) for number in range(ROUNDS)]
    found, ending = _run(variant.filled(given), calls, execute)
    right, _ = _run(variant.filled(variant.answer), calls, InProcess())
    if _agree(right, found):
        return variant.scored(1, variant.explanation)
    for mistake in variant.mistakes:
        same, _ = _run(variant.filled(mistake.answer), calls, InProcess())
        if _agree(same, found):
            return variant.scored(0, mistake.feedback)
    return variant.scored(0, f"{_difference(right[0], found[0], ending)} {variant.nudge}")


def _inputs(variant: LineVariant, number: int) -> dict[str, Value]:
    """What the author wrote, evaluated: the same in every process."""
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(number)
        return {name: eval(text, {"torch": torch}) for name, text in variant.inputs.items()}  # noqa: S307  our own text


def _run(source: str, calls: Sequence[Call], execute: Executor) -> tuple[list[Outcome], str]:
    """What each call gave, and how the session ended, in words for the student when it ended early."""
    with execute.open(Submission(main=PATH, files={PATH: source.encode()}), LIMITS) as session:
        try:
            session.load()
        except SyntaxError:  # of trusted code only; the sandbox tells it as an ending
            return [Outcome(call.id, CallStatus.NOT_RUN) for call in calls], "It is not Python."
        outcomes = list(session.calls(calls))
        end = session.end()
    if end.problem is not None:
        return outcomes, f"Python cannot read or run it: {explained(end.problem)}"
    return outcomes, _ENDINGS.get(end.ending, "It ended before it returned anything.")


_ENDINGS = {
    Ending.COMPLETED: "",
    Ending.OUT_OF_TIME: "It did not finish in time.",
    Ending.OUT_OF_MEMORY: "It used too much memory.",
}


def _agree(right: Sequence[Outcome], found: Sequence[Outcome]) -> bool:
    return all(_is_same(one, other) for one, other in zip(right, found, strict=True))


def _is_same(right: Outcome, found: Outcome) -> bool:
    """Both gave the same numbers."""
    if not right.status is found.status is CallStatus.RETURNED or len(right.outputs) != len(found.outputs):
        return False
    pairs = zip(found.outputs, right.outputs, strict=True)
    return all(roughly_equal(given, wanted, CLOSE, least=1.0) for given, wanted in pairs)


def _difference(right: Outcome, found: Outcome, ending: str) -> str:
    """What is wrong with the first call, in a sentence."""
    if ending:
        return ending
    if found.status is CallStatus.RAISED and found.problem is not None:
        return f"It raised {explained(found.problem)}"
    if found.status is not CallStatus.RETURNED or len(found.outputs) != len(right.outputs):
        return "With this line the function does not return what it should."
    for wanted, given in zip(right.outputs, found.outputs, strict=True):
        if wanted.shape != given.shape:
            return f"The result has shape {tuple(given.shape)}; it should be {tuple(wanted.shape)}."
    return "It runs, but gives different numbers."
