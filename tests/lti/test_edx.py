"""A course inside Open edX, from its first launch to its grades: nobody here wrote that platform."""

import re
from datetime import timedelta
from html import unescape
from typing import Any

import httpx
import pytest
from sqlalchemy import select, update

from app.challenges.service import Catalogue
from app.lti.advantage import PlatformServices
from app.lti.courier import Courier
from app.lti.keys import KeyRing
from app.models import Enrollment, LtiContext, LtiScore, Role, Submission, User, now
from grader.report import Verdict
from tests.app.school import School, make_report
from tests.app.test_assignments import assign
from tests.lti.conftest import EdxPlatform
from tests.patience import PATIENCE_S
from tests.web.conftest import Visit, field, visitor

GRACE = {"user_id": "1", "user_role": "instructor", "name": "Grace Hopper"}
EVA = {"user_id": "2", "user_role": "student", "name": "Eva Lovelace", "email": "eva@school.test"}
EVA_THERE = {"subject": "2", "roles": ["student"], "name": "Eva Lovelace", "email": "eva@school.test"}
TOM_THERE = {"subject": "3", "roles": ["student"], "name": "Tom", "email": "tom@school.test"}
GRACE_THERE = {"subject": "1", "roles": ["instructor"], "name": "Grace Hopper", "email": "grace@school.test"}


def follow_link(edx: EdxPlatform, visit: Visit, person: dict[str, Any], **more: Any) -> httpx.Response:
    """Follows the link in the platform's course: to us, back there, and with the platform's form to us again."""
    begun = visit.client.get(edx.ask("launch", {**person, **more})["address"], follow_redirects=False)
    assert begun.status_code == 303, begun.text
    page = httpx.get(begun.headers["location"], trust_env=False, timeout=PATIENCE_S)
    assert page.status_code == 200, page.text
    (target,) = re.findall(r'action="([^"]+)"', page.text)
    form = {name: unescape(value) for name, value in re.findall(r'name="(\w+)" value="([^"]*)"', page.text)}
    with httpx.Client(trust_env=False, headers={"Accept": "text/html"}) as bare:  # no cookie of ours comes along
        answer = bare.post(unescape(target), data=form)
    return visit.get(answer.headers["location"]) if answer.status_code == 303 else answer


@pytest.fixture
def courier(school: School) -> Courier:
    settings = school.api_settings
    services = PlatformServices(KeyRing(school.database, settings.secret_key))
    return Courier(school.database, Catalogue(settings.challenges_root), services, 0.0)


def connect(school: School, edx: EdxPlatform) -> None:
    """grace is signed in here, comes from the platform, and says which course it is."""
    with visitor(school) as visit:
        visit.sign_in(school.tokens["grace"])
        page = follow_link(edx, visit, GRACE)
        assert page.url.path == "/lti/account", page.text
        assert "Grace Hopper" in page.text
        page = visit.post("/lti/account", {"csrf": field(page.text, "csrf")})
        assert "Language modeling at School" in page.text
        form = {"csrf": field(page.text, "csrf"), "to": field(page.text, "to"), "course": "demo"}
        assert visit.post("/lti/continue", form).url.path == "/courses/demo/lms"


def come(school: School, edx: EdxPlatform, visit: Visit, person: dict[str, Any]) -> httpx.Response:
    page = follow_link(edx, visit, person)
    if page.url.path != "/sign-in/link":
        return page
    assert "School says that your address is" in page.text
    return visit.post("/sign-in/link", {"csrf": field(page.text, "csrf"), "account": field(page.text, "account")})


def submit(school: School, visit: Visit, score: float) -> None:
    answer = visit.upload(f"x = {score}\n".encode(), assignment="demo/attention")
    assert answer.status_code == 200, answer.text
    with school.database.read() as session:
        newest = session.scalars(select(Submission.id).order_by(Submission.id.desc()).limit(1)).one()
    school.grade(newest, make_report(Verdict.PASSED if score == 100 else Verdict.FAILED, score))


def look_again(school: School, courier: Courier) -> int:
    """As if a minute had gone by."""
    with school.database.write() as session:
        session.execute(update(LtiScore).where(LtiScore.next_try_at.is_not(None)).values(next_try_at=now()))
        session.execute(update(LtiContext).values(looked_at=now() - timedelta(hours=1)))
    return courier.run_once()


def scores_there(edx: EdxPlatform) -> list[tuple[str, float | None, float | None]]:
    found = edx.ask("gradebook")["scores"]
    return sorted((one["user_id"], one["score_given"], one["score_maximum"]) for one in found)


def overview(school: School) -> dict[str, Any]:
    (context,) = school.client("grace").get("/courses/demo/lms").json()["contexts"]
    assert isinstance(context, dict)
    return context


def test_a_student_comes_submits_and_has_the_points_in_the_platforms_gradebook(
    school: School, edx: EdxPlatform, courier: Courier
) -> None:
    assign(school, points=20)
    connect(school, edx)
    with visitor(school) as visit:
        page = come(school, edx, visit, EVA)
        assert page.url.path == "/courses/demo", page.text
        submit(school, visit, 40)
        assert look_again(school, courier) == 1
        assert scores_there(edx) == [("2", 8.0, 20.0)]
        assert overview(school)["sent"] == 1
        submit(school, visit, 100)
    assert look_again(school, courier) == 1
    assert scores_there(edx) == [("2", 20.0, 20.0)]
    (column,) = edx.ask("gradebook")["columns"]
    assert column["label"] == "Attention"
    assert look_again(school, courier) == 0  # nothing has changed


def test_an_outage_of_the_platform_loses_nothing_and_the_newest_wins(
    school: School, edx: EdxPlatform, courier: Courier
) -> None:
    assign(school, points=20)
    connect(school, edx)
    with visitor(school) as visit:
        come(school, edx, visit, EVA)
        submit(school, visit, 40)
        edx.stop()
        assert look_again(school, courier) == 0
        told = overview(school)
        assert (told["failing"], told["scores"][0]["tries"]) == (1, 1)
        assert "cannot be reached" in told["scores"][0]["error"]
        submit(school, visit, 100)
    assert look_again(school, courier) == 0
    edx.start()
    assert look_again(school, courier) == 1
    assert scores_there(edx) == [("2", 20.0, 20.0)]
    assert (overview(school)["failing"], overview(school)["sent"]) == (0, 1)


def test_the_pause_before_the_next_try_grows(school: School, edx: EdxPlatform, courier: Courier) -> None:
    assign(school)
    connect(school, edx)
    with visitor(school) as visit:
        come(school, edx, visit, EVA)
        submit(school, visit, 40)
    edx.stop()
    pauses = []
    for _ in range(3):
        look_again(school, courier)
        with school.database.read() as session:
            row = session.scalars(select(LtiScore)).one()
        assert row.next_try_at is not None
        pauses.append((row.next_try_at - now()).total_seconds())
    assert 20 < pauses[0] < pauses[1] < pauses[2] < 3600


def test_send_again_makes_the_column_that_a_teacher_deleted(
    school: School, edx: EdxPlatform, courier: Courier, visit: Visit
) -> None:
    assign(school, points=20)
    connect(school, edx)
    with visitor(school) as learner:
        come(school, edx, learner, EVA)
        submit(school, learner, 100)
    look_again(school, courier)
    edx.ask("forget", {})
    assert scores_there(edx) == []
    visit.sign_in(school.tokens["grace"])
    path = f"/courses/demo/lms/{overview(school)['id']}"
    page = visit.post(path, {"csrf": visit.csrf("/courses/demo/lms"), "do": "send"})
    assert "being sent again" in page.text
    assert "Waiting" in page.text
    assert look_again(school, courier) == 0  # the column is gone
    assert "404" in overview(school)["scores"][0]["error"]
    assert look_again(school, courier) == 1
    assert scores_there(edx) == [("2", 20.0, 20.0)]


def test_the_roster_follows_students_come_and_leave_and_teachers_are_made_by_people(
    school: School, edx: EdxPlatform, courier: Courier
) -> None:
    connect(school, edx)
    edx.ask("members", [EVA_THERE, TOM_THERE, GRACE_THERE])
    courier.run_once()
    assert people(school) == {"ada", "bob", "grace", "eva@school.test", "tom@school.test"}
    assert "2 added" in overview(school)["roster_result"]
    edx.ask("members", [EVA_THERE, GRACE_THERE])
    path = f"/courses/demo/lms/{overview(school)['id']}/roster"
    told = school.client("grace").post(path).json()["result"]
    assert told == "0 added; 0 changed; 1 removed."
    assert people(school) == {"ada", "bob", "grace", "eva@school.test"}  # ada and bob were never the platform's
    edx.ask("members", [])
    assert "nothing was changed" in school.client("grace").post(path).json()["result"]
    assert people(school) == {"ada", "bob", "grace", "eva@school.test"}


def people(school: School) -> set[str]:
    with school.database.read() as session:
        return set(session.scalars(select(User.name).join(Enrollment)))


def test_who_connected_the_course_and_is_no_instructor_any_more_brings_nobody_in(
    school: School, edx: EdxPlatform, courier: Courier
) -> None:
    connect(school, edx)
    school.add("nina", Role.INSTRUCTOR)
    with school.database.write() as session:
        grace = session.scalars(select(User.id).where(User.name == "grace")).one()
        session.execute(update(Enrollment).where(Enrollment.user_id == grace).values(role=Role.ASSISTANT))
    edx.ask("members", [EVA_THERE])
    courier.run_once()
    (context,) = school.client("nina").get("/courses/demo/lms").json()["contexts"]
    assert "not followed" in context["roster_result"]
    assert "eva@school.test" not in people(school)


def test_an_instructor_chooses_an_assignment_and_its_link_leads_there(
    school: School, edx: EdxPlatform, visit: Visit
) -> None:
    assign(school, points=20)
    connect(school, edx)
    page = follow_link(edx, visit, GRACE, deep_link=True)
    assert "Attention" in page.text
    assert "frame-ancestors *" in page.headers["content-security-policy"]
    (target,) = re.findall(r'<form method="post" action="([^"]+)"', page.text)
    assert target.startswith(edx.url)
    saved = httpx.post(unescape(target), data={"JWT": field(page.text, "JWT")}, trust_env=False, timeout=PATIENCE_S)
    assert saved.status_code == 200, saved.text
    (link,) = edx.ask("gradebook")["links"]
    assert link["title"] == "Attention"
    with visitor(school) as learner:
        assert come(school, edx, learner, EVA).url.path == "/challenges/mha-rope"
    with visitor(school) as teacher:
        assert follow_link(edx, teacher, GRACE).url.path == "/courses/demo/assignments/attention"


def test_a_student_cannot_choose_for_the_course(school: School, edx: EdxPlatform, visit: Visit) -> None:
    assign(school)
    connect(school, edx)
    told = edx.ask("launch", {**EVA, "deep_link": True})["address"]
    begun = visit.client.get(told, follow_redirects=False)
    refused = httpx.get(begun.headers["location"], trust_env=False, timeout=PATIENCE_S)
    assert refused.status_code == 403  # by the platform itself


def test_our_keys_may_change_and_the_platform_reads_the_new_ones(
    school: School, edx: EdxPlatform, courier: Courier
) -> None:
    assign(school, points=20)
    connect(school, edx)
    with visitor(school) as visit:
        come(school, edx, visit, EVA)
        submit(school, visit, 40)
    assert school.client("root").post("/lti/keys").status_code == 204
    assert look_again(school, courier) == 1
    assert scores_there(edx) == [("2", 8.0, 20.0)]
