"""`engine leaderboard`: shown, joined and left."""

from typing import Any

from tests.engine.conftest import Student
from tests.engine.school import School
from tests.engine.test_standing import asked

HALF = {"median": 0.5, "low": 0.45, "high": 0.55}
ROW = {"rank": 1, "is_shared": True, "pseudonym": "swift \x1b[31mnewt", "time": HALF, "memory": None, "is_mine": True}


def standing(told: str, **more: Any) -> dict[str, Any]:
    return {"mine": {"pseudonym": "swift newt", "standing": told, **more}}


def test_ranks_are_shown_and_cannot_steer_the_terminal(student: Student, school: School):
    school.board = {"rows": [ROW], **standing("ranked")}
    result = student.invoke("leaderboard", "demo/attention")
    assert result.exit_code == 0
    assert "You are swift newt." in result.stdout
    (line,) = [line for line in result.stdout.splitlines() if line.startswith("1 tied")]
    assert "(0.45 to 0.55)" in line
    assert "\x1b" not in result.stdout


def test_the_only_assignment_with_a_board_need_not_be_named(student: Student, school: School):
    school.me = {"assignments": [asked(has_leaderboard=True), asked("other")]}
    school.board = {"may_join": True}
    result = student.invoke("leaderboard")
    assert "engine leaderboard demo/attention --join" in result.stdout
    school.me = {"assignments": [asked()]}
    assert student.invoke("leaderboard").exit_code == 2


def test_one_joins_under_a_pseudonym_and_leaves(student: Student, school: School):
    assert "waiting to be measured" in student.invoke("leaderboard", "demo/attention", "--join").stdout
    assert school.board["mine"]["pseudonym"] == "drawn owl"
    student.invoke("leaderboard", "demo/attention", "--join", "--as", "quiet otter")
    assert school.board["mine"]["pseudonym"] == "quiet otter"
    assert "Your entry is deleted." in student.invoke("leaderboard", "demo/attention", "--leave").stdout
    assert school.board == {}
    assert student.invoke("leaderboard", "demo/attention", "--join", "--leave").exit_code == 2


def test_why_code_could_not_be_ranked_is_told(student: Student, school: School):
    school.board = standing("not_ranked", problem="Your code gave a wrong result.")
    out = student.invoke("leaderboard", "demo/attention").stdout
    assert "could not be ranked. Your code gave a wrong result." in " ".join(out.split())
