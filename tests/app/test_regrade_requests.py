"""Regrade requests: what can be asked when, who answers, what a student is told, and what stays."""

import io
import json
import zipfile
from typing import Any, Final

import httpx
import pytest
from sqlalchemy import event, func, select, update
from sqlalchemy.engine import Engine

from app.accounts.erasure import erase_person
from app.accounts.personal import export_person
from app.accounts.service import console
from app.models import AuditEntry, Enrollment, RegradeRequest, Role, User
from app.regrade_requests import answering
from grader.report import Verdict
from tests.app.at_once import at_once
from tests.app.school import School, make_report
from tests.app.test_assignments import PATH, assign, from_now
from tests.app.test_comments import SIBLING, sent

pytestmark = pytest.mark.on_both_databases
REASON: Final = "The mask is right: see line 3."
ANSWER: Final = "The scale is missing in line 3, so it stays."
IN_COURSE: Final = "/courses/demo/regrade-requests"


@pytest.fixture
def asked_of(school: School) -> School:
    assign(school, attempts_max=100, due_at=from_now(days=1))
    return school


def submitted(school: School, name: str = "ada") -> str:
    """Graded, and counts for the assignment; superseding asks for one at a time."""
    return sent(school, name, data={"assignment": "demo/attention"})


def path_of(submission: str) -> str:
    return f"/submissions/{submission}/regrade-requests"


def ask(school: School, submission: str, name: str = "ada", **more: Any) -> httpx.Response:
    return school.client(name).post(path_of(submission), json={"reason": REASON, **more})


def answer(school: School, request: str, name: str = "grace", **more: Any) -> httpx.Response:
    given = {"outcome": "unchanged", "answer": ANSWER, **more}
    return school.client(name).post(f"{IN_COURSE}/{request}", json=given)


def read(school: School, submission: str, name: str = "ada", **params: Any) -> dict[str, Any]:
    found: dict[str, Any] = school.client(name).get(path_of(submission), params=params).json()
    return found


def listed(school: School, **params: Any) -> dict[str, Any]:
    response = school.client("grace").get(IN_COURSE, params=params)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


def test_a_request_is_made_answered_by_an_assistant_and_read(asked_of: School):
    school = asked_of
    school.add("tara", Role.ASSISTANT)
    with school.database.write() as session:
        names = {"ada": "Ada Lovelace", "tara": "Tara Singh"}
        for name, full_name in names.items():
            whose = Enrollment.user_id == select(User.id).where(User.name == name).scalar_subquery()
            session.execute(update(Enrollment).where(whose).values(full_name=full_name))
    submission = submitted(school)
    (test,) = school.client("ada").get(f"/submissions/{submission}").json()["report"]["tests"]
    made = ask(school, submission, tests=[test["id"]], lines=[3, 1, 3], file="cs336_basics/layers.py")
    assert made.status_code == 201, made.text
    told = {"tests": [{"id": test["id"], "title": test["title"]}], "file": None, "lines": [1, 3], "outcome": None}
    assert made.json().items() >= told.items()
    assert read(school, submission)["refusal"].startswith("You have already requested")
    page = listed(school)
    (item,) = page["items"]
    assert item.items() >= {
        "student": "ada", "student_full_name": "Ada Lovelace", "assignment_title": "Attention", "attempt": 1,
        "verdict": "failed", "score": 40.0, "reason": REASON, "summary": make_report().summary,
    }.items()  # fmt: skip
    assert (page["open"], page["next_cursor"]) == (1, None)
    shown = school.client("tara").get(f"{IN_COURSE}/{item['id']}").json()
    assert (shown["is_held"], shown["is_told_all"]) == (False, True)
    assert answer(school, item["id"], "tara", outcome="points_changed").status_code == 200
    (closed,) = read(school, submission)["items"]
    told = {"outcome": "points_changed", "answer": ANSWER, "answered_by": "tara", "answered_by_full_name": "Tara Singh"}
    assert closed.items() >= told.items()
    assert answer(school, item["id"]).status_code == 409
    assert (listed(school)["open"], [each["id"] for each in listed(school, closed=True)["items"]]) == (0, [item["id"]])
    log = school.client("grace").get("/courses/demo/audit").json()["items"]
    entries = [(each["action"], each["actor"], each["detail"]) for each in log if "request" in each["action"]]
    of_it = {"student": "ada", "request": item["id"]}
    assert entries == [
        ("request.answer", "tara", {**of_it, "outcome": "points_changed", "text": ANSWER}),
        ("request.ask", "ada", {**of_it, "reason": REASON}),
    ]


NO_REQUESTS = [
    ({"reason": " \n"}, "at least 1 character"),
    ({"reason": "x" * 4001}, "at most 4000"),
    ({"reason": "\x1b[31m"}, "without control characters"),
    ({"lines": [2, 5]}, "The last line of layers.py is line 4"),
    ({"lines": [3], "file": SIBLING}, f"The last line of {SIBLING} is line 2"),
    ({"lines": list(range(1, 22))}, "at most 20"),
    ({"file": SIBLING}, "Say which lines"),
    ({"tests": ["of-another"]}, "Your report has no test 'of-another'."),
]


def test_a_request_has_a_reason_and_names_what_there_is(asked_of: School):
    submission = submitted(asked_of)
    for more, words in NO_REQUESTS:
        refused = ask(asked_of, submission, **more)
        assert (refused.status_code, words in refused.text) == (422, True), (more, refused.text)
        assert read(asked_of, submission) == {"items": [], "refusal": None}, more


def test_it_can_be_withdrawn_while_it_is_open_and_made_again_a_few_times(asked_of: School):
    submission, ada = submitted(asked_of), asked_of.client("ada")
    for _ in range(5):
        path = f"{path_of(submission)}/{ask(asked_of, submission).json()['id']}/withdraw"
        assert ada.post(path).json()["outcome"] == "withdrawn"
    assert ada.post(path).status_code == 409
    assert "That is the limit" in ask(asked_of, submission).json()["detail"]
    assert listed(asked_of)["items"] == []
    assert len(listed(asked_of, closed=True)["items"]) == 5


def test_only_what_is_graded_and_counts_can_be_asked_about(school: School):
    practice = sent(school, "bob")
    assign(school, attempts_max=100)
    waiting = school.submit("ada", data={"assignment": "demo/attention"})["id"]
    staffs = submitted(school, "grace")
    for name, submission, words in (
        ("ada", waiting, "has not been graded"),
        ("bob", practice, "This was practice"),
        ("grace", staffs, "Only students"),
    ):
        refused = ask(school, submission, name)
        assert (refused.status_code, words in refused.text) == (409, True), refused.text
        assert read(school, submission, name)["refusal"] == refused.json()["detail"]


def test_a_request_is_reached_only_through_its_own_submission_and_course(asked_of: School):
    school = asked_of
    school.add("eve", Role.INSTRUCTOR, "elsewhere")
    one = ask(school, submitted(school)).json()["id"]
    other, other_again = submitted(school), submitted(school, "bob")
    assert school.client("ada").post(f"{path_of(other)}/{one}/withdraw").status_code == 404
    assert school.client("bob").post(f"{path_of(other_again)}/{one}/withdraw").status_code == 404
    for method in ("GET", "POST"):
        body = {"json": {"outcome": "unchanged", "answer": ANSWER}} if method == "POST" else {}
        reached = school.client("eve").request(method, f"/courses/elsewhere/regrade-requests/{one}", **body)
        assert reached.status_code == 404
    assert answer(school, one, outcome="withdrawn").status_code == 422


def test_held_grades_hold_requests_and_answers(school: School):
    assign(school, grades_release="held")
    submission, grace = submitted(school), school.client("grace")
    refused = ask(school, submission)
    assert (refused.status_code, "held" in refused.text) == (409, True)
    grace.post(f"{PATH}/attention/release").raise_for_status()
    request = ask(school, submission).json()["id"]
    grace.delete(f"{PATH}/attention/release").raise_for_status()
    assert grace.get(f"{IN_COURSE}/{request}").json()["is_held"]
    assert answer(school, request, outcome="points_changed").status_code == 200
    for held in (read(school, submission), read(school, submission, "grace", as_student=True)):
        assert held["items"] == []
    assert "held" in school.client("ada").post(f"{path_of(submission)}/{request}/withdraw").json()["detail"]
    exported = exported_requests(school, "ada")
    assert [each.get("answer") for each in exported] == [None]
    assert exported[0].keys().isdisjoint({"outcome", "answer", "closed_at"})
    grace.post(f"{PATH}/attention/release").raise_for_status()
    assert [each["answer"] for each in read(school, submission)["items"]] == [ANSWER]
    assert [each["answer"] for each in exported_requests(school, "ada")] == [ANSWER]


def test_no_test_is_named_that_the_student_does_not_see(school: School):
    assign(school, feedback="verdict", due_at=from_now(days=1))
    submission = submitted(school)
    (test,) = school.client("grace").get(f"/submissions/{submission}").json()["report"]["tests"]
    guessed = [ask(school, submission, tests=[name]).json()["detail"] for name in (test["id"], "made-up")]
    assert [each.replace(test["id"], "made-up") for each in guessed] == [guessed[1]] * 2
    request = ask(school, submission).json()["id"]
    assert not school.client("grace").get(f"{IN_COURSE}/{request}").json()["is_told_all"]


def test_of_many_requests_at_one_moment_no_more_are_open_than_a_student_may_have(asked_of: School):
    school = asked_of
    submissions = [submitted(school) for _ in range(4)]
    clients = [school.client("ada") for _ in range(8)]
    answers = at_once(8, lambda one: clients[one].post(path_of(submissions[one % 4]), json={"reason": REASON}))
    assert sorted(each.status_code for each in answers) == [201] * 3 + [409] * 5
    with school.database.read() as session:
        found = session.execute(select(func.count(), func.count(RegradeRequest.submission_id.distinct())))
        assert tuple(found.one()) == (3, 3)


def test_of_several_who_close_a_request_at_one_moment_one_does(asked_of: School):
    school = asked_of
    submission = submitted(school)
    request = ask(school, submission).json()["id"]
    ada, staff = school.client("ada"), [school.client("grace") for _ in range(3)]
    given = {"outcome": "unchanged", "answer": ANSWER}

    def close(one: int) -> httpx.Response:
        if one == 3:
            return ada.post(f"{path_of(submission)}/{request}/withdraw")
        return staff[one].post(f"{IN_COURSE}/{request}", json=given)

    assert sorted(each.status_code for each in at_once(4, close)) == [200] + [409] * 3
    with school.database.read() as session:
        closing = AuditEntry.action.in_(["request.answer", "request.withdraw"])
        assert session.scalar(select(func.count()).select_from(AuditEntry).where(closing)) == 1


def test_a_long_list_takes_as_many_queries_as_a_short_one(asked_of: School):
    school = asked_of
    for name in ("ada", "bob"):
        ask(school, submitted(school, name), name)
    with school.database.read() as session:
        row = session.scalars(select(RegradeRequest)).first()
    values = {column.name: getattr(row, column.name) for column in RegradeRequest.__table__.columns}
    short = queries_of_a_page(school)
    with school.database.write() as session:
        session.add_all(RegradeRequest(**{**values, "id": f"{number:026d}"}) for number in range(60))
    assert queries_of_a_page(school) == short
    assert (len(listed(school)["items"]), listed(school)["open"]) == (50, 62)


def queries_of_a_page(school: School) -> int:
    statements: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        statements.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    answering.page(school.database, console(), "demo", None, 50, closed=False)
    event.remove(Engine, "before_cursor_execute", note)
    return len(statements)


def exported_requests(school: School, name: str) -> list[dict[str, Any]]:
    with zipfile.ZipFile(io.BytesIO(export_person(school.database, name))) as archive:
        found: list[dict[str, Any]] = json.loads(archive.read("regrade_requests.json"))
    return found


def test_who_is_erased_leaves_no_request_behind_and_no_name(asked_of: School):
    school = asked_of
    school.add("tara", Role.ASSISTANT)
    submission, kept = submitted(school), submitted(school, "bob")
    answer(school, ask(school, submission, reason="I am Ada.").json()["id"], "tara", answer="Dear Ada, no.")
    answer(school, ask(school, kept, "bob").json()["id"], "tara")
    (theirs,) = exported_requests(school, "tara")[1:]
    assert theirs.keys() == {"outcome", "answer", "closed_at"}
    erase_person(school.database, "ada", console())
    erase_person(school.database, "tara", console())
    with school.database.read() as session:
        (left,) = session.scalars(select(RegradeRequest))
        assert left.submission_id == kept
        log = str([(row.actor, row.detail) for row in session.scalars(select(AuditEntry))])
    for gone in ("I am Ada", "Dear Ada", "'tara'", "'ada'"):
        assert gone not in log
    assert read(school, kept, "bob")["items"][0]["answered_by"].startswith("erased-")


def test_a_passed_submission_can_be_asked_about_too(asked_of: School):
    submission = asked_of.submit("ada", data={"assignment": "demo/attention"})["id"]
    asked_of.grade(submission, make_report(Verdict.PASSED, 90.0))
    assert ask(asked_of, submission).status_code == 201
