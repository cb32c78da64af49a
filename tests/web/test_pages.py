"""What the pages show, to whom, and that nothing a student writes can become markup."""

import json
import re
from html import unescape

import pytest

from app.web.pictures import error_picture
from grader.efficiency_report import Efficiency
from grader.messages import GradeRequest
from grader.report import Breakdown, ErrorMap, Forgeable, TestStatus, Verdict
from tests.app.school import School, make_report
from tests.app.test_assignments import assign, from_now
from tests.web.conftest import Visit, field
from tests.web.reports import ATTACK, SOURCE, full_report


def graded(school: School, name: str = "ada", source: bytes = SOURCE) -> str:
    submission_id = str(school.submit(name, source)["id"])
    school.grade(submission_id, full_report())
    return f"/submissions/{submission_id}"


def test_the_front_page_tells_the_best_score_and_the_last_submission(school: School, ada: Visit) -> None:
    for score in (80.0, 40.0):
        school.grade(school.submit()["id"], make_report(score=score))
    page = ada.page("/")
    assert '80<span class="of"> / 100</span>' in page
    assert "Attempt 2" in page


def test_the_challenge_page_has_the_spec_the_starter_and_the_attempts(school: School, ada: Visit) -> None:
    graded(school)
    page = ada.page("/challenges/mha-rope")
    assert "<h2>What to write</h2>" in page
    assert "<msqrt>" in page  # a formula of the spec
    assert "$$" not in page
    assert page.count("<h1>") == 1
    assert "engine submit-build" in page
    assert "Attempt 1" in page
    assert ada.get("/api/v1/challenges/mha-rope/starter").status_code == 200


def test_uploading_a_file_leads_to_its_page(school: School, ada: Visit) -> None:
    response = ada.upload(b"x = 1\n")
    assert response.url.path.startswith("/submissions/")
    assert "Waiting for a grader" in response.text
    assert 'http-equiv="refresh"' in response.text
    assert school.judge.take().files["cs336_basics/layers.py"] == b"x = 1\n"


def test_sending_the_same_form_twice_is_one_submission(school: School, ada: Visit) -> None:
    page = ada.page("/challenges/mha-rope")
    data = {"csrf": field(page, "csrf"), "nonce": field(page, "nonce")}
    first, second, other = (
        ada.post("/challenges/mha-rope/submissions", data, files=[("file", ("layers.py", source))]).url.path
        for source in (b"a = 1", b"a = 1", b"a = 2")
    )
    assert first == second != other


def test_a_pasted_source_counts_when_no_file_is_chosen(school: School, ada: Visit) -> None:
    data = {"csrf": ada.csrf("/"), "source": "x = 1\r\ny = 2\r\n"}
    response = ada.post("/challenges/mha-rope/submissions", data, files=[("file", ("", b""))])
    assert response.url.path.startswith("/submissions/")
    assert school.judge.take().files["cs336_basics/layers.py"] == b"x = 1\ny = 2\n"


def test_modules_sent_along_are_placed_beside_the_upload(school: School, ada: Visit) -> None:
    files = [("file", ("layers.py", b"import x")), ("siblings", ("utils.py", b"y = 1")), ("siblings", ("", b""))]
    ada.post("/challenges/mha-rope/submissions", {"csrf": ada.csrf("/")}, files=files)
    assert set(school.judge.take().files) == {"cs336_basics/layers.py", "cs336_basics/utils.py"}


def test_nothing_sent_is_told_beside_the_form(ada: Visit) -> None:
    response = ada.post("/challenges/mha-rope/submissions", {"csrf": ada.csrf("/")}, files=[("file", ("", b""))])
    assert response.status_code == 422
    assert "Nothing was submitted" in response.text


def test_a_refused_upload_gives_the_pasted_source_back(ada: Visit) -> None:
    data = {"csrf": ada.csrf("/"), "source": "precious = '<b>'"}
    response = ada.post("/challenges/mha-rope/submissions", data, files=[("siblings", ("no good.txt", b"x"))])
    assert response.status_code == 422
    assert "precious = &#39;&lt;b&gt;&#39;" in response.text


def test_what_still_waits_is_taken_back(school: School, ada: Visit) -> None:
    address = f"/submissions/{school.submit()['id']}"
    page = ada.page(address)
    assert "Cancel submission" in page
    assert ada.post(f"{address}/cancel", {"csrf": "guessed"}).status_code == 403
    after = ada.post(f"{address}/cancel", {"csrf": field(page, "csrf")})
    assert after.url.path == address
    assert "it was cancelled" in after.text


def test_what_a_judge_has_taken_stays(school: School, ada: Visit) -> None:
    sent = str(school.submit()["id"])
    page = ada.page(f"/submissions/{sent}")
    school.grade(sent, make_report())
    refused = ada.post(f"/submissions/{sent}/cancel", {"csrf": field(page, "csrf")})
    assert refused.status_code == 409
    assert "Grading has already started" in refused.text
    assert "Cancel submission" not in ada.page(f"/submissions/{sent}")


def test_staff_take_nothing_back_for_a_student(school: School, grace: Visit) -> None:
    assert "Cancel submission" not in grace.page(f"/submissions/{school.submit()['id']}")


def test_an_attempt_is_shown_beside_the_one_before(school: School, ada: Visit) -> None:
    first, second = graded(school, source=b"x = 1\ny = 2\n"), graded(school, source=b"x = 1\ny = '<b>'\n")
    assert "/changes" not in ada.page(first)
    assert f'href="{second}/changes">What changed since attempt 1' in ada.page(second)
    page = ada.page(f"{second}/changes")
    old = '<code class="line" data-number="2">y = <b><span class="number">2</span></b></code>'
    assert f'class="old changed">{old}' in page
    new = '<code class="line" data-number="2">y = <b><span class="string">&#39;&lt;b&gt;&#39;</span></b></code>'
    assert f'class="new changed">{new}' in page
    assert ada.get(f"{first}/changes").status_code == 404
    ada.sign_in(school.tokens["bob"])
    assert ada.get(f"{second}/changes").status_code == 404


def test_any_two_attempts_are_compared(school: School, ada: Visit) -> None:
    first, _second, third = (graded(school, source=b"x = %d\n" % number) for number in range(3))
    page = ada.page(f"{third}/changes")
    assert "What changed since attempt 2" in page
    assert "<figcaption>layers.py</figcaption>" in page
    assert "<option selected>2</option><option>1</option>" in page
    page = ada.page(f"{third}/changes?since=1")
    assert "What changed since attempt 1" in page
    assert f'href="{first}"' in page
    assert ada.get(f"{third}/changes?since=3").status_code == 404
    assert ada.get(f"{third}/changes?since=<b>").status_code == 404


def test_the_result_shows_the_diagnosis_beside_the_marked_line(school: School, ada: Visit) -> None:
    page = ada.page(graded(school))
    assert page.index("Likely cause") < page.index(">Tests<")
    assert 'class="line marked" data-number="9"><mark>    v = rope(v)</mark>' in page
    assert "Leave <code>V</code> as it is." in page
    assert "Number of heads" in page
    assert "1 of 2 passed" in page
    assert "Work grows with heads." in page
    assert "Doubling the sequence makes your code 3.9 times as slow (a plain correct answer: 1.7 times)" in page
    assert "<strong>4.20" in page
    assert "rough" not in page


def test_a_rough_time_is_told_as_one(school: School, ada: Visit) -> None:
    submission_id = school.submit()["id"]
    efficiency = Efficiency(device="cpu", time_ratio=1.1, memory_ratio=0.9, is_rough=True)
    school.grade(submission_id, make_report(Verdict.PASSED, 100.0).model_copy(update={"efficiency": efficiency}))
    page = ada.page(f"/submissions/{submission_id}")
    assert "roughly <strong>1.10" in page
    assert "roughly <strong>0.90" in page
    assert "Time and memory are rough figures" in page


def test_tests_that_could_be_forged_have_a_section_of_their_own(school: School, ada: Visit) -> None:
    submission_id = school.submit()["id"]
    report = make_report(Verdict.PASSED, 100.0)
    test = report.tests[0].model_copy(update={"group": "test_shares", "title": "sums to <b>one</b>", "message": "off"})
    forgeable = Forgeable(score=0.0, max_score=2.0, tests=(test,))
    school.grade(submission_id, report.model_copy(update={"forgeable": forgeable}))
    page = ada.page(f"/submissions/{submission_id}")
    assert page.index(">Tests<") < page.index(">Beside your code<")
    assert "Your code could change how these tests end, so they prove nothing." in page
    assert "sums to &lt;b&gt;one&lt;/b&gt;" in page


def test_where_a_public_test_differs_is_drawn_and_said(school: School, ada: Visit) -> None:
    page = ada.page(graded(school))
    said = "It differs in position 1 (of 0 to 2), features 1 to 2 (of 0 to 3) and head 1 (of 0 to 1)."
    assert page.count('<svg class="errors"') == 1
    assert page.count(said) == 2  # to be read, and as what the picture is called
    assert '<path class="e9" d="M1 1h1v1h-1z"/>' in page
    assign(school, feedback="families")
    assert "It differs" not in ada.page(graded(school))


@pytest.mark.parametrize(
    ("size", "cells", "said"),
    [
        ((40, 2), ("09", *["00"] * 15), "positions 0 to 2 (of 0 to 39) and feature 1 (of 0 to 1)"),
        ((6, 1), ("0", "9", "0", "9", "0", "9"), "3 of 6 positions and the one feature"),
        ((2, 5), ("90090", "90090"), "every position and features 0 and 3 (of 0 to 4)"),
    ],
)
def test_a_picture_says_in_words_what_it_shows(size: tuple[int, int], cells: tuple[str, ...], said: str) -> None:
    positions, features = size
    assert said in error_picture(ErrorMap(positions=positions, features=features, cells=cells)).sentence


def test_hidden_messages_and_the_seed_are_for_staff(school: School, ada: Visit) -> None:
    path = graded(school)
    page = ada.page(path)
    assert "hidden message" not in page
    assert "seed" not in page
    ada.client.cookies.clear()
    ada.sign_in(school.tokens["grace"])
    staff = ada.page(path)
    assert "hidden message" in staff
    assert "seed <code>7</code>" in staff
    assert "ada, attempt 1" in staff
    assert 'id="questions"' not in staff


def test_nothing_that_a_student_writes_becomes_markup(school: School, ada: Visit) -> None:
    response = ada.upload(SOURCE, filename=f"{ATTACK.replace('/', '')}.py")
    submission_id = response.url.path.rpartition("/")[2]
    assert "<script>alert" not in response.text
    school.grade(submission_id, full_report(message=f"ValueError: {ATTACK} \x1b[31m"))
    for path in (f"/submissions/{submission_id}", "/challenges/mha-rope"):
        page = ada.page(path)
        assert "<script>alert" not in page
        assert "&lt;script&gt;alert(1)" in page
        assert "\x1b" not in page
        assert "\u202e" not in page


def test_a_problem_does_not_repeat_markup(ada: Visit) -> None:
    assert "<script>alert" not in ada.get(f"/challenges/{ATTACK}").text


def test_a_student_sees_nobody_elses_submission(school: School, ada: Visit) -> None:
    path = graded(school, "bob")
    assert ada.get(path).status_code == 404
    answers = ada.post(f"{path}/answers", {"csrf": ada.csrf("/"), "question": "heads", "answer": "1"})
    assert answers.status_code == 404
    assert ada.get(f"/api/v1{path}/files").status_code == 404


def test_a_question_is_answered_and_marked_at_once(school: School, ada: Visit) -> None:
    path = graded(school)
    data = {"csrf": ada.csrf("/"), "question": "heads", "kind": "number"}
    wrong = ada.post(f"{path}/answers", {**data, "answer": "1"})
    assert wrong.status_code == 200
    assert "Not right" in wrong.text
    assert "Divide." in wrong.text
    assert 'value="1"' in wrong.text


def test_an_answer_of_the_wrong_form_is_told_beside_the_question(school: School, ada: Visit) -> None:
    path = graded(school)
    data = {"csrf": ada.csrf("/"), "question": "heads", "kind": "number", "answer": "many"}
    response = ada.post(f"{path}/answers", data)
    assert response.status_code == 422
    assert 'role="alert"' in response.text
    assert 'value="many"' in response.text
    assert "too long" in ada.post(f"{path}/answers", {**data, "answer": "1" * 10_001}).text


def test_a_source_of_nothing_but_lines_does_not_make_a_page_of_them(school: School, ada: Visit) -> None:
    page = ada.page(graded(school, source=b"\n" * 250_000))
    assert len(page) < 1_000_000
    assert "Only the first" in page


def test_a_program_that_broke_off_shows_the_line(school: School, ada: Visit) -> None:
    submission_id = school.submit("ada", SOURCE)["id"]
    report = full_report(Verdict.ERROR)
    wrong = tuple(test.id for test in report.tests if test.status in (TestStatus.FAILED, TestStatus.ERROR))
    breakdown = Breakdown(message="Line 4 raises ValueError: x.", meaning="An x is too much.", line=4, tests=wrong)
    broken = report.model_copy(update={"summary": breakdown.message, "breakdown": breakdown, "diagnoses": ()})
    school.grade(submission_id, broken)
    page = ada.page(f"/submissions/{submission_id}")
    assert 'class="line marked" data-number="4"' in page
    assert "Failing for the reason above" in page


def test_one_group_that_is_explained_stays_as_it_is(school: School, ada: Visit) -> None:
    submission_id = school.submit("ada", SOURCE)["id"]
    report = full_report()
    wrong = [test for test in report.tests if test.status in (TestStatus.FAILED, TestStatus.ERROR)]
    (diagnosis, *_) = report.diagnoses
    explained = tuple(test.id for test in wrong if test.group == wrong[0].group)
    told = report.model_copy(update={"diagnoses": (diagnosis.model_copy(update={"tests": explained}),)})
    school.grade(submission_id, told)
    assert "Failing for the reason above" not in ada.page(f"/submissions/{submission_id}")


def test_of_two_causes_the_tests_fail_for_both_reasons(school: School, ada: Visit) -> None:
    submission_id = school.submit("ada", SOURCE)["id"]
    report = full_report()
    wrong = tuple(test.id for test in report.tests if test.status is TestStatus.FAILED)
    first = report.diagnoses[0].model_copy(update={"tests": wrong})
    both = (first, first.model_copy(update={"id": "missing-scale", "title": "The scores are not scaled"}))
    school.grade(submission_id, report.model_copy(update={"diagnoses": both}))
    assert "Failing for the reasons above" in ada.page(f"/submissions/{submission_id}")


def test_what_fails_stands_before_what_passed(school: School, ada: Visit) -> None:
    submission_id = school.submit("ada", SOURCE)["id"]
    report = full_report()
    failed, passed, *others = report.tests
    school.grade(submission_id, report.model_copy(update={"tests": (passed, failed, *others)}))
    page = ada.page(f"/submissions/{submission_id}")
    assert page.index(failed.title) < page.index("<summary>1 passed</summary>") < page.index(passed.title)


@pytest.fixture
def busy_course(school: School) -> School:
    school.grade(school.submit("ada")["id"], make_report(misconceptions=("rope-on-v",)))
    school.grade(school.submit("ada")["id"], make_report(misconceptions=("rope-on-v",)))
    school.grade(school.submit("bob")["id"], make_report(Verdict.PASSED, 100.0))
    school.submit("bob")
    return school


def test_a_course_without_assignments_tells_what_is_not_understood(busy_course: School, grace: Visit) -> None:
    page = grace.page("/courses/demo")
    assert "About rope-on-v" in page
    assert 'aria-label="1 of 2 students"' in page


def test_the_table_is_filtered_by_the_address(busy_course: School, grace: Visit) -> None:
    def rows(query: str) -> int:
        return grace.page(f"/courses/demo/submissions?{query}").count('href="/submissions/')

    assert rows("") == 4
    assert rows("verdict=passed") == 1
    assert rows("verdict=failed&challenge=mha-rope") == 2
    assert rows("state=queued&verdict=") == 1
    assert rows("challenge=none") == 0
    assert rows("search=BO") == 2
    assert rows("offset=3") == 1
    assert grace.get("/courses/demo/submissions?verdict=wonderful").status_code == 422
    assert grace.get("/courses/demo/submissions?offset=-1").status_code == 422


def test_the_course_is_for_its_staff(school: School, ada: Visit) -> None:
    response = ada.get("/courses/demo/submissions")
    assert response.status_code == 403
    assert "staff" in response.text
    assert ada.get("/courses/none").status_code == 404
    assert ada.get("/api/v1/courses/demo/submissions").status_code == 403


def test_a_mistake_of_some_calls_is_called_no_more_than_that(school: School, ada: Visit) -> None:
    report = full_report()
    partial = report.diagnoses[0].model_copy(update={"in_some_calls": True})
    sent = school.submit("ada")["id"]
    school.judge.take()
    school.grade(sent, report.model_copy(update={"diagnoses": (partial,)}))
    assert f">In some calls: {partial.title[:8]}" in ada.page(f"/submissions/{sent}")


def test_a_result_is_mended_on_its_page_with_its_other_files(school: School, ada: Visit) -> None:
    files = [("file", ("layers.py", b"import x")), ("siblings", ("utils.py", b"y = 1"))]
    sent = ada.post("/challenges/mha-rope/submissions", {"csrf": ada.csrf("/")}, files=files)
    first = sent.url.path.rpartition("/")[2]
    school.judge.take()
    school.grade(first, full_report())
    page = ada.page(f"/submissions/{first}")
    data = {name: field(page, name) for name in ("csrf", "nonce", "after")}
    assert data["after"] == first
    again = ada.post("/challenges/mha-rope/submissions", {**data, "source": "import x  # mended"})
    assert again.url.path.rpartition("/")[2] != first
    assert school.judge.take().files == {
        "cs336_basics/layers.py": b"import x  # mended",
        "cs336_basics/utils.py": b"y = 1",
    }


def test_a_notebook_is_told_by_its_cells_and_mended_on_its_page(school: School, ada: Visit) -> None:
    cells = [
        {"cell_type": "code", "source": text}
        for text in ("import torch", "def rope():\n    oops", "%matplotlib inline")
    ]
    sent = ada.upload(json.dumps({"cells": cells}).encode(), "work.ipynb")
    first = sent.url.path.rpartition("/")[2]
    school.judge.take()
    breakdown = Breakdown(message="In cell 2, line 2, `oops` is not defined.", line=2, file="cell 2")
    school.grade(first, full_report().model_copy(update={"breakdown": breakdown, "structure": (), "diagnoses": ()}))
    page = ada.page(f"/submissions/{first}")
    assert "cell 2, line 2" in page
    assert 'data-line="6"' in page  # of the whole file
    data = {name: field(page, name) for name in ("csrf", "nonce", "after")}
    ada.post("/challenges/mha-rope/submissions", {**data, "source": "import torch\r\ndef rope(): ..."})
    request = school.judge.take()
    assert request.files == {"cs336_basics/layers.py": b"import torch\ndef rope(): ..."}
    assert isinstance(request, GradeRequest)
    assert request.sent_as == "work.py"


def test_what_is_no_notebook_is_refused_on_the_page(ada: Visit) -> None:
    assert "The notebook cannot be read: it is not JSON." in unescape(ada.upload(b"x = 1", "work.ipynb").text)


def test_what_counted_for_an_assignment_does_so_again(school: School, ada: Visit) -> None:
    assign(school, attempts_max=3)
    page = ada.page(graded(school, source=b"x = 1\r\n"))
    assert field(page, "assignment") == "demo/attention"
    assert "2 attempts left" in page


def test_a_file_that_cannot_be_graded_has_no_score_and_loses_nothing_for_being_late(school: School, ada: Visit) -> None:
    assign(school, due_at=from_now(hours=-1), late_percent_per_day=10)
    sent = str(school.submit(source=b"def rope(:")["id"])
    school.grade(sent, make_report(Verdict.REJECTED, 0.0).model_copy(update={"tests": ()}))
    page = ada.page(f"/submissions/{sent}")
    assert "Rejected" in page
    assert "/ 100" not in page
    assert "off for being late" not in page
    assert "/ 100" not in ada.page("/challenges/mha-rope").partition("Your attempts")[2]


def test_staff_do_not_mend_what_a_student_sent(school: School, grace: Visit) -> None:
    assert "Run it again" not in grace.page(graded(school, source=b"x = 1"))


def test_staff_go_from_a_submission_to_the_assignment_and_to_the_students_points(school: School, grace: Visit) -> None:
    assign(school)
    page = grace.page(graded(school))
    assert '<a href="/courses/demo/assignments/attention">Attention</a>' in page
    (points,) = re.findall(r'href="([^"]+)">Points of ada</a>', page)
    assert "Override the points" in grace.page(points)


def test_what_has_passed_is_not_mended(school: School, ada: Visit) -> None:
    assert "Run it again" in ada.page(graded(school, source=b"x = 1"))
    passed = school.submit("ada", b"x = 1")["id"]
    school.grade(passed, full_report(Verdict.PASSED))
    assert "Run it again" not in ada.page(f"/submissions/{passed}")


def test_files_of_somebody_else_are_not_sent_along(school: School, ada: Visit) -> None:
    other = school.submit("bob")["id"]
    data = {"csrf": ada.csrf("/"), "source": "x = 1", "after": other}
    assert ada.post("/challenges/mha-rope/submissions", data).status_code == 404
    data["after"] = "no such submission"
    assert ada.post("/challenges/mha-rope/submissions", data).status_code == 404
