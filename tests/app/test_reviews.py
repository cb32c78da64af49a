"""Free texts and who marks them: the queue, the rubric, two readers, what the student is told."""

from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any, Final

import httpx
import pytest
from sqlalchemy import select

from app.models import Role, User
from app.reviews.agreement import agreement
from tests.app.school import School
from tests.app.test_assignments import PATH, assign
from tests.app.test_problems import assert_problem
from tests.app.test_questions import ask, give

REVIEWS: Final = "/courses/demo/reviews"
_numbers = count()


@pytest.fixture
def school(shared_school: School) -> School:
    """One server for all; each test works in an assignment of its own."""
    if "tara" not in shared_school.tokens:
        shared_school.add("tara", Role.ASSISTANT)
    return shared_school


@pytest.fixture
def assignment(school: School) -> str:
    slug = f"essay-{next(_numbers)}"
    assign(school, slug, points=10, question_points=4)
    return slug


def write(school: School, assignment: str, text: str = "Scores hold positions.", name: str = "ada") -> str:
    """Hands in an answer in one's own words; gives the submission."""
    sent = str(school.submit(name, data={"assignment": f"demo/{assignment}"})["id"])
    school.grade(sent)
    assert give(school, sent, ("why", text), name=name).status_code == 200
    return sent


def listed(school: School, assignment: str, name: str = "grace", **wanted: Any) -> list[dict[str, Any]]:
    page = school.client(name).get(REVIEWS, params={"assignment": assignment, **wanted})
    assert page.status_code == 200, page.text
    return page.json()["items"]  # type: ignore[no-any-return]


def read(school: School, review: str, name: str = "grace", **wanted: Any) -> dict[str, Any]:
    return school.client(name).get(f"{REVIEWS}/{review}", params=wanted).json()  # type: ignore[no-any-return]


def mark(school: School, review: str, *points: float, name: str = "grace", **more: Any) -> httpx.Response:
    body = {"version": read(school, review, name)["version"], "points": list(points), **more}
    return school.client(name).post(f"{REVIEWS}/{review}", json=body)


@pytest.mark.on_both_databases
def test_an_answer_is_read_and_marked_and_the_student_sees_by_whom(school: School, assignment: str):
    sent = write(school, assignment, "Scores hold positions; V is what is summed up.")
    [item] = listed(school, assignment, state="waiting")
    assert (item["question"], item["score"], item["readings"]) == ("why", None, 0)
    review = read(school, item["id"])
    assert review["prompt"] == "Why not V?"
    assert review["answer"] == "Scores hold positions; V is what is summed up."
    assert review["rubric"] == [{"concept": "positions belong to scores", "points": 1.0}]
    marked = mark(school, item["id"], 0.5, name="tara", comment=" And why only to scores? ")
    assert marked.status_code == 200
    assert listed(school, assignment, state="waiting") == []
    asked = ask(school, sent)["why"]
    assert asked["answer"]["mark"] == {
        "status": "partial", "score": 0.5, "max_score": 1.0, "feedback": "And why only to scores?",
    }  # fmt: skip
    assert asked["answer"]["marked_by"] == "assistant"
    assert "positions belong" not in school.client("ada").get(f"/submissions/{sent}/questions").text
    score = school.client("ada").get(f"{PATH}/{assignment}").json()["score"]
    assert (score["questions"], score["waiting"]) == (1.0, 0), "half of one of two points, in four"


def test_nothing_tells_whose_answer_it_is(school: School, assignment: str):
    sent = write(school, assignment)
    item = listed(school, assignment)[0]
    told = str(item) + str(read(school, item["id"]))
    with school.database.read() as session:
        ids = [*session.scalars(select(User.id).where(User.name == "ada")), sent]
    for secret in ("ada", *ids):
        assert secret not in told


def test_a_marked_answer_stays_and_the_mark_may_be_changed(school: School, assignment: str):
    sent = write(school, assignment)
    review = listed(school, assignment)[0]["id"]
    mark(school, review, 0)
    assert "has been marked" in assert_problem(give(school, sent, ("why", "Better.")), 409)["detail"]
    assert mark(school, review, 1, name="tara").json()["given"][0]["reader"] == "tara"
    assert ask(school, sent)["why"]["answer"]["mark"]["status"] == "correct"
    told = school.client("grace").get("/courses/demo/audit").json()["items"][:2]
    assert [(item["actor"], item["action"], item["detail"]["points"]) for item in told] == [
        ("tara", "answer.mark", [0.0, 1.0]), ("grace", "answer.mark", [None, 0.0]),
    ]  # fmt: skip


def test_what_has_changed_meanwhile_is_not_marked(school: School, assignment: str):
    sent = write(school, assignment)
    review = listed(school, assignment)[0]["id"]
    stale = {"version": read(school, review)["version"], "points": [1]}
    give(school, sent, ("why", "On second thoughts."))
    refused = school.client("grace").post(f"{REVIEWS}/{review}", json=stale)
    assert "has changed" in assert_problem(refused, 409)["detail"]
    assert ask(school, sent)["why"]["answer"]["mark"]["status"] == "pending"


@pytest.mark.on_both_databases
def test_of_two_who_mark_at_one_moment_one_is_told_of_the_other(school: School, assignment: str):
    write(school, assignment)
    review = listed(school, assignment)[0]["id"]
    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(lambda name: mark_version_1(school, review, name), ("grace", "tara"))
    assert sorted((one, other)) == [200, 409]


@pytest.mark.on_both_databases
def test_of_a_reader_and_a_student_at_one_moment_one_is_told_of_the_other(school: School, assignment: str):
    sent = write(school, assignment)
    review = listed(school, assignment)[0]["id"]
    with ThreadPoolExecutor(2) as pool:
        marked = pool.submit(mark_version_1, school, review, "grace")
        given = pool.submit(lambda: give(school, sent, ("why", "On second thoughts.")).status_code)
    assert sorted((marked.result(), given.result())) == [200, 409]
    answer = ask(school, sent)["why"]["answer"]
    assert (answer["mark"]["status"] == "correct") == (marked.result() == 200) == (answer["marked_by"] is not None)


def mark_version_1(school: School, review: str, name: str) -> int:
    return school.client(name).post(f"{REVIEWS}/{review}", json={"version": 1, "points": [1]}).status_code


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"points": []}, "give 1 numbers"),
        ({"points": [1, 1]}, "give 1 numbers"),
        ({"points": [1.5]}, "worth at most 1, not 1.5"),
        ({"points": [-1]}, "points"),
        ({"points": ["NaN"]}, "points"),
        ({"points": [1], "comment": "x" * 5000}, "comment"),
        ({"points": [1], "score": 1}, "score"),
        ({"points": [1], "second": True}, "This answer has not been marked yet"),
    ],
)
def test_points_that_cannot_be_are_refused(school: School, assignment: str, body: dict[str, Any], words: str):
    write(school, assignment)
    review = listed(school, assignment)[0]["id"]
    refused = school.client("grace").post(f"{REVIEWS}/{review}", json={"version": 1, **body})
    assert words in assert_problem(refused, refused.status_code)["detail"]
    assert listed(school, assignment, state="waiting")


@pytest.mark.on_both_databases
def test_a_second_reader_reads_without_the_firsts_points_and_is_compared(school: School, assignment: str):
    write(school, assignment)
    review = listed(school, assignment)[0]["id"]
    mark(school, review, 1, comment="Just so.")
    assert listed(school, assignment, state="second") == [], "nobody reads twice"
    assert [(item["id"], item["score"]) for item in listed(school, assignment, "tara", state="second")] == [
        (review, None)
    ]
    blind = read(school, review, "tara", second=True)
    assert (blind["given"], blind["score"]) == ([], None)
    assert "Just so." not in str(blind)
    assert "someone else" in assert_problem(mark(school, review, 0, second=True), 409)["detail"]
    assert mark(school, review, 0, name="tara", second=True).status_code == 200
    assert [reading["score"] for reading in read(school, review, "tara", second=True)["given"]] == [1.0, 0.0]
    assert listed(school, assignment)[0]["score"] == 1.0, "the first one's points count"
    assert [item["id"] for item in listed(school, assignment, state="differing")] == [review]
    assert "second reader of this answer" in assert_problem(mark(school, review, 1, name="tara"), 409)["detail"]
    refused = assert_problem(mark(school, review, 1, name="root", second=True), 409)
    assert "already has a second reader" in refused["detail"]
    group = school.client("grace").get(REVIEWS).json()["questions"][0]
    assert group["differing"] >= 1
    assert group["agreement"]["decisions"] >= 1


def test_comments_are_kept_for_the_next_answer_to_the_same_question(school: School, assignment: str):
    for name, comment in (("ada", "Say why."), ("bob", "Say why.")):
        write(school, assignment, f"{name} says so", name)
        mark(school, listed(school, assignment, state="waiting")[0]["id"], 0, comment=comment)
    comments = read(school, listed(school, assignment)[0]["id"])["comments"]
    assert {"text": "Say why.", "used": 2} in comments


@pytest.mark.on_both_databases
def test_one_goes_from_answer_to_answer_and_from_page_to_page(school: School, assignment: str):
    for name in ("ada", "bob"):
        write(school, assignment, name=name)
    one, other = (item["id"] for item in listed(school, assignment))
    assert (read(school, one, assignment=assignment)["previous"], read(school, one, assignment=assignment)["next"]) == (
        None, other,
    )  # fmt: skip
    assert read(school, other, assignment=assignment)["previous"] == one
    mark(school, other, 1)
    assert read(school, one, assignment=assignment, state="waiting")["next"] is None
    first = school.client("grace").get(REVIEWS, params={"assignment": assignment, "limit": 1}).json()
    assert [item["id"] for item in first["items"]] == [one]
    rest = listed(school, assignment, cursor=first["next_cursor"])
    assert [item["id"] for item in rest] == [other]
    for cursor in ("nonsense", "z" * 26):
        refused = school.client("grace").get(REVIEWS, params={"cursor": cursor})
        assert "did not come from this server" in assert_problem(refused, 422)["detail"]


def test_what_machines_mark_and_what_is_not_there_is_not_for_readers(school: School, assignment: str):
    sent = write(school, assignment)
    give(school, sent, ("heads", 1))
    assert [item["question"] for item in listed(school, assignment)] == ["why"]
    assert listed(school, assignment, question="heads") == []
    for review in ("nonsense", "z" * 26):
        assert_problem(school.client("grace").get(f"{REVIEWS}/{review}"), 404)


def test_agreement_is_what_is_left_beyond_chance():
    assert agreement([]) is None
    mixed = agreement([(1, 1), (1, 1), (0, 0), (1, 0)])
    assert mixed is not None
    assert (mixed.decisions, mixed.share, mixed.kappa) == (4, 0.75, 0.5)  # by hand: (0.75 - 0.5) / (1 - 0.5)
    unanimous = agreement([(1, 1), (1, 1)])
    assert unanimous is not None
    assert (unanimous.share, unanimous.kappa) == (1.0, None)
