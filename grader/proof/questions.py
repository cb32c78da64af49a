"""Proves a bank of questions beyond its arithmetic: snippets print what is said, lines do what is asked, inputs show a
misconception or hide it.
"""

import io
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout
from typing import Any

from grader.comparison.tolerance import compare_values
from grader.exercise import Exercise, in_float64
from grader.guest.execution import Call, CallStatus
from grader.inprocess import InProcess, outcomes_of
from grader.mark_line import mark_line
from grader.misconception import Misconception
from grader.questions import BankError, LineVariant, MarkStatus, OutputVariant, QuestionBank, Variant
from grader.questions.parts import is_practised_as_it_is
from grader.questions.printed import same_output
from grader.questions.sections import AnyQuestion, ChoiceSection, ChoicesSection

VARIANTS = 1000  # drawn of each question
APART = 200  # drawn of each for practice, and as many for grading
RUNS = 30  # of them are run, where there is something to run
INPUTS = 5  # drawn of each input that an option speaks of


def problems_of_bank(exercise: Exercise, variants: int = VARIANTS) -> Iterator[str]:
    """Yields a sentence for everything that does not hold. All code that is run here is the author's."""
    try:
        bank = QuestionBank.load(exercise.challenge.questions_path)
        bank.check(variants)
    except BankError as error:
        yield str(error)
        return
    for section in bank.sections:
        try:
            yield from (f"{bank.place_of(section.id)}: {problem}" for problem in _problems(exercise, bank, section))
        except Exception as error:  # noqa: BLE001  the edge to the author's inputs: a sentence that names the question
            yield f"{bank.place_of(section.id)}: what it gives as inputs raises {type(error).__name__}: {error}"


def _problems(exercise: Exercise, bank: QuestionBank, section: AnyQuestion) -> Iterator[str]:
    drawn = {(v.view.code, str(v.right)): v for v in (bank.variant(section.id, str(n)) for n in range(RUNS))}
    for variant in drawn.values():
        if isinstance(variant, OutputVariant):
            yield from _problems_of_output(variant)
        elif isinstance(variant, LineVariant):
            yield from _problems_of_line(variant)
    yield from _problems_of_practice(bank, section)
    if section.misconception is not None:
        yield from _problems_of_inputs(exercise, section, section.misconception)


def _problems_of_practice(bank: QuestionBank, section: AnyQuestion) -> Iterator[str]:
    """What practice marks is not what grading asks."""
    if not bank.practice.is_marked(section.id) or is_practised_as_it_is(section):
        return
    practised, graded = (
        {_shown(variant): variant for variant in (part.variant(section.id, str(number)) for number in range(APART))}
        for part in (bank.practice, bank.graded)
    )
    for shown in practised.keys() & graded.keys():
        yield f"practice asks it as grading does, so that its answer can be learnt there: {shown}"
        return
    if len({str(variant.right) for variant in (*practised.values(), *graded.values())}) == 1:
        yield "its answer is the same with all numbers, so that practice tells it: leave the numbers out of its formula"


def _shown(variant: Variant) -> str:
    return "\n".join([variant.view.prompt, variant.view.code or "", *(option.text for option in variant.view.options)])


def printed_by(code: str) -> str:
    """Runs the code and returns what it prints, and then the name of the error that ends it, if one does."""
    out = io.StringIO()
    with redirect_stdout(out):
        try:
            exec(compile(code, "snippet", "exec", dont_inherit=True), {"__name__": "snippet"})  # noqa: S102  the author's
        except Exception as error:  # noqa: BLE001  it may be what the question asks for
            print(type(error).__name__)
    return out.getvalue().strip()


def _problems_of_output(variant: OutputVariant) -> Iterator[str]:
    code = variant.view.code or ""
    printed = printed_by(code)
    if not same_output(variant.answer, printed):
        yield f"the bank says that this prints {variant.answer!r}, and it prints {printed!r}:\n{code}"


def _problems_of_line(variant: LineVariant) -> Iterator[str]:
    mark = mark_line(variant, variant.answer, InProcess())
    if mark.status is not MarkStatus.CORRECT:
        yield f"its own line {variant.answer!r} is not marked as correct: {mark.feedback}"
    for mistake in variant.mistakes:
        mark = mark_line(variant, mistake.answer, InProcess())
        if mark.feedback != mistake.feedback:
            yield f"the wrong line {mistake.answer!r} gives what another line gives: {mark.feedback}"


def _problems_of_inputs(exercise: Exercise, section: AnyQuestion, misconception: str) -> Iterator[str]:
    """A right option's input hides the misconception, a wrong one's shows it."""
    mistakes = [mistake for mistake in exercise.misconceptions if mistake.id == misconception]
    if not mistakes:
        known = ", ".join(sorted({mistake.id for mistake in exercise.misconceptions}))
        yield f"there is no misconception {misconception!r}; there are {known}"
    for text, wanted, data in _inputs_of(section):
        for mistake in mistakes:
            if all(_is_hidden(exercise, mistake, call) for call in exercise.inputs(data, INPUTS)) is not wanted:
                yield f"the input of {text!r} {'shows' if wanted else 'hides'} {mistake.name}"


def _inputs_of(section: AnyQuestion) -> Iterator[tuple[str, bool, Mapping[str, Any]]]:
    """Each option's text, whether it is right, and its input."""
    match section:
        case ChoiceSection(answer=answer, input=data, wrong=wrong):
            options = [(answer, True, data), *((option.text, False, option.input) for option in wrong)]
        case ChoicesSection(right=right, wrong=wrong):
            options = [(option.text, True, option.input) for option in right]
            options += [(option.text, False, option.input) for option in wrong]
        case _:
            options = []
    yield from ((text, is_right, data) for text, is_right, data in options if data is not None)


def _is_hidden(exercise: Exercise, mistake: Misconception, call: Call) -> bool:
    right, wrong = (
        outcomes_of(program, [in_float64(call)])[0]
        for program in (exercise.program_with(), exercise.program_with(mistake))
    )
    return right.status is wrong.status is CallStatus.RETURNED and all(
        one.shape == other.shape and compare_values(one, other, growth=100, what="output").mismatch is None
        for one, other in zip(right.outputs, wrong.outputs, strict=True)
    )
