"""The bug hunt: who gets a file, what they are told, and what counts as mending it."""

from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from app.models import Submission, SubmissionKind
from grader.hunt import HuntBank
from grader.report import Guidance, Report, Verdict
from tests.app.at_once import at_once
from tests.app.school import School, make_report

HUNT = "/challenges/mha-rope/hunt"
PASSED = make_report(Verdict.PASSED, 100.0)


@pytest.fixture
def bank(challenges_root: Path) -> HuntBank:
    return HuntBank.load(challenges_root / "mha-rope" / "hunt")


def build(
    school: School, name: str = "ada", source: bytes = b"x = 1\n", report: Report = PASSED, **options: Any
) -> str:
    submission_id: str = school.submit(name, source, **options)["id"]
    school.grade(submission_id, report)
    return submission_id


def hunt(school: School, name: str = "ada") -> dict[str, Any]:
    response = school.client(name).get(HUNT)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


def send(school: School, source: str | bytes, name: str = "ada", **options: Any) -> httpx.Response:
    data = source.encode() if isinstance(source, str) else source
    return school.client(name).post(f"{HUNT}/fixes", files={"file": ("layers.py", data)}, **options)


def mend(school: School, source: str, report: Report = PASSED) -> dict[str, Any]:
    """Sent and graded, as the student sees it then."""
    response = send(school, source)
    assert response.status_code == 202, response.text
    school.grade(response.json()["id"], report)
    found: dict[str, Any] = school.client("ada").get(f"/submissions/{response.json()['id']}").json()
    return found


def planted_in(bank: HuntBank, source: str) -> Any:
    return next(planted for planted in bank.all_planted() if planted.source == source)


def solution(bank: HuntBank, source: str) -> str:
    return bank.solutions[planted_in(bank, source).style]


def test_who_has_not_passed_gets_no_file_and_a_sentence(school: School):
    refused = school.client("ada").get(HUNT)
    assert refused.status_code == 409
    assert "opens once your own build has passed" in refused.json()["detail"]
    build(school, report=make_report(Verdict.FAILED))
    assert school.client("ada").get(HUNT).status_code == 409
    assert send(school, "x = 1\n").status_code == 409
    build(school)
    assert school.client("ada").get(HUNT).status_code == 200
    assert school.client("bob").get(HUNT).status_code == 409


@pytest.mark.parametrize("name", ["grace", "root"])
def test_staff_of_a_course_that_sets_it_need_not_pass_first(school: School, name: str):
    terms = {"slug": "a1", "title": "A", "challenge": "mha-rope"}
    assert school.client("root").post("/courses/demo/assignments", json=terms).status_code == 201
    assert hunt(school, name)["source"]


def test_the_file_stays_the_same_and_tells_the_symptom_without_the_cause(school: School, bank: HuntBank):
    build(school)
    answer = school.client("ada").get(HUNT)
    first = answer.json()
    planted = planted_in(bank, first["source"])
    observed = bank.observed[planted.name]
    assert first["symptoms"]["text"] == bank.bugs[planted.bug].symptom
    assert len(first["symptoms"]["fails"]) == len(observed.failed)
    assert not set(first["symptoms"]["fails"]) & set(first["symptoms"]["agrees"])
    assert first["cause"] is None
    assert not first["is_solved"]
    assert observed.title not in answer.text
    assert observed.explanation[:40] not in answer.text
    assert hunt(school) == first


def test_the_style_is_that_of_the_students_own_file(school: School, bank: HuntBank):
    build(school, "ada", bank.solutions["einops"].encode())
    build(school, "bob", bank.solutions["plain"].encode())
    assert planted_in(bank, hunt(school, "ada")["source"]).style == "einops"
    assert planted_in(bank, hunt(school, "bob")["source"]).style == "plain"


def test_a_mistake_that_the_student_has_not_made_is_preferred(school: School, bank: HuntBank):
    names = {planted.misconception for planted in bank.all_planted()} - {"theta-ignored"}
    build(school, report=make_report(misconceptions=tuple(sorted(names))))
    build(school)
    assert planted_in(bank, hunt(school)["source"]).bug == "theta-ignored"


def test_a_small_change_that_passes_solves_it_and_the_cause_is_told(school: School, bank: HuntBank):
    build(school)
    given = hunt(school)
    view = mend(school, solution(bank, given["source"]))
    assert view["kind"] == "hunt"
    assert view["hunt"]["is_solved"]
    assert 1 <= view["hunt"]["lines"] <= view["hunt"]["lines_max"]
    assert view["hunt"]["message"].startswith("You found it and fixed it by changing")
    solved = hunt(school)
    assert (solved["is_solved"], solved["tries"], solved["id"]) == (True, 1, given["id"])
    assert solved["cause"]["id"] == planted_in(bank, given["source"]).misconception


def test_a_rewrite_that_passes_is_told_as_one_and_solves_nothing(school: School, bank: HuntBank):
    build(school)
    given = hunt(school)
    other = next(source for source in bank.solutions.values() if source != solution(bank, given["source"]))
    view = mend(school, other)
    assert view["verdict"] == "passed"
    assert not view["hunt"]["is_solved"]
    assert view["hunt"]["message"].startswith("Right, but a rewrite: ")
    assert not hunt(school)["is_solved"]
    assert hunt(school)["cause"] is None


def test_what_still_fails_is_told_by_its_tests_and_not_by_its_cause(school: School):
    build(school)
    given = hunt(school)
    named = make_report(misconceptions=("rope-on-v",))
    named = named.model_copy(update={"guidance": Guidance(message="Start with `rope`.", snippet="secret snippet")})
    sent = send(school, given["source"]).json()
    school.grade(sent["id"], named)
    answer = school.client("ada").get(f"/submissions/{sent['id']}")
    assert answer.json()["hunt"]["message"] == "You have not changed the file yet."
    assert [test["status"] for test in answer.json()["report"]["tests"]] == ["failed"]
    events = school.watch(sent["id"])
    verdict = next(event.data for event in events if event.event == "verdict")
    for text in (answer.text, verdict["summary"]):
        assert "RoPE is applied" not in text
        assert "rope-on-v" not in text
        assert "Start with" not in text
        assert "secret" not in text
    assert verdict["summary"] == answer.json()["report"]["summary"]
    seen_by_staff = school.client("grace").get(f"/submissions/{sent['id']}").json()["report"]
    assert [diagnosis["id"] for diagnosis in seen_by_staff["diagnoses"]] == ["rope-on-v"]


@pytest.mark.parametrize("source", [b"def rope(:\n", b"\xff\xfe", b"'''", b"  x\n y\n", b"x = 1\n" * 20_000])
def test_whatever_is_sent_is_taken_and_graded(school: School, source: bytes):
    build(school)
    assert hunt(school)
    response = send(school, source)
    assert response.status_code == 202
    assert not response.json()["hunt"]["is_solved"]


def test_it_is_no_attempt_no_score_and_no_proof(school: School, bank: HuntBank):
    terms = {"slug": "a1", "title": "A", "challenge": "mha-rope", "attempts_max": 2}
    assert school.client("root").post("/courses/demo/assignments", json=terms).status_code == 201
    meant = {"data": {"assignment": "demo/a1"}}
    build(school, report=make_report(Verdict.PASSED, 60.0), **meant)
    figures = school.client("grace").get("/courses/demo/analytics").json()
    for number in (1, 2):
        view = mend(school, solution(bank, hunt(school)["source"]), make_report(Verdict.PASSED, 100.0, ("rope-on-v",)))
        assert (view["attempt"], view["assignment"], view["points"], view["receipt"]) == (number, None, None, None)
    assert school.client("grace").get("/courses/demo/analytics").json() == figures
    assert school.client("ada").get("/me").json()["submissions"] == {"mha-rope": 1}
    assert school.submit(**meant)["attempt"] == 2
    builds = school.client("ada").get("/submissions", params={"kind": "build"}).json()["items"]
    assert [item["kind"] for item in builds] == ["build", "build"]
    questions = school.client("ada").get(f"/submissions/{view['id']}/questions")
    assert questions.status_code == 409
    assert "A bug hunt has no questions" in questions.json()["detail"]


def test_another_comes_once_it_is_solved_in_another_style_until_there_is_none(school: School, bank: HuntBank):
    build(school)
    first = hunt(school)
    assert first["left"] == len(bank.solutions) - 1
    ada = school.client("ada")
    assert ada.post(f"{HUNT}/next").status_code == 409
    mend(school, solution(bank, first["source"]))
    second = ada.post(f"{HUNT}/next")
    assert second.status_code == 201
    assert second.json()["number"] == 2
    assert not second.json()["is_solved"]
    assert solution(bank, second.json()["source"]) != solution(bank, first["source"])
    assert planted_in(bank, second.json()["source"]).misconception != planted_in(bank, first["source"]).misconception
    assert not mend(school, solution(bank, first["source"]))["hunt"]["is_solved"]
    mend(school, solution(bank, second.json()["source"]))
    none_left = ada.post(f"{HUNT}/next")
    assert none_left.status_code == 409
    assert "found every bug" in none_left.json()["detail"]


def test_a_key_brings_the_same_fix_back_and_no_build(school: School):
    build(school)
    given, key = hunt(school)["source"], {"headers": {"Idempotency-Key": "one"}}
    first, again = send(school, given, **key), send(school, given, **key)
    assert (first.status_code, again.status_code) == (202, 200)
    assert first.json()["id"] == again.json()["id"]
    file = {"file": ("layers.py", given.encode())}
    assert school.client("ada").post("/submissions", files=file, **key).status_code == 409


def test_nobody_else_sees_a_fix(school: School):
    build(school)
    sent = send(school, hunt(school)["source"]).json()
    assert school.client("bob").get(f"/submissions/{sent['id']}").status_code == 404
    assert school.client("grace").get(f"/submissions/{sent['id']}").status_code == 200
    with school.database.read() as session:
        kinds = session.scalars(select(Submission.kind).order_by(Submission.id)).all()
    assert kinds == [SubmissionKind.BUILD, SubmissionKind.HUNT]


def test_a_challenge_without_a_hunt_says_so(school: School):
    assert school.client("ada").get("/challenges/none/hunt").status_code == 404


@pytest.mark.on_both_databases
def test_asked_for_several_times_at_one_moment_it_is_one_hunt(school: School):
    build(school)
    clients = [school.client("ada") for _ in range(6)]
    answers = at_once(len(clients), lambda number: clients[number].get(HUNT))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert {answer.json()["number"] for answer in answers} == {1}
