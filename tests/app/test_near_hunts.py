"""A hunt's file sent as a build gets a verdict and no explanation, until the hunt is solved. However one looks."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from app.models import Submission
from app.report_rows import verdict_of
from grader.hunt import HuntBank
from grader.report import ErrorMap, Guidance, Remark, Report, RuleFinding, RuleStatus, Verdict, Visibility
from tests.app.school import Event, School, make_report

HUNT = "/challenges/mha-rope/hunt"
WHY = "While your bug hunt is open, builds that might give it away get a verdict but no explanation."
OF_NO_HUNT = "an-idea-of-ones-own"
SECRETS = ("rope-on-v", "RoPE is applied", "Start with", "secret", "cells", "row 3", "worth knowing", "line 7")


def telling(misconception: str = "rope-on-v") -> Report:
    """A report that names the cause wherever it can."""
    report = make_report(misconceptions=(misconception,))
    (test,) = report.tests
    picture = ErrorMap(positions=1, features=1, cells=("9",))
    told = test.model_copy(update={"visibility": Visibility.PUBLIC, "message": "row 3", "error_map": picture})
    rule = RuleFinding(rule="uses-own-rope", status=RuleStatus.FAILED, line=7, message="line 7")
    update = {
        "tests": (told,),
        "structure": (rule,),
        "guidance": Guidance(message="Start with `rope`.", snippet="secret snippet"),
        "remarks": (Remark(id="r", message="worth knowing"),),
    }
    return report.model_copy(update=update)


@pytest.fixture
def bank(challenges_root: Path) -> HuntBank:
    return HuntBank.load(challenges_root / "mha-rope" / "hunt")


@pytest.fixture
def given(school: School) -> str:
    """ada has passed, and has a hunt's file."""
    school.grade(school.submit(source=b"x = 1\n")["id"], make_report(Verdict.PASSED, 100.0))
    source: str = school.client("ada").get(HUNT).json()["source"]
    return source


def build(school: School, source: str, report: Report | None = None, **options: Any) -> str:
    sent: str = school.submit(source=source.encode(), **options)["id"]
    school.broker.tell(sent, "verdict", verdict_of(report or telling()))
    school.grade(sent, report or telling())
    return sent


def solve(school: School, bank: HuntBank, given: str) -> None:
    style = next(planted.style for planted in bank.all_planted() if planted.source == given)
    file = {"file": ("layers.py", bank.solutions[style].encode())}
    fix = school.client("ada").post(f"{HUNT}/fixes", files=file).json()["id"]
    school.grade(fix, make_report(Verdict.PASSED, 100.0))


def all_that_is_told(school: School, sent: str, name: str = "ada") -> str:
    """By every way that a student has to look at a submission, but the files that they sent."""
    client = school.client(name)
    texts = [client.get(path).text for path in (f"/submissions/{sent}", "/submissions", "/me")]
    texts += [str(event.data) for event in school.watch(sent, name)]
    page = client.get(f"{school.url}/submissions/{sent}", headers={"Accept": "text/html"})
    return "\n".join([*texts, page.text])


def test_the_hunts_file_sent_as_a_build_is_not_explained_until_the_hunt_is_solved(
    school: School, bank: HuntBank, given: str
):
    sent = build(school, given)
    told = all_that_is_told(school, sent)
    assert not [secret for secret in SECRETS if secret in told]
    view = school.client("ada").get(f"/submissions/{sent}").json()
    assert (view["verdict"], view["score"], view["feedback"], view["withheld"]) == ("failed", 40.0, "families", WHY)
    assert WHY in view["report"]["summary"]
    assert [test["status"] for test in view["report"]["tests"]] == ["failed"]
    assert (view["report"]["diagnoses"], view["report"]["guidance"], view["receipt"]) == ([], None, None)
    summaries = [event.data["summary"] for event in school.watch(sent) if event.event == "verdict"]
    assert summaries
    assert all(summary == view["report"]["summary"] for summary in summaries)
    solve(school, bank, given)
    after = school.client("ada").get(f"/submissions/{sent}").json()
    assert (after["feedback"], after["withheld"]) == ("full", None)
    assert [diagnosis["id"] for diagnosis in after["report"]["diagnoses"]] == ["rope-on-v"]


def test_staff_see_it_whole(school: School, given: str):
    sent = build(school, given)
    for name in ("grace", "root"):
        report = school.client(name).get(f"/submissions/{sent}").json()["report"]
        assert [diagnosis["id"] for diagnosis in report["diagnoses"]] == ["rope-on-v"]
    as_student = school.client("grace").get(f"/submissions/{sent}", params={"as_student": True}).json()
    assert as_student["report"]["diagnoses"] == []


@pytest.mark.parametrize("verdict", [Verdict.PASSED, Verdict.ERROR, Verdict.TIMEOUT])
def test_no_verdict_brings_an_explanation(school: School, given: str, verdict: Verdict):
    sent = build(school, given, telling().model_copy(update={"verdict": verdict}))
    told = all_that_is_told(school, sent)
    assert not [secret for secret in SECRETS if secret in told]


@pytest.mark.parametrize("verdict", [Verdict.FAILED, Verdict.ERROR, Verdict.TIMEOUT])
def test_a_fix_that_breaks_off_is_not_explained_either(school: School, given: str, verdict: Verdict):
    sent = school.client("ada").post(f"{HUNT}/fixes", files={"file": ("layers.py", given.encode())}).json()["id"]
    school.grade(sent, telling().model_copy(update={"verdict": verdict, "summary": "It broke off."}))
    told = all_that_is_told(school, sent)
    assert not [secret for secret in SECRETS if secret in told]


def test_a_file_that_cannot_be_graded_is_told_why(school: School, given: str):
    rejected = make_report(Verdict.REJECTED).model_copy(update={"summary": "layers.py is not valid Python, line 3."})
    sent = build(school, given + "\ndef (", rejected)
    assert "line 3" in school.client("ada").get(f"/submissions/{sent}").json()["report"]["summary"]


def test_in_pieces_and_through_siblings_it_is_near(school: School, given: str):
    middle = given.index("\ndef scaled")
    siblings = [("siblings", ("cs336_basics/rest.py", given[middle:].encode()))]
    main = ("file", ("layers.py", (given[:middle] + "\nfrom cs336_basics.rest import *\n").encode()))
    sent = school.client("ada").post("/submissions", files=[main, *siblings]).json()["id"]
    school.grade(sent, telling())
    assert school.client("ada").get(f"/submissions/{sent}").json()["report"]["diagnoses"] == []


def test_code_that_runs_a_text_is_not_explained(school: School, given: str):
    """The text may be the hunt's file, and what is told of a mistake beside its own would tell that one too."""
    sent = build(school, f"import base64\nexec(base64.b85decode({given[:20]!r}))\n", telling())
    told = all_that_is_told(school, sent)
    assert not [secret for secret in SECRETS if secret in told]


def test_whatever_shows_the_hunts_own_mistake_is_not_explained(school: School, bank: HuntBank, given: str):
    """A function of its file in a program of one's own. Also to who listens."""
    bug = next(planted.misconception for planted in bank.all_planted() if planted.source == given)
    sent = school.submit(source=b"from torch import softmax\n")["id"]
    report = telling(bug)
    heard = []

    def grade_once(event: Event) -> None:
        if not heard:
            school.grade(sent, report)
        heard.append(event)

    school.watch(sent, hear=grade_once)
    told = all_that_is_told(school, sent) + str(heard)
    assert not [secret for secret in (*SECRETS, bug) if secret in told]
    assert school.client("ada").get(f"/submissions/{sent}").json()["withheld"] == WHY
    solve(school, bank, given)
    after = school.client("ada").get(f"/submissions/{sent}").json()
    assert [diagnosis["id"] for diagnosis in after["report"]["diagnoses"]] == [bug]


def test_why_there_is_no_explanation_does_not_tell_one_reason_from_another(school: School, bank: HuntBank, given: str):
    """Its file, a text that is run, and somebody's own code with the same mistake."""
    bug = next(planted.misconception for planted in bank.all_planted() if planted.source == given)
    sent = [
        build(school, given),
        build(school, "exec('x = 1')\n"),
        build(school, "from torch import softmax\n", telling(bug)),
    ]
    views = [school.client("ada").get(f"/submissions/{each}").json() for each in sent]
    told = {(view["withheld"], view["feedback"], view["report"]["summary"]) for view in views}
    assert len(told) == 1
    ((why, _, _),) = told
    assert "close to" not in why, "that would be untrue of code of one's own"


def test_what_is_ones_own_is_explained_as_always(school: School, bank: HuntBank, given: str):
    """Also another style's right solution, by somebody who has the same hunt or none."""
    style = next(planted.style for planted in bank.all_planted() if planted.source == given)
    others = [source for name, source in bank.solutions.items() if name != style]
    for source in (*others, "def rope(): ...\n"):
        view = school.client("ada").get(f"/submissions/{build(school, source, telling(OF_NO_HUNT))}").json()
        assert (view["withheld"], len(view["report"]["diagnoses"])) == (None, 1)
    sent = school.submit("bob", given.encode())["id"]
    school.grade(sent, telling())
    assert school.client("bob").get(f"/submissions/{sent}").json()["withheld"] is None


def test_it_tells_no_question_what_the_mistake_is_and_is_no_pass_of_ones_own(
    school: School, bank: HuntBank, given: str
):
    build(school, given)
    style = next(planted.style for planted in bank.all_planted() if planted.source == given)
    mended = build(school, bank.solutions[style], make_report(Verdict.PASSED, 100.0))
    own = build(school, "x = 2\n", make_report(Verdict.PASSED, 100.0))
    with school.database.read() as session:
        kept = dict(session.execute(select(Submission.id, Submission.facts)).all())
    assert kept[mended] is None
    assert kept[own]["misconceptions"] == []


def test_an_assignment_that_tells_less_still_tells_no_more(school: School, given: str):
    terms = {"slug": "a1", "title": "A", "challenge": "mha-rope", "feedback": "verdict"}
    assert school.client("root").post("/courses/demo/assignments", json=terms).status_code == 201
    sent = build(school, given, data={"assignment": "demo/a1"})
    report = school.client("ada").get(f"/submissions/{sent}").json()["report"]
    assert (report["tests"], report["diagnoses"]) == ([], [])
    assert WHY in report["summary"]


def test_a_new_hunt_is_watched_once_the_first_is_solved(school: School, bank: HuntBank, given: str):
    solve(school, bank, given)
    second = school.client("ada").post(f"{HUNT}/next").json()["source"]
    sent = [build(school, source, telling(OF_NO_HUNT)) for source in (second, given)]
    views = [school.client("ada").get(f"/submissions/{each}").json() for each in sent]
    assert [view["withheld"] for view in views] == [WHY, None]
