"""From a question of the bank and a student to the student's variant. One function for each kind."""

from collections.abc import Mapping, Sequence
from typing import assert_never

from grader.questions.draw import Draw, Split, draw, lettered
from grader.questions.formula import FormulaError, Number
from grader.questions.options import ChoicesVariant, ChoiceVariant, OrderVariant
from grader.questions.programs import LineVariant, OutputVariant
from grader.questions.sections import (
    FUNCTION,
    GAP,
    AnyQuestion,
    ChoiceSection,
    ChoicesSection,
    LineSection,
    Mistake,
    NumberSection,
    OrderSection,
    OutputSection,
    ShapeSection,
    TextSection,
)
from grader.questions.shape import Alphabet
from grader.questions.variant import (
    ExpectedMistake,
    NumberVariant,
    ShapeVariant,
    TextVariant,
    Variant,
)
from grader.questions.view import Option, QuestionView


def make_variant(
    section: AnyQuestion,
    student: str,
    symbols: Mapping[str, tuple[str, ...]],
    facts: Mapping[str, Number] | None,
    split: Split,
) -> Variant:
    """Raises FormulaError when the question has no variant for this student: the author's mistake."""
    drawn = draw(section, student, facts, split)
    match section:
        case NumberSection():
            return _number(section, drawn)
        case ChoiceSection():
            return _choice(section, drawn)
        case ShapeSection():
            return _shape(section, drawn, Alphabet(symbols, drawn.names))
        case ChoicesSection():
            return _choices(section, drawn)
        case OrderSection():
            return _order(section, drawn)
        case OutputSection():
            return _output(section, drawn)
        case LineSection():
            return _line(section, drawn)
        case TextSection():
            hint = "A few sentences in your own words. They will be marked by a person."
            return TextVariant(_view(section, drawn, hint), section.rubric)
        case _:
            assert_never(section)


def _view(
    section: AnyQuestion,
    drawn: Draw,
    hint: str,
    options: tuple[Option, ...] = (),
    unit: str | None = None,
    code: str | None = None,
) -> QuestionView:
    return QuestionView(
        id=section.id,
        kind=section.kind,
        prompt=drawn.text(section.prompt),
        code=code,
        points=section.points,
        unit=unit,
        options=options,
        hint=hint,
    )


def _number(section: NumberSection, drawn: Draw) -> NumberVariant:
    return NumberVariant(
        view=_view(section, drawn, "A number, such as 1234.5, 12,345 or 1.2e4.", unit=section.unit),
        answer=drawn.number(section.answer),
        tolerance=section.tolerance,
        unit_names=section.unit_names,
        mistakes=tuple(
            ExpectedMistake(drawn.number(mistake.answer), drawn.text(mistake.feedback)) for mistake in section.mistakes
        ),
        nudge=drawn.text(section.nudge),
        explanation=drawn.text(section.explanation),
    )


def _choice(section: ChoiceSection, drawn: Draw) -> ChoiceVariant:
    right, *others = _distinct(
        [drawn.text(text) for text in (section.answer, *(wrong.text for wrong in section.wrong))]
    )
    feedback_of = {text: drawn.text(wrong.feedback) for text, wrong in zip(others, section.wrong, strict=True)}
    options = lettered(drawn.mixed([right, *others]))
    return ChoiceVariant(
        view=_view(section, drawn, "The letter of one option.", options),
        answer=next(option.id for option in options if option.text == right),
        feedbacks={option.id: feedback_of[option.text] for option in options if option.text != right},
        explanation=drawn.text(section.explanation),
    )


def _choices(section: ChoicesSection, drawn: Draw) -> ChoicesVariant:
    right = [drawn.text(option.text) for option in section.right]
    wrong = [drawn.text(option.text) for option in section.wrong]
    options = lettered(drawn.mixed(_distinct([*right, *wrong])))
    id_of = {option.text: option.id for option in options}
    return ChoicesVariant(
        view=_view(section, drawn, "The letters of all correct options, such as a c.", options),
        forgotten={id_of[text]: drawn.text(o.forgotten) for text, o in zip(right, section.right, strict=True)},
        feedbacks={id_of[text]: drawn.text(o.feedback) for text, o in zip(wrong, section.wrong, strict=True)},
        explanation=drawn.text(section.explanation),
    )


def _shape(section: ShapeSection, drawn: Draw, alphabet: Alphabet) -> ShapeVariant:
    example = ", ".join([*alphabet.symbols, "7"])
    hint = f"A shape, such as ({example}): numbers, names, and their products and quotients."
    return ShapeVariant(
        view=_view(section, drawn, hint),
        answer=drawn.text(section.answer),
        alphabet=alphabet,
        mistakes=_mistakes(section.mistakes, drawn),
        nudge=drawn.text(section.nudge),
        explanation=drawn.text(section.explanation),
    )


def _order(section: OrderSection, drawn: Draw) -> OrderVariant:
    steps = _distinct([drawn.text(step) for step in section.steps])
    options = lettered(drawn.shuffled(steps))
    id_of = {option.text: option.id for option in options}
    return OrderVariant(
        view=_view(section, drawn, "All letters, the first step first.", options),
        answer=tuple(id_of[step] for step in steps),
        nudge=drawn.text(section.nudge),
        explanation=drawn.text(section.explanation),
    )


def _output(section: OutputSection, drawn: Draw) -> OutputVariant:
    hint = (
        "What it prints; spaces and the kind of brackets do not matter. If it raises an error, the name of the error."
    )
    return OutputVariant(
        view=_view(section, drawn, hint, code=drawn.text(section.code)),
        answer=drawn.text(section.answer),
        mistakes=_mistakes(section.mistakes, drawn),
        nudge=drawn.text(section.nudge),
        explanation=drawn.text(section.explanation),
    )


def _line(section: LineSection, drawn: Draw) -> LineVariant:
    hint = f"One line of Python in place of {GAP}. It will be run: any line that gives the right numbers is correct."
    return LineVariant(
        view=_view(section, drawn, hint, code=drawn.text(section.code)),
        answer=drawn.text(section.answer),
        function=FUNCTION.findall(section.code)[0],
        inputs={name: drawn.text(value) for name, value in section.inputs.items()},
        mistakes=_mistakes(section.mistakes, drawn),
        nudge=drawn.text(section.nudge),
        explanation=drawn.text(section.explanation),
    )


def _mistakes(mistakes: Sequence[Mistake], drawn: Draw) -> tuple[ExpectedMistake, ...]:
    """Those whose answers are texts."""
    return tuple(ExpectedMistake(drawn.text(mistake.answer), drawn.text(mistake.feedback)) for mistake in mistakes)


def _distinct(texts: list[str]) -> list[str]:
    """Options must be told apart, with every student's numbers."""
    if len(set(texts)) < len(texts):
        raise FormulaError(f"{next(text for text in texts if texts.count(text) > 1)!r} is there twice")
    return texts
