"""What is due and how many attempts are left; who one is; what changed between two attempts."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from engine.differences import changes
from engine.standing import standing_for, standing_words
from engine.wire.accounts import Standing
from tests.engine import papers
from tests.engine.conftest import Student
from tests.engine.school import TOKEN, School

NOW = datetime(2026, 11, 21, 10, tzinfo=UTC)
PARTS = ("code", "code_max", "questions", "questions_max", "total", "total_max", "unanswered", "waiting")
SCORE = dict.fromkeys(PARTS, 0)


def asked(slug: str = "attention", course: str = "demo", **more: Any) -> dict[str, Any]:
    about = {"title": "Attention", "challenge": "mha-rope", "score": SCORE | {"total": 12.5, "total_max": 100}}
    return {"course": course, "slug": slug, **about, **more}


def standing(**more: Any) -> Standing:
    return Standing.model_validate(asked(**more))


def due_in(**span: float) -> str:
    return (datetime.now(UTC) + timedelta(**span)).isoformat()


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({}, "open, no limit on attempts"),
        ({"due_at": NOW + timedelta(minutes=1)}, "due in a minute"),
        ({"due_at": NOW + timedelta(minutes=119)}, "due in 119 minutes"),
        ({"due_at": NOW + timedelta(hours=3)}, "due in 3 hours"),
        ({"due_at": NOW + timedelta(days=3, hours=4)}, "due in 3 days"),
        ({"due_at": NOW - timedelta(hours=5)}, "5 hours late"),
        ({"closes_at": NOW + timedelta(hours=5)}, "closes in 5 hours"),
        ({"attempts_max": 5, "attempts_left": 2}, "2 of 5 attempts left"),
    ],
)
def test_time_and_attempts_left_are_told_in_words(more: dict[str, Any], words: str):
    assert standing_words(standing(**more), NOW) == f"Attention (demo/attention): {words}."


def test_an_upload_counts_for_what_is_named_or_for_the_next_due_of_the_only_course():
    first, second, other = standing(), standing(slug="later"), standing(course="more")
    assert standing_for([first, second], "mha-rope", None) == first
    assert standing_for([first, second], "mha-rope", "demo/later") == second
    assert standing_for([first, other], "mha-rope", None) is None
    assert standing_for([first], "rmsnorm", None) is None
    assert standing_for([first], "mha-rope", "practice") is None


def test_what_is_left_is_told_before_and_after_sending(student: Student, school: School):
    school.score = SCORE
    school.me = {"assignments": [asked(attempts_max=5, attempts_left=2, due_at=due_in(days=3.5))]}
    result = student.run("submit-build")
    told = "Attention (demo/attention): due in 3 days, 2 of 5 attempts left."
    assert result.stderr.splitlines()[0] == told
    assert told in result.stdout


def test_what_is_due_is_listed(student: Student, school: School):
    assert "engine challenges" in student.invoke("due").stdout
    school.me = {"assignments": [asked(attempts_max=5, attempts_left=2, due_at=due_in(days=3.5)), asked("whenever")]}
    lines = student.run("due").stdout.splitlines()
    assert lines[0].split() == ["Assignment", "Challenge", "Due", "Attempts", "left", "Points"]
    assert "demo/attention" in lines[1]
    assert "(due in 3 days)" in lines[1]
    assert lines[1].split()[-4:] == ["2", "of", "5", "12.5/100"]
    assert "no end" in lines[2]


def test_what_is_new_is_told_after_a_result_and_hinted_at_elsewhere(student: Student, school: School):
    result = {"attempt": 2, "verdict_before": "failed", "score_before": 40, "verdict": "passed", "score": 100}
    about = {"course_title": "Deep learning", "link": "/"}
    school.news = [
        {"title": "A note about Attention", "note": {"text": "Think\x1b[2J of\nV.", "author": "grace"}, **about},
        {"title": "A regrade changed your result in Attention", "note": {"results": [result]}, **about},
    ]
    assert "2 things are new for you" in student.run("submit-build").stdout
    shown = student.invoke("status").stdout
    assert "New for you\n  A note about Attention (Deep learning)\n    From grace\n    Think[2J of\n    V.\n" in shown
    assert "Attempt 2 was failed (40 points) and is now passed (100 points)." in shown
    assert student.run("due").stdout.startswith("2 things are new for you, such as: A note about Attention (Deep ")
    del school.news[1]
    assert student.run("due").stdout.startswith("New for you: A note about Attention (Deep learning).\n")


def test_times_are_those_of_the_course_also_when_its_clocks_change(student: Student, school: School):
    berlin = {"time_zone": "Europe/Berlin", "attempts_max": 5, "attempts_left": 2}
    ill = {"due_at": "2031-10-26T01:30:00Z", "reason": "Ill"}
    school.me = {
        "assignments": [
            asked("summer", due_at="2031-10-26T00:30:00Z", **berlin, exceptions=[ill]),
            asked("winter", due_at="2031-10-26T01:30:00Z", **berlin),
            asked("nowhere", due_at="2031-10-26T01:30:00Z", time_zone="../etc/passwd"),
        ]
    }
    told = " ".join(student.run("due").stdout.split())
    assert "26 Oct 2031, 02:30 CEST (due in" in told
    assert "26 Oct 2031, 02:30 CET (due in" in told
    assert "demo/summer: more time, until 26 Oct 2031, 02:30 CET (Ill)" in told
    assert "26 Oct 2031, 01:30 UTC (due in" in told


def test_one_is_told_who_one_is_and_can_sign_out(stranger: Student):
    stranger.run("login", stdin=TOKEN)
    assert stranger.run("whoami").stdout.startswith("Ada (student) at http://127.0.0.1")
    assert "Signed out" in stranger.run("logout").stdout
    again = stranger.run("whoami")
    assert again.returncode == 3
    assert "engine login" in again.stderr
    assert "You are not signed in" in stranger.run("logout").stdout


def test_signing_out_can_revoke_the_token(stranger: Student, school: School):
    for was_revoked in (False, True):
        school.is_revoked = False
        stranger.run("login", stdin=TOKEN)
        school.is_revoked = was_revoked
        assert "The token is revoked." in stranger.run("logout", "--revoke").stdout
        assert school.is_revoked


def test_signing_out_says_that_a_variable_goes_on(student: Student):
    assert "ASSAY_TOKEN is set" in student.run("logout", ASSAY_TOKEN="assay_other").stdout


def test_two_attempts_are_compared(student: Student):
    assert "two attempts" in student.invoke("diff").stderr
    for source in (papers.ROPE_ON_V, papers.ROPE_ON_V.replace(b"1, 2, 3", b"3, 2, 1"), papers.RIGHT):
        student.write("mine.py", source)
        student.invoke("submit-build", "mine.py")
    told = student.run("diff", "1", "2").stdout.splitlines()
    assert told[0] == "mha-rope: attempt 1 to attempt 2"
    assert [line for line in told if line[:1] in ("-", "+")] == ["-    q, k, v = 1, 2, 3", "+    q, k, v = 3, 2, 1"]
    assert student.run("diff").stdout.startswith("mha-rope: attempt 2 to attempt 3")
    assert student.run("diff", "1").stdout.startswith("mha-rope: attempt 1 to attempt 3")
    assert "Nothing changed." in student.run("diff", "2", "2").stdout
    assert student.run("diff", "7", "8").returncode == 2


def test_what_is_far_from_a_change_is_left_out():
    old = [f"line {number}" for number in range(20)]
    new = ["first", *old[1:-1], "last"]
    (change,) = changes({"a.py": "\n".join(old), "b.py": "x"}, {"a.py": "\n".join(new), "b.py": "x"})
    assert change.lines == (
        "-line 0", "+first", " line 1", " line 2", " line 3",
        "@@ line 17 @@", " line 16", " line 17", " line 18", "-line 19", "+last",
    )  # fmt: skip


def test_a_steering_source_cannot_steer_the_terminal(student: Student):
    for source in (b"x = 1  # RIGHT\n", b"x = 1  # RIGHT \x1b[31m[bold]\n"):
        student.write("mine.py", source)
        student.invoke("submit-build", "mine.py")
    told = student.run("diff").stdout
    assert "\x1b" not in told
    assert "[bold]" in told


@pytest.mark.parametrize(
    ("courses", "assignments", "told"),
    [
        ([("student", True)], [], "Deep learning is archived, so this is practice"),
        ([("student", False)], [], "None of your open assignments asks for mha-rope, so this is practice"),
        ([("student", True), ("student", False)], [], "None of your open assignments asks for mha-rope"),
        ([("student", False)], [asked()], "Attention (demo/attention): open"),
        ([("instructor", True)], [], "Sent "),
    ],
)
def test_a_student_is_told_what_counts_for_nothing(
    student: Student, school: School, courses: list[tuple[str, bool]], assignments: list[Any], told: str
):
    in_courses = [{"title": "Deep learning", "role": role, "is_archived": is_over} for role, is_over in courses]
    school.me = {"courses": in_courses, "assignments": assignments}
    assert student.run("submit-build").stderr.startswith(told)
