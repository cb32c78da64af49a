"""What the result's page tells of its questions: when they come, how often they are answered, what one has."""

import pytest

from app.models import now
from tests.app.school import School
from tests.app.test_assignments import assign, from_now
from tests.app.test_question_policy import DAY, change, graded
from tests.app.test_questions import ask, give, right
from tests.web.conftest import Visit, field


def answer(visit: Visit, sent: str, given: str) -> str:
    page = f"/submissions/{sent}"
    form = {"csrf": field(visit.page(page), "csrf"), "question": "heads", "kind": "number", "answer": given}
    return visit.post(f"{page}/answers", form).text


def test_questions_that_are_not_asked_yet_say_when_they_come(school: School, ada: Visit) -> None:
    assign(school, questions_unlock="on_pass")
    page = ada.page(f"/submissions/{graded(school)}")
    assert "The questions open once one of your submissions has passed." in page
    assert "How wide is a head" not in page


def test_answers_run_out_and_then_the_right_one_is_shown(school: School, ada: Visit) -> None:
    assign(school, answers_max=2, solutions="after_attempts", question_points=4, points=20)
    sent = graded(school)
    assert "2 answers left" in ada.page(f"/submissions/{sent}?answered=heads")
    assert "1 answer left" in answer(ada, sent, "1")
    last = answer(ada, sent, "2")
    assert "You have no answers left" in last
    assert f"Solution: {right(ask(school, sent)['heads']):g}<" in last
    assert "8 of 24 points" in last
    refused = ada.post(
        f"/submissions/{sent}/answers", {"csrf": field(last, "csrf"), "question": "heads", "answer": "3"}
    )
    assert refused.status_code == 409
    assert "You have no answers left" in refused.text


@pytest.mark.parametrize(
    ("points", "told"), [(4, "8 of 20 for the best submission, 0 of 4 for the questions"), (0, "")]
)
def test_the_score_in_the_assignment_stands_at_the_top(school: School, ada: Visit, points: float, told: str) -> None:
    assign(school, question_points=points, points=20)
    sent = graded(school)
    give(school, sent, ("why", "Because."))
    page = ada.page(f"/submissions/{sent}")
    assert f"8 of {20 + points} points" in page
    assert told in page
    assert ("1 question is not answered yet. 1 answer is awaiting review." in page) == bool(points)


def test_the_page_and_the_api_limit_answers_with_one_count(school: School, ada: Visit) -> None:
    assign(school)
    sent = graded(school)
    form = {"csrf": field(ada.page(f"/submissions/{sent}"), "csrf"), "question": "heads", "answer": "7"}
    for _ in range(school.api_settings.answers_per_minute):
        give(school, sent, ("heads", "many"))
    refused = ada.post(f"/submissions/{sent}/answers", form)
    assert (refused.status_code, "Retry-After" in refused.headers) == (429, True)
    assert "answers a minute" in refused.text


def test_what_takes_no_answer_is_not_counted_as_unanswered(school: School, ada: Visit) -> None:
    assign(school, closes_at=from_now(**DAY))
    sent = graded(school)
    give(school, sent, ("heads", 1))
    count = len(ask(school, sent))
    assert f"1 of {count} answered. " in ada.page(f"/submissions/{sent}")
    change(school, closes_at=now())
    assert f"1 of 1 answered, and {count - 1} more that can no longer be answered. " in ada.page(f"/submissions/{sent}")
