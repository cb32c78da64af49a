"""The answer key cannot be asked: not by repeating, refusing, racing, practising, nor by answers that take long."""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from sqlalchemy import func, select, update

from app.models import Answer, Assignment, User
from grader.questions import Kind, QuestionBank
from tests.app.at_once import at_once
from tests.app.conftest import with_questions
from tests.app.school import School
from tests.app.test_assignments import assign
from tests.app.test_problems import assert_problem
from tests.app.test_questions import ask, give
from tests.patience import PATIENCE_S

QUESTIONS: Final = """
[symbols]
batch = ["B"]
seq = ["T"]

[[questions]]
id = "product"
kind = "number"
points = 1
prompt = "What is {n} times 7?"
params.n = { min = 10, max = 99 }
answer = "n * 7"
tolerance.absolute = 0
nudge = "Multiply."
explanation = "So it is."

[[questions]]
id = "fixed"
kind = "choice"
points = 1
prompt = "Which of these, {n}?"
params.n = [2, 3, 4]
answer = "The right one"
explanation = "It is."
wrong = [{ text = "The wrong one", feedback = "No." }, { text = "Another", feedback = "Nor this." }]

[[questions]]
id = "symbols"
kind = "shape"
points = 1
prompt = "Which shape?"
answer = "(batch, seq)"
nudge = "Two axes."
explanation = "So it is."

[[questions]]
id = "prints"
kind = "output"
points = 1
prompt = "What does this print?"
code = "print({n})"
params.n = { min = 10, max = 99 }
answer = "{n}"
nudge = "Read it."
explanation = "So it is."
"""
RIGHT: Final = "The right one"


@pytest.fixture(scope="session")
def challenges_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return with_questions(tmp_path_factory.mktemp("challenges-with-a-key"), QUESTIONS)


def graded(school: School) -> str:
    sent = str(school.submit()["id"])
    school.grade(sent)
    return sent


def letters(question: dict[str, Any]) -> tuple[str, str]:
    """Of the right option, and of a wrong one."""
    right = next(option["id"] for option in question["options"] if option["text"] == RIGHT)
    return right, next(option["id"] for option in question["options"] if option["text"] != RIGHT)


def left(school: School, sent: str) -> int:
    return int(ask(school, sent)["fixed"]["answers_left"])


@pytest.fixture
def sent(school: School) -> str:
    """A submission to an assignment that takes two answers to each question."""
    assign(school, answers_max=2)
    return graded(school)


def test_a_question_answered_twice_in_a_request_tells_nothing(school: School, sent: str) -> None:
    right, wrong = letters(ask(school, sent)["fixed"])
    told = set()
    for first in (right, wrong):
        for second in (right, wrong):
            problem = assert_problem(give(school, sent, ("fixed", first), ("fixed", second)), 422)
            told.add(problem["detail"])
    assert len(told) == 1
    assert "answered twice" in told.pop()
    assert left(school, sent) == 2


@pytest.mark.parametrize("is_used_up", [True, False])
def test_a_refusal_tells_nothing_of_the_answers_beside_it(school: School, sent: str, is_used_up: bool) -> None:
    """Neither of the answer that is refused nor of one to another question, wherever it stands."""
    product = int(ask(school, sent)["product"]["prompt"].split()[2]) * 7
    for answer in (1, 2) if is_used_up else (product,):
        give(school, sent, ("product", answer))
    right, wrong = letters(ask(school, sent)["fixed"])
    told = set()
    for letter in (right, wrong):
        for again in (product + 1, product + 2):
            for pair in ([("fixed", letter), ("product", again)], [("product", again), ("fixed", letter)]):
                told.add(assert_problem(give(school, sent, *pair), 409)["detail"])
    assert len(told) == 1
    assert left(school, sent) == 2


def test_an_answer_of_another_form_tells_nothing_of_the_one_beside_it(school: School, sent: str) -> None:
    details = {
        assert_problem(give(school, sent, ("fixed", letter), ("product", "many")), 422)["detail"]
        for letter in letters(ask(school, sent)["fixed"])
    }
    assert len(details) == 1
    assert left(school, sent) == 2


def test_what_is_told_has_been_counted(school: School, sent: str) -> None:
    right, wrong = letters(ask(school, sent)["fixed"])
    for letter, status, answers_left in ((wrong, "incorrect", 1), (right, "correct", 0)):
        (told,) = give(school, sent, ("fixed", letter)).json()["items"]
        assert (told["mark"]["status"], told["answers_left"]) == (status, answers_left)


@pytest.mark.on_both_databases
def test_at_one_moment_no_more_is_told_than_is_counted(school: School) -> None:
    """Through two submissions and many requests: as many marks as answers are taken, and the last is the one kept."""
    assign(school, answers_max=2)
    papers = [graded(school), graded(school)]
    client = [school.client("ada") for _ in range(8)]

    def send(number: int) -> httpx.Response:
        body = {"answers": [{"question": "product", "answer": number}]}
        return client[number].post(f"/submissions/{papers[number % 2]}/answers", json=body)

    answers = at_once(len(client), send)
    assert sorted(answer.status_code for answer in answers) == [200] * 2 + [409] * 6
    assert {answer.json()["detail"] for answer in answers if answer.status_code == 409} == {
        "product: You have no answers left for this question: the limit is 2."
    }
    given = [answer.json()["items"][0] for answer in answers if answer.status_code == 200]
    last = next(item["given"] for item in given if item["answers_left"] == 0)
    with school.database.read() as session:
        assert session.scalars(select(Answer.tries)).all() == [2]
    assert ask(school, papers[0])["product"]["answer"]["given"] == last


def test_requests_with_answers_are_limited_also_those_that_are_refused(school: School, sent: str) -> None:
    most = school.api_settings.answers_per_minute
    statuses = [give(school, sent, ("product", "many")).status_code for _ in range(most)]
    assert set(statuses) == {422}
    refused = give(school, sent, ("product", 1))
    assert f"at most {most}" in assert_problem(refused, 429)["detail"]
    assert 1 <= int(refused.headers["Retry-After"]) <= 60
    assert give(school, sent, ("product", 1), name="bob").status_code == 404, "others have a count of their own"


def test_practice_marks_nothing_that_is_right_in_an_assignment(school: School) -> None:
    practice = graded(school)
    asked = ask(school, practice)
    for question, answer in (("fixed", "a"), ("symbols", "B,T"), ("symbols", "B,B")):
        assert "This question is not marked in practice" in asked[question]["refusal"]
        assert "not marked in practice" in assert_problem(give(school, practice, (question, answer)), 409)["detail"]
        assert ask(school, practice)[question]["answer"] is None
    assert asked["product"]["refusal"] is None
    assert give(school, practice, ("product", 7 * number_in(asked["product"]))).json()["items"][0]["mark"]["score"] == 1


def number_in(question: dict[str, Any]) -> int:
    return int(question["prompt"].split()[2])


def test_numbers_of_practice_are_nobodys_in_an_assignment(challenges_root: Path) -> None:
    bank = QuestionBank.load(challenges_root / "mha-rope" / "questions.toml")
    students = [str(number) for number in range(500)]
    for question in ("product", "prints"):
        seen = [
            {(view.prompt, view.code) for view in (part.variant(question, student).view for student in students)}
            for part in (bank.practice, bank.graded)
        ]
        assert len(seen[0]) > 20
        assert len(seen[1]) > 50
        assert not seen[0] & seen[1]


def test_an_assignment_that_was_there_before_goes_on_as_it_was(school: School, challenges_root: Path) -> None:
    """What its students have been asked and have answered stays."""
    assign(school)
    with school.database.write() as session:
        session.execute(update(Assignment).values(draws_apart=False))
        seed = session.scalar(select(User.question_seed).where(User.name == "ada"))
        assignment = session.scalar(select(Assignment.id))
    bank = QuestionBank.load(challenges_root / "mha-rope" / "questions.toml")
    asked = ask(school, graded(school))
    for variant in bank.variants(f"{seed}/{assignment}"):
        assert asked[variant.view.id]["prompt"] == variant.view.prompt


def test_an_earlier_answer_of_practice_is_not_shown_with_other_numbers(school: School) -> None:
    practice = graded(school)
    give(school, practice, ("prints", "1"))
    with school.database.write() as session:
        session.execute(update(Answer).values(asked="What does this print?"))  # as a release before this one wrote it
    question = ask(school, practice)["prints"]
    assert question["answer"] is None
    printed = question["code"].removeprefix("print(").rstrip(")\n")
    assert give(school, practice, ("prints", "1")).json()["items"][0]["mark"]["status"] == "incorrect"
    assert give(school, practice, ("prints", printed)).json()["items"][0]["mark"]["status"] == "correct"
    with school.database.read() as session:
        assert session.scalar(select(func.count()).select_from(Answer)) == 1


HOSTILE: Final = [
    ("symbols", "a" * 29 + "!"),
    ("symbols", "B" * 199 + "!"),
    ("symbols", "(" * 100 + ")" * 100),
    ("prints", "tensor(" + " " * 993),
    ("prints", "1" * 999 + "a"),
    ("product", " " * 99 + ";"),
    ("product", "9" * 100),
    ("fixed", "a " * 5000),
]


@pytest.mark.parametrize(("question", "answer"), HOSTILE)
def test_no_answer_holds_up_the_front_end(school: School, sent: str, question: str, answer: str) -> None:
    """The server runs in this process: what it takes of the processor is ours."""
    client, other = school.client("ada"), school.client("bob")
    body = {"answers": [{"question": question, "answer": answer}]}
    before = time.process_time()
    with ThreadPoolExecutor(1) as pool:
        told = pool.submit(client.post, f"/submissions/{sent}/answers", json=body, timeout=PATIENCE_S)
        assert other.get(f"{school.url}/healthz", timeout=PATIENCE_S).status_code == 200
        assert told.result().status_code in (200, 422)
    assert time.process_time() - before < 2


def test_marking_waits_for_no_writer_and_no_writer_for_it(school: School, sent: str) -> None:
    """An answer that is sent back has not needed the database's write lock, so nobody has waited behind it."""
    with school.database.write() as session:
        session.execute(update(Assignment).values(title="Meanwhile"))
        assert_problem(give(school, sent, ("symbols", "(" * 100)), 422)


def test_all_kinds_of_the_bank_are_attacked(challenges_root: Path) -> None:
    bank = QuestionBank.load(challenges_root / "mha-rope" / "questions.toml")
    attacked = {bank.variant(question, "anna").view.kind for question, _ in HOSTILE}
    assert attacked == {Kind.SHAPE, Kind.OUTPUT, Kind.NUMBER, Kind.CHOICE}
