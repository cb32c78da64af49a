"""`questions.toml` as data: what each kind of question consists of. Unknown keys are refused."""

import re
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from grader.questions.formula import RESERVED, Number
from grader.questions.run import FACT
from grader.questions.shape import MOST_SYMBOLS
from grader.questions.view import Kind
from grader.toml_complaints import TomlSection

GAP = "____"
VALUES_MAX = 10_000  # of a range: some are listed, and looked through
FUNCTION = re.compile(r"^def (\w+)\(", re.MULTILINE)

Code = Annotated[str, StringConstraints(min_length=1, max_length=4000), AfterValidator(lambda code: code.strip("\n"))]
Prose = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Formula = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]
FactName = Annotated[str, StringConstraints(pattern=FACT)]
Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]


class Range(TomlSection):
    """min, min + step, ... up to max, both included."""

    min: int
    max: int
    step: int = Field(default=1, gt=0)

    @model_validator(mode="after")
    def _has_a_number_of_values(self) -> Self:
        if self.max < self.min:
            raise ValueError(f"max ({self.max}) is smaller than min ({self.min})")
        if (self.max - self.min) // self.step >= VALUES_MAX:
            raise ValueError(f"from {self.min} to {self.max} are more than {VALUES_MAX} values: give a larger step")
        return self


Choices = Annotated[tuple[Number, ...], Field(min_length=1)]


class QuestionSection(TomlSection):
    """What all kinds share. `{name}` in a text is replaced by a parameter or value, `{name:,}` with a format."""

    id: Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60)]
    points: float = Field(gt=0, le=10)
    prompt: Prose
    misconception: str | None = Field(default=None, description="asked of those whose earlier attempt showed it")
    facts: dict[FactName, Choices | Range] = Field(
        default_factory=dict, description="taken from the student's run; asked where each is one of these"
    )
    params: dict[Name, Choices | Range] = Field(default_factory=dict, description="drawn for each student")
    require: Formula | None = Field(default=None, description="draw again until this holds")
    values: dict[Name, Formula] = Field(default_factory=dict, description="computed from params and earlier values")

    @model_validator(mode="after")
    def _names_are_free(self) -> Self:
        names = [*self.facts, *self.params, *self.values]
        taken = [name for name in names if name in RESERVED or names.count(name) > 1]
        if taken:
            raise ValueError(f"{min(taken)!r} has a meaning already; choose another name")
        return self


class Tolerance(TomlSection):
    """The larger of the two counts."""

    absolute: float = Field(default=0, ge=0)
    relative: float = Field(default=0, ge=0, lt=0.5)


class Mistake(TomlSection):
    """A wrong answer that people give, and what to say to those who give it."""

    answer: Formula
    feedback: Prose


class NumberSection(QuestionSection):
    """A number is asked for, in a unit where there is one."""

    kind: Literal[Kind.NUMBER]
    answer: Formula
    unit: str | None = None
    unit_names: tuple[str, ...] = Field(default=(), description="other spellings of the unit")
    tolerance: Tolerance
    mistakes: tuple[Mistake, ...] = ()
    nudge: Prose = Field(description="shown with a wrong answer that is none of the mistakes")
    explanation: Prose = Field(description="shown with the right answer")


Input = Annotated[dict[Name, Any] | None, Field(default=None, description="the input that the option speaks of")]


class WrongOption(TomlSection):
    """An option that is wrong, and what to say to those who choose it."""

    text: Prose
    feedback: Prose
    input: Input


class ChoiceSection(QuestionSection):
    """One option is right."""

    kind: Literal[Kind.CHOICE]
    answer: Prose
    input: Input
    wrong: tuple[WrongOption, ...] = Field(min_length=2, max_length=9)
    explanation: Prose


class RightOption(TomlSection):
    """An option that is right, where several are."""

    text: Prose
    forgotten: Prose = Field(description="said to those who leave it out; it must not name the option")
    input: Input


class ChoicesSection(QuestionSection):
    """Each option may be right or wrong."""

    kind: Literal[Kind.CHOICES]
    right: tuple[RightOption, ...] = Field(min_length=1, max_length=8)
    wrong: tuple[WrongOption, ...] = Field(min_length=1, max_length=8)
    explanation: Prose


class ShapeSection(QuestionSection):
    """The shape of a tensor is asked for, in symbols or numbers."""

    kind: Literal[Kind.SHAPE]
    answer: Formula
    mistakes: tuple[Mistake, ...] = ()
    nudge: Prose
    explanation: Prose


class OrderSection(QuestionSection):
    """Steps are to be put in order."""

    kind: Literal[Kind.ORDER]
    steps: tuple[Prose, ...] = Field(min_length=3, max_length=12, description="in the right order")
    nudge: Prose
    explanation: Prose


class OutputSection(QuestionSection):
    """The code is run when the bank is verified: it must print the answer, or raise an error of that name."""

    kind: Literal[Kind.OUTPUT]
    code: Code
    answer: Prose
    mistakes: tuple[Mistake, ...] = ()
    nudge: Prose
    explanation: Prose


class LineSection(QuestionSection):
    """The code defines one function, with a gap in it. What students write there is run, beside the bank's own line."""

    kind: Literal[Kind.LINE]
    code: Code
    answer: Formula
    inputs: dict[Name, Formula] = Field(
        min_length=1, description="the function's arguments, as Python that knows `torch`"
    )
    mistakes: tuple[Mistake, ...] = ()
    nudge: Prose
    explanation: Prose

    @model_validator(mode="after")
    def _has_one_gap(self) -> Self:
        if self.code.count(GAP) != 1:
            message = f"the code has {self.code.count(GAP)} gaps; write {GAP} once, where students fill in a line"
            raise ValueError(message)
        if len(FUNCTION.findall(self.code)) != 1:
            raise ValueError("the code must define one function at its top level: that is called with the inputs")
        return self


class Concept(TomlSection):
    """One idea that a good answer holds, for the person who marks."""

    concept: Prose
    points: float = Field(gt=0)


class TextSection(QuestionSection):
    """A free text, which a person marks by a rubric."""

    kind: Literal[Kind.TEXT]
    rubric: tuple[Concept, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _rubric_adds_up(self) -> Self:
        total = sum(concept.points for concept in self.rubric)
        if abs(total - self.points) > 1e-9:
            raise ValueError(f"the rubric's points add up to {total:g}, the question is worth {self.points:g}")
        return self


AnyQuestion = Annotated[
    NumberSection
    | ChoiceSection
    | ChoicesSection
    | ShapeSection
    | OrderSection
    | OutputSection
    | LineSection
    | TextSection,
    Field(discriminator="kind"),
]


class BankSection(TomlSection):
    """The whole of `questions.toml`."""

    symbols: dict[Name, tuple[Name, ...]] = Field(
        default_factory=dict, max_length=MOST_SYMBOLS, description="names of axes in shapes, and their other spellings"
    )
    questions: tuple[AnyQuestion, ...]

    @model_validator(mode="after")
    def _ids_are_unique(self) -> Self:
        if not self.questions:
            raise ValueError("it holds no question yet: docs/questions.md shows how to write one")
        ids = [question.id for question in self.questions]
        if len(set(ids)) < len(ids):
            twice = next(name for name in ids if ids.count(name) > 1)
            raise ValueError(f"two questions are called {twice!r}")
        return self

    @model_validator(mode="after")
    def _spellings_are_unique(self) -> Self:
        spellings = [name.lower() for symbol, others in self.symbols.items() for name in (symbol, *others)]
        if len(set(spellings)) < len(spellings):
            twice = next(name for name in spellings if spellings.count(name) > 1)
            raise ValueError(f"two symbols are spelt {twice!r}; capitals do not tell them apart")
        return self
