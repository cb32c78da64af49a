"""Conceptual questions: a bank of them in TOML, a variant for each student, marks. Knows no torch and no server."""

from grader.questions.bank import BankError, QuestionBank
from grader.questions.programs import LineVariant, OutputVariant
from grader.questions.run import NO_FACTS, RunFacts
from grader.questions.variant import TextVariant, Variant
from grader.questions.view import AnswerFormatError, Kind, Mark, MarkStatus, Option, QuestionView

__all__ = [
    "NO_FACTS",
    "AnswerFormatError",
    "BankError",
    "Kind",
    "LineVariant",
    "Mark",
    "MarkStatus",
    "Option",
    "OutputVariant",
    "QuestionBank",
    "QuestionView",
    "RunFacts",
    "TextVariant",
    "Variant",
]
