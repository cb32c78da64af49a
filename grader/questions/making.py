"""From a question of the bank and a student to the student's variant. One function for each kind."""

from collections.abc import Mapping
from typing import assert_never

from grader.questions.draw import Draw, draw, lettered
from grader.questions.formula import FormulaError
from grader.questions.sections import (
    AnyQuestion,
    ChoiceSection,
    NumberSection,
    OrderSection,
    ShapeSection,
    TextSection,
)
from grader.questions.shape import Alphabet
from grader.questions.variant import (
    ChoiceVariant,
    ExpectedMistake,
    NumberVariant,
    OrderVariant,
    ShapeVariant,
    TextVariant,
    Variant,
)
from grader.questions.view import Option, QuestionView


def make_variant(section: AnyQuestion, student: str, symbols: Mapping[str, tuple[str, ...]]) -> Variant:
    """Raises FormulaError when the question has no variant for this student: the author's mistake."""
    drawn = draw(section, student)
    match section:
        case NumberSection():
            return _number(section, drawn)
        case ChoiceSection():
            return _choice(section, drawn)
        case ShapeSection():
            return _shape(section, drawn, Alphabet(symbols, drawn.names))
        case OrderSection():
            return _order(section, drawn)
        case TextSection():
            hint = "A few sentences in your own words; a person will read them."
            return TextVariant(_view(section, drawn, hint), section.rubric)
        case _:
            assert_never(section)


def _view(
    section: AnyQuestion, drawn: Draw, hint: str, options: tuple[Option, ...] = (), unit: str | None = None
) -> QuestionView:
    return QuestionView(
        id=section.id,
        kind=section.kind,
        prompt=drawn.text(section.prompt),
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


def _shape(section: ShapeSection, drawn: Draw, alphabet: Alphabet) -> ShapeVariant:
    example = ", ".join([*alphabet.symbols, "7"])
    hint = f"A shape, such as ({example}): numbers, names, and their products and quotients."
    return ShapeVariant(
        view=_view(section, drawn, hint),
        answer=drawn.text(section.answer),
        alphabet=alphabet,
        mistakes=tuple(
            ExpectedMistake(drawn.text(mistake.answer), drawn.text(mistake.feedback)) for mistake in section.mistakes
        ),
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


def _distinct(texts: list[str]) -> list[str]:
    """Options must be told apart, with every student's numbers."""
    if len(set(texts)) < len(texts):
        message = f"{next(text for text in texts if texts.count(text) > 1)!r} is there twice"
        raise FormulaError(message)
    return texts
