"""The smallest example that still fails in the same way, as a snippet to run: public values, nothing of the paper."""

from collections.abc import Sequence
from keyword import iskeyword
from pathlib import PurePosixPath

import torch

from grader.comparison.scored_case import ScoredCase
from grader.diagnosis.literals import WIDEST, argument, literal
from grader.diagnosis.sequence import sequence_lines
from grader.exercise import Exercise
from grader.guest.execution import Call, Gives
from grader.guest.submission import Submission
from grader.paper.case import Case
from grader.paper.mismatch import Mismatch

# An example is wrong when four printed digits show it.
VISIBLE = 1e-3 / torch.finfo(torch.float32).eps
SHOWN = (
    Mismatch.VALUES,
    Mismatch.NOT_FINITE,
    Mismatch.SHAPE,
    Mismatch.DTYPE,
    Mismatch.KIND,
    Mismatch.KEYS,
    Mismatch.RAISED,
    Mismatch.NOT_A_TENSOR,
)


def example_cases(exercise: Exercise, scored: Sequence[ScoredCase]) -> list[Case]:
    """The exercise's examples from small to large, where one could show what failed."""
    if not _ways(exercise, scored):
        return []
    return [Case(call.id, "a small example", call, growth=VISIBLE) for call in exercise.examples()]


def smallest_failing(
    exercise: Exercise, scored: Sequence[ScoredCase], examples: Sequence[ScoredCase]
) -> ScoredCase | None:
    """The first example that fails as the main function failed in the paper."""
    ways = _ways(exercise, scored)
    return next((item for item in examples if _way(item) in ways), None)


def _ways(exercise: Exercise, scored: Sequence[ScoredCase]) -> set[tuple[Mismatch, str]]:
    main = exercise.challenge.manifest.source.main
    ways = {_way(item) for item in scored if item.function == main and not item.case.raises}
    return {way for way in ways if way is not None}


def _way(item: ScoredCase) -> tuple[Mismatch, str] | None:
    """How a case failed: an exception of another kind is another failure."""
    if item.finding.mismatch not in SHOWN:
        return None
    return item.finding.mismatch, item.outcome.problem.type if item.outcome.problem else ""


def write_snippet(exercise: Exercise, submission: Submission, item: ScoredCase, *, by_name: bool) -> str:
    """Python that makes this call on the student's function, in the file as it was sent, and says what is right."""
    call, expected = item.case.call, item.expected
    module, where = _module(exercise.challenge.manifest.default_path, submission)
    if call.gives is Gives.VALUES:
        made = _plain_call(exercise, call, by_name=by_name)
        body = sequence_lines(call, made, expected.values or (), item.outcome.values or ())
        imports = ["import torch"] if any("torch." in line for line in body) else []
        return "\n".join([f"# Run this {where}.", *imports, f"from {module} import {call.function}", "", *body, ""])
    right = "\n".join(f"# {line}" for line in literal(expected.outputs[0], digits=4).splitlines())
    return "\n".join(
        [
            f"# Run this {where}.",
            "import torch",
            f"from {module} import {call.function}",
            "",
            *(f"{name} = {argument(value)}" for name, value in call.arguments.items()),
            "",
            exercise.example_call or _plain_call(exercise, call, by_name=by_name),
            "print(output)",
            f"# Expected, with shape {tuple(expected.outputs[0].shape)}:",
            right,
            "",
        ]
    )


def _module(default_path: str, submission: Submission) -> tuple[str, str]:
    """What to import, and from where that works. A file under another name is a module of its own, if it can be one."""
    name = PurePosixPath(submission.filename)
    is_module = name.suffix == ".py" and name.stem.isidentifier() and not iskeyword(name.stem)
    if is_module and submission.main == default_path and name.name != PurePosixPath(default_path).name:
        return name.stem, f"in the folder that {submission.filename} is in"
    module = submission.main.removesuffix(".py").replace("/", ".")
    return module, f"where `import {module}` works"


def _plain_call(exercise: Exercise, call: Call, *, by_name: bool) -> str:
    entry = next(entry for entry in exercise.challenge.manifest.entry_points if entry.name == call.function)
    given = [f"{name}={name}" if by_name or name in entry.keywords else name for name in call.arguments]
    line = f"output = {call.function}({', '.join(given)})"
    if len(line) <= WIDEST:
        return line
    return f"output = {call.function}(\n    {', '.join(given)}\n)"
