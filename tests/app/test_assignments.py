"""Assignments: what instructors set, which uploads are taken, what being late costs, what students are told."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import iter_route_contexts
from sqlalchemy import update

from app.accounts import service as accounts
from app.assignments.attempts import FREE_REJECTIONS
from app.assignments.schemas import Terms
from app.main import create_app
from app.models import Role, State, Submission
from app.problems import Unprocessable
from grader.efficiency_report import Efficiency
from grader.report import (
    Breakdown,
    Diagnosis,
    Forgeable,
    Guidance,
    Remark,
    Report,
    RuleFinding,
    RuleStatus,
    TestResult,
    TestStatus,
    Verdict,
    Visibility,
)
from tests.app.school import SOURCE, School, make_report

# Every field of a report either tells why something failed, or may be told while an assignment is open.
WHY = ("breakdown", "diagnoses", "guidance", "remarks")
TOLD = {
    *("schema", "challenge", "submission", "verdict", "score", "max_score", "summary", "seed", "tests", "structure"),
    *("efficiency", "environment", "timings", "forgeable"),
}

NOW = datetime.now(UTC)
LAYERS = {"file": ("layers.py", SOURCE)}
PATH = "/courses/demo/assignments"


def from_now(**span: float) -> str:
    return (datetime.now(UTC) + timedelta(**span)).isoformat()


def assign(school: School, slug: str = "attention", course: str = "demo", **terms: Any) -> dict[str, Any]:
    body = {"slug": slug, "title": slug.title(), "challenge": "mha-rope", **terms}
    response = school.client("root").post(f"/courses/{course}/assignments", json=body)
    assert response.status_code == 201, response.text
    return response.json()  # type: ignore[no-any-return]


def refusal(school: School, name: str = "ada", **fields: str) -> tuple[int, str]:
    response = school.client(name).post("/submissions", files=LAYERS, data=fields)
    return response.status_code, response.json()["detail"]


@pytest.fixture(scope="module")
def taken(shared_school: School) -> School:
    """A school with one assignment, for what is refused and so changes nothing."""
    assign(shared_school, "taken", due_at="2030-01-01T00:00:00Z")
    return shared_school


def test_an_instructor_makes_reads_changes_and_removes_an_assignment(school: School):
    grace = school.client("grace")
    made = grace.post(PATH, json={"slug": "attention", "title": " Attention ", "challenge": "mha-rope"})
    assert (made.status_code, made.headers["location"]) == (201, f"/api/v1{PATH}/attention")
    expected = {
        "course": "demo", "time_zone": "UTC", "slug": "attention", "title": "Attention", "challenge": "mha-rope",
        "points": 100.0,
        "phase": "open", "opens_at": None, "due_at": None, "closes_at": None, "late_percent_per_day": 0.0,
        "grace_minutes": 0, "is_bonus": False,
        "attempts_max": None, "attempts_per_hour": None, "charges_rejected": False, "is_superseding": True,
        "feedback": "full", "question_points": 0.0, "questions_unlock": "always", "unlock_attempts": None,
        "answers_max": None, "solutions": "never", "grades_release": "at_once", "is_held": False,
        "has_leaderboard": False,
    }  # fmt: skip
    assert made.json() == expected
    assert grace.get(f"{PATH}/attention").json().items() >= expected.items()
    changed = grace.patch(f"{PATH}/attention", json={"points": 10, "due_at": "2030-01-01T12:00:00+02:00"}).json()
    assert changed == expected | {"points": 10.0, "due_at": "2030-01-01T10:00:00Z"}
    assert grace.get(PATH).json() == {"items": [changed]}
    assert grace.patch(f"{PATH}/attention", json={"due_at": None}).json()["due_at"] is None
    assert grace.delete(f"{PATH}/attention").status_code == 204
    assert grace.get(f"{PATH}/attention").status_code == 404


@pytest.mark.parametrize(
    ("terms", "status", "words"),
    [
        ({"challenge": "unknown"}, 422, "Available: mha-rope"),
        ({"slug": "Not A Slug"}, 422, "slug"),
        ({"title": " "}, 422, "title"),
        ({"title": "two\nlines"}, 422, "printable"),
        ({"points": -1}, 422, "points"),
        ({"attempts_max": 0}, 422, "attempts_max"),
        ({"late_percent_per_day": 101}, 422, "late_percent_per_day"),
        ({"due_at": "2030-01-01T00:00:00"}, 422, "timezone"),
        ({"due_at": "9999-12-31T23:59:59-23:59"}, 422, "years"),
        (
            {"opens_at": "2030-01-02T00:00:00Z", "due_at": "2030-01-01T00:00:00Z"},
            422,
            "due_at must not be before opens_at",
        ),
        ({"due_at": "2030-01-02T00:00:00Z", "closes_at": "2030-01-01T00:00:00Z"}, 422, "closes_at must not be before"),
        ({"opens_at": "2030-01-02T00:00:00Z", "closes_at": "2030-01-01T00:00:00Z"}, 422, "closes_at must not be"),
        ({"colour": "red"}, 422, "colour"),
        ({"questions_unlock": "after_attempts"}, 422, "unlock_attempts"),
        ({"solutions": "after_attempts"}, 422, "answers_max"),
        ({"solutions": "after_closing"}, 422, "needs closes_at or due_at"),
        ({"slug": "taken"}, 409, "already"),
    ],
)
def test_terms_that_make_no_sense_are_refused(taken: School, terms: dict[str, Any], status: int, words: str):
    body = {"slug": "attention", "title": "Attention", "challenge": "mha-rope", **terms}
    response = taken.client("grace").post(PATH, json=body)
    assert response.status_code == status
    assert words in response.json()["detail"]


def test_times_out_of_order_are_told_with_whatever_else_is_wrong(taken: School):
    body = {"slug": "attention", "title": "", "challenge": "mha-rope", "points": -1}
    times = {"opens_at": "2030-01-03T00:00:00Z", "due_at": "2030-01-02T00:00:00Z", "closes_at": "2030-01-01T00:00:00Z"}
    told = taken.client("grace").post(PATH, json=body | times).json()["errors"]
    assert {error["location"] for error in told} == {
        f"body.{name}" for name in ("title", "points", "due_at", "closes_at")
    }


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"closes_at": "2029-01-01T00:00:00Z"}, "closes_at must not be before due_at"),
        ({"title": None}, "title"),
        ({"challenge": "unknown"}, "Available: mha-rope"),
        ({"slug": "other"}, "slug"),
    ],
)
def test_a_change_is_checked_with_what_stays(taken: School, change: dict[str, Any], words: str):
    response = taken.client("grace").patch(f"{PATH}/taken", json=change)
    assert response.status_code == 422
    assert words in response.json()["detail"]


def test_students_see_what_has_opened_and_change_nothing(school: School):
    school.add("tara", Role.ASSISTANT)
    assign(school, "later", opens_at=from_now(hours=1))
    assign(school, "over", closes_at=from_now(seconds=-1))
    assign(school, "open", due_at=from_now(hours=1))
    seen = {
        name: [item["slug"] for item in school.client(name).get(PATH).json()["items"]]
        for name in ("ada", "tara", "grace")
    }
    assert seen == {"ada": ["open", "over"], "tara": ["open", "later", "over"], "grace": ["open", "later", "over"]}
    assert school.client("ada").get(f"{PATH}/later").status_code == 404
    assert school.client("ada").get(f"{PATH}/open").json()["phase"] == "open"
    for name in ("ada", "tara"):
        client = school.client(name)
        assert client.post(PATH, json={"slug": "x", "title": "x", "challenge": "mha-rope"}).status_code == 403
        assert client.patch(f"{PATH}/open", json={"points": 1}).status_code == 403
        assert client.delete(f"{PATH}/open").status_code == 403


def test_without_assignments_everything_is_practice(school: School):
    sent = school.submit()
    assert (sent["assignment"], sent["points"], sent["is_late"], sent["feedback"]) == (None, None, False, "full")


def test_the_open_assignment_that_is_due_next_takes_an_upload(school: School):
    school.add("eve", course="elsewhere")
    assign(school, "whenever")
    assert school.submit()["assignment"] == "demo/whenever"
    assign(school, "late-already", due_at=from_now(hours=-1))
    assign(school, "next-week", due_at=from_now(days=7))
    assign(school, "tomorrow", due_at=from_now(days=1))
    assign(school, "closed", due_at=from_now(hours=-2), closes_at=from_now(hours=-1))
    assign(school, "planned", opens_at=from_now(hours=1), due_at=from_now(hours=2))
    assert school.submit()["assignment"] == "demo/tomorrow"
    assert school.submit(data={"challenge": "mha-rope"})["assignment"] == "demo/tomorrow"
    assert school.submit("eve")["assignment"] is None


def test_an_upload_may_name_its_assignment(school: School):
    assign(school, "tomorrow", due_at=from_now(days=1))
    assign(school, "next-week", due_at=from_now(days=7))
    sent = school.submit(data={"assignment": "demo/next-week"})
    assert (sent["assignment"], sent["challenge"]) == ("demo/next-week", "mha-rope")
    assert school.submit(data={"assignment": ""})["assignment"] == "demo/tomorrow"
    assert school.client("ada").get(f"/submissions/{sent['id']}").json()["assignment"] == "demo/next-week"


def test_an_assignment_that_cannot_be_meant_is_refused_with_a_sentence(school: School):
    school.add("eve", course="elsewhere")
    assign(school)
    assert refusal(school, assignment="attention")[0] == 422
    assert refusal(school, assignment="demo/other")[0] == 404
    assert refusal(school, assignment="demo/\x00")[0] == 404
    assert refusal(school, "eve", assignment="demo/attention")[0] == 404
    assert refusal(school, assignment="demo/attention", challenge="unknown")[0] == 404


def test_not_yet_open_and_closed_are_refused_with_the_time(school: School):
    assign(school, "later", opens_at="2031-05-06T07:08:00Z")
    assign(school, "over", closes_at="2021-05-06T07:08:00Z")
    assert refusal(school, assignment="demo/later")[0] == 404  # students learn when it opens that there is one
    status, sentence = refusal(school, "grace", assignment="demo/later")
    assert (status, "6 May 2031, 07:08 UTC" in sentence) == (409, True)
    status, sentence = refusal(school, assignment="demo/over")
    assert (status, "6 May 2021, 07:08 UTC" in sentence) == (409, True)
    assert school.submit()["assignment"] is None


@pytest.mark.parametrize(
    ("moment", "told"),
    [
        ("2020-03-29T00:59:00Z", "29 Mar 2020, 01:59 CET"),
        ("2020-03-29T01:00:00Z", "29 Mar 2020, 03:00 CEST"),
        ("2020-10-25T00:30:00Z", "25 Oct 2020, 02:30 CEST"),
        ("2020-10-25T01:30:00Z", "25 Oct 2020, 02:30 CET"),
    ],
)
def test_refusals_tell_times_on_the_clocks_of_the_course(school: School, moment: str, told: str):
    school.client("grace").patch("/courses/demo", json={"time_zone": "Europe/Berlin"})
    assign(school, "over", closes_at=moment)
    assert f"closed on {told} and no longer" in refusal(school, assignment="demo/over")[1]
    given = school.client("grace").post(
        f"{PATH}/over/exceptions", json={"student": "ada", "closes_at": moment, "reason": "Ill"}
    )
    assert f"own time, {told}." in given.json()["detail"]


def test_when_the_attempts_are_used_up_no_more_are_taken(school: School):
    assign(school, attempts_max=2, is_superseding=False)
    school.submit()
    school.submit()
    status, sentence = refusal(school)
    assert (status, "no attempts at 'Attention' left: the limit is 2" in sentence) == (409, True)
    assert "'practice'" in sentence
    assert school.submit("bob")["assignment"] == "demo/attention"


def test_what_is_used_up_may_be_practised(school: School):
    assign(school, attempts_max=1, is_superseding=False)
    status, sentence = refusal(school, assignment="practice")
    assert (status, "'Attention' has attempts left" in sentence) == (409, True)
    school.submit()
    assert school.submit(data={"assignment": "practice"})["assignment"] is None
    assign(school, "exam", attempts_max=1, feedback="verdict", is_superseding=False)
    school.submit(data={"assignment": "demo/exam"})
    status, sentence = refusal(school, assignment="practice")
    assert (status, "hides what is wrong" in sentence) == (409, True)
    assert "practice" not in refusal(school, assignment="demo/exam")[1]


@pytest.mark.parametrize(("charges", "is_counted"), [(False, False), (True, True)])
def test_what_cannot_be_graded_costs_no_attempt_unless_the_assignment_says_so(
    school: School, charges: bool, is_counted: bool
):
    assign(school, attempts_max=2, attempts_per_hour=2, charges_rejected=charges, is_superseding=False)
    for _ in range(2):
        school.grade(school.submit()["id"], make_report(Verdict.REJECTED))
    assert school.client("ada").post("/submissions", files=LAYERS).status_code == (409 if is_counted else 202)
    (due,) = school.client("ada").get("/courses/demo/standing").json()["assignments"]
    assert due["attempts_used"] == (2 if is_counted else 1)


def test_files_that_cannot_be_graded_are_free_only_so_often(school: School):
    assign(school, attempts_max=1, is_superseding=False)
    for _ in range(FREE_REJECTIONS + 1):
        school.grade(school.submit()["id"], make_report(Verdict.REJECTED))
    assert school.client("ada").post("/submissions", files=LAYERS).status_code == 409


@pytest.mark.parametrize(
    ("state", "is_counted"), [(State.CANCELLED, False), (State.SUPERSEDED, False), (State.GRADED, True)]
)
def test_what_we_failed_at_or_never_ran_is_no_attempt(school: School, state: State, is_counted: bool):
    assign(school, attempts_max=1, attempts_per_hour=1)
    sent = school.submit()
    with school.database.write() as session:
        session.execute(update(Submission).where(Submission.id == sent["id"]).values(state=state))
    assert school.client("ada").post("/submissions", files=LAYERS).status_code == (409 if is_counted else 202)


@pytest.mark.on_both_databases
def test_so_many_an_hour_and_then_a_pause(school: School):
    assign(school, attempts_per_hour=2, is_superseding=False)
    first = school.submit()
    school.submit()
    with school.database.write() as session:
        session.execute(
            update(Submission)
            .where(Submission.id == first["id"])
            .values(created_at=datetime.now(UTC) - timedelta(minutes=40))
        )
    response = school.client("ada").post("/submissions", files=LAYERS)
    assert response.status_code == 429
    assert 1195 <= int(response.headers["retry-after"]) <= 1200
    assert "allows 2 attempts an hour" in response.json()["detail"]
    assert "in 20 min" in response.json()["detail"]


@pytest.mark.on_both_databases
def test_uploads_at_the_same_moment_do_not_slip_past_the_limit(school: School):
    assign(school, attempts_max=3, is_superseding=False)
    clients = [school.client("ada") for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(lambda client: client.post("/submissions", files=LAYERS).status_code, clients))
    assert sorted(statuses) == [202] * 3 + [409] * 5


def test_a_newer_upload_that_replaces_one_in_line_costs_one_attempt_in_all(school: School):
    assign(school, attempts_max=1, attempts_per_hour=1)
    older = school.submit()
    newer = school.submit()
    states = {item["id"]: item["state"] for item in school.client("ada").get("/submissions").json()["items"]}
    assert states == {older["id"]: "superseded", newer["id"]: "queued"}
    school.grade(newer["id"])
    assert refusal(school)[0] == 409


def test_whoever_asks_is_told_what_is_due_and_how_many_attempts_are_left(school: School):
    assign(school, "whenever")
    assign(school, "tomorrow", due_at=from_now(days=1), attempts_max=3, attempts_per_hour=1, is_superseding=False)
    assign(school, "planned", opens_at=from_now(days=1))
    assign(school, "over", closes_at=from_now(days=-1))
    sent = school.submit()
    first, second = school.client("ada").get("/me").json()["assignments"]
    created = datetime.fromisoformat(sent["created_at"])
    assert (first["course"], first["slug"], first["attempts_used"], first["attempts_left"]) == (
        "demo",
        "tomorrow",
        1,
        2,
    )
    assert datetime.fromisoformat(first["next_attempt_at"]) == created + timedelta(hours=1)
    assert (second["slug"], second["attempts_left"], second["next_attempt_at"]) == ("whenever", None, None)
    assert school.client("bob").get("/me").json()["assignments"][0]["attempts_left"] == 3
    assert school.client("root").get("/me").json()["assignments"] == []


@pytest.mark.on_both_databases
def test_being_late_costs_points_until_there_is_an_extension(school: School):
    assign(school, points=20, late_percent_per_day=10, due_at=from_now(hours=-25))
    sent = school.submit()
    school.grade(sent["id"], make_report(score=40.0))
    ada, path = school.client("ada"), f"/submissions/{sent['id']}"
    seen = ada.get(path).json()
    assert (seen["is_late"], seen["late_percent"], seen["score"], seen["points"]) == (True, 20.0, 40.0, 20 * 0.4 * 0.8)
    assert ada.get("/submissions").json()["items"][0]["points"] == 20 * 0.4 * 0.8
    school.client("grace").patch(f"{PATH}/attention", json={"due_at": from_now(hours=1)})
    seen = ada.get(path).json()
    assert (seen["is_late"], seen["late_percent"], seen["points"]) == (False, 0.0, 8.0)
    school.client("grace").patch(f"{PATH}/attention", json={"due_at": from_now(days=-20)})
    assert ada.get(path).json()["points"] == 0.0


def test_an_assignment_that_was_submitted_to_is_closed_and_not_removed(school: School):
    assign(school)
    school.submit()
    response = school.client("grace").delete(f"{PATH}/attention")
    assert (response.status_code, "Close it instead" in response.json()["detail"]) == (409, True)


def full_report(verdict: Verdict = Verdict.FAILED) -> Report:
    def test(name: str, visibility: Visibility) -> TestResult:
        return TestResult(
            id=name, group="heads", title=name, status=TestStatus.FAILED, score=0.0, max_score=2.0,
            visibility=visibility, message=f"message of {name}", metrics={"max_abs_error": 0.5},
        )  # fmt: skip

    return make_report(verdict, 40.0).model_copy(
        update={
            "summary": "line 7: RoPE is applied to V",
            "tests": (
                test("public", Visibility.PUBLIC),
                test("due", Visibility.AFTER_DUE_DATE),
                test("no", Visibility.HIDDEN),
            ),
            "structure": (RuleFinding(rule="no-loop-over-heads", status=RuleStatus.FAILED, line=3, message="a loop"),),
            "diagnoses": (Diagnosis(id="rope-on-v", title="RoPE on V", explanation="why", evidence="what", line=7),),
            "breakdown": Breakdown(message="Line 7 raises ValueError.", meaning="why", line=7, tests=("no",)),
            "guidance": Guidance(message="look here"),
            "remarks": (Remark(id="slow", message="worth knowing"),),
            "efficiency": Efficiency(device="cpu", time_ratio=2.0),
            "forgeable": Forgeable(score=0.0, max_score=2.0, tests=(test("beside", Visibility.PUBLIC),)),
        }
    )


def messages(report: dict[str, Any]) -> list[str]:
    return [test["message"] for test in report["tests"]]


def test_the_full_report_shows_what_is_public_and_after_the_end_what_was_kept_until_then(school: School):
    assign(school, closes_at=from_now(hours=1))
    sent = school.submit()
    school.grade(sent["id"], full_report())
    ada, path = school.client("ada"), f"/submissions/{sent['id']}"
    assert messages(ada.get(path).json()["report"]) == ["message of public", "", ""]
    assert messages(ada.get(path).json()["report"]["forgeable"]) == ["message of beside"]
    school.client("grace").patch(f"{PATH}/attention", json={"closes_at": from_now(seconds=-1)})
    assert messages(ada.get(path).json()["report"]) == ["message of public", "message of due", ""]


def test_each_field_of_a_report_is_known_to_tell_why_or_not():
    """A new one: leave it out of what is told too early (app/submissions/feedback.py), or add it to TOLD."""
    report = json.loads(full_report().to_json())
    assert set(report) == TOLD | set(WHY)
    assert all(report[name] for name in WHY), "each is there to be left out"


@pytest.mark.parametrize("feedback", ["families", "verdict"])
def test_less_is_told_until_the_assignment_closes(school: School, feedback: str):
    assign(school, feedback=feedback, due_at=from_now(hours=1), closes_at=from_now(hours=2))
    sent = school.submit()
    school.grade(sent["id"], full_report())
    ada, path = school.client("ada"), f"/submissions/{sent['id']}"
    seen = ada.get(path).json()
    assert (seen["feedback"], seen["verdict"], seen["score"]) == (feedback, "failed", 40.0)
    report = seen["report"]
    assert "RoPE" not in report["summary"]
    assert [name for name in WHY if report[name]] == []
    if feedback == "families":
        assert [test["status"] for test in report["tests"]] == ["failed"] * 3
        assert messages(report) == ["", "", ""]
        assert messages(report["forgeable"]) == [""]
        assert report["structure"] == [
            {"rule": "no-loop-over-heads", "status": "failed", "line": None, "file": None, "message": ""}
        ]
    else:
        assert (report["tests"], report["structure"], report["efficiency"]) == ([], [], None)
        assert report["forgeable"] is None
    assert school.client("grace").get(path).json()["report"]["summary"] == "line 7: RoPE is applied to V"
    school.client("grace").patch(f"{PATH}/attention", json={"closes_at": from_now(seconds=-1), "due_at": None})
    seen = ada.get(path).json()
    assert (seen["feedback"], seen["report"]["summary"]) == ("full", "line 7: RoPE is applied to V")


def test_what_cannot_be_graded_is_told_whole(school: School):
    assign(school, feedback="verdict")
    sent = school.submit()
    school.grade(sent["id"], full_report(Verdict.REJECTED))
    seen = school.client("ada").get(f"/submissions/{sent['id']}").json()
    assert seen["report"]["summary"] == "line 7: RoPE is applied to V"


@pytest.mark.parametrize(
    ("feedback", "told"), [("full", ["test", "verdict"]), ("families", ["test", "verdict"]), ("verdict", ["verdict"])]
)
def test_the_event_stream_tells_no_more_than_the_report(school: School, feedback: str, told: list[str]):
    assign(school, feedback=feedback)
    sent = school.submit()
    school.broker.tell(sent["id"], "test", {"id": "heads-1", "status": "failed", "done": 1, "total": 1})
    school.grade(sent["id"], full_report())
    events = school.watch(sent["id"])
    assert [event.event for event in events if event.event != "state"] == told
    summary = next(event.data["summary"] for event in events if event.event == "verdict")
    assert ("RoPE" in summary) == (feedback == "full")
    assert all(event.id for event in events)
    assert next(e.data["summary"] for e in school.watch(sent["id"], "grace") if e.event == "verdict").startswith(
        "line 7"
    )
    with school.redis.client() as client:
        client.flushall()
    from_the_row = school.watch(sent["id"])
    assert ("RoPE" in from_the_row[0].data["summary"]) == (feedback == "full")


@pytest.mark.on_both_databases
def test_staff_see_only_what_was_sent_in_their_own_course(school: School):
    """ada is in two courses; each staff sees its own assignments, and neither her practice."""
    school.add("tara", Role.ASSISTANT)
    school.add("eve", Role.INSTRUCTOR, course="elsewhere")
    accounts.enroll(school.database, "ada", "elsewhere")
    practice = school.submit()["id"]
    assign(school, "here")
    assign(school, "there", course="elsewhere")
    here = school.submit(data={"assignment": "demo/here"})["id"]
    there = school.submit(data={"assignment": "elsewhere/there"})["id"]
    visible = {
        name: {item["id"] for item in school.client(name).get("/submissions").json()["items"]}
        for name in ("ada", "bob", "grace", "tara", "eve", "root")
    }
    assert visible == {
        "ada": {practice, here, there},
        "bob": set(),
        "grace": {here},
        "tara": {here},
        "eve": {there},
        "root": {practice, here, there},
    }
    assert school.client("grace").get(f"/submissions/{there}").status_code == 404
    assert school.client("eve").get(f"/submissions/{here}").status_code == 404
    for name, course, count in (("grace", "demo", 1), ("eve", "elsewhere", 1)):
        client = school.client(name)
        assert len(client.get(f"/courses/{course}/submissions").json()["items"]) == count
        for slug, found in (("here", name == "grace"), ("there", name == "eve")):
            params = {"assignment": slug}
            assert len(client.get(f"/courses/{course}/submissions", params=params).json()["items"]) == found
        assert client.get(f"/courses/{course}/analytics").json()["challenges"][0]["submissions"] == count


def test_every_term_of_an_assignment_is_documented():
    document = (Path(__file__).parents[2] / "docs" / "courses.md").read_text(encoding="utf-8")
    table = document.partition("| term | option |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.M) == list(Terms.model_fields)


def test_no_course_and_no_assignment_is_called_by_a_word_of_our_own_addresses(school: School):
    """Else its pages could not be reached. The words are read off the routes: a new page may bring one."""
    app = create_app(school.api_settings)
    app.state.services.database.close()
    app.state.services.broker.close()
    paths = [route.path_format or "" for route in iter_route_contexts(app.routes)]
    beside = {
        path.partition(f"{{{slug}}}")[0] for path in paths for slug in ("course", "assignment") if f"{{{slug}}}" in path
    }
    words = {path.removeprefix(start).partition("/")[0] for path in paths for start in beside if path.startswith(start)}
    words = {word for word in words if word and not word.startswith("{")}
    assert "new" in words
    for word in words | {"autograder", "edit", "regrades", "preview"}:
        body = {"slug": word, "title": "A", "challenge": "mha-rope"}
        assert school.client("grace").post("/courses/demo/assignments", json=body).status_code == 422
        assert school.client("root").post("/courses", json={"slug": word, "title": "A course"}).status_code == 422
        with pytest.raises(Unprocessable):
            accounts.create_user(school.database, f"of-{word}", Role.STUDENT, word)
