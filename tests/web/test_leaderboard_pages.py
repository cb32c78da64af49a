"""The page of a leaderboard: joined, left and kept decent without JavaScript."""

import re

import pytest
from sqlalchemy import update

from app.models import LeaderboardEntry, now
from grader.measurement import Measurement
from tests.app.school import School
from tests.app.test_assignments import assign
from tests.app.test_leaderboard import ASSIGNMENT, BOARD, measured, on_the_board, passed
from tests.web.conftest import Visit


@pytest.fixture
def board(school: School) -> School:
    """bob is on it already."""
    assign(school, has_leaderboard=True)
    measured(school, on_the_board(school, "bob", "swift newt"), 1.25)
    return school


def post(visit: Visit, **fields: str) -> str:
    return visit.post(BOARD, {"csrf": visit.csrf(BOARD), **fields}).text


def test_a_student_who_passed_joins_is_ranked_and_leaves(board: School, ada: Visit) -> None:
    assert "1 student shows how fast their code is." in ada.get(BOARD).text
    assert "Join the leaderboard" not in ada.get(BOARD).text
    sent = passed(board)
    assert BOARD in ada.get(f"/submissions/{sent}").text
    assert BOARD in ada.get("/courses/demo").text
    offered = re.search(r'name="pseudonym" type="text" value="([^"]+)"', ada.get(BOARD).text)
    assert offered
    assert "waiting to be measured" in post(ada, do="join", pseudonym=offered[1])
    measured(board, sent, 0.8)
    page = ada.get(BOARD).text
    assert f"You have rank 1 by time, as <strong>{offered[1]}</strong>." in page
    assert "<strong>0.80×</strong>" in page  # noqa: RUF001 - the sign itself
    assert page.index(offered[1]) < page.index("swift newt")
    assert "You have rank 2 by memory" in ada.get(f"{BOARD}?order=memory").text
    assert "bob" not in page
    assert offered[1] not in post(ada, do="leave")


def test_what_is_wrong_with_a_pseudonym_is_told_beside_it_and_what_was_typed_is_kept(board: School, ada: Visit) -> None:
    passed(board)
    for typed, told in (("Ada", "This tells who you are"), ("Swift Newt", "Somebody on this"), ("x", "Use 3 to 30")):
        page = post(ada, do="join", pseudonym=typed)
        assert f'id="pseudonym-error">{told}' in page
        assert f'value="{typed}"' in page


def test_staff_see_who_is_who_remove_an_entry_and_let_its_student_back(board: School, grace: Visit) -> None:
    page = grace.get(BOARD).text
    assert f'href="{ASSIGNMENT}/leaderboard" aria-current="page"' in page
    assert ">bob</a>" in page
    (entry,) = re.findall(r'name="entry" value="(\w+)"', page)
    assert "Removed by staff" in post(grace, do="remove", entry=entry)
    assert "Removed by staff" not in post(grace, do="let-back", entry=entry)


def test_the_owner_reads_why_code_could_not_be_ranked_and_whoever_is_removed_cannot_join(
    board: School, ada: Visit
) -> None:
    measured(board, on_the_board(board), measurement=Measurement(problem="Your code gave a <wrong> result."))
    assert "could not be ranked. Your code gave a &lt;wrong&gt; result." in ada.get(BOARD).text
    with board.database.write() as session:
        session.execute(update(LeaderboardEntry).values(removed_at=now()))
    page = ada.get(BOARD).text
    assert "staff removed your entry" in page
    assert "Join the leaderboard" not in page
