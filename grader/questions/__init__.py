"""Conceptual questions: a bank of them in TOML, a variant for each student, marks. Knows no torch and no server."""

from grader.questions.bank import BankError, QuestionBank
from grader.questions.variant import Variant
from grader.questions.view import AnswerFormatError, Kind, Mark, MarkStatus, Option, QuestionView

__all__ = [
    "AnswerFormatError",
    "BankError",
    "Kind",
    "Mark",
    "MarkStatus",
    "Option",
    "QuestionBank",
    "QuestionView",
    "Variant",
]
