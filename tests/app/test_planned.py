"""What an assignment is, its students learn when it opens: until then there is none, whichever call names it."""

from datetime import UTC, datetime, timedelta
from typing import Final

import httpx
import pytest

from app.models import Role
from tests.app.school import SOURCE, School

COURSE: Final = "/courses/demo/assignments"
FILE: Final = {"file": ("layers.py", SOURCE)}


@pytest.fixture
def planned(school: School) -> School:
    terms = {
        "slug": "exam",
        "title": "The unspeakable exam",
        "challenge": "mha-rope",
        "opens_at": (datetime.now(UTC) + timedelta(days=1)).isoformat(),
    }
    school.client("grace").post(COURSE, json=terms).raise_for_status()
    return school


def upload(school: School, name: str, assignment: str, **fields: str) -> httpx.Response:
    data = {"assignment": f"demo/{assignment}", **fields}
    return school.client(name).post("/submissions", files=FILE, data=data)


def said(response: httpx.Response, slug: str) -> tuple[int, str]:
    """Without the name that the request has said itself."""
    return response.status_code, response.text.replace(slug, "…")


@pytest.mark.parametrize("challenge", [None, "mha-rope"])
def test_an_upload_to_a_planned_assignment_gets_what_one_to_none_gets(planned: School, challenge: str | None):
    fields = {"challenge": challenge} if challenge else {}
    named, none = upload(planned, "ada", "exam", **fields), upload(planned, "ada", "nope", **fields)
    assert named.status_code == 404
    assert said(named, "exam") == said(none, "nope")


def test_no_other_call_or_page_tells_a_planned_assignment_from_none(planned: School):
    planned.submit("ada")
    calls = (
        ("GET", COURSE + "/{}", {}),
        ("PATCH", COURSE + "/{}", {"json": {"points": 5}}),
        ("DELETE", COURSE + "/{}", {}),
        ("GET", COURSE + "/{}/regrades", {}),
        ("POST", COURSE + "/{}/regrades", {"json": {}}),
        ("GET", "/courses/demo/analytics/overview?assignment={}", {}),
        ("GET", "/courses/demo/export.csv?assignment={}", {}),
        ("GET", "/courses/demo/similarity?assignment={}", {}),
        ("GET", "/courses/demo/reviews?assignment={}", {}),
        ("GET", "/courses/demo/submissions?assignment={}", {}),
    )
    for method, path, sent in calls:
        answers = [
            said(planned.client("ada").request(method, path.format(slug), **sent), slug) for slug in ("exam", "nope")
        ]
        assert answers[0] == answers[1], path
    for path in ("/me", "/courses/demo/standing", COURSE, "/submissions"):
        text = planned.client("ada").get(path).text
        assert "exam" not in text, path


def test_staff_are_told_when_it_opens(planned: School):
    planned.add("tara", Role.ASSISTANT)
    for name in ("grace", "tara", "root"):
        refused = upload(planned, name, "exam")
        assert (refused.status_code, "opens on" in refused.json()["detail"]) == (409, True)
