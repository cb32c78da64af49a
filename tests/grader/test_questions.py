"""Every bank of questions is proved on 1,000 students; an unsound one is refused."""

import math
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from grader.challenge import DEFAULT_ROOT
from grader.efficiency_report import Efficiency
from grader.questions import NO_FACTS, BankError, Kind, LineVariant, MarkStatus, QuestionBank, RunFacts, Variant
from grader.report import Verdict
from tests.app.school import make_report
from tests.grader.example_bank import EXAMPLE

STUDENTS = [f"{number:032x}" for number in range(1000)]
FILES = {path.parent.name: path for path in sorted(DEFAULT_ROOT.glob("*/questions.toml"))}
QUESTIONS = [
    (slug, question["id"])
    for slug, file in FILES.items()
    for question in tomllib.loads(file.read_text(encoding="utf-8"))["questions"]
]


@cache
def bank_of(slug: str) -> QuestionBank:
    """Proved as it is read, which takes too long for every process that only collects this file."""
    return QuestionBank.load(FILES[slug])


@pytest.mark.parametrize(("slug", "question"), QUESTIONS)
def test_a_thousand_variants_each_have_one_right_answer(slug: str, question: str) -> None:
    drawn = (bank_of(slug).variant(question, student) for student in STUDENTS)
    for variant in {repr(variant): variant for variant in drawn}.values():  # who drew the same is marked the same
        assert "{" not in variant.view.prompt
        assert variant.view.points > 0
        if variant.view.kind is Kind.TEXT:
            assert variant.mark("because").status is MarkStatus.PENDING
            continue
        if variant.view.kind is Kind.LINE:  # test_prove_questions.py runs it
            assert variant.mark(variant.right).status is MarkStatus.PENDING
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
        case Kind.CHOICES:
            ids = [option.id for option in variant.view.options]
            assert len({option.text for option in variant.view.options}) == len(ids)
            assert isinstance(variant.right, list)
            return [ids, [letter for letter in ids if letter not in variant.right]]
        case Kind.OUTPUT:
            return [f"{variant.right} 7", "IndexError", "[]"]
        case Kind.SHAPE:
            return [f"{variant.right}"[:-1] + ", 1)", "(3)", "()"]
        case Kind.ORDER:
            assert isinstance(variant.right, list)
            assert len({option.text for option in variant.view.options}) == len(variant.right)
            return [variant.right[::-1], [*variant.right[1:], variant.right[0]]]
        case _:
            return []


@pytest.mark.parametrize("slug", FILES)
def test_a_student_keeps_their_variants_and_others_have_others(slug: str) -> None:
    again = QuestionBank.load(FILES[slug])
    assert again.variants("anna") == bank_of(slug).variants("anna")
    papers = {str([variant.view for variant in bank_of(slug).variants(student)]) for student in STUDENTS[:50]}
    assert len(papers) == 50


def test_a_variant_is_the_same_in_every_process_and_release() -> None:
    prompt = EXAMPLE.variant("size-of-the-keys", "anna").view.prompt
    assert re.findall(r"\d+", prompt) == ["32", "800", "512", "32"]


@pytest.mark.parametrize("slug", FILES)
def test_what_students_see_holds_no_key(slug: str) -> None:
    for student in STUDENTS[:20]:
        for variant in bank_of(slug).variants(student):
            seen = variant.view.model_dump_json()
            assert set(variant.view.model_dump()) == {
                "id",
                "kind",
                "prompt",
                "code",
                "points",
                "unit",
                "options",
                "hint",
            }
            assert all(set(option.model_dump()) == {"id", "text"} for option in variant.view.options)
            for secret in secrets_of(variant):
                assert secret[-25:] not in seen  # it may begin with the option that it speaks of


def secrets_of(variant: Variant) -> list[str]:
    if variant.view.kind is Kind.TEXT:
        return [concept.concept for concept in variant.rubric]
    if isinstance(variant, LineVariant):
        return [variant.answer, variant.explanation, variant.nudge, *(mistake.feedback for mistake in variant.mistakes)]
    return [variant.mark(answer).feedback for answer in [variant.right, *variant.wrong]]


@pytest.mark.parametrize(("slug", "question"), QUESTIONS)
def test_the_place_of_an_option_tells_nothing(slug: str, question: str) -> None:
    variants = [bank_of(slug).variant(question, student) for student in STUDENTS[:400]]
    options = variants[0].view.options
    if variants[0].view.kind is Kind.CHOICE:
        places = [variant.right for variant in variants]
        assert all(places.count(option.id) > 0.6 * 400 / len(options) for option in options)
    if isinstance(right := variants[0].right, list) and variants[0].view.kind is Kind.CHOICES:
        places = [letter for variant in variants for letter in variant.right]
        assert all(places.count(option.id) > 0.6 * 400 * len(right) / len(options) for option in options)
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


CHOICES = """
[[questions]]
id = "twice"
kind = "choices"
points = 1
prompt = "Which are twice {n}?"
params.n = [2]
values.double = "2 * n"
values.square = "n * n"
right = [{ text = "{double}", forgotten = "Twice." }]
wrong = [{ text = "{square}!", feedback = "Squared." }]
explanation = "So it is."
"""
OUTPUT = """
[[questions]]
id = "twice"
kind = "output"
points = 1
prompt = "What is printed?"
params.n = [3, 4]
values.double = "2 * n"
code = "print({n} * 2)"
answer = "{double}"
mistakes = [{ answer = "4", feedback = "Four." }]
nudge = "Double it."
explanation = "So it is."
"""
LINE = """
[[questions]]
id = "twice"
kind = "line"
points = 1
prompt = "Fill in the gap."
code = \"\"\"
def twice(x):
    return ____
\"\"\"
answer = "x * 2"
inputs = { x = "torch.ones(2)" }
nudge = "Double it."
explanation = "So it is."
"""


@pytest.mark.parametrize(
    ("bank", "sentence"),
    [
        (CHOICE, "question 'twice': '4' is there twice"),
        (NUMBER + '[[questions.mistakes]]\nanswer = "n ** 2"\nfeedback = "?"', "wrong answer 4 is marked as correct"),
        (NUMBER.replace('"2 * n"', '"2 * m"'), "'2 [*] m' has no value: 'm' is not defined"),
        (NUMBER.replace('"2 * n"', '"2 * {n}"'), "has no value: write names without braces"),
        (NUMBER.replace('"2 * n"', '"1 / (n - n)"'), "has no value: .*division by zero"),
        (NUMBER.replace('"2 * n"', '"exp(10 ** n * 100)"'), "has no value"),
        (NUMBER.replace('"2 * n"', '"10 ** 400"'), "has no value"),
        (NUMBER.replace('"2 * n"', f'"{"-" * 499}n"'), "is nested too deeply"),
        (NUMBER.replace('"2 * n"', '"n > 1"'), "is a condition, not a number"),
        (NUMBER.replace('"2 * n"', '"().__class__"'), "has no value"),
        (NUMBER.replace('"2 * n"', "\"open('x')\""), "has no value"),
        (NUMBER.replace("{n}?", "{k}?"), "{k} is not a parameter or a value"),
        (NUMBER.replace("{n}?", "{n"), "question 'twice'"),
        (NUMBER.replace("{n}?", "{n.real}?"), "is not a parameter or a value"),
        (NUMBER.replace("[2, 3, 4]", "[]"), "`n` of .questions 'twice'.params. must be "),
        (NUMBER.replace("[2, 3, 4]", "{ min = 3, max = 1 }"), "smaller than min"),
        (NUMBER.replace("params.n", "params.pi"), "'pi' has a meaning already"),
        (NUMBER.replace("params.n", 'require = "n > 5"\nparams.n'), "no draw out of 1000 meets 'n > 5'"),
        (NUMBER + 'color = "red"', "line 1.: .questions 'twice'. has no key `color`; its keys are id, "),
        (NUMBER.replace('"number"', '"riddle"'), "`kind` must be one of 'number', .*, not 'riddle'"),
        (NUMBER.replace("nudge", "# nudge"), "line 2: .questions 'twice'. lacks `nudge`: shown with a wrong answer"),
        (NUMBER.replace("params.n", "facts.n"), "of .questions 'twice'.facts. must be "),
        (
            NUMBER.replace("params.n = [2, 3, 4]", "facts.ops_1 = [2]\nvalues.ops_1 = '3'"),
            "'ops_1' has a meaning already",
        ),
        (CHOICES.replace("Twice.", ""), "`forgotten` of .questions 'twice'.right number 1. must be "),
        (CHOICES.replace("{square}!", "{double}"), "question 'twice': '4' is there twice"),
        (CHOICES.replace("wrong = ", "# "), ".questions 'twice'. lacks `wrong`"),
        (OUTPUT.replace("code", "# code"), ".questions 'twice'. lacks `code`"),
        (OUTPUT.replace("print({n}", "print({{}}, {m}"), "{m} is not a parameter or a value"),
        (OUTPUT.replace('"{double}"', '"4"'), "the wrong answer '4' is marked as correct"),
        (LINE.replace("____", "x"), "questions 'twice'.*the code has 0 gaps; write ____ once"),
        (LINE.replace("return ____", "return ____ + ____"), "the code has 2 gaps"),
        (LINE.replace("def twice", "def f(): ...\ndef twice"), "must define one function at its top level"),
        (LINE.replace('answer = "x * 2"', 'answer = "x *\\n2"'), "is not of the form that is asked for: .*one line"),
        (NUMBER + NUMBER, "two questions are called 'twice'"),
        ('[symbols]\na = ["x"]\nb = ["X"]\n' + NUMBER, "two symbols are spelt 'x'"),
        ("questions = []", "line 1: it holds no question yet"),
        ("questions = 3", "line 1: `questions` must be a list in brackets, not 3"),
        ("questions = [3]", "line 1: "),
        ("[[", "line 1: this is not TOML"),
        (
            '[[questions]]\nid = "t"\nkind = "text"\npoints = 2\nprompt = "?"\n'
            'rubric = [{ concept = "c", points = 1 }]',
            "add up to 1, the question is worth 2",
        ),
        (
            '[[questions]]\nid = "s"\nkind = "shape"\npoints = 1\nprompt = "?"\nanswer = "(rows, 3)"\n'
            'nudge = "?"\nexplanation = "!"',
            "'rows' is not a name in this question",
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
    with pytest.raises(BankError, match=r"latin\.toml, line 1: this is not UTF-8"):
        QuestionBank.load(tmp_path / "latin.toml")


def test_an_unknown_question_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        EXAMPLE.variant("nothing", "anna")


RUN = (
    NUMBER.replace("params.n = [2, 3, 4]", "facts.ops_1 = { min = 4, max = 6 }\nrequire = 'ops_1 != 5'")
    .replace('"2 * n"', '"2 * ops_1"')
    .replace("{n}", "{ops_1}")
)


def test_a_question_about_a_run_is_asked_where_the_run_is_of_that_kind() -> None:
    bank = QuestionBank.parse(RUN + LINE.replace('"twice"', '"line"'))
    assert [variant.view.id for variant in bank.variants("anna")] == ["twice", "line"]
    for ops, asked in ((3, False), (4, True), (5, False), (6, True), (7, False), (None, False)):
        facts = NO_FACTS if ops is None else RunFacts(numbers={"ops_1": ops})
        assert ("twice" in bank.points("anna", facts)) is asked
        assert [variant.view.id for variant in bank.variants("anna", facts)] == ["twice", "line"][not asked :]
        if asked:
            assert bank.variant("twice", "anna", facts).right == 2 * (ops or 0)
        else:
            with pytest.raises(KeyError):
                bank.variant("twice", "anna", facts)


def test_facts_are_taken_from_a_report() -> None:
    efficiency = Efficiency(device="cpu", time_ratio=1.374, memory_ratio=None, ops={"1": 31, "16": 33})
    report = make_report(Verdict.PASSED).model_copy(update={"efficiency": efficiency})
    facts = RunFacts.of(report, ["b", "a", "b"])
    assert facts.numbers == {"ops_1": 31, "ops_16": 33, "time_percent": 137}
    assert facts.misconceptions == ("b", "a")
    assert RunFacts.of(make_report(Verdict.PASSED), []) == NO_FACTS
