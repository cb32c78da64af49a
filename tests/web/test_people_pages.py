"""The people of a course on their page: one is added there as by a roster, and the table fits its window."""

from html import unescape
from typing import TYPE_CHECKING

import pytest

from app.models import Role
from tests.app.school import School
from tests.web.conftest import Visit, field

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PEOPLE = "/courses/demo/people"
NEW = {"full_name": "Eve Example", "email": "eve@uni.example", "name": "", "role": "student", "section": ""}


def add(visit: Visit, **fields: str) -> str:
    response = visit.post(PEOPLE, {"csrf": visit.csrf(PEOPLE), **NEW, **fields})
    assert response.status_code < 500
    return unescape(response.text)


def roster(school: School) -> dict[str, tuple[str, str | None, str | None]]:
    items = school.client("grace").get("/courses/demo/roster").json()["items"]
    return {item["name"]: (item["role"], item["full_name"], item["section"]) for item in items}


def test_one_person_is_added_and_shown_with_what_comes_next(school: School, grace: Visit) -> None:
    page = add(grace, section="Tuesday")
    assert "Added." in page
    assert "Eve Example" in page
    assert "Bob" not in page
    assert "/courses/demo/invitations" in page
    assert roster(school)["eve@uni.example"] == ("student", "Eve Example", "Tuesday")
    assert '<option value="Tuesday">' in grace.page(PEOPLE)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"email": ""}, "Nothing says who this is: add a name or an e-mail address."),
        ({"email": "eve at home"}, "'eve at home' is not an e-mail address."),
        ({"role": "rector"}, "'rector' is not a role in a course."),
        ({"name": "Ada"}, "The name 'Ada' is an existing account's but for its capitals or characters."),
        ({"name": "grace", "email": "", "role": "student"}, "You cannot change your own role."),
    ],
)
def test_a_person_who_cannot_be_added_is_told_as_a_roster_tells_it(
    school: School, grace: Visit, wrong: dict[str, str], told: str
) -> None:
    before = roster(school)
    page = add(grace, **wrong)
    assert told in page
    assert 'value="Eve Example"' in page
    assert roster(school) == before


def test_an_account_that_is_there_already_is_looked_at_first(school: School, grace: Visit) -> None:
    school.add("carol", course=None)
    page = add(grace, name="carol", email="", full_name="Carol Clark")
    assert "has an account here already. Make sure that it is Carol Clark" in page
    assert "it would join as student." in page
    assert "carol" not in roster(school)
    assert "Added." in add(grace, name="carol", email="", full_name="Carol Clark", digest=field(page, "digest"))
    assert roster(school)["carol"] == ("student", "Carol Clark", None)


def test_somebody_in_the_course_is_changed_after_a_look(school: School, grace: Visit) -> None:
    page = add(grace, name="ada", email="", full_name="Ada Lovelace", section="Tuesday")
    assert "is in this course already." in page
    assert "section from nothing to <strong>Tuesday</strong>" in page
    assert roster(school)["ada"] == ("student", None, None)
    add(grace, name="ada", email="", full_name="Ada Lovelace", section="Tuesday", digest=field(page, "digest"))
    assert roster(school)["ada"] == ("student", "Ada Lovelace", "Tuesday")
    again = add(grace, name="ada", email="", full_name="Ada Lovelace", section="Tuesday")
    assert "This person is already in the course, with exactly these details." in again


def test_what_was_shown_is_what_is_done(school: School, grace: Visit) -> None:
    school.add("carol", course=None)
    page = add(grace, name="carol", email="", full_name="")
    refused = add(grace, name="carol", email="", full_name="", role="assistant", digest=field(page, "digest"))
    assert "carol" not in roster(school)
    assert "it may be somebody else's" in refused


def test_assistants_have_no_such_form(school: School, visit: Visit) -> None:
    school.add("tara", Role.ASSISTANT)
    visit.sign_in(school.tokens["tara"])
    assert "Add a person" not in visit.page(PEOPLE)
    assert visit.post(PEOPLE, {"csrf": visit.csrf("/tokens"), **NEW}).status_code == 403


def test_over_rest_one_person_is_one_call(school: School) -> None:
    grace = school.client("grace")
    path = "/courses/demo/roster/people"
    added = grace.post(path, json={"email": "Eve@uni.example", "role": "TA"})
    assert added.status_code == 201
    assert [(each["name"], each["role"]) for each in added.json()["added"]] == [("eve@uni.example", "assistant")]
    assert grace.post(path, json={"email": "eve@uni.example"}).json()["unchanged"] == 1, "no role is taken away unsaid"
    changed = grace.post(path, json={"email": "eve@uni.example", "role": "student"}).json()["changed"]
    assert changed[0]["changes"] == {"role": ["assistant", "student"]}
    assert grace.post(path, json={"name": "new"}).json()["added"][0]["role"] == "student"
    refused = grace.post(path, json={"full_name": "Nobody"})
    assert (refused.status_code, refused.json()["detail"]) == (
        422,
        "Nothing says who this is: add a name or an e-mail address.",
    )
    entries = grace.get("/courses/demo/audit").json()["items"]
    assert [(each["action"], each["subject"], each["detail"]) for each in entries[:3]] == [
        ("enrollment.add", "new", {"role": "student"}),
        ("enrollment.change", "eve@uni.example", {"role": ["assistant", "student"]}),
        ("enrollment.add", "eve@uni.example", {"role": "assistant"}),
    ]


@pytest.mark.parametrize("width", [1200, 390, 320])
def test_the_table_fits_the_window(school: School, chromium: "Browser", width: int) -> None:
    lines = ["name,full_name,email,role,section"]
    for number in range(3):
        name = f"maximiliane-{number}"
        lines.append(
            f"{name},Maximiliane Mustermann-Oberhuber,{name}.oberhuber@students.uni-example.edu,,Thursday morning"
        )
    client, file = school.client("grace"), {"file": ("roster.csv", "\n".join(lines).encode())}
    digest = client.post("/courses/demo/roster/preview", files=file).json()["digest"]
    client.post("/courses/demo/roster", files=file, data={"digest": digest}).raise_for_status()
    page = chromium.new_page(viewport={"width": width, "height": 900})
    page.goto(f"{school.url}/sign-in")
    page.fill("[name=token]", school.tokens["grace"])
    page.click("button[type=submit]")
    page.goto(f"{school.url}{PEOPLE}")
    assert "Thursday morning" in page.inner_text("table")
    assert page.evaluate("(e => e.scrollWidth - e.clientWidth)(document.querySelector('.scroll'))") == 0
    page.close()
