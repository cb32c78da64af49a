"""What happens at the same moment. SQLite lets one writer in at a time; PostgreSQL lets them all, so they meet here."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import event, func, select, update

from app.accounts import service as accounts
from app.accounts import tokens
from app.accounts.erasure import erase_person
from app.courses import roster
from app.exercises import commits
from app.jobs.transitions import finish
from app.models import (
    Answer,
    Course,
    Enrollment,
    ExerciseFetch,
    FetchState,
    Job,
    JobState,
    LeaderboardEntry,
    Role,
    StoredReport,
    Submission,
    Token,
    User,
)
from app.problems import Conflict
from app.submissions import intake
from app.web import tokens as pages
from grader.messages import Fault, Graded, JobKind
from tests.app.at_once import at_once
from tests.app.school import SOURCE, School, make_report
from tests.app.scoped import browser
from tests.app.test_assignments import assign, from_now
from tests.app.test_exercise_fetches import HERE, URL, Verifier, add, live
from tests.app.test_leaderboard import BOARD, MINE, measured, on_the_board, passed
from tests.patience import PATIENCE_S
from tests.web.conftest import field

pytestmark = pytest.mark.on_both_databases
MANY = 12


def send(school: School, **options: Any) -> list[Any]:
    clients = [school.client("ada") for _ in range(MANY)]
    files = {"file": ("layers.py", SOURCE)}
    return at_once(MANY, lambda number: clients[number].post("/submissions", files=files, **options))


def test_uploads_of_one_student_at_one_moment_are_all_taken_and_numbered(school: School):
    answers = send(school)
    assert [answer.status_code for answer in answers] == [202] * MANY
    assert sorted(answer.json()["attempt"] for answer in answers) == list(range(1, MANY + 1))


def test_one_key_sent_many_times_at_one_moment_is_one_submission(school: School):
    answers = send(school, headers={"Idempotency-Key": "one"})
    assert sorted(answer.status_code for answer in answers) == [200] * (MANY - 1) + [202]
    assert len({answer.json()["id"] for answer in answers}) == 1


def test_the_limit_of_uploads_holds_at_one_moment_too(school: School):
    for _ in range(school.api_settings.submissions_per_minute - 1):
        school.submit()
    statuses = [answer.status_code for answer in send(school)]
    assert sorted(statuses) == [202] + [429] * (MANY - 1)


def test_the_same_answer_sent_many_times_at_one_moment_is_kept_once(school: School):
    sent = school.submit()
    school.grade(sent["id"])
    clients = [school.client("ada") for _ in range(MANY)]
    body = {"answers": [{"question": "heads", "answer": 4}, {"question": "why", "answer": "because"}]}
    turned = {"answers": body["answers"][::-1]}  # who locks in another order must not wait for each other forever
    path = f"/submissions/{sent['id']}/answers"
    answers = at_once(MANY, lambda number: clients[number].post(path, json=turned if number % 2 else body))
    assert [answer.status_code for answer in answers] == [200] * MANY
    with school.database.read() as session:
        assert session.scalar(select(func.count()).select_from(Answer)) == 2


def test_a_name_is_given_once(school: School):
    def create(_: int) -> bool:
        try:
            accounts.create_user(school.database, "eve", course="fresh")
        except Conflict:
            return False
        return True

    assert sum(at_once(MANY, create)) == 1
    with school.database.read() as session:
        assert session.scalar(select(func.count()).select_from(User).where(User.name == "eve")) == 1


def test_a_course_that_many_make_is_one(school: School):
    at_once(MANY, lambda number: accounts.create_user(school.database, f"student-{number}", course="fresh"))
    with school.database.read() as session:
        (course,) = session.scalars(select(Course).where(Course.slug == "fresh"))
        enrolled = select(func.count()).select_from(Enrollment).where(Enrollment.course_id == course.id)
        assert session.scalar(enrolled) == MANY


def test_of_many_reports_one_is_recorded(school: School):
    sent = school.submit()
    recording = school.recording()
    graded = [Graded(job=sent["id"], report=make_report(score=float(number))) for number in range(MANY)]
    at_once(MANY, lambda number: recording.record(graded[number]))
    with school.database.read() as session:
        stored = session.scalars(select(StoredReport)).one()
        row = session.get_one(Submission, sent["id"])
    assert f'"score":{row.score}' in stored.body.replace(" ", "")


def test_a_fault_told_while_the_report_is_recorded_does_not_undo_it(school: School):
    sent = school.submit()
    fault = Fault(job=sent["id"], reason="judges die of it")
    teller = threading.Thread(target=school.recording().fault, args=[fault])
    with school.database.write() as session:
        assert finish(session, sent["id"])
        teller.start()
        teller.join(timeout=0.5)  # long enough to have read the row
    teller.join(timeout=PATIENCE_S)
    with school.database.read() as session:
        job = session.get_one(Job, sent["id"])
    assert (job.state, job.fault, job.not_before) == (JobState.DONE, None, None)


def test_an_address_that_changes_at_this_moment_gives_no_role(school: School):
    """eve takes tara's address away while grace, who goes by it, makes tara an assistant."""
    school.add("eve", Role.INSTRUCTOR, "elsewhere")
    with school.database.write() as session:
        elsewhere = session.scalars(select(Course).where(Course.slug == "elsewhere")).one()
        tara = User(name="tara", email="tara@x.org", role=Role.STUDENT, created_by_course_id=elsewhere.id)
        session.add_all([tara, Enrollment(course=elsewhere, user=tara, role=Role.STUDENT)])
        grace = session.scalars(select(User).where(User.name == "grace")).one()
    line = b"name,email,role\ntara,tara@x.org,assistant\n"
    digest = roster.preview(school.database, grace, "demo", line, remove_missing=False).digest
    has_begun = threading.Event()

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        """It holds the accounts now; or has decided already, if it does not."""
        if "INSERT INTO enrollments" in statement or ("users.name_key" in statement and "FOR UPDATE" in statement):
            has_begun.set()

    event.listen(school.database._writer, "before_cursor_execute", note)
    with ThreadPoolExecutor(1) as pool, school.database.write() as session:
        session.execute(update(User).where(User.name == "tara").values(email="evil@x.org"))
        has_begun.clear()
        late = pool.submit(roster.apply, school.database, grace, "demo", line, remove_missing=False, digest=digest)
        has_begun.wait(timeout=2)  # on SQLite it cannot
        session.commit()
        with pytest.raises(Conflict):
            late.result(timeout=60)


def test_of_many_who_look_at_a_leaderboard_one_has_an_entry_measured_again(school: School):
    measured(school, on_the_board(school))
    newer = passed(school)
    clients = [school.client("bob") for _ in range(MANY)]
    answers = at_once(MANY, lambda number: clients[number].get(BOARD))
    assert [answer.status_code for answer in answers] == [200] * MANY
    with school.database.read() as session:
        opened = select(func.count()).where(Job.kind == JobKind.MEASURE, Job.submission_id == newer)
        assert session.scalar(opened) == 1


def test_who_joins_a_leaderboard_many_times_at_one_moment_is_on_it_once(school: School):
    on_the_board(school)
    clients = [school.client("ada") for _ in range(MANY)]
    school.client("ada").delete(MINE).raise_for_status()
    answers = at_once(MANY, lambda number: clients[number].put(MINE, json={"pseudonym": "quiet otter"}))
    assert {answer.status_code for answer in answers} <= {204, 422}
    with school.database.read() as session:
        assert session.scalar(select(func.count()).select_from(LeaderboardEntry)) == 1


def test_a_namespace_that_many_ask_for_at_one_moment_is_fetched_once(school: School):
    clients = [school.client("root") for _ in range(MANY)]
    told = {"url": URL, "namespace": "cs"}
    answers = at_once(MANY, lambda number: clients[number].post(HERE, json=told))
    assert sorted(answer.status_code for answer in answers) == [202] + [409] * (MANY - 1)
    with school.database.read() as session:
        assert session.scalar(select(func.count()).where(Job.kind == JobKind.EXERCISES)) == 1


@pytest.mark.parametrize("act", ["cancel", "revoke"])
def test_what_goes_live_at_the_moment_it_is_cancelled_is_told_as_live(
    school: School, monkeypatch: pytest.MonkeyPatch, act: str
):
    root, author = school.client("root"), f"{HERE}/cs/authors/grace"
    root.put(author).raise_for_status()
    verifier = Verifier(school)
    add(school, "grace")
    request, switch, goes_live = verifier.take(), commits.switch, threading.Event()

    def slowly(*arguments: Any) -> Any:
        done = switch(*arguments)
        goes_live.set()
        time.sleep(0.5)  # the other one begins meanwhile
        return done

    monkeypatch.setattr(commits, "switch", slowly)
    with ThreadPoolExecutor(1) as pool:
        recording = pool.submit(verifier.find, request)
        goes_live.wait(timeout=PATIENCE_S)
        answer = root.post(f"{HERE}/cs/cancel") if act == "cancel" else root.delete(author)
        recording.result(timeout=PATIENCE_S)
    assert answer.status_code == (404 if act == "cancel" else 204), answer.text
    assert live(school) == "a"
    with school.database.read() as session:
        assert session.scalars(select(ExerciseFetch.state)).one() is FetchState.LIVE


@pytest.mark.parametrize("how", ["revoked", "everywhere"])
def test_what_a_token_makes_at_the_moment_it_is_revoked_is_revoked_too(
    school: School, monkeypatch: pytest.MonkeyPatch, how: str
):
    school.tokens["found"] = accounts.issue_token(school.database, "ada", "left in a log")
    found, ada, making, add_token = school.client("found"), school.client("ada"), threading.Event(), tokens.add_token
    (left,) = [token["id"] for token in ada.get("/me/tokens").json()["items"] if token["label"] == "left in a log"]

    def slowly(*arguments: Any) -> Any:
        making.set()
        time.sleep(0.5)  # its owner revokes it meanwhile
        return add_token(*arguments)

    monkeypatch.setattr(tokens, "add_token", slowly)
    with ThreadPoolExecutor(1) as pool:
        made = pool.submit(found.post, "/me/tokens", json={"label": "child"})
        making.wait(timeout=PATIENCE_S)
        ada.delete(f"/me/tokens/{left}" if how == "revoked" else "/me/sessions").raise_for_status()
        school.tokens["child"] = made.result(timeout=PATIENCE_S).json()["token"]
    assert [school.client(name).get("/me").status_code for name in ("found", "child")] == [401, 401]


def test_what_was_revoked_a_moment_ago_makes_no_token(school: School, monkeypatch: pytest.MonkeyPatch):
    school.tokens["found"] = accounts.issue_token(school.database, "ada", "left in a log")
    create, everywhere = tokens.create_own, school.client("ada").delete

    def late(*arguments: Any, **options: Any) -> Any:
        everywhere("/me/sessions").raise_for_status()
        return create(*arguments, **options)

    for module in (tokens, pages):
        monkeypatch.setattr(module, "create_own", late)
    with browser(school, "ada") as visit:
        sent = {"csrf": field(visit.get("/tokens").text, "csrf"), "label": "child", "days": "30"}
        assert visit.post("/tokens", data=sent).status_code == 401
    assert school.client("found").post("/me/tokens", json={"label": "child"}).status_code == 401
    with school.database.read() as session:
        assert session.scalar(select(func.count()).where(Token.label == "child")) == 0


def test_who_is_erased_while_their_upload_comes_in_leaves_nothing(school: School, monkeypatch: pytest.MonkeyPatch):
    def erased(*_: Any) -> None:
        erase_person(school.database, "ada", accounts.console())

    monkeypatch.setattr(intake, "near_hunt", erased)  # who is asked before anything is written
    answer = school.client("ada").post("/submissions", files={"file": ("layers.py", SOURCE)})
    assert answer.status_code == 401, answer.text
    with school.database.read() as session:
        assert session.scalar(select(func.count()).select_from(Submission)) == 0


def test_what_came_in_time_is_not_late_by_what_others_write(school: School) -> None:
    school.client("ada").get("/me").raise_for_status()  # that the token was used is noted
    end = from_now(seconds=3)
    assign(school, due_at=end, closes_at=end, late_percent_per_day=50)
    with ThreadPoolExecutor(1) as pool:
        with school.database.write() as session:
            session.execute(select(User.id).where(User.name == "ada").with_for_update())
            sent = pool.submit(school.submit, "ada")
            time.sleep(4)
            assert not sent.done()
        assert (sent.result()["assignment"], sent.result()["is_late"]) == ("demo/attention", False)
