"""Launches into a course that is archived here: its students read their work, nobody joins, and its roster stays."""

import pytest
from sqlalchemy import select

from app.lti.advantage import PlatformServices
from app.lti.keys import KeyRing
from app.lti.roster import follow, follow_due
from app.models import Assignment, Course, Enrollment, Identity, LtiContext, User
from tests.app.school import School
from tests.app.test_assignments import assign
from tests.lti.own_platform import DEEP_LINK, INSTRUCTOR, OwnPlatform
from tests.web.conftest import Visit

NOBODY_JOINS = "is archived, so nobody can join it any more."


@pytest.fixture
def context(school: School, platform: OwnPlatform, visit: Visit) -> LtiContext:
    """The platform's course is connected with demo; ada and grace have come from there. Then demo is archived."""
    assign(school)
    with school.database.write() as session:
        people = {user.name: user for user in session.scalars(select(User))}
        for subject, name in (("7", "ada"), ("9", "grace")):
            session.add(Identity(issuer=platform.url, subject=subject, user_id=people[name].id))
    platform.launch(visit)
    with school.database.write() as session:
        context = session.scalars(select(LtiContext)).one()
        context.course_id = session.scalars(select(Course.id)).one()
        context.linked_by_id = people["grace"].id
        context.memberships_url = f"{platform.url}/members"
    school.client("grace").post("/courses/demo/archive").raise_for_status()
    return context


def assignment_of(school: School) -> str:
    with school.database.read() as session:
        return session.scalars(select(Assignment.id)).one()


@pytest.mark.usefixtures("context")
def test_its_students_are_led_to_their_work(school: School, platform: OwnPlatform, visit: Visit) -> None:
    page = platform.launch(visit, custom={"assignment": assignment_of(school)})
    assert page.url.path == "/courses/demo"
    assert "This course is archived: you can still read your work here" in page.text


@pytest.mark.usefixtures("context")
def test_staff_are_led_to_the_assignment(school: School, platform: OwnPlatform, visit: Visit) -> None:
    page = platform.launch(visit, sub="9", roles=[INSTRUCTOR], custom={"assignment": assignment_of(school)})
    assert page.url.path == "/courses/demo/assignments/attention"


@pytest.mark.usefixtures("context")
def test_nobody_new_joins(school: School, platform: OwnPlatform, visit: Visit) -> None:
    visit.client.cookies.clear()
    refused = platform.launch(visit, sub="8", email="eve@school.test", name="Eve")
    assert (refused.status_code, NOBODY_JOINS in refused.text) == (403, True)
    with school.database.read() as session:
        assert "eve@school.test" not in session.scalars(select(User.name)).all()


@pytest.mark.usefixtures("context")
def test_who_left_it_is_told_so(school: School, platform: OwnPlatform, visit: Visit) -> None:
    with school.database.write() as session:
        ada = session.scalars(select(Enrollment).join(User).where(User.name == "ada")).one()
        session.delete(ada)
    refused = platform.launch(visit)
    assert (refused.status_code, NOBODY_JOINS in refused.text) == (403, True)


@pytest.mark.usefixtures("context")
def test_its_assignments_are_not_offered_to_the_platform(platform: OwnPlatform, visit: Visit) -> None:
    settings = {"deep_link_return_url": f"{platform.url}/links", "accept_types": ["ltiResourceLink"]}
    asked = {"message_type": "LtiDeepLinkingRequest", "resource_link": None, DEEP_LINK: settings}
    refused = platform.launch(visit, sub="9", roles=[INSTRUCTOR], **asked)
    assert (refused.status_code, "on Assay is archived" in refused.text) == (403, True)


def test_it_keeps_its_roster_whatever_the_platform_lists(school: School, context: LtiContext) -> None:
    services = PlatformServices(KeyRing(school.database, school.api_settings.secret_key))
    follow_due(school.database, services)
    with school.database.read() as session:
        assert session.get_one(LtiContext, context.id).roster_at is None
    told = follow(school.database, services, context.id)
    assert told == "The roster was not followed. The course is archived. Bring it back first, in its settings."


def test_a_course_there_is_connected_with_no_archived_course(
    school: School, platform: OwnPlatform, visit: Visit, context: LtiContext
) -> None:
    with school.database.write() as session:
        session.get_one(LtiContext, context.id).course_id = None
    page = platform.launch(visit, sub="9", roles=[INSTRUCTOR])
    assert page.url.path == "/lti/continue"
    assert 'value="demo"' not in page.text
    assert "Your courses on Assay are archived." in page.text
    to = page.url.params["to"]
    refused = visit.post("/lti/continue", {"csrf": visit.csrf("/tokens"), "to": to, "course": "demo"})
    assert (refused.status_code, "is archived. Choose another course" in refused.text) == (409, True)
