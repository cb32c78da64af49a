"""Steps of tests about invitations: a roster of newcomers, the mailer, a code from a mail."""

import re
from datetime import timedelta
from email.message import EmailMessage
from typing import Any

from sqlalchemy import select, update

from app.invitations.mailing import InvitationMails
from app.mail.mailer import Mailer
from app.metrics import RecorderMetrics
from app.models import Invitation, User, now
from app.settings import RecorderSettings
from tests.app.mail_server import MailServer
from tests.app.school import School

ROSTER = "name,full_name,email,role\nnora,Nora Ní,nora@school.test,student\nolaf,Olaf,olaf@school.test,assistant\n"


def bring_in(school: School, roster: str = ROSTER, who: str = "grace", course: str = "demo") -> None:
    client, file = school.client(who), {"file": ("roster.csv", roster.encode())}
    plan = client.post(f"/courses/{course}/roster/preview", files=file).json()
    assert plan["refused"] == []
    client.post(f"/courses/{course}/roster", files=file, data={"digest": plan["digest"]}).raise_for_status()


def mailer(school: School, server: MailServer, **changes: Any) -> Mailer:
    settings = RecorderSettings.model_validate(
        {
            "database_url": school.database.engine.url.render_as_string(hide_password=False),
            "redis_url": "redis://127.0.0.1:1/0",
            "smtp_host": "127.0.0.1",
            "smtp_port": server.port,
            "smtp_security": "none",
            "mail_from": "assay@school.test",
            "public_url": "https://assay.school.test",
            **changes,
        }
    )
    return Mailer(settings, RecorderMetrics(), (InvitationMails(school.database),))


def mail(school: School, people: list[str] | None = None, who: str = "grace", course: str = "demo") -> Any:
    return school.client(who).post(f"/courses/{course}/invitations/mail", json={"people": people})


def slips(school: School, people: list[str] | None = None, who: str = "grace", course: str = "demo") -> Any:
    return school.client(who).post(f"/courses/{course}/invitations/slips", json={"people": people})


def way_in(school: School, name: str, who: str = "grace", course: str = "demo") -> dict[str, Any]:
    people = school.client(who).get(f"/courses/{course}/roster").json()["items"]
    found: dict[str, Any] = next(person["access"] for person in people if person["name"] == name)
    return found


def code_in(message: EmailMessage) -> str:
    found = re.search(r"https://assay\.school\.test/code#([0-9A-Z-]+)\s", message.get_content())
    assert found, message.get_content()
    return found[1]


def let_pass(school: School, pause: timedelta) -> None:
    """As if so much time had passed for everything that waits."""
    with school.database.write() as session:
        for row in session.scalars(select(Invitation)):
            row.made_at -= pause
            row.expires_at -= pause
            row.next_try_at = row.next_try_at and row.next_try_at - pause


def use(school: School, name: str) -> None:
    with school.database.write() as session:
        session.execute(update(User).where(User.name == name).values(first_used_at=now()))
