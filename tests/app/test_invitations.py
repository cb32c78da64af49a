"""Invitations over REST and through a real mail server: who is invited, by what, and what becomes of it."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from sqlalchemy import select, update

from app.accounts import service as accounts
from app.accounts.codes import digest_of, new_code
from app.accounts.erasure import erase_person
from app.invitations import accepting, service
from app.invitations.mailing import LOST, InvitationMails
from app.mail.post import NO_ADDRESS, REFUSED, UNCERTAIN, UNREACHABLE
from app.mail.queue import TRIES_MAX
from app.models import Course, Enrollment, Invitation, Role, User
from app.problems import Forbidden, NotFound
from app.settings import ApiSettings
from tests.app.at_once import at_once
from tests.app.conftest import open_school
from tests.app.inviting import ROSTER, bring_in, code_in, let_pass, mail, mailer, slips, use, way_in
from tests.app.mail_server import PASSWORD, USER, MailServer, make_certificate, running
from tests.app.redis_process import RedisProcess
from tests.app.school import School

pytestmark = pytest.mark.on_both_databases
NORA, OLAF = "nora@school.test", "olaf@school.test"


@pytest.fixture
def school(settings: ApiSettings, redis: RedisProcess) -> Iterator[School]:
    """With a mail server, and two newcomers on the roster of demo."""
    for school in open_school(settings.model_copy(update={"smtp_host": "127.0.0.1"}), redis):
        bring_in(school)
        yield school


@pytest.fixture
def server() -> Iterator[MailServer]:
    with running(MailServer()) as server:
        yield server


def stored(school: School, name: str) -> Invitation:
    with school.database.read() as session:
        return session.scalars(select(Invitation).join(Invitation.user).where(User.name == name)).one()


def test_everybody_without_a_way_in_is_sent_one_mail(school: School, server: MailServer) -> None:
    assert way_in(school, "nora")["way_in"] == "not_invited"
    assert way_in(school, "ada")["way_in"] == "token"
    sent = mail(school)
    assert (sent.status_code, sent.json()) == (202, {"people": ["nora", "olaf"], "refused": []})
    assert way_in(school, "nora")["way_in"] == "mail_waiting"
    assert mailer(school, server).send_waiting() == 2
    assert mailer(school, server).send_waiting() == 0
    assert sorted(server.recipients) == [[NORA], [OLAF]]
    assert way_in(school, "nora")["way_in"] == "invited"
    assert mail(school).json() == {"people": [], "refused": []}
    entries = school.client("grace").get("/courses/demo/audit").json()["items"]
    assert next(entry["detail"] for entry in entries if entry["action"] == "invitation.mail") == {
        "people": ["nora", "olaf"]
    }


def test_the_mail_is_plain_text_with_a_link_that_says_its_code_to_nobody(school: School, server: MailServer) -> None:
    mail(school, ["nora"])
    mailer(school, server).send_waiting()
    (message,) = server.mails
    assert message.get_content_type() == "text/plain"
    assert (message["From"], message["To"], message["Subject"]) == (
        "Assay <assay@school.test>",
        NORA,
        "Your invitation to demo",
    )
    code = code_in(message)
    row = stored(school, "nora")
    assert row.sha256 == digest_of(code)
    assert code not in str({column.name: getattr(row, column.name) for column in Invitation.__table__.columns})


def test_a_code_opens_the_account_once_and_gives_a_token(school: School, server: MailServer) -> None:
    mail(school, ["nora"])
    mailer(school, server).send_waiting()
    code = code_in(server.mails[0])
    shown = accepting.look(school.database, code.lower().replace("-", " "))
    assert (shown.name, shown.full_name, shown.course_title) == ("nora", "Nora Ní", "demo")
    opened = accepting.accept(school.database, code, 365)
    school.tokens["nora"] = opened.token.clear
    assert school.client("nora").get("/me").json()["name"] == "nora"
    assert way_in(school, "nora")["way_in"] == "signed_in"
    for again in (accepting.look, lambda *args: accepting.accept(*args, 365)):
        with pytest.raises(Forbidden, match="has used this account already"):
            again(school.database, code)


def test_an_account_in_use_is_never_opened(school: School, server: MailServer) -> None:
    mail(school, ["nora"])
    mailer(school, server).send_waiting()
    use(school, "nora")
    with pytest.raises(Forbidden, match="tell your instructor"):
        accepting.accept(school.database, code_in(server.mails[0]), 365)
    for refused in (mail(school, ["nora"]).json(), slips(school, ["nora"]).json()):
        assert "in use" in refused["refused"][0]["reason"]


def test_somebody_who_has_signed_in_meanwhile_is_sent_no_mail(school: School, server: MailServer) -> None:
    mail(school)
    use(school, "nora")
    mailer(school, server).send_waiting()
    assert server.recipients == [[OLAF]]


@pytest.mark.parametrize("name", ["root", "grace"])
def test_what_an_operator_made_is_not_opened_by_an_invitation(school: School, name: str) -> None:
    with school.database.write() as session:
        course = session.scalars(select(Course).where(Course.slug == "demo")).one()
        session.merge(
            Enrollment(course_id=course.id, user_id=session.scalars(select(User.id).where(User.name == name)).one(),
                       role=Role.INSTRUCTOR)
        )  # fmt: skip
        session.execute(update(User).where(User.name == name).values(first_used_at=None))
    by = "root" if name == "grace" else "grace"  # whose own token is never used by that
    for answer in (mail(school, [name], by).json(), slips(school, [name], by).json()):
        assert "An operator made this account" in answer["refused"][0]["reason"]


def test_an_address_that_the_server_does_not_know_is_told_without_its_words(school: School, server: MailServer) -> None:
    server.refusals[NORA] = "550 5.1.1 <secret-detail> unknown"
    mail(school)
    mailer(school, server).send_waiting()
    mailer(school, server).send_waiting()
    failed = way_in(school, "nora")
    assert (failed["way_in"], failed["reason"]) == (
        "mail_failed",
        "The mail server knows no such address (SMTP 550). Check it on the roster.",
    )
    assert server.recipients == [[OLAF]]
    server.refusals.clear()
    assert mail(school).json()["people"] == ["nora"]
    mailer(school, server).send_waiting()
    assert server.recipients == [[OLAF], [NORA]]


def test_what_is_refused_for_now_is_sent_again_after_a_growing_pause_under_a_new_code(
    school: School, server: MailServer
) -> None:
    mail(school, ["nora"])
    pauses = []
    for _ in range(3):
        server.refusals[NORA] = "451 greylisted"
        mailer(school, server).send_waiting()
        row = stored(school, "nora")
        assert row.next_try_at is not None
        pauses.append(round((row.next_try_at - row.made_at).total_seconds() / 60))
        assert mailer(school, server).send_waiting() == 0
        let_pass(school, row.next_try_at - row.made_at + timedelta(seconds=1))
    assert way_in(school, "nora")["way_in"] == "mail_waiting"
    assert "sent again by itself" in way_in(school, "nora")["reason"]
    assert all(second > first for first, second in pairwise(pauses))
    before = stored(school, "nora").sha256
    server.refusals.clear()
    mailer(school, server).send_waiting()
    assert stored(school, "nora").sha256 == digest_of(code_in(server.mails[0])) != before


def test_a_server_that_is_away_loses_nothing(school: School) -> None:
    away = MailServer()
    mail(school, ["nora"])
    with pytest.raises(OSError, match="refused"):
        mailer(school, away).send_waiting()
    assert way_in(school, "nora") | {"expires_at": None} == {
        "way_in": "mail_waiting",
        "reason": UNREACHABLE,
        "expires_at": None,
    }
    let_pass(school, timedelta(minutes=5))
    with running(away):
        assert mailer(school, away).send_waiting() == 1
    assert len(away.to(NORA)) == 1


def test_after_many_tries_it_is_given_up_with_the_reason(school: School) -> None:
    mail(school, ["nora"])
    with school.database.write() as session:
        session.execute(update(Invitation).values(tries=TRIES_MAX - 1))
    with pytest.raises(OSError, match="refused"):
        mailer(school, MailServer()).send_waiting()
    assert way_in(school, "nora")["way_in"] == "mail_failed"


def test_a_mail_that_may_have_arrived_is_not_sent_twice_by_itself(school: School, server: MailServer) -> None:
    server.breaks_off = True
    mail(school, ["nora"])
    mailer(school, server).send_waiting()
    server.breaks_off = False
    let_pass(school, timedelta(days=1))
    assert mailer(school, server).send_waiting() == 0
    assert way_in(school, "nora")["reason"] == UNCERTAIN
    assert accepting.look(school.database, code_in(server.mails[0])).name == "nora"  # it did arrive


def test_a_mail_that_a_recorder_died_over_is_not_sent_twice_by_itself(school: School, server: MailServer) -> None:
    mail(school, ["nora"])
    assert InvitationMails(school.database).claim("https://assay.school.test") is not None
    assert mailer(school, server).send_waiting() == 0
    let_pass(school, timedelta(minutes=11))
    assert mailer(school, server).send_waiting() == 0
    assert (way_in(school, "nora")["way_in"], way_in(school, "nora")["reason"]) == ("mail_failed", LOST)
    assert server.mails == []


def test_several_recorders_send_each_mail_once(school: School, server: MailServer) -> None:
    bring_in(school, "name,email\n" + "".join(f"n{number},n{number}@school.test\n" for number in range(20)))
    mail(school)
    at_once(4, lambda _: mailer(school, server).send_waiting())
    assert len(server.recipients) == 22
    assert len({whom[0] for whom in server.recipients}) == 22


def test_no_title_writes_a_header_or_ends_the_mail(school: School, server: MailServer) -> None:
    title = "Evil\r\nBcc: eve@evil.test\r\n\r\n.\r\nQUIT"
    with school.database.write() as session:  # as no form and no call would take it
        session.execute(update(Course).where(Course.slug == "demo").values(title=title))
    mail(school, ["nora"])
    mailer(school, server).send_waiting()
    (message,) = server.mails
    assert (message["Bcc"], server.recipients) == (None, [[NORA]])
    assert message["Subject"] == "Your invitation to Evil Bcc: eve@evil.test . QUIT"


@pytest.mark.parametrize("address", ["a:b@school.test", "a(b@school.test", "nora@school.test\r\nBcc: x@evil.test"])
def test_an_address_that_is_none_fails_with_a_sentence(school: School, server: MailServer, address: str) -> None:
    mail(school, ["nora"])
    with school.database.write() as session:
        session.execute(update(User).where(User.name == "nora").values(email=address))
    mailer(school, server).send_waiting()
    assert server.mails == []
    assert way_in(school, "nora")["reason"] == NO_ADDRESS


def test_encryption_and_password_are_not_optional(
    school: School, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = make_certificate(tmp_path)
    told = {"smtp_security": "starttls", "smtp_user": USER}
    with running(MailServer(), certificate) as server:
        mail(school, ["nora"])
        with pytest.raises(OSError, match="certificate verify failed"):
            mailer(school, server, **told, smtp_password=PASSWORD).send_waiting()
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        let_pass(school, timedelta(minutes=5))
        with pytest.raises(Exception, match="535"):
            mailer(school, server, **told, smtp_password="wrong").send_waiting()
        assert way_in(school, "nora")["reason"] == REFUSED
        let_pass(school, timedelta(minutes=5))
        mailer(school, server, **told, smtp_password=PASSWORD).send_waiting()
        assert server.recipients == [[NORA]]
    with running(MailServer()) as plain:
        mail(school, ["olaf"])
        with pytest.raises(Exception, match="STARTTLS"):
            mailer(school, plain, smtp_security="starttls").send_waiting()
        assert plain.mails == []


def test_a_new_invitation_ends_the_one_before_and_floods_nobody(school: School, server: MailServer) -> None:
    mail(school, ["nora"])
    mailer(school, server).send_waiting()
    assert "minutes ago" in mail(school, ["nora"]).json()["refused"][0]["reason"]
    let_pass(school, timedelta(minutes=11))
    assert mail(school, ["nora"]).json()["people"] == ["nora"]
    with pytest.raises(NotFound, match="only the newest works"):
        accepting.look(school.database, code_in(server.mails[0]))
    mailer(school, server).send_waiting()
    assert accepting.look(school.database, code_in(server.mails[1])).name == "nora"


def test_a_revoked_invitation_opens_nothing_and_a_waiting_mail_is_not_sent(school: School, server: MailServer) -> None:
    (slip,) = slips(school, ["nora"]).json()["items"]
    grace = school.client("grace")
    assert grace.delete("/courses/demo/invitations/nora").status_code == 204
    assert grace.delete("/courses/demo/invitations/nora").status_code == 404
    with pytest.raises(NotFound):
        accepting.accept(school.database, slip["code"], 365)
    mail(school, ["olaf"])
    grace.delete("/courses/demo/invitations/olaf")
    assert mailer(school, server).send_waiting() == 0
    assert mail(school).json()["people"] == []  # whoever was revoked is invited by name only


def test_an_invitation_ends(school: School) -> None:
    (slip,) = slips(school, ["nora"]).json()["items"]
    let_pass(school, timedelta(days=15))
    with pytest.raises(Forbidden, match=r"expired at \d+ \w{3} 20\d\d, \d\d:\d\d UTC"):
        accepting.look(school.database, slip["code"])
    assert way_in(school, "nora")["way_in"] == "expired"


def test_who_has_left_the_roster_does_not_get_in(school: School) -> None:
    (slip,) = slips(school, ["nora"]).json()["items"]
    with school.database.write() as session:
        user = session.scalars(select(User).where(User.name == "nora")).one()
        session.delete(session.scalars(select(Enrollment).where(Enrollment.user_id == user.id)).one())
    with pytest.raises(Forbidden, match="no longer on the roster"):
        accepting.accept(school.database, slip["code"], 365)


def test_an_instructor_prints_only_for_accounts_of_this_course_alone(school: School) -> None:
    school.add("eve", Role.INSTRUCTOR, "elsewhere")
    (held,) = slips(school, ["nora"]).json()["items"]
    bring_in(school, "name\nnora\n", "eve", "elsewhere")
    refused = slips(school, ["nora"], "eve", "elsewhere").json()
    assert (refused["items"], "not this course's alone" in refused["refused"][0]["reason"]) == ([], True)
    with pytest.raises(Forbidden, match="in another course too by now"):
        accepting.accept(school.database, held["code"], 365)
    (printed,) = slips(school, ["nora"], "root").json()["items"]
    assert accepting.accept(school.database, printed["code"], 365).user.name == "nora"


class Names(list[str]):
    """Counts how often somebody goes through it."""

    times = 0

    def __iter__(self) -> Iterator[str]:
        self.times += 1
        return super().__iter__()


def test_names_are_not_gone_through_for_each_person_of_the_course(school: School) -> None:
    for number in range(10):
        school.add(f"student{number}")
    names = Names(["nora"])
    with school.database.read() as session:
        grace = session.scalars(select(User).where(User.name == "grace")).one()
    service.print_slips(school.database, grace, "demo", names, address="", days=1)
    assert 0 < names.times < 5


def test_a_mail_goes_to_the_accounts_own_address_whatever_another_course_calls_it(
    school: School, server: MailServer
) -> None:
    school.add("eve", Role.INSTRUCTOR, "elsewhere")
    bring_in(school, "name\nnora\n", "eve", "elsewhere")
    with school.database.write() as session:  # what the roster of her course says
        elsewhere = select(Course.id).where(Course.slug == "elsewhere").scalar_subquery()
        mine = update(Enrollment).where(Enrollment.course_id == elsewhere, Enrollment.role == Role.STUDENT)
        session.execute(mine.values(email="eve@evil.test"))
    assert mail(school, ["nora"], "eve", "elsewhere").json()["people"] == ["nora"]
    mailer(school, server).send_waiting()
    assert server.recipients == [[NORA]]


def test_two_people_with_one_code_at_the_same_moment_are_one(school: School) -> None:
    (slip,) = slips(school, ["nora"]).json()["items"]

    def take(_: int) -> str:
        try:
            return accepting.accept(school.database, slip["code"], 365).user.name
        except Forbidden:
            return "refused"

    assert sorted(at_once(5, take)) == ["nora", *["refused"] * 4]


def test_without_a_mail_server_nothing_is_promised(settings: ApiSettings, redis: RedisProcess) -> None:
    for school in open_school(settings, redis):
        bring_in(school, ROSTER)
        refused = mail(school)
        assert (refused.status_code, "Print the invitations" in refused.json()["detail"]) == (409, True)


def test_an_erased_person_has_no_invitation(school: School) -> None:
    (slip,) = slips(school, ["nora"]).json()["items"]
    erase_person(school.database, "nora", accounts.console())
    with pytest.raises(NotFound):
        accepting.look(school.database, slip["code"])


def test_codes_are_long_and_typed_as_people_type() -> None:
    code = new_code()
    assert len(code.replace("-", "")) == 20
    assert digest_of("O0Il1-") == digest_of("00111")
    assert digest_of(f" {code.lower()} ") == digest_of(code)
