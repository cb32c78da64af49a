"""Who am I, challenges, courses: reading."""

import httpx
import pytest

from app.accounts import service as accounts
from app.models import Role
from grader.report import Verdict
from tests.app.school import School, make_report

pytestmark = pytest.mark.on_both_databases


def test_me(school: School):
    school.submit()
    school.submit()
    assert school.client("ada").get("/me").json() | {"id": ""} == {
        "id": "",
        "name": "ada",
        "role": "student",
        "courses": [{"slug": "demo", "title": "demo", "role": "student", "is_archived": False}],
        "assignments": [],
        "submissions": {"mha-rope": 2},
    }


def test_a_revoked_token_opens_nothing(school: School):
    client = school.client("ada")
    assert client.get("/me").status_code == 200
    assert accounts.revoke_tokens(school.database, "ada") == 1
    assert client.get("/me").status_code == 401


def test_challenges_are_listed_and_described(school: School):
    client = school.client("ada")
    (item,) = client.get("/challenges").json()["items"]
    assert set(item) == {"slug", "title", "summary", "upload", "default_path", "version", "max_score"}
    assert (item["slug"], item["upload"], item["default_path"]) == ("mha-rope", "layers.py", "cs336_basics/layers.py")
    details = client.get("/challenges/mha-rope").json()
    assert {key: details[key] for key in item} == item
    assert "RoPE" in details["spec"]
    assert set(details["families"][0]) == {"id", "title", "points", "visibility", "required"}
    assert item["max_score"] == 100.0
    assert details["libraries"] == {}
    assert "multihead_self_attention_with_rope" in [point["name"] for point in details["entry_points"]]


def test_the_starter_is_a_file_to_save(school: School):
    response = school.client("ada").get("/challenges/mha-rope/starter")
    assert response.headers["content-disposition"] == 'attachment; filename="layers.py"'
    compile(response.text, "layers.py", "exec")


def test_staff_see_how_the_course_is_doing(school: School):
    for name, misconceptions in (
        ("ada", ("rope-on-v",)),
        ("ada", ("rope-on-v",)),
        ("bob", ("rope-on-v", "softmax-dim")),
    ):
        school.grade(school.submit(name)["id"], make_report(misconceptions=misconceptions))
    school.grade(school.submit("bob")["id"], make_report(Verdict.PASSED, 100.0))
    school.submit("ada")
    school.grade(school.submit("grace")["id"], make_report(misconceptions=("missing-scale",)))
    for name in ("grace", "root"):
        (seen,) = school.client(name).get("/courses/demo/analytics").json()["challenges"]
        assert seen == {
            "challenge": "mha-rope",
            "submissions": 5,
            "students": 2,
            "students_passed": 1,
            "states": {"graded": 4, "queued": 1},
            "verdicts": {"failed": 3, "passed": 1},
            "misconceptions": [
                {"id": "rope-on-v", "title": "About rope-on-v", "students": 2, "submissions": 3},
                {"id": "softmax-dim", "title": "About softmax-dim", "students": 1, "submissions": 1},
            ],
        }
    roster = school.client("grace").get("/courses/demo/roster").json()["items"]
    assert [(person["name"], person["role"], person["submissions"], person["passed"]) for person in roster] == [
        ("ada", "student", 3, []),
        ("bob", "student", 2, ["mha-rope"]),
        ("grace", "instructor", 0, []),
    ]


def test_staff_of_another_course_see_nothing_of_this_one(school: School):
    school.add("eve", Role.INSTRUCTOR, course="elsewhere")
    assert school.client("eve").get("/courses/demo/analytics").status_code == 404
    assert school.client("eve").get("/courses/elsewhere/analytics").json() == {
        "course": "elsewhere",
        "challenges": [],
        "assignments": [],
    }


def test_probes_and_metrics_need_no_token(school: School):
    school.grade(school.submit()["id"])
    assert httpx.get(f"{school.url}/healthz").json() == {"status": "ok"}
    ready = httpx.get(f"{school.url}/readyz")
    assert (ready.status_code, ready.json()) == (200, {"database": True, "broker": True})
    metrics = httpx.get(f"{school.url}/metrics").text
    assert 'assay_submissions{challenge="mha-rope",state="graded",verdict="failed"} 1.0' in metrics
    assert 'assay_http_requests_total{method="POST",route="/api/v1/submissions",status="202"} 1.0' in metrics


def test_a_front_end_without_its_broker_says_that_it_is_not_ready(fragile_school: School):
    fragile_school.redis.kill()
    ready = httpx.get(f"{fragile_school.url}/readyz")
    assert (ready.status_code, ready.json()) == (503, {"database": True, "broker": False})


def test_metrics_do_not_grow_with_the_rows(school: School):
    sent = school.submit()
    school.client("ada").get(f"/submissions/{sent['id']}")
    school.client("ada").get("/random-path")
    metrics = httpx.get(f"{school.url}/metrics").text
    assert 'route="/api/v1/submissions/{submission_id}"' in metrics
    assert sent["id"] not in metrics
    assert "random-path" not in metrics


def test_the_openapi_document_names_every_call(school: School):
    document = school.client().get("/openapi.json").json()
    assert document["openapi"].startswith("3.")
    for path in ("/submissions", "/submissions/{submission_id}/events", "/me", "/courses/{course}/analytics"):
        assert f"/api/v1{path}" in document["paths"]
    assert "ProblemDetails" in document["components"]["schemas"]
