"""Codes on paper end with the rights of whoever printed them, and those who stay see which."""

import pytest

from app.invitations import accepting
from app.models import Role
from app.problems import Forbidden
from tests.app.inviting import bring_in, slips, way_in
from tests.app.school import School

pytestmark = pytest.mark.on_both_databases


@pytest.fixture
def code(school: School) -> str:
    """A code for nora, which grace has printed. Eve is an instructor too."""
    bring_in(school)
    school.add("eve", Role.INSTRUCTOR)
    (slip,) = slips(school, ["nora"]).json()["items"]
    return str(slip["code"])


def change_grace(school: School, role: str) -> None:
    person = {"name": "grace", "role": role}
    school.client("eve").post("/courses/demo/roster/people", json=person).raise_for_status()


def test_a_code_ends_with_the_rights_of_whoever_printed_it(school: School, code: str) -> None:
    change_grace(school, "assistant")
    with pytest.raises(Forbidden, match="no longer an instructor of the course"):
        accepting.look(school.database, code)
    with pytest.raises(Forbidden, match="Ask your instructor for a new one"):
        accepting.accept(school.database, code, 365)


def test_those_who_stay_see_it_and_print_for_everybody_again(school: School, code: str) -> None:
    change_grace(school, "student")
    seen = way_in(school, "nora", "eve")
    assert (seen["way_in"], "no longer an instructor" in seen["reason"]) == ("expired", True)
    printed = {slip["name"]: slip["code"] for slip in slips(school, who="eve").json()["items"]}
    assert accepting.accept(school.database, printed["nora"], 365).user.name == "nora"


def test_whoever_stays_an_instructor_has_printed_codes_that_work(school: School, code: str) -> None:
    change_grace(school, "assistant")
    change_grace(school, "instructor")
    assert accepting.accept(school.database, code, 365).user.name == "nora"


def test_what_an_operator_prints_holds_without_a_role_in_the_course(school: School, code: str) -> None:
    (slip,) = slips(school, ["nora"], "root").json()["items"]
    change_grace(school, "assistant")
    assert accepting.accept(school.database, slip["code"], 365).user.name == "nora"
