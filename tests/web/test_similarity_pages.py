"""Submissions that are alike, as staff see them: who, in what, where, and no word that accuses."""

import re

import pytest
from playwright.sync_api import Browser
from sqlalchemy import update

from app.models import Enrollment, User
from benchmarks.disguise import disguise
from grader.challenge import DEFAULT_ROOT
from tests.app.school import School, make_report
from tests.app.test_assignments import assign
from tests.app.test_similarity import wait
from tests.web.conftest import Visit
from tests.web.staff_pages import ASSIGNMENT
from tests.web.test_browser import open_page, sign_in
from tests.web.test_every_page import DESK, assert_readable

ACCEPTED = DEFAULT_ROOT / "mha-rope" / "accepted"
COMPLEX, EINSUM = ((ACCEPTED / name).read_text() for name in ("complex_rope.py", "one_einsum_for_each_step.py"))
SENT = {
    "ada": COMPLEX,
    "bob": disguise(COMPLEX, ("reformat", "rename"), 1),
    "cyd": disguise(COMPLEX, ("rename", "inline", "extract"), 2),
    "dan": EINSUM,
    "eli": disguise(EINSUM, ("rename", "reorder"), 3),
    "fay": EINSUM,
}
NAMES = {"ada": "Ada Lovelace", "bob": "Bob Řezníček"}


@pytest.fixture
def class_(school: School) -> School:
    """Three disguises of one answer, and an answer that two sent and a third disguised."""
    assign(school)
    for student, source in SENT.items():
        if student not in school.tokens:
            school.add(student)
        school.grade(school.submit(student, source.encode())["id"], make_report())
    with school.database.write() as session:
        for name, full_name in NAMES.items():
            of_name = Enrollment.user_id.in_(
                User.__table__.select().with_only_columns(User.id).where(User.name == name)
            )
            session.execute(update(Enrollment).where(of_name).values(full_name=full_name))
    wait(school)
    return school


def test_staff_see_groups_and_in_what_files_are_alike(class_: School, visit: Visit) -> None:
    visit.sign_in(class_.tokens["grace"])
    page = visit.get(f"{ASSIGNMENT}/similarity").text
    assert "2 groups of students submitted code that is alike" in page
    assert "similarity can have many reasons" in page
    assert "The same after renaming variables." in page
    assert "The same statements in another order." in page
    assert "identical files, byte for byte" in page
    headings = [re.sub(r"<[^>]+>", "", heading) for heading in re.findall(r"<h3>(.*?)</h3>", page, re.DOTALL)]
    words = re.findall(r"\w+", " ".join(headings))
    assert sorted(set(words) & set(SENT)) == sorted(name for name in words if name in SENT) == sorted(SENT)
    assert "Ada Lovelace ada" in headings[0]
    assert "Bob Řezníček bob" in headings[0]
    assert not re.search(r"cheat|plagiar|guilt|copied from", page)
    pair = visit.get(re.findall(rf'href="({ASSIGNMENT}/similarity/[^"]+)"', page)[0]).text
    assert "Marked lines do the same on both sides" in pair
    assert pair.count("<mark>") > 20


def test_the_groups_can_be_read_by_everybody(class_: School, chromium: Browser) -> None:
    with open_page(chromium, class_, viewport=DESK) as page:
        sign_in(page, class_, "grace")
        assert_readable(page, f"{ASSIGNMENT}/similarity")
        assert_readable(page, page.get_by_role("link", name="Compare").first.get_attribute("href") or "")
