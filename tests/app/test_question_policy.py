"""What an assignment says about its questions: when they are asked, how often answered, what they earn."""

from typing import Any

import httpx
import pytest
from sqlalchemy import update

from app.models import Answer, Assignment, Submission, now
from grader.report import Verdict
from tests.app.at_once import at_once
from tests.app.school import School, make_report
from tests.app.test_assignments import PATH, assign, from_now
from tests.app.test_problems import assert_problem
from tests.app.test_questions import ask, give, right

DAY = {"days": 1}


def graded(school: School, verdict: Verdict = Verdict.FAILED, score: float = 40.0) -> str:
    sent = str(school.submit()["id"])
    school.grade(sent, make_report(verdict, score))
    return sent


def questions(school: School, submission_id: str) -> httpx.Response:
    return school.client("ada").get(f"/submissions/{submission_id}/questions")


def change(school: School, **values: Any) -> None:
    """As time passes: behind the back of the rules for instructors."""
    with school.database.write() as session:
        session.execute(update(Assignment).values(values))


def wrong(school: School, submission_id: str, answer: float = 1) -> dict[str, Any]:
    items = give(school, submission_id, ("heads", answer)).json()["items"]
    return items[0]  # type: ignore[no-any-return]


def test_questions_that_unlock_with_a_pass_are_asked_afterwards_for_every_submission(school: School):
    assign(school, questions_unlock="on_pass")
    first = graded(school)
    assert "once one of your submissions has passed" in assert_problem(questions(school, first), 409)["detail"]
    assert_problem(give(school, first, ("heads", 1)), 409)
    graded(school, Verdict.PASSED, 100.0)
    assert questions(school, first).status_code == 200


def test_questions_that_unlock_after_attempts_count_them_and_come_with_a_pass_too(school: School):
    assign(school, questions_unlock="after_attempts", unlock_attempts=2)
    first = graded(school)
    assert "after 1 more attempt." in assert_problem(questions(school, first), 409)["detail"]
    graded(school)
    assert questions(school, first).status_code == 200
    change(school, unlock_attempts=9)
    assert_problem(questions(school, first), 409)
    graded(school, Verdict.PASSED, 100.0)
    assert questions(school, first).status_code == 200


def test_answers_are_counted_and_the_same_one_sent_again_is_not(school: School):
    assign(school, answers_max=2)
    sent = graded(school)
    assert ask(school, sent)["heads"]["answers_left"] == 2
    assert wrong(school, sent)["answers_left"] == 1
    assert wrong(school, sent)["answers_left"] == 1, "a network may send an answer twice"
    assert_problem(give(school, sent, ("heads", "no number")), 422)
    later = graded(school)
    last = wrong(school, later, 2)
    assert (last["answers_left"], last["solution"]) == (0, None)
    assert "no answers left" in last["refusal"]
    assert "heads: You have no answers left" in assert_problem(give(school, sent, ("heads", 3)), 409)["detail"]


def test_a_right_answer_stays(school: School):
    assign(school)
    sent = graded(school)
    give(school, sent, ("heads", right(ask(school, sent)["heads"])))
    assert "so there is nothing to change" in assert_problem(give(school, sent, ("heads", 1)), 409)["detail"]


def test_the_solution_is_shown_when_the_answers_are_used_up(school: School):
    assign(school, answers_max=1, solutions="after_attempts")
    sent = graded(school)
    asked = ask(school, sent)
    assert asked["heads"]["solution"] is None
    expected = {"answer": right(asked["heads"]), "explanation": "The heads share d_model."}
    assert wrong(school, sent)["solution"] == expected
    assert ask(school, sent)["heads"]["solution"] == expected
    give(school, sent, ("why", "Because."))
    assert ask(school, sent)["why"]["solution"] is None, "only a person can tell"


def test_solutions_are_shown_after_closing_and_then_nothing_is_taken(school: School):
    assign(school, due_at=from_now(**DAY), solutions="after_closing")
    sent = graded(school)
    wrong(school, sent)
    assert ask(school, sent)["heads"]["solution"] is None
    change(school, due_at=now())
    asked = ask(school, sent)["heads"]
    assert asked["solution"]["answer"] == right(asked)
    assert "shown now" in assert_problem(give(school, sent, ("heads", right(asked))), 409)["detail"]


def test_after_closing_no_answer_is_taken(school: School):
    assign(school, closes_at=from_now(**DAY))
    sent = graded(school)
    change(school, closes_at=now())
    assert "closed on" in assert_problem(give(school, sent, ("heads", 1)), 409)["detail"]
    assert ask(school, sent)["heads"]["refusal"] is not None


def test_practice_has_other_numbers_and_its_answers_do_not_count(school: School):
    practice = graded(school)
    before = {ask(school, practice)["heads"]["prompt"]}
    give(school, practice, ("heads", 1))
    for slug in ("one", "two", "three"):
        assign(school, slug, due_at=from_now(**DAY))
        sent = str(school.submit(data={"assignment": f"demo/{slug}"})["id"])
        school.grade(sent)
        asked = ask(school, sent)["heads"]
        assert asked["answer"] is None
        before.add(asked["prompt"])
    assert len(before) > 1


def test_what_code_and_answers_earn_is_added_up_less_what_being_late_costs(school: School):
    assign(school, points=20, question_points=10, due_at=from_now(**DAY), late_percent_per_day=50)
    graded(school, score=60.0)
    best, worse = graded(school, score=80.0), graded(school, score=10.0)
    give(school, best, ("heads", right(ask(school, best)["heads"])), ("why", "Because."))
    expected = {
        "code": 16.0, "code_max": 20.0, "questions": 5.0, "questions_max": 10.0, "total": 21.0, "total_max": 30.0,
        "late_deduction": 0.0, "override": None, "is_graded": True, "is_held": False, "unanswered": 0, "waiting": 1,
    }  # fmt: skip
    ada = school.client("ada")
    assert ada.get(f"{PATH}/attention").json()["score"] == expected
    assert ada.get("/me").json()["assignments"][0]["score"] == expected
    for name in ("ada", "grace"):
        assert school.client(name).get(f"/submissions/{worse}").json()["assignment_score"] == expected
    assert school.client("bob").get(f"{PATH}/attention").json()["score"]["total"] == 0
    with school.database.write() as session:
        session.execute(update(Answer).values(given_at=now()))
        session.execute(update(Submission).where(Submission.id == best).values(created_at=now()))
        session.execute(update(Assignment).values(due_at=now()))
    late = ada.get(f"{PATH}/attention").json()["score"]
    assert (late["code"], late["questions"]) == (16.0, 5.0), "what came before the due time is not late"
    with school.database.write() as session:
        session.execute(update(Assignment).values(due_at=now().replace(year=2025)))
    assert ada.get(f"{PATH}/attention").json()["score"]["total"] == 0


def test_a_late_answer_says_so_and_earns_less(school: School):
    assign(school, points=0, question_points=10, due_at=from_now(**DAY), late_percent_per_day=50)
    sent = graded(school)
    change(school, due_at=now())
    given = give(school, sent, ("heads", right(ask(school, sent)["heads"]))).json()["items"][0]
    assert (given["is_late"], given["mark"]["score"]) == (True, 1.0)
    assert school.client("ada").get(f"{PATH}/attention").json()["score"]["questions"] == 2.5


@pytest.mark.on_both_databases
def test_answers_given_at_one_moment_are_all_counted(school: School):
    assign(school, answers_max=3)
    sent = graded(school)
    told = at_once(6, lambda number: give(school, sent, ("heads", 1000 + number)).status_code)
    assert sorted(told) == [200] * 3 + [409] * 3


def test_right_answers_that_were_shown_stay_shown_however_the_assignment_is_extended(school: School):
    assign(school, solutions="after_closing", due_at=from_now(**DAY))
    sent = graded(school)
    change(school, due_at=now())
    shown = ask(school, sent)["heads"]
    assert shown["solution"] is not None
    staff = school.client("grace")
    for extension in ({"due_at": from_now(**DAY)}, {"solutions": "never"}):
        assert staff.patch(f"{PATH}/attention", json=extension).status_code == 200
        refused = assert_problem(give(school, sent, ("heads", right(shown))), 409)
        assert "The solutions are shown now" in refused["detail"]
    assert ask(school, sent)["heads"]["solution"] is not None


def test_an_extension_before_right_answers_were_shown_takes_answers(school: School):
    assign(school, solutions="after_closing", due_at=from_now(**DAY))
    sent = graded(school)
    extended = school.client("grace").patch(f"{PATH}/attention", json={"due_at": from_now(days=2)})
    assert extended.status_code == 200
    assert give(school, sent, ("heads", right(ask(school, sent)["heads"]))).status_code == 200


def test_nobody_is_given_more_answers_who_has_read_the_right_one(school: School):
    assign(school, solutions="after_attempts", answers_max=1)
    sent = graded(school)
    staff = school.client("grace")
    assert staff.patch(f"{PATH}/attention", json={"answers_max": 2}).status_code == 200
    assert wrong(school, sent)["answers_left"] == 1
    assert wrong(school, sent, 2)["answers_left"] == 0
    for more in ({"answers_max": 3}, {"answers_max": None, "solutions": "never"}):
        refused = assert_problem(staff.patch(f"{PATH}/attention", json=more), 409)
        assert "have seen the solutions" in refused["detail"]
