"""The mail of what is new: at most one a day, nothing twice, nothing lost, and off with one click."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from typing import Any

import httpx
import pytest
from sqlalchemy import select, update

from app.mail.mailer import Mailer
from app.models import Comment, Course, Digest, MailState, Note, TermsException, User
from app.news import mailing
from app.news.mailing import BETWEEN, FIRST_LOOK, Digests
from app.news.schemas import NewsKind
from tests.app.at_once import at_once
from tests.app.inviting import mailer as invitations_mailer
from tests.app.mail_server import MailServer, running
from tests.app.school import NO_CERTIFICATES, School
from tests.app.test_analytics import send
from tests.app.test_assignments import PATH, assign
from tests.app.test_comments import write as comment
from tests.app.test_notes import STILL, WRONG, news, write

pytestmark = pytest.mark.on_both_databases
ADA, BOB = "ada@school.test", "bob@school.test"
PAGE = "https://assay.school.test"


@pytest.fixture
def school(school: School, monkeypatch: pytest.MonkeyPatch) -> School:
    """ada and bob use accounts with addresses; it is day, whenever the test runs, and nothing has to settle."""
    monkeypatch.setattr(mailing, "HOURS", range(24))
    monkeypatch.setattr(mailing, "SETTLED", timedelta())
    with school.database.write() as session:
        for name in ("ada", "bob"):
            values = {"email": f"{name}@school.test", "first_used_at": datetime.now(UTC)}
            session.execute(update(User).where(User.name == name).values(values))
    assign(school)
    return school


@pytest.fixture
def server() -> Iterator[MailServer]:
    with running(MailServer()) as server:
        yield server


def mailer(school: School, server: MailServer) -> Mailer:
    """As a recorder that has just started."""
    made = invitations_mailer(school, server)
    return Mailer(made.settings, made.metrics, (Digests(school.database),))


def let_pass(school: School, span: timedelta) -> None:
    """As if so much time had passed since all that has happened."""
    with school.database.write() as session:
        for digest in session.scalars(select(Digest)):
            for name in ("last_at", "next_try_at", "tells_until", "told_until"):
                setattr(digest, name, (moment := getattr(digest, name)) and moment - span)
        for table, name in ((Note, "sent_at"), (Comment, "written_at"), (TermsException, "given_at")):
            rows: Any = session.scalars(select(table)).all()
            for row in rows:
                setattr(row, name, getattr(row, name) - span)


def told(mail: EmailMessage) -> list[str]:
    return re.findall(r"^- (.*)$", text_of(mail), re.MULTILINE)


def text_of(mail: EmailMessage) -> str:
    return str(mail.get_content()).replace("\r\n", "\n")


def test_one_mail_tells_what_is_new_without_grades_or_words(school: School, server: MailServer) -> None:
    (submission,) = send(school, "ada", WRONG)
    comment(school, submission, "secret words")
    write(school, **STILL, text="more secret words")
    school.client("grace").post(
        f"{PATH}/attention/overrides", json={"student": "ada", "points": 13.37, "reason": "Oral exam"}
    )
    assert mailer(school, server).send_waiting() == 1
    assert mailer(school, server).send_waiting() == 0
    (mail,) = server.to(ADA)
    assert told(mail) == [
        "Your points in Attention changed (demo)",
        "A note about Attention (demo)",
        "A new comment on attempt 1 at Attention (demo)",
    ]
    assert not re.search(r"secret|13\.37|Oral|rope", mail.as_string())
    assert (mail["Subject"], mail["Auto-Submitted"]) == ("New for you in your courses", "auto-generated")
    assert f"Read it here: {PAGE}/\n" in text_of(mail)


def test_nothing_is_mailed_twice_and_a_day_has_one_mail(school: School, server: MailServer) -> None:
    write(school, text="One.")
    assert mailer(school, server).send_waiting() == 2
    write(school, text="Two.")
    let_pass(school, BETWEEN - timedelta(minutes=5))
    assert mailer(school, server).send_waiting() == 0
    let_pass(school, timedelta(minutes=10))
    school.client("bob").post("/me/news/seen", json={"until": datetime.now(UTC).isoformat()})
    assert mailer(school, server).send_waiting() == 1  # bob has read it meanwhile
    assert [len(told(mail)) for mail in server.to(ADA)] == [1, 1]
    let_pass(school, timedelta(days=2))
    assert mailer(school, server).send_waiting() == 0
    assert len(news(school)) == 2  # and stays new until it is read


def test_a_server_that_is_away_in_the_middle_loses_nothing(school: School) -> None:
    away = MailServer()
    write(school, text="One.")
    with pytest.raises(OSError, match="refused"):
        mailer(school, away).send_waiting()
    let_pass(school, timedelta(minutes=5))
    with running(away):
        away.refusals[BOB] = "451 greylisted"
        mailer(school, away).send_waiting()
    assert [away.recipients, len(told(away.mails[0]))] == [[[ADA]], 1]
    write(school, text="Two.")
    let_pass(school, timedelta(hours=1))
    away.refusals.clear()
    with running(away):
        assert mailer(school, away).send_waiting() == 1
    assert len(told(*away.to(BOB))) == 2  # what came meanwhile is in it
    let_pass(school, BETWEEN + timedelta(hours=1))
    with running(away):
        assert mailer(school, away).send_waiting() == 1  # the second for ada, none for bob
    assert (len(away.to(ADA)), len(away.to(BOB))) == (2, 1)


def test_what_was_refused_for_good_is_told_the_next_day(school: School, server: MailServer) -> None:
    server.refusals[ADA] = "550 unknown"
    write(school, text="One.")
    mailer(school, server).send_waiting()
    server.refusals.clear()
    assert mailer(school, server).send_waiting() == 0
    let_pass(school, BETWEEN + timedelta(minutes=1))
    mailer(school, server).send_waiting()
    assert len(told(*server.to(ADA))) == 1


def test_a_mail_that_may_have_arrived_is_not_sent_twice(school: School, server: MailServer) -> None:
    server.breaks_off = True
    write(school, text="One.")
    mailer(school, server).send_waiting()
    server.breaks_off = False
    assert len(server.to(ADA)) == 1  # it did arrive
    write(school, text="Two.")
    let_pass(school, BETWEEN + timedelta(minutes=1))
    mailer(school, server).send_waiting()
    assert [len(told(mail)) for mail in server.to(ADA)] == [1, 1]


def test_a_mail_that_a_recorder_died_over_is_not_sent_twice(school: School, server: MailServer) -> None:
    write(school, text="One.")
    assert Digests(school.database).claim(PAGE) is not None
    assert mailer(school, server).send_waiting() == 1  # the other one's
    let_pass(school, timedelta(minutes=11))
    assert mailer(school, server).send_waiting() == 0
    with school.database.read() as session:
        assert set(session.scalars(select(Digest.state))) == {MailState.IDLE}


def test_several_recorders_send_each_mail_once(school: School, server: MailServer) -> None:
    write(school, text="One.")
    at_once(4, lambda _: mailer(school, server).send_waiting())
    assert sorted(server.recipients) == [[ADA], [BOB]]


def test_it_comes_by_day_where_the_course_is(
    school: School, server: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    write(school, text="One.")
    with school.database.write() as session:
        session.execute(update(Course).values(time_zone="Pacific/Auckland"))
    for hour, count in ((17, 0), (18, 2)):  # of 6 January 2026 in UTC: 6 and 7 in the morning there
        mailing.plan(school.database, datetime(2026, 1, 6, hour, 30, tzinfo=UTC))
        with school.database.read() as session:
            assert len(session.scalars(select(Digest)).all()) == count


@pytest.mark.parametrize("values", [{"email": None}, {"first_used_at": None}])
def test_who_has_no_address_or_has_never_signed_in_gets_none(
    school: School, server: MailServer, values: dict[str, None]
) -> None:
    write(school, text="One.")
    with school.database.write() as session:
        session.execute(update(User).where(User.name == "ada").values(values))
    mailer(school, server).send_waiting()
    assert server.recipients == [[BOB]]


def test_the_first_mail_does_not_tell_old_news(school: School, server: MailServer) -> None:
    write(school, text="One.")
    let_pass(school, FIRST_LOOK + timedelta(minutes=1))
    assert mailer(school, server).send_waiting() == 0


def test_each_kind_can_be_switched_off(school: School, server: MailServer) -> None:
    (submission,) = send(school, "ada", WRONG)
    comment(school, submission, "Hm.")
    write(school, **STILL)
    ada = school.client("ada")
    assert ada.put("/me/mail", json={"not_mailed": ["note"]}).json() == {"not_mailed": ["note"]}
    assert ada.put("/me/mail", json={"not_mailed": ["grade"]}).status_code == 422
    mailer(school, server).send_waiting()
    assert told(*server.to(ADA)) == ["A new comment on attempt 1 at Attention (demo)"]


def test_one_click_without_signing_in_ends_the_mails_and_only_ones_own(school: School, server: MailServer) -> None:
    write(school, text="One.")
    mailer(school, server).send_waiting()
    (mail,) = server.to(ADA)
    (link,) = re.findall(rf"^<{PAGE}(/mail/off/\w+)>$", mail["List-Unsubscribe"])
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert f"{PAGE}{link}\n" in text_of(mail)
    with httpx.Client(base_url=school.url, trust_env=False, verify=NO_CERTIFICATES) as anybody:
        assert anybody.get(link).status_code == 200
        assert school.client("ada").get("/me/mail").json() == {"not_mailed": []}  # programs open links, too
        for wrong in (link[:-1], f"{link}0", link[:-1] + ("0" if link[-1] != "0" else "1"), "/mail/off/x"):
            assert anybody.post(wrong).status_code == 404
        response = anybody.post(link, data={"List-Unsubscribe": "One-Click"})
        assert (response.status_code, "get these mails any more" in response.text) == (200, True)
        assert "ada" not in response.text
    assert set(school.client("ada").get("/me/mail").json()["not_mailed"]) == set(NewsKind)
    assert school.client("bob").get("/me/mail").json() == {"not_mailed": []}
    write(school, text="Two.")
    let_pass(school, BETWEEN + timedelta(hours=1))
    mailer(school, server).send_waiting()
    assert (len(server.to(ADA)), len(server.to(BOB))) == (1, 2)
