"""The gradebook: what each cell says, how totals come about, who is found by which filter."""

import csv
import io
import json
import re
import zipfile
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import select, update

from app.gradebook.book import students_of
from app.gradebook.summaries import stamps_of
from app.models import Assignment, Enrollment
from engine.cli import cli
from tests.app.school import School
from tests.app.scoped import browser
from tests.app.test_assignments import PATH, assign, from_now
from tests.app.test_exceptions import give, put_into, sent

pytestmark = pytest.mark.on_both_databases
BOOK = "/courses/demo/gradebook"


def book(school: School, **params: Any) -> dict[str, Any]:
    response = school.client("grace").get(BOOK, params=params)
    assert response.status_code == 200, response.text
    return response.json()  # type: ignore[no-any-return]


def names(school: School, **params: Any) -> list[str]:
    return [row["student"] for row in book(school, **params)["items"]]


def drop(school: School, count: int) -> None:
    assert school.client("grace").patch(BOOK, json={"drop_lowest": count}).status_code == 200


def test_a_cell_says_what_counts_and_what_is_to_be_known(school: School):
    assign(school, points=10, due_at=from_now(days=-1), late_percent_per_day=10)
    submission = sent(school, score=50, hours=2)
    give(school, student="bob", due_at=from_now(days=1))
    ada, bob = (row["cells"][0] for row in book(school)["items"])
    assert ada == {"points": 4.5, "states": ["late"], "is_dropped": False, "days_late": 1, "submission": submission}
    assert (bob["points"], bob["states"]) == (None, ["exception", "not_submitted"])


def test_what_waits_for_a_judge_or_a_person_is_told(school: School):
    assign(school, points=10, question_points=5)
    submission = sent(school)
    ada = school.client("ada")
    ada.post(f"/submissions/{submission}/answers", json={"answers": [{"question": "why", "answer": "Because."}]})
    school.submit("bob", data={"assignment": "demo/attention"})
    assert [row["cells"][0]["states"] for row in book(school)["items"]] == [["awaiting_review"], ["waiting"]]
    assert names(school, state="awaiting_review") == ["ada"]
    assert names(school, state="waiting", assignment="attention") == ["bob"]
    assert names(school, state="not_submitted") == []


def test_totals_leave_out_the_lowest_and_add_what_is_a_bonus(school: School):
    for slug, terms in (("first", {}), ("second", {}), ("third", {"points": 5, "is_bonus": True}), ("later", {})):
        due_at = from_now(days=1) if slug == "later" else from_now(days=-1)
        assign(school, slug, **{"points": 10, "due_at": due_at, **terms})
    points = {"first": 9, "second": 4, "third": 3}
    for slug, given in points.items():
        school.client("grace").post(
            f"{PATH}/{slug}/overrides", json={"student": "ada", "points": given, "reason": "On paper"}
        )
    ada, bob = book(school)["items"]
    assert [(row["total"], row["total_max"]) for row in (ada, bob)] == [(16.0, 20.0), (0.0, 20.0)]
    drop(school, 1)
    ada, bob = book(school)["items"]
    assert [(row["total"], row["total_max"]) for row in (ada, bob)] == [(12.0, 10.0), (0.0, 10.0)]
    columns = [each["slug"] for each in book(school)["assignments"]]
    assert [columns[place] for place, cell in enumerate(ada["cells"]) if cell["is_dropped"]] == ["second"]
    drop(school, 20)
    assert book(school)["items"][0]["total_max"] == 10.0, "one always stays"
    told = school.client("ada").get("/courses/demo/standing").json()["total"]
    assert told == {"points": 12.0, "points_max": 10.0, "dropped": ["second"], "drop_lowest": 20}


def test_students_are_sorted_by_the_names_that_are_shown(school: School):
    called = {"ada": "Zoë Zander", "bob": "Åsa Öberg", "carl": "bert Adams", "dora": None, "eve": "Aslan"}
    for name in ("carl", "dora", "eve"):
        school.add(name)
    with school.database.write() as session:
        for name, full_name in called.items():
            of_name = Enrollment.user.has(name=name)
            session.execute(update(Enrollment).where(of_name).values(full_name=full_name))
    assign(school)
    assert names(school) == ["bob", "eve", "carl", "dora", "ada"]
    assert names(school, direction="down") == ["ada", "dora", "carl", "eve", "bob"]
    assert names(school, sort="total") == names(school), "and those who have the same points"


def test_it_is_sorted_and_filtered_by_what_is_there_now(school: School):
    school.add("carl")
    put_into(school, "Tuesday", "ada", "carl")
    assign(school, points=10)
    for name, score in (("ada", 20), ("bob", 90)):
        sent(school, name, score=score)
    assert names(school) == ["ada", "bob", "carl"]
    assert names(school, sort="total", direction="down") == ["bob", "ada", "carl"]
    assert names(school, sort="attention") == ["carl", "ada", "bob"]
    give(school, "overrides", student="ada", points=10)
    assert names(school, sort="total", direction="down") == ["ada", "bob", "carl"]
    sent(school, "carl", score=100)
    assert names(school, sort="attention") == ["bob", "ada", "carl"]
    assert names(school, section="Tuesday", search="AR") == ["carl"]
    assert (names(school, offset=1, limit=1), book(school, offset=1, limit=1)["total"]) == (["bob"], 3)


def test_what_tells_that_a_class_has_changed_is_the_same_in_whatever_order_rows_are_read(school: School):
    assign(school, points=10)
    for name, score in (("ada", 0.1), ("bob", 0.7)):
        sent(school, name, score=score)
    with school.database.read() as session:
        assignments = list(session.scalars(select(Assignment)))
        (stamp,) = stamps_of(session, assignments, students_of(session, assignments[0].course)).values()
    (of_sent,) = (part for part in stamp if isinstance(part, tuple) and len(part) == 5)
    assert not [part for part in of_sent if isinstance(part, float)], "a sum of floats depends on their order"


@pytest.mark.parametrize(("params", "word"), [({"sort": "nothing"}, "'nothing'"), ({"assignment": "none"}, "'none'")])
def test_an_order_that_there_is_not_is_refused(school: School, params: dict[str, str], word: str):
    response = school.client("grace").get(BOOK, params={"state": "late", **params})
    assert (response.status_code, word in response.json()["detail"]) == (422, True)


STUDENTS = [f"s{number}" for number in range(7)]


def test_a_students_points_are_the_same_number_everywhere(school: School):
    random = Random(20)
    assign(
        school, points=17, question_points=7, due_at=from_now(days=-3), late_percent_per_day=7, grace_minutes=30,
        closes_at=from_now(days=9),
    )  # fmt: skip
    for name in STUDENTS:
        school.add(name)
        for _ in range(random.randrange(3)):
            submission = sent(school, name, round(100 * random.random(), 2), minutes=random.randrange(-90, 9000))
            answers = {"answers": [{"question": "heads", "answer": random.choice((16, 32, 64, 128))}]}
            school.client(name).post(f"/submissions/{submission}/answers", json=answers)
        if random.random() < 0.4:
            give(school, student=name, due_at=from_now(days=random.randrange(-2, 5)))
        if random.random() < 0.3:
            give(school, "overrides", student=name, points=round(20 * random.random(), 2))
    shown = [row for row in _everywhere(school).items() if row[0][0] in STUDENTS]
    assert shown
    for (name, where), points in shown:
        assert points == next(other for (student, _), other in shown if student == name), (name, where)


def _everywhere(school: School) -> dict[tuple[str, str], float]:
    """By student and place. Where nothing is graded, some show 0 and some nothing."""
    grace, shown = school.client("grace"), {}
    for row in book(school)["items"]:
        if row["cells"][0]["points"] is not None:
            shown[row["student"], "gradebook"] = row["cells"][0]["points"]
            shown[row["student"], "total"] = row["total"]
            work = grace.get(f"{BOOK}/attention/{row['student']}").json()
            shown[row["student"], "work"] = work["points"]
    for name in {name for name, _ in shown}:
        shown |= {(name, where): points for where, points in _to_the_student(school, name).items()}
    for table, student, points in (("all", "student", "points"), ("canvas", "SIS Login ID", "Attention")):
        text = grace.get("/courses/demo/export.csv", params={"for": table}).text
        for line in csv.DictReader(io.StringIO(text)):
            if line[points] and line[student]:
                shown[line[student], table] = float(line[points])
    zipped = grace.get("/courses/demo/export/gradescope.zip", params={"assignment": "attention"}).content
    with zipfile.ZipFile(io.BytesIO(zipped)) as archive:
        for path in archive.namelist():
            shown[path.partition("/")[0], "gradescope"] = json.loads(archive.read(path))["score"]
    with browser(school, "grace") as pages:
        cells = r'attention/students/(\w+)">([0-9.]+)'
        shown |= {(name, "page"): float(points) for name, points in re.findall(cells, pages.get(BOOK).text)}
    return shown


def engine(school: School, name: str, *words: str) -> str:
    """What the student's command line prints."""
    environment = {"ASSAY_SERVER": school.url, "ASSAY_TOKEN": school.tokens[name], "COLUMNS": "200"}
    return CliRunner().invoke(cli, words, env=environment).output


def _to_the_student(school: School, name: str) -> dict[str, float]:
    student = school.client(name)
    found = {
        "standing": student.get("/courses/demo/standing").json()["assignments"][0]["score"]["total"],
        "me": student.get("/me").json()["assignments"][0]["score"]["total"],
        "assignment": student.get(f"{PATH}/attention").json()["score"]["total"],
    }
    for item in student.get("/submissions").json()["items"]:
        seen = student.get(f"/submissions/{item['id']}").json()
        found[item["id"]] = seen["assignment_score"]["total"]
    due = re.search(r"([0-9.]+)/24", engine(school, name, "due"))
    assert due
    found["engine due"] = float(due[1])
    for item in student.get("/submissions").json()["items"][:1]:
        told = re.search(r"([0-9.]+) of 24 points", engine(school, name, "status", item["id"]))
        assert told
        found["engine status"] = float(told[1])
    with browser(school, name) as pages:
        card = re.search(r'<meter [^>]*value="([0-9.]+)"', pages.get("/courses/demo").text)
        assert card
        found["card"] = float(card[1])
    return found
