"""The page on which operators add platforms."""

from sqlalchemy import select

from app.models import AuditEntry
from tests.app.school import School
from tests.web.conftest import Visit

RIGHT = {
    "do": "add",
    "name": "Canvas",
    "issuer": "https://canvas.example",
    "client_id": "10000",
    "authorization_url": "https://sso.canvas.example/authorize",
    "token_url": "https://sso.canvas.example/token",
    "keyset_url": "https://sso.canvas.example/keys",
    "deployment_ids": "1:abc 2:def",
    "service_hosts": "school.canvas.example",
}


def test_a_platform_is_added_and_changed_and_the_log_says_so(school: School, visit: Visit) -> None:
    visit.sign_in(school.tokens["root"])
    csrf = visit.csrf("/operations/lms")
    assert "Canvas" in visit.post("/operations/lms", {**RIGHT, "csrf": csrf}).text
    (item,) = school.client("root").get("/lti/platforms").json()["items"]
    assert item["deployment_ids"] == ["1:abc", "2:def"]
    form = {"csrf": csrf, "deployment_ids": "1:abc", "service_hosts": ""}
    assert "Not active" in visit.post(f"/operations/lms/{item['id']}", form).text
    visit.post(f"/operations/lms/{item['id']}", {"csrf": csrf, "do": "remove"})
    with school.database.read() as session:
        actions = session.scalars(select(AuditEntry.action).order_by(AuditEntry.id)).all()
    assert actions == ["lti.platform_add", "lti.platform_change", "lti.platform_remove"]


def test_what_is_wrong_stands_beside_its_field_and_what_was_typed_stays(school: School, visit: Visit) -> None:
    visit.sign_in(school.tokens["root"])
    wrong = {**RIGHT, "csrf": visit.csrf("/operations/lms"), "token_url": "http://sso.canvas.example/token", "name": ""}
    answer = visit.post("/operations/lms", wrong)
    assert answer.status_code == 422
    assert "Must be an address that begins with https://." in answer.text
    assert "Enter this." in answer.text
    assert 'value="http://sso.canvas.example/token"' in answer.text
    assert school.client("root").get("/lti/platforms").json()["items"] == []


def test_the_same_registration_is_refused_with_a_sentence(school: School, visit: Visit) -> None:
    visit.sign_in(school.tokens["root"])
    told = {**RIGHT, "csrf": visit.csrf("/operations/lms")}
    visit.post("/operations/lms", told)
    answer = visit.post("/operations/lms", told)
    assert answer.status_code == 409
    assert "registered with this client id already" in answer.text
