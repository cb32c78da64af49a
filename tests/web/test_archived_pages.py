"""A course that is over, on its pages: archived in its settings, out of the way in lists, read-only for students."""

import re
from html import unescape

import pytest

from tests.app.school import School
from tests.app.test_assignments import assign
from tests.web.conftest import Visit, visitor
from tests.web.test_pages import graded

SETTINGS = "/courses/demo/settings"
READ_ONLY = "This course is archived: you can still read your work here, but not submit anything."


def set_to(visit: Visit, do: str) -> str:
    return visit.post(SETTINGS, {"csrf": visit.csrf(SETTINGS), "do": do}).text


def navigation(page: str) -> str:
    found = re.search(r'<nav aria-label="Main">(.*?)</nav>', page, re.DOTALL)
    assert found
    return found[1]


@pytest.fixture
def sent(school: School, ada: Visit) -> str:
    """What ada sent for an assignment, as its path."""
    assign(school)
    path = graded(school, source=b"x = 1\n")
    assert "Run it again" in ada.page(path)
    return path


def test_an_instructor_archives_a_course_and_brings_it_back(grace: Visit) -> None:
    page = set_to(grace, "archive")
    assert "students can still read their work, but not submit anything." in page
    assert "Bring this course back" in page
    assert "Bring it back</a> under Settings" in grace.page("/courses/demo/people")
    assert "is archived" not in set_to(grace, "bring_back")


def test_it_leaves_the_navigation_and_is_still_in_the_list(school: School, grace: Visit) -> None:
    assert 'href="/courses/demo"' in navigation(grace.page("/"))
    set_to(grace, "archive")
    front = grace.page("/")
    assert 'href="/courses/demo"' not in front
    assert 'href="/courses"' in navigation(front)
    courses = grace.page("/courses")
    assert "1 archived course" in courses
    assert 'href="/courses/demo"' in courses


def test_students_read_their_work_and_are_told_why_nothing_is_taken(school: School, sent: str, ada: Visit) -> None:
    with visitor(school) as grace:
        grace.sign_in(school.tokens["grace"])
        set_to(grace, "archive")
    course = ada.page("/courses/demo")
    assert READ_ONLY in course
    assert "Final score" in course
    assert "Attention" not in ada.page("/")
    assert "as practice: the assignment no longer accepts submissions" in ada.page(sent)
    challenge = unescape(ada.page("/challenges/mha-rope?assignment=demo/attention"))
    assert "'demo' is archived: you can still read your work there" in challenge
    assert "Anything you submit now is practice" in challenge
    refused = ada.upload(b"x = 2\n", assignment="demo/attention")
    assert (refused.status_code, "is archived" in refused.text) == (409, True)


def test_a_link_to_an_assignment_that_closed_says_so(school: School, ada: Visit) -> None:
    assign(school, closes_at="2026-01-01T00:00:00Z")
    assert "closed on 1 Jan 2026" in ada.page("/challenges/mha-rope?assignment=demo/attention")
    assert "closed" not in ada.page("/challenges/mha-rope?assignment=demo/nothing")
