"""Leaderboards: who may join, what others see, when it is measured again, and that nobody waits for that."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from app.leaderboard.pseudonyms import NAMES_YOU, NOT_A_PSEUDONYM, offered, refusal
from app.leaderboard.ranking import Rank, ranks
from app.models import Assignment, AuditEntry, Enrollment, JobState, LeaderboardEntry, Role, Submission, User, now
from grader.measurement import Interval, Measurement
from grader.messages import JobKind, Measured
from grader.report import Verdict
from tests.app.school import School, make_report
from tests.app.test_assignments import assign

pytestmark = pytest.mark.on_both_databases
ASSIGNMENT = "/courses/demo/assignments/attention"
BOARD = f"{ASSIGNMENT}/leaderboard"
MINE = f"{BOARD}/mine"


def passed(school: School, name: str = "ada", verdict: Verdict = Verdict.PASSED) -> str:
    sent = str(school.submit(name, data={"assignment": "demo/attention"})["id"])
    school.grade(sent, make_report(verdict, 100.0))
    return sent


def on_the_board(school: School, name: str = "ada", pseudonym: str | None = None) -> str:
    """Returns the submission that is to be measured."""
    if school.client("grace").get(ASSIGNMENT).status_code == 404:
        assign(school, has_leaderboard=True)
    sent = passed(school, name)
    joined = school.client(name).put(MINE, json={"pseudonym": pseudonym})
    assert joined.status_code == 204, joined.text
    return sent


def measured(school: School, sent: str, time: float = 1.0, spread: float = 0.01, **told: Any) -> None:
    """A judge found so."""
    figure = Interval(median=time, low=time - spread, high=time + spread)
    memory = Interval(median=2 - time, low=2 - time - spread, high=2 - time + spread)
    found = told.pop("measurement", Measurement(time=figure, memory=memory))
    with school.database.read() as session:
        version = session.scalars(select(LeaderboardEntry.challenge_version).limit(1)).one()
    job = school.job(sent, JobKind.MEASURE).id
    told = {"challenge_version": version, "worker": "here", **told}
    school.recording().record(Measured(job=job, measurement=found, **told))


def board(school: School, name: str = "ada", **params: str) -> dict[str, Any]:
    found = school.client(name).get(BOARD, params=params)
    assert found.status_code == 200, found.text
    return found.json()  # type: ignore[no-any-return]


def ranked(found: dict[str, Any]) -> list[tuple[int, bool, str]]:
    return [(row["rank"], row["is_shared"], row["pseudonym"]) for row in found["rows"]]


def of_ada(school: School) -> LeaderboardEntry | None:
    with school.database.read() as session:
        return session.scalar(select(LeaderboardEntry).join(User).where(User.name == "ada"))


def test_others_see_a_pseudonym_and_two_ratios_and_staff_who_it_is(school: School) -> None:
    measured(school, on_the_board(school, pseudonym="quiet otter"), 0.5)
    measured(school, on_the_board(school, "bob", "swift newt"), 1.0)
    school.add("carla")
    found = board(school, "carla")
    assert ranked(found) == [(1, False, "quiet otter"), (2, False, "swift newt")]
    assert found["rows"][0].keys() == {"rank", "is_shared", "pseudonym", "time", "memory", "is_mine", "entry"}
    assert [row["entry"] for row in found["rows"]] == [None, None]
    assert (found["mine"], found["may_join"], found["not_ranked"]) == (None, False, [])
    assert ranked(board(school, "carla", order="memory")) == [(1, False, "swift newt"), (2, False, "quiet otter")]
    assert [row["is_mine"] for row in board(school)["rows"]] == [True, False]
    assert board(school)["mine"] == {"pseudonym": "quiet otter", "standing": "ranked", "problem": None}
    assert [row["entry"]["student"] for row in board(school, "grace")["rows"]] == ["ada", "bob"]


def test_it_is_off_unless_staff_switch_it_on_and_leaving_is_always_possible(school: School) -> None:
    assign(school)
    passed(school)
    ada, grace = school.client("ada"), school.client("grace")
    assert ada.get(BOARD).status_code == ada.put(MINE, json={}).status_code == 404
    assert grace.get(BOARD).status_code == 404
    grace.patch(ASSIGNMENT, json={"has_leaderboard": True}).raise_for_status()
    assert ada.put(MINE, json={}).status_code == 204
    grace.patch(ASSIGNMENT, json={"has_leaderboard": False}).raise_for_status()
    assert ada.delete(MINE).status_code == 204
    assert of_ada(school) is None


def test_only_students_who_passed_can_join_and_a_pseudonym_can_be_drawn(school: School) -> None:
    assign(school, has_leaderboard=True)
    ada = school.client("ada")
    passed(school, verdict=Verdict.FAILED)
    refused = ada.put(MINE, json={})
    assert (refused.status_code, "has passed" in refused.json()["detail"]) == (409, True)
    assert board(school)["may_join"] is False
    assert school.client("grace").put(MINE, json={}).status_code == 409
    passed(school)
    assert board(school)["may_join"] is True
    assert board(school)["offered"]
    assert ada.put(MINE, json={}).status_code == 204
    mine = board(school)["mine"]
    assert mine["standing"] == "waiting"
    assert ada.put(MINE, json={"pseudonym": " keen ibex "}).status_code == 204
    assert board(school)["mine"] == {**mine, "pseudonym": "keen ibex"}


def test_leaving_deletes_the_entry_and_what_was_to_be_measured(school: School) -> None:
    sent = on_the_board(school)
    job = school.job(sent, JobKind.MEASURE)
    assert school.client("ada").delete(MINE).status_code == 204
    assert of_ada(school) is None
    assert school.job(sent, JobKind.MEASURE).state is JobState.WITHDRAWN
    figure = Interval(median=1, low=1, high=1)
    late = Measured(job=job.id, measurement=Measurement(time=figure), challenge_version="", worker="here")
    school.recording().record(late)
    assert board(school)["rows"] == []
    assert school.client("ada").delete(MINE).status_code == 204


def test_a_pseudonym_is_a_name_and_not_ones_own(school: School) -> None:
    on_the_board(school)
    ada = school.client("ada")
    for told in ("ada", "a.d.a", "x", "x" * 31, "a\u202eb c", "p\u0430ypal", "<b>x</b>", "erased-1", "a/b"):
        assert ada.put(MINE, json={"pseudonym": told}).status_code == 422, told


def test_no_two_pseudonyms_look_alike(school: School) -> None:
    on_the_board(school, pseudonym="Quiet Otter")
    passed(school, "bob")
    refused = school.client("bob").put(MINE, json={"pseudonym": "quiet OTTER"})
    assert (refused.status_code, refused.json()["errors"][0]["location"]) == (422, "pseudonym")
    assert school.client("ada").put(MINE, json={"pseudonym": "quiet otter"}).status_code == 204


def test_what_tells_who_somebody_is_is_refused() -> None:
    user = User(name="alovelace7", full_name="Ada Lovelace", email="countess@example.org", role=Role.STUDENT)
    for told in (
        "lovelace fan",
        "adalovelace",
        "ALOVELACE7",
        "The Countess",
        "xX Ada Xx",
        "Byron 7",
        "l.o.v.e.l.a.c.e",
    ):
        assert refusal(told, user, ["Augusta Byron"]) == NAMES_YOU, told
    for told in ("canada goose", "quiet otter"):
        assert (refusal(told, user, ["Augusta Byron"]) is None) is (told == "quiet otter")
    assert refusal("no/path", user, []) == NOT_A_PSEUDONYM
    assert all(refusal(offered(), User(name="x", role=Role.STUDENT), []) is None for _ in range(50))


def test_those_who_are_too_close_to_tell_apart_share_a_rank() -> None:
    def around(low: float, high: float) -> Interval:
        return Interval(median=(low + high) / 2, low=low, high=high)

    found = ranks([around(1.0, 1.2), around(1.1, 1.3), around(2.0, 2.2), around(0.5, 0.6)])
    assert found == [Rank(2, True), Rank(2, True), Rank(4, False), Rank(1, False)]
    # Of three in a chain, the last is certainly behind the first.
    assert [each.number for each in ranks([around(1.0, 1.2), around(1.1, 1.4), around(1.3, 1.5)])] == [1, 1, 2]


def test_a_newer_submission_that_passed_and_another_version_are_measured_again(school: School) -> None:
    sent = on_the_board(school)
    measured(school, sent)
    passed(school, verdict=Verdict.FAILED)
    assert board(school)["mine"]["standing"] == "ranked"
    newer = passed(school)
    assert board(school, "bob")["rows"] == []  # whoever looks
    assert school.job(newer, JobKind.MEASURE).state is JobState.WAITING
    measured(school, newer)
    assert board(school)["mine"]["standing"] == "ranked"
    with school.database.write() as session:
        session.execute(update(LeaderboardEntry).values(challenge_version="before"))
    assert board(school)["mine"]["standing"] == "waiting"


def test_a_result_of_a_judge_with_another_version_is_not_taken(school: School) -> None:
    sent = on_the_board(school)
    measured(school, sent, challenge_version="other")
    assert school.job(sent, JobKind.MEASURE).state is JobState.WAITING
    assert board(school)["rows"] == []


def test_a_submission_that_a_regrade_failed_is_on_no_board(school: School) -> None:
    sent = on_the_board(school)
    measured(school, sent)
    with school.database.write() as session:
        session.execute(update(Submission).where(Submission.id == sent).values(verdict=Verdict.FAILED))
    found = board(school)
    assert (found["rows"], found["mine"]["standing"]) == ([], "not_passed")


def test_what_fails_while_it_is_measured_is_not_ranked_and_its_owner_alone_is_told_why(school: School) -> None:
    measured(school, on_the_board(school), measurement=Measurement(problem="Your code gave a wrong result."))
    assert board(school)["mine"]["problem"] == "Your code gave a wrong result."
    assert "wrong result" not in school.client("bob").get(BOARD).text
    assert board(school)["rows"] == []
    assert [each["standing"] for each in board(school, "grace")["not_ranked"]] == ["not_ranked"]


def test_while_grades_are_held_nobody_is_shown_nor_can_join_nor_is_measured(school: School) -> None:
    assign(school, has_leaderboard=True, grades_release="held")
    passed(school)
    grace, ada = school.client("grace"), school.client("ada")
    assert ada.put(MINE, json={}).status_code == 409
    assert (board(school)["may_join"], board(school)["is_held"]) == (False, True)
    grace.post(f"{ASSIGNMENT}/release").raise_for_status()
    measured(school, on_the_board(school))
    assert board(school, "bob")["rows"]
    with school.database.write() as session:
        session.execute(update(Assignment).values(released_at=None))
    newer = passed(school)
    assert board(school, "bob")["rows"] == []
    assert board(school)["mine"]["standing"] == "held"
    with school.database.read() as session:
        entry = session.scalars(select(LeaderboardEntry)).one()
    assert entry.submission_id != newer
    assert ada.delete(MINE).status_code == 204


def test_staff_remove_an_entry_for_good_and_can_undo_it(school: School) -> None:
    sent = on_the_board(school, pseudonym="bad word")
    measured(school, sent)
    grace, ada = school.client("grace"), school.client("ada")
    entry = board(school, "grace")["rows"][0]["entry"]["id"]
    assert ada.put(f"{BOARD}/removals/{entry}").status_code == 403
    assert grace.put(f"{BOARD}/removals/{entry}").status_code == 204
    assert board(school)["rows"] == []
    assert board(school)["mine"]["standing"] == "removed"
    ada.delete(MINE).raise_for_status()
    assert ada.put(MINE, json={"pseudonym": "bad word"}).status_code == 409
    assert grace.delete(f"{BOARD}/removals/{entry}").status_code == 204
    assert ada.put(MINE, json={"pseudonym": "good word"}).status_code == 204
    with school.database.read() as session:
        noted = session.scalars(select(AuditEntry).where(AuditEntry.action.startswith("leaderboard"))).all()
    assert [(each.action, each.detail) for each in noted] == [
        (f"leaderboard.{what}", {"student": "ada", "text": "bad word"}) for what in ("remove", "let_back")
    ]


def test_whoever_has_left_the_course_is_on_no_board(school: School) -> None:
    measured(school, on_the_board(school))
    with school.database.write() as session:
        ada = session.scalars(select(Enrollment).join(User).where(User.name == "ada")).one()
        session.delete(ada)
    assert board(school, "bob")["rows"] == board(school, "grace")["rows"] == []


def test_nothing_is_measured_while_anything_else_waits_and_only_one_at_a_time(school: School) -> None:
    first, second = on_the_board(school), on_the_board(school, "bob")
    other = school.submit("ada")["id"]
    sweeper = school.sweeper()

    def states() -> list[JobState]:
        return [school.job(sent, JobKind.MEASURE).state for sent in (first, second)]

    sweeper.sweep()
    assert states() == [JobState.WAITING] * 2
    school.change_job(other, state=JobState.DISPATCHED)
    sweeper.sweep()
    assert states() == [JobState.WAITING] * 2
    school.grade(other)
    sweeper.sweep()
    sweeper.sweep()
    assert states() == [JobState.DISPATCHED, JobState.WAITING]
    school.change_job(school.job(first, JobKind.MEASURE).id, state=JobState.RUNNING)
    sweeper.sweep()
    assert states() == [JobState.RUNNING, JobState.WAITING]
    measured(school, first)
    sweeper.sweep()
    assert states() == [JobState.DONE, JobState.DISPATCHED]
    assert school.job(first, JobKind.MEASURE).priority > school.job(other).priority


def test_a_paused_job_holds_up_no_measurement(school: School) -> None:
    """What waits out the pause after a fault waits for no judge."""
    first = on_the_board(school)
    school.change_job(str(school.submit()["id"]), state=JobState.WAITING, not_before=now() + timedelta(hours=1))
    school.sweeper().sweep()
    assert school.job(first, JobKind.MEASURE).state is JobState.DISPATCHED


def test_nobody_joins_again_and_again_until_chance_is_kind(school: School) -> None:
    on_the_board(school)
    ada = school.client("ada")
    for code in (204, 204, 204, 204, 409):
        ada.delete(MINE).raise_for_status()
        refused = ada.put(MINE, json={})
        assert refused.status_code == code
    assert "measured 5 times" in refused.json()["detail"]
    passed(school)
    assert {ada.put(MINE, json={"pseudonym": "quiet otter"}).status_code for _ in range(20)} == {204, 429}
