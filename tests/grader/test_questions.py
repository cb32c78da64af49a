"""Every bank of questions is proved on 1,000 students; an unsound one is refused."""

import math
import re
from pathlib import Path

import pytest

from grader.challenge import DEFAULT_ROOT
from grader.questions import BankError, Kind, MarkStatus, QuestionBank, Variant
from tests.grader.example_bank import EXAMPLE

STUDENTS = [f"{number:032x}" for number in range(1000)]
BANKS = {path.parent.name: QuestionBank.load(path) for path in sorted(DEFAULT_ROOT.glob("*/questions.toml"))}


QUESTIONS = [(slug, variant.view.id) for slug, bank in BANKS.items() for variant in bank.variants("anybody")]


@pytest.mark.parametrize(("slug", "question"), QUESTIONS)
def test_a_thousand_variants_each_have_one_right_answer(slug: str, question: str) -> None:
    for student in STUDENTS:
        variant = BANKS[slug].variant(question, student)
        assert "{" not in variant.view.prompt
        assert variant.view.points > 0
        if variant.view.kind is Kind.TEXT:
            assert variant.mark("because").status is MarkStatus.PENDING
            continue
        mark = variant.mark(variant.right)
        assert (mark.status, mark.score) == (MarkStatus.CORRECT, variant.view.points)
        assert mark.feedback
        for wrong in [*variant.wrong, *other_wrong_answers(variant)]:
            mark = variant.mark(wrong)
            assert mark.status is not MarkStatus.CORRECT
            assert mark.score < variant.view.points
            assert mark.feedback


def other_wrong_answers(variant: Variant) -> list[object]:
    match variant.view.kind:
        case Kind.NUMBER:
            assert isinstance(variant.right, int | float)
            assert math.isfinite(variant.right)
            return [variant.right * 1.1 + 1, -variant.right - 1]
        case Kind.CHOICE:
            ids = [option.id for option in variant.view.options]
            assert len({option.text for option in variant.view.options}) == len(ids)
            return [letter for letter in ids if letter != variant.right]
        case Kind.SHAPE:
            return [f"{variant.right}"[:-1] + ", 1)", "(3)", "()"]
        case Kind.ORDER:
            assert isinstance(variant.right, list)
            assert len({option.text for option in variant.view.options}) == len(variant.right)
            return [variant.right[::-1], [*variant.right[1:], variant.right[0]]]
        case _:
            return []


@pytest.mark.parametrize("slug", BANKS)
def test_a_student_keeps_their_variants_and_others_have_others(slug: str) -> None:
    again = QuestionBank.load(DEFAULT_ROOT / slug / "questions.toml")
    assert again.variants("anna") == BANKS[slug].variants("anna")
    papers = {str([variant.view for variant in BANKS[slug].variants(student)]) for student in STUDENTS[:50]}
    assert len(papers) == 50


def test_a_variant_is_the_same_in_every_process_and_release() -> None:
    prompt = EXAMPLE.variant("size-of-the-keys", "anna").view.prompt
    assert re.findall(r"\d+", prompt) == ["32", "800", "512", "32"]


@pytest.mark.parametrize("slug", BANKS)
def test_what_students_see_holds_no_key(slug: str) -> None:
    for student in STUDENTS[:20]:
        for variant in BANKS[slug].variants(student):
            seen = variant.view.model_dump_json()
            assert set(variant.view.model_dump()) == {"id", "kind", "prompt", "code", "points", "unit", "options", "hint"}
            assert all(set(option.model_dump()) == {"id", "text"} for option in variant.view.options)
            for secret in secrets_of(variant):
                assert secret[:25] not in seen


def secrets_of(variant: Variant) -> list[str]:
    if variant.view.kind is Kind.TEXT:
        return [concept.concept for concept in variant.rubric]
    return [variant.mark(answer).feedback for answer in [variant.right, *variant.wrong]]


@pytest.mark.parametrize(("slug", "question"), QUESTIONS)
def test_the_place_of_an_option_tells_nothing(slug: str, question: str) -> None:
    variants = [BANKS[slug].variant(question, student) for student in STUDENTS[:400]]
    options = variants[0].view.options
    if variants[0].view.kind is Kind.CHOICE:
        places = [variant.right for variant in variants]
        assert all(places.count(option.id) > 0.6 * 400 / len(options) for option in options)
    if variants[0].view.kind is Kind.ORDER:
        assert all([option.id for option in variant.view.options] != variant.right for variant in variants)


CHOICE = """
[[questions]]
id = "twice"
kind = "choice"
points = 1
prompt = "Twice {n}?"
params.n = [2, 3]
answer = "{double}"
values.double = "2 * n"
explanation = "So it is."
wrong = [{ text = "{square}", feedback = "Squared." }, { text = "1", feedback = "No." }]
values.square = "n * n"
"""
NUMBER = """
[[questions]]
id = "twice"
kind = "number"
points = 1
prompt = "Twice {n}?"
params.n = [2, 3, 4]
answer = "2 * n"
tolerance.relative = 0.01
nudge = "Double it."
explanation = "So it is."
"""


@pytest.mark.parametrize(
    ("bank", "sentence"),
    [
        (CHOICE, "question 'twice': '4' is there twice"),
        (NUMBER + '[[questions.mistakes]]\nanswer = "n ** 2"\nfeedback = "?"', "wrong answer 4 is marked as correct"),
        (NUMBER.replace('"2 * n"', '"2 * m"'), "'2 [*] m' has no value: 'm' is not defined"),
        (NUMBER.replace('"2 * n"', '"1 / (n - n)"'), "has no value: .*division by zero"),
        (NUMBER.replace('"2 * n"', '"exp(10 ** n * 100)"'), "has no value"),
        (NUMBER.replace('"2 * n"', '"n > 1"'), "is a condition, not a number"),
        (NUMBER.replace('"2 * n"', '"().__class__"'), "has no value"),
        (NUMBER.replace('"2 * n"', "\"open('x')\""), "has no value"),
        (NUMBER.replace("{n}?", "{k}?"), "{k} is not a parameter or a value"),
        (NUMBER.replace("{n}?", "{n"), "question 'twice'"),
        (NUMBER.replace("{n}?", "{n.real}?"), "is not a parameter or a value"),
        (NUMBER.replace("[2, 3, 4]", "[]"), "question 'twice', params.n"),
        (NUMBER.replace("[2, 3, 4]", "{ min = 3, max = 1 }"), "smaller than min"),
        (NUMBER.replace("params.n", "params.pi"), "'pi' has a meaning already"),
        (NUMBER.replace("params.n", 'require = "n > 5"\nparams.n'), "no draw out of 1000 meets 'n > 5'"),
        (NUMBER + 'color = "red"', "question 'twice', color: Extra inputs are not permitted"),
        (NUMBER.replace('"number"', '"riddle"'), "question 'twice'.*'riddle'"),
        (NUMBER.replace("nudge", "# nudge"), "question 'twice', nudge: Field required"),
        (NUMBER + NUMBER, "two questions are called 'twice'"),
        ('[symbols]\na = ["x"]\nb = ["X"]\n' + NUMBER, "two symbols are spelt 'x'"),
        ("questions = []", "questions: "),
        ("questions = 3", "questions: "),
        ("questions = [3]", "question 1"),
        ("[[", "not readable TOML"),
        (
            '[[questions]]\nid = "t"\nkind = "text"\npoints = 2\nprompt = "?"\n'
            'rubric = [{ concept = "c", points = 1 }]',
            "add up to 1, the question is worth 2",
        ),
        (
            '[[questions]]\nid = "s"\nkind = "shape"\npoints = 1\nprompt = "?"\nanswer = "(rows, 3)"\n'
            'nudge = "?"\nexplanation = "!"',
            "'rows' is not a name that this question knows",
        ),
    ],
)
def test_an_unsound_bank_is_refused_with_a_sentence(bank: str, sentence: str) -> None:
    with pytest.raises(BankError, match=sentence):
        QuestionBank.parse(bank)


def test_a_missing_or_unreadable_bank_is_named(tmp_path: Path) -> None:
    with pytest.raises(BankError, match=r"nowhere\.toml is missing"):
        QuestionBank.load(tmp_path / "nowhere.toml")
    (tmp_path / "latin.toml").write_bytes(b"\xff")
    with pytest.raises(BankError, match=r"latin\.toml is not UTF-8"):
        QuestionBank.load(tmp_path / "latin.toml")


def test_an_unknown_question_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        EXAMPLE.variant("nothing", "anna")
