"""Questions that need more than an answer: a line that is run, numbers of the student's own run, a secret seed."""

import base64
import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from app.broker import BrokerDown
from app.models import User, now
from grader.efficiency_report import Efficiency
from grader.messages import CHECK_QUEUE, Checked, CheckRequest
from grader.questions import Mark, MarkStatus, QuestionBank
from grader.report import Report, Verdict
from tests.app.conftest import with_questions
from tests.app.school import School, make_report
from tests.app.test_questions import ask, give
from tests.app.test_recorder import look_twice

pytestmark = pytest.mark.on_both_databases

QUESTIONS = """
[[questions]]
id = "double"
kind = "line"
points = 2
prompt = "Fill in the gap."
code = \"\"\"
def double(x):
    return ____
\"\"\"
answer = "x + x"
inputs = { x = "torch.randn({n})" }
params.n = [2, 3]
nudge = "Twice."
explanation = "x and x."

[[questions]]
id = "your-operations"
kind = "number"
points = 1
prompt = "Your {ops_1} operations, {n} times?"
facts.ops_1 = { min = 10, max = 100 }
params.n = [2, 3, 4, 5, 6, 7, 8, 9]
answer = "ops_1 * n"
tolerance = { absolute = 0 }
nudge = "Multiply."
explanation = "So many."

[[questions]]
id = "your-mistake"
kind = "choice"
points = 1
misconception = "rope-on-v"
prompt = "You turned V. Where does it not show?"
answer = "At position 0"
wrong = [{ text = "At position 1", feedback = "No." }, { text = "At position 2", feedback = "Nor there." }]
explanation = "Nothing is turned there."

[[questions]]
id = "your-other-mistake"
kind = "choice"
points = 1
misconception = "missing-scale"
prompt = "You did not scale. Where does it not show?"
answer = "With one token"
wrong = [{ text = "With two", feedback = "No." }, { text = "With three", feedback = "Nor then." }]
explanation = "Its weight is 1."
"""


@pytest.fixture(scope="session")
def challenges_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return with_questions(tmp_path_factory.mktemp("challenges-of-runs"), QUESTIONS)


def passed(ops: int) -> Report:
    efficiency = Efficiency(device="cpu", time_ratio=1.37, ops={"1": ops, "16": ops})
    return make_report(Verdict.PASSED, 100.0).model_copy(update={"efficiency": efficiency})


def grade(school: School, report: Report) -> str:
    sent = school.submit()
    school.grade(sent["id"], report)
    return str(sent["id"])


@pytest.fixture
def graded(school: School) -> str:
    return grade(school, make_report())


def checks(school: School) -> list[CheckRequest]:
    """All that wait for a judge, the oldest first."""
    with school.redis.client() as client:
        raw = client.lrange(CHECK_QUEUE, 0, -1)[::-1]
        client.delete(CHECK_QUEUE)
    bodies = [json.loads(base64.b64decode(json.loads(message)["body"])) for message in raw]
    return [CheckRequest.model_validate(body[1]["request"]) for body in bodies]


def mark(status: MarkStatus) -> Mark:
    return Mark(status=status, score=2.0 if status is MarkStatus.CORRECT else 0.0, max_score=2.0, feedback="Run.")


def standing(school: School, submission_id: str) -> tuple[str, float]:
    answer = ask(school, submission_id)["double"]["answer"]
    return answer["mark"]["status"], answer["mark"]["score"]


def tell(school: School, request: CheckRequest, status: MarkStatus) -> None:
    school.recording().record(Checked(job=request.job, mark=mark(status)))


def ids(school: School, submission_id: str) -> set[str]:
    return set(ask(school, submission_id))


def test_a_line_waits_is_sent_once_and_marked_once(school: School, graded: str) -> None:
    (given,) = give(school, graded, ("double", "x * 2")).json()["items"]
    assert (given["mark"]["status"], given["mark"]["feedback"][:17]) == ("pending", "Your line is runn")
    for _ in range(2):
        assert school.sweeper().sweep() == 0
    (request,) = checks(school)
    assert (request.question, request.given, request.challenge) == ("double", "x * 2", "mha-rope")
    tell(school, request, MarkStatus.CORRECT)
    tell(school, request, MarkStatus.INCORRECT)
    assert standing(school, graded) == ("correct", 2.0)
    assert school.sweeper().sweep() == 0


def test_the_judge_gets_the_same_variant_as_the_student(school: School, graded: str, challenges_root: Path) -> None:
    asked = ask(school, graded)["double"]
    give(school, graded, ("double", "x"))
    school.sweeper().sweep()
    (request,) = checks(school)
    bank = QuestionBank.load(challenges_root / "mha-rope" / "questions.toml")
    view = bank.variant(request.question, request.student, request.facts).view
    assert view.model_dump(mode="json").items() <= asked.items()


def test_a_mark_of_an_earlier_answer_is_not_taken_for_the_new_ones(school: School, graded: str) -> None:
    give(school, graded, ("double", "x * 2"))
    school.sweeper().sweep()
    give(school, graded, ("double", "x"))
    school.sweeper().sweep()
    old, new = checks(school)
    tell(school, old, MarkStatus.CORRECT)
    assert standing(school, graded) == ("pending", 0.0)
    tell(school, new, MarkStatus.INCORRECT)
    assert standing(school, graded) == ("incorrect", 0.0)


def test_a_line_without_a_mark_is_sent_again(school: School, graded: str) -> None:
    give(school, graded, ("double", "x * 2"))
    school.sweeper().sweep()
    (first,) = checks(school)
    school.change_job(first.job, dispatched_at=now() - timedelta(minutes=1))
    assert look_twice(school) == 1
    assert checks(school) == [first]


def test_lines_do_not_pile_up_while_no_judge_takes_them(school: School, graded: str) -> None:
    give(school, graded, ("double", "x * 2"))
    school.sweeper(queue_ahead=0).sweep()
    assert checks(school) == []
    school.sweeper(queue_ahead=1).sweep()
    school.sweeper(queue_ahead=1).sweep()
    assert len(checks(school)) == 1


def test_without_redis_a_line_is_kept_and_sent_later(fragile_school: School) -> None:
    school = fragile_school
    graded = grade(school, make_report())
    school.redis.kill()
    assert give(school, graded, ("double", "x * 2")).status_code == 200
    with pytest.raises(BrokerDown):
        school.sweeper().sweep()
    school.redis.start()
    school.sweeper().sweep()
    assert len(checks(school)) == 1


def test_what_is_no_line_is_sent_back_with_the_form_expected(school: School, graded: str) -> None:
    malformed: list[Any] = ["", "x\ny", "x" * 301, 7, ["x"], "x\x00"]
    for given in malformed:
        response = give(school, graded, ("double", given))
        assert (response.status_code, "one line of Python" in response.json()["detail"]) == (422, True), given


def test_a_run_is_asked_about_once_it_has_passed_and_stays_the_same(school: School, graded: str) -> None:
    assert ids(school, graded) == {"double"}
    assert give(school, graded, ("your-operations", 1)).status_code == 404
    first = grade(school, passed(31))
    asked = ask(school, first)["your-operations"]
    assert asked["prompt"].startswith("Your 31 operations")
    later = grade(school, passed(57))
    assert ask(school, later)["your-operations"]["prompt"] == asked["prompt"]
    assert ask(school, graded)["your-operations"]["prompt"] == asked["prompt"]
    times = int(asked["prompt"].split()[3])
    assert give(school, later, ("your-operations", 31 * times)).json()["items"][0]["mark"]["status"] == "correct"


def test_a_run_that_a_question_is_not_about_is_not_asked_about(school: School) -> None:
    assert ids(school, grade(school, passed(7))) == {"double"}


def test_the_latest_mistake_before_the_pass_is_asked_about_and_no_other(school: School) -> None:
    for mistakes in (("missing-scale",), ("rope-on-v", "unheard-of"), ("unheard-of",)):
        grade(school, make_report(misconceptions=mistakes))
    first = grade(school, passed(31))
    assert ids(school, first) == {"double", "your-operations", "your-mistake"}
    grade(school, make_report(misconceptions=("missing-scale",)))
    assert ids(school, grade(school, passed(31))) == {"double", "your-operations", "your-mistake"}


def test_numbers_come_from_a_secret_of_the_student(school: School, graded: str) -> None:
    with school.database.read() as session:
        seeds = {user.id: user.question_seed for user in session.scalars(select(User))}
    assert len(set(seeds.values())) == len(seeds)
    assert all(len(seed) == 64 and name not in seed for name, seed in seeds.items())
    assert not any(seed in school.client("ada").get("/me").text for seed in seeds.values())
