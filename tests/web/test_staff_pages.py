"""The pages of a course's staff: who may see which, what they do without JavaScript, how many queries each makes."""

import csv
import io
import re

import pytest
from playwright.sync_api import Browser, expect

from app.models import Role
from app.web.charts import Series, stacked_bars, whole_steps
from app.web.differences import differences
from tests.app.school import School
from tests.app.test_analytics import report, send
from tests.app.test_assignments import assign
from tests.web.conftest import Visit, counted_queries, field
from tests.web.staff_pages import ASSIGNMENT, COURSE, FOR_MANAGERS, FOR_STAFF
from tests.web.test_browser import open_page, sign_in

QUERIES_MAX = 14  # of any page, however large the class is


@pytest.fixture
def class_(school: School) -> School:
    """ada passes at the second attempt; bob tries five times and is stuck."""
    assign(school)
    school.add("tara", Role.ASSISTANT)
    send(school, "ada", report(20, "heads", misconceptions=("rope-on-v",), line=1), report(100))
    send(school, "bob", *[report(40, "theta", misconceptions=("rope-on-v",), line=2)] * 5)
    return school


def test_each_page_is_for_those_whose_data_it_shows(class_: School, visit: Visit) -> None:
    allowed = {"ada": [COURSE], "tara": FOR_STAFF, "grace": FOR_STAFF + FOR_MANAGERS}
    for name, pages in allowed.items():
        visit.client.cookies.clear()
        visit.sign_in(class_.tokens[name])
        for path in FOR_STAFF + FOR_MANAGERS:
            assert visit.get(path).status_code == (200 if path in pages else 403), (name, path)
        assert visit.get("/operations").status_code == 403
    visit.client.cookies.clear()
    visit.sign_in(class_.tokens["root"])
    assert visit.get("/operations").status_code == 200
    assert visit.get(ASSIGNMENT).status_code == 200


def test_no_page_asks_the_database_more_often_for_a_larger_class(class_: School, grace: Visit) -> None:
    def queries() -> dict[str, int]:
        counts = {}
        for path in FOR_STAFF + FOR_MANAGERS:
            with counted_queries() as statements:
                grace.page(path)
            # The comparison reads the files in a thread of its own, whenever that begins.
            beside = [each for each in statements if path.endswith("/similarity") and "submission_files" in each]
            of_none = [each for each in statements if each.startswith(("BEGIN", "SELECT 1", "PRAGMA"))]
            counts[path] = len(statements) - len(beside) - len(of_none)
        return counts

    before = queries()
    for name in ("cyd", "dan", "eli"):
        class_.add(name)
        send(class_, name, report(30, "heads", misconceptions=("theta-ignored",)), report(100))
    assert queries() == before
    assert max(before.values()) <= QUERIES_MAX, before


def test_two_attempts_of_one_student_are_compared_graded_or_not(class_: School, grace: Visit) -> None:
    first, second, another = (str(class_.submit(who)["id"]) for who in ("ada", "ada", "bob"))
    path = f"{COURSE}/people/ada/changes"
    page = grace.page(f"{path}?before={first}&after={second}")
    assert "What changed from attempt 3 to attempt 4" in page
    assert grace.get(f"{path}?before={first}&after={another}").status_code == 404


def test_an_assignment_is_looked_at_before_it_is_set(school: School, grace: Visit) -> None:
    path = f"{COURSE}/assignments/new"
    form = {"csrf": field(grace.page(path), "csrf"), "slug": "a1", "title": "First", "challenge": "mha-rope"}
    form |= {"points": "10", "late_percent_per_day": "", "question_points": "", "due_at": "2030-01-02T03:04"}
    form |= {
        "feedback": "families",
        "questions_unlock": "always",
        "solutions": "never",
        "attempts_max": "3",
        "attempts_per_hour": "2",
    }
    preview = grace.post(path, {**form, "do": "preview"}).text
    assert "counts towards <strong>First</strong>" in preview
    assert "At most 2 attempts an hour." in preview
    assert "You have <strong>3</strong> of 3 attempts" in preview
    assert "which tests pass and which rules hold, but not why" in preview
    held = grace.post(path, {**form, "grades_release": "held", "do": "preview"}).text
    assert "Results are held until your instructor releases them." in held
    assert "Until it closes, students see" not in held
    assert school.client("grace").get("/courses/demo/assignments").json()["items"] == []
    wrong = grace.post(path, {**form, "do": "save", "closes_at": "2029-01-01T00:00", "title": ""})
    assert wrong.status_code == 422
    assert 'value="2029-01-01T00:00"' in wrong.text
    made = grace.post(path, {**form, "do": "save"})
    assert made.url.path == f"{COURSE}/assignments/a1"
    (item,) = school.client("grace").get("/courses/demo/assignments").json()["items"]
    assert (item["due_at"], item["points"], item["attempts_max"]) == ("2030-01-02T03:04:00Z", 10, 3)


def test_a_card_counts_one_student_as_one(school: School, grace: Visit) -> None:
    assign(school)
    send(school, "ada", report(20, "heads"))
    page = grace.page(COURSE)
    assert "<strong>1</strong> student</dd>" in page
    assert "<strong>0</strong> (0 %)</dd>" in page


def test_on_a_phone_the_tab_one_is_on_is_in_sight(class_: School, chromium: Browser) -> None:
    with open_page(chromium, class_, viewport={"width": 390, "height": 844}) as page:
        sign_in(page, class_, "grace")
        page.goto(f"{COURSE}/settings")
        tab = page.get_by_role("navigation", name="Course").get_by_role("link", name="Settings")
        expect(tab).to_be_in_viewport(ratio=1)


def test_a_long_name_pushes_no_column_out_of_sight(class_: School, chromium: Browser) -> None:
    full_name = "Bénédicte-Wilhelmina Constantinopoulos-Featherstonehaugh of Ely"
    roster = f"name,full_name\nbénédicte,{full_name}\n".encode()
    digest = class_.client("grace").post(f"{COURSE}/roster/preview", files={"file": roster}).json()["digest"]
    class_.client("grace").post(f"{COURSE}/roster", files={"file": roster}, data={"digest": digest})
    with open_page(chromium, class_, viewport={"width": 1280, "height": 800}) as page:
        sign_in(page, class_, "grace")
        page.goto(f"{COURSE}/people")
        expect(page.get_by_role("link", name=full_name)).to_be_visible()
        expect(page.get_by_role("columnheader", name="Challenges passed")).to_be_in_viewport(ratio=1)


def test_settings_are_changed_and_an_assignment_in_use_stays(class_: School, grace: Visit) -> None:
    page = grace.page(f"{ASSIGNMENT}/edit")
    shown = dict(re.findall(r'name="(\w+)" type="[\w-]+" value="([^"]*)"', page))
    form = {**shown, "csrf": field(page, "csrf"), "points": "50", "feedback": "verdict", "do": "save"}
    saved = grace.post(f"{ASSIGNMENT}/edit", {**form, "challenge": "mha-rope", "is_superseding": "yes"})
    assert "Your changes are in effect" in saved.text
    item = class_.client("grace").get("/courses/demo/assignments/attention").json()
    assert (item["points"], item["feedback"], item["title"]) == (50, "verdict", "Attention")
    refused = grace.post(f"{ASSIGNMENT}/edit", {"csrf": form["csrf"], "do": "remove"})
    assert refused.status_code == 409
    assert "cannot be removed" in refused.text


def test_a_roster_is_looked_at_before_it_is_brought_in(school: School, grace: Visit) -> None:
    path = f"{COURSE}/people/import"
    csrf = field(grace.page(path), "csrf")
    content = b"name,full_name,role\ncyd,Cyd C.,student\nada,,wizard\n"
    preview = grace.post(path, {"csrf": csrf}, files=[("file", ("roster.csv", content))]).text
    assert "joins as student, with a new account" in preview
    assert "is not a role in a course" in preview
    digest, text = field(preview, "digest"), re.search(r"<textarea[^>]*>\n(.*?)</textarea>", preview, re.DOTALL)
    assert text
    assert "Cyd" not in grace.page(f"{COURSE}/people")
    done = grace.post(path, {"csrf": csrf, "digest": digest, "text": text[1]})
    assert "Roster imported" in done.text
    assert "Cyd C." in done.text
    assert grace.post(path, {"csrf": csrf}).status_code == 422


def test_a_regrade_is_asked_for_and_dropped(class_: School, grace: Visit) -> None:
    path = f"{ASSIGNMENT}/regrades"
    csrf = field(grace.page(path), "csrf")
    asked = grace.post(path, {"csrf": csrf})
    assert "0 of 7 graded" in asked.text
    assert grace.post(asked.url.path, {"csrf": csrf, "do": "apply"}).status_code == 409
    dropped = grace.post(asked.url.path, {"csrf": csrf, "do": "drop"})
    assert "Discarded" in dropped.text
    assert "Discarded" in grace.page(path)


def test_exports_are_files(class_: School, grace: Visit) -> None:
    addresses = re.findall(r'href="(/api/v1/courses/demo/export[^"]*)"', grace.page(f"{COURSE}/exports"))
    assert len(addresses) == 3 + 5
    for address in addresses:
        response = grace.get(address.replace("&amp;", "&"))
        assert response.status_code == 200, address
        assert "attachment" in response.headers["content-disposition"]
    lines = list(csv.DictReader(io.StringIO(grace.get(addresses[0]).content.decode("utf-8-sig"))))
    assert [(line["student"], line["points"]) for line in lines] == [("ada", "100.0"), ("bob", "40.0")]


def test_staff_see_a_report_as_its_student_does(class_: School, grace: Visit) -> None:
    submission = class_.client("ada").get("/submissions").json()["items"][-1]["id"]
    assert "secret message" in grace.page(f"/submissions/{submission}")
    shown = grace.page(f"/submissions/{submission}?as_student=true")
    assert "secret message" not in shown
    assert "view as staff" in shown
    path = f"/submissions/{submission}"
    assert "secret" not in class_.client("grace").get(path, params={"as_student": True}).text
    assert "secret" not in class_.client("ada").get(path, params={"as_student": False}).text


def test_forms_of_strangers_change_nothing(class_: School, grace: Visit) -> None:
    for path in (
        f"{COURSE}/assignments/new",
        f"{ASSIGNMENT}/edit",
        f"{COURSE}/people/import",
        f"{ASSIGNMENT}/regrades",
    ):
        assert grace.post(path, {"csrf": "guessed", "do": "save"}).status_code == 403
    assert grace.post("/operations/drain", {"csrf": "guessed"}).status_code == 403


def test_a_chart_has_no_script_no_style_and_no_markup_of_others() -> None:
    svg = stacked_bars("<Scores>", ("a<b", "c"), (Series("students", "good", (1, 2)),))
    assert "<script" not in svg
    assert "style" not in svg
    assert "a<b" not in svg
    assert "a&lt;b: 1 students" in svg
    assert 'class="series good"' in svg


@pytest.mark.parametrize(
    ("tallest", "marks"),
    [(0, [0, 1]), (1, [0, 1]), (3, [0, 1, 2, 3]), (7, [0, 2, 4, 6, 8]), (23, [0, 5, 10, 15, 20, 25])],
)
def test_an_axis_counts_no_half_students(tallest: int, marks: list[int]) -> None:
    assert whole_steps(tallest) == marks
    svg = stacked_bars("Scores", ("a",), (Series("students", "good", (tallest,)),))
    assert "0.5" not in re.findall(r"<text[^>]*>([^<]*)</text>", svg)


def test_what_changed_stands_side_by_side() -> None:
    changed, gone = differences({"a.py": "x\ny\n", "b.py": "z\n"}, {"a.py": "x\nw\n"})
    (hunk,) = changed.hunks
    shown = [(row.old and row.old.text, row.new and row.new.text, row.new and row.new.is_marked) for row in hunk]
    assert shown[:2] == [("x", "x", False), ("y", "w", True)]
    assert gone.path == "b.py"
    assert gone.hunks


def test_from_a_misconception_to_the_student_and_what_changed(chromium: Browser, class_: School) -> None:
    with open_page(chromium, class_, java_script_enabled=False) as page:
        sign_in(page, class_, "grace")
        page.goto(ASSIGNMENT)
        page.get_by_role("navigation", name="Assignment").get_by_role("link", name="Understanding").click()
        page.get_by_role("link", name="About rope-on-v").click()
        expect(page.get_by_text("Since fixed")).to_be_visible()
        page.get_by_role("link", name="ada", exact=True).click()
        page.get_by_role("link", name="what changed").click()
        expect(page.get_by_role("heading", name="What changed from attempt 1 to attempt 2")).to_be_visible()
        expect(page.locator(".diff .changed").first).to_be_visible()


def test_the_matrix_is_narrowed_by_a_column(chromium: Browser, class_: School) -> None:
    with open_page(chromium, class_) as page:
        sign_in(page, class_, "grace")
        page.goto(f"{ASSIGNMENT}/students")
        expect(page.locator("tbody tr")).to_have_count(2)
        page.get_by_role("link", name="The base theta").click()
        expect(page.locator("tbody tr")).to_have_count(1)
        assert "failing=theta" in page.url
