"""The questions of one challenge, read from `questions.toml` and proved before anybody sees them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Any, Self

from pydantic import ValidationError

from grader.manifest import ManifestError
from grader.questions.draw import NoDrawError, Split, draw
from grader.questions.formula import FormulaError
from grader.questions.making import make_variant
from grader.questions.parts import VariantPart, candidates, is_practised_as_it_is, values_of
from grader.questions.programs import LineVariant
from grader.questions.run import RunFacts
from grader.questions.sections import AnyQuestion, BankSection
from grader.questions.variant import Variant
from grader.questions.view import AnswerFormatError, Kind, Mark, MarkStatus
from grader.toml_complaints import complaints
from grader.toml_text import NotTomlError, TomlText

VARIANTS_AT_LOAD = 20
DRAWS_OF_A_PART = 5


class BankError(ManifestError):
    """The bank cannot be used: the author's mistake, told in a sentence."""


@dataclass(frozen=True, eq=False)
class QuestionBank:
    """Hands out variants. They depend on the question's id, the student and what is known of the student's run, and on
    nothing else. Where `facts` are None they are invented: for proofs and previews.
    """

    _questions: Mapping[str, AnyQuestion]
    _symbols: Mapping[str, tuple[str, ...]]
    _part: VariantPart = VariantPart.ALL
    _file: TomlText = field(default_factory=lambda: TomlText("questions.toml", ""))
    _splits: dict[str, str | None] = field(default_factory=dict)  # which parameter of a question is split, once known

    @classmethod
    def load(cls, path: Path) -> Self:
        """Raises BankError when the file is missing, not TOML, has a key we do not know, or an unsound question."""
        return cls.parse(_read(path), str(path))

    @classmethod
    def parse(cls, content: str, source: str = "questions.toml") -> Self:
        """Reads a bank from its text; `source` is named in errors. Raises BankError."""
        file = TomlText(source, content)
        try:
            section = BankSection.model_validate(file.data)
            bank = cls({question.id: question for question in section.questions}, section.symbols, _file=file)
            bank.check(VARIANTS_AT_LOAD)
        except NotTomlError as error:
            raise BankError(str(error)) from error
        except ValidationError as error:
            raise BankError(complaints(error, file, BankSection)) from error
        return bank

    @property
    def practice(self) -> Self:
        """The same questions with the variants that grading does not use."""
        return replace(self, _part=VariantPart.PRACTICE)

    @property
    def graded(self) -> Self:
        """The same questions with the variants that practice does not use."""
        return replace(self, _part=VariantPart.GRADED)

    def is_marked(self, question_id: str) -> bool:
        """Whether an answer is marked in practice: not where that would tell one that is right in grading, too."""
        section = self._questions[question_id]
        return (
            self._part is not VariantPart.PRACTICE
            or is_practised_as_it_is(section)
            or self._split_of(section) is not None
        )

    @property
    def sections(self) -> tuple[AnyQuestion, ...]:
        """The questions as the author wrote them."""
        return tuple(self._questions.values())

    def variants(self, student: str, facts: RunFacts | None = None) -> list[Variant]:
        """All questions that this student is asked, with their numbers, in the bank's order."""
        made = (self._make(section, student, facts) for section in self._questions.values())
        return [variant for variant in made if variant is not None]

    def variant(self, question_id: str, student: str, facts: RunFacts | None = None) -> Variant:
        """Raises KeyError for a question that is not in the bank, or not asked of this student."""
        variant = self._make(self._questions[question_id], student, facts)
        if variant is None:
            raise KeyError(question_id)
        return variant

    def points(self, student: str, facts: RunFacts) -> dict[str, float]:
        """Returns the points of each question that this student is asked. Draws nothing where that does not matter."""
        return {
            section.id: section.points
            for section in self._questions.values()
            if self._is_about(section, facts) and not (section.facts and self._make(section, student, facts) is None)
        }

    def place_of(self, question_id: str) -> str:
        """File, line and id, to begin a sentence with."""
        number = list(self._questions).index(question_id)
        return f"{self._file.at('questions', number)}: question {question_id!r}"

    def _make(self, section: AnyQuestion, student: str, facts: RunFacts | None) -> Variant | None:
        """None when the question is about a run that this was not."""
        if facts is not None and not self._is_about(section, facts):
            return None
        try:
            numbers = None if facts is None else facts.numbers
            return make_variant(section, student, self._symbols, numbers, Split(self._split_of(section), self._part))
        except FormulaError as error:
            if facts is not None and section.facts and isinstance(error, NoDrawError):
                return None
            raise BankError(f"{self.place_of(section.id)}: {error}") from error

    def _split_of(self, section: AnyQuestion) -> str | None:
        if section.id not in self._splits:
            self._splits[section.id] = next((name for name in candidates(section) if _can_split(section, name)), None)
        return self._splits[section.id]

    def _is_about(self, section: AnyQuestion, facts: RunFacts) -> bool:
        """Of several misconceptions, the latest that there is a question for is asked about, and no other."""
        about = {question.misconception for question in self._questions.values()}
        latest = next((found for found in facts.misconceptions if found in about), None)
        return section.misconception in (None, latest) and all(
            facts.numbers.get(name) in values_of(allowed) for name, allowed in section.facts.items()
        )

    def check(self, students: int) -> None:
        """Draw variants for so many invented students. Raises BankError for the first that is not sound: without an
        answer, or with a right and a wrong answer that are the same.
        """
        for question_id in self._questions:
            for number in range(students):
                _prove(self.variant(question_id, f"student-{number}"), self.place_of(question_id))


def _can_split(section: AnyQuestion, name: str) -> bool:
    """Whether both parts can be drawn, whatever `require` asks for."""
    try:
        for part, number in product((VariantPart.PRACTICE, VariantPart.GRADED), range(DRAWS_OF_A_PART)):
            draw(section, f"student-{number}", None, Split(name, part))
    except FormulaError:
        return False
    return True


def _read(path: Path) -> str:
    try:
        return TomlText.read(path).text
    except FileNotFoundError as error:
        raise BankError(f"{path} is missing: the questions of a challenge are written there") from error
    except NotTomlError as error:
        raise BankError(str(error)) from error


def _prove(variant: Variant, place: str) -> None:
    """The right answer, given as a student would give it, is right; no expected wrong answer is."""
    if variant.view.kind is Kind.TEXT:
        return
    asked = f"{place}, asked as {variant.view.prompt!r}:"
    if isinstance(variant, LineVariant):  # is proved by running it
        for line in (variant.right, *variant.wrong):
            _mark(variant, asked, line)
        return
    if _mark(variant, asked, variant.right).status is not MarkStatus.CORRECT:
        raise BankError(f"{asked} its own answer {variant.right!r} is not marked as correct")
    told: dict[str, Any] = {}
    for wrong in variant.wrong:
        mark = _mark(variant, asked, wrong)
        if mark.status is MarkStatus.CORRECT:
            message = f"{asked} the wrong answer {wrong!r} is marked as correct; change its numbers, or add a `require`"
            raise BankError(message)
        if mark.status is MarkStatus.INCORRECT and told.setdefault(mark.feedback, wrong) != wrong:
            raise BankError(f"{asked} the wrong answers {told[mark.feedback]!r} and {wrong!r} cannot be told apart")


def _mark(variant: Variant, asked: str, answer: Any) -> Mark:
    try:
        return variant.mark(answer)
    except AnswerFormatError as error:
        raise BankError(f"{asked} {answer!r} is not of the form that is asked for: {error}") from error
