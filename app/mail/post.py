"""Talking to the mail server: a connection, a message, and what became of it in words for people."""

import smtplib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from email.message import EmailMessage
from enum import StrEnum
from typing import Final

from app.settings import RecorderSettings, SmtpSecurity

TIMEOUT_S: Final = 20.0
OK: Final = 250  # SMTP's
UNREACHABLE: Final = "The mail server cannot be reached."
REFUSED: Final = "The mail server refuses the service's own name or password. Tell whoever runs the service."
UNCERTAIN: Final = "The connection broke while the mail was sent, so it may have arrived. If not, send it again."
NO_ADDRESS: Final = "This is not an address that mail can be sent to. Correct it on the roster."
SERVER_FAULTS: Final = (smtplib.SMTPException, OSError)  # ssl's errors are OSErrors


class MailOutcome(StrEnum):
    """What became of a message."""

    SENT = "sent"
    LATER = "later"  # refused for now: try again
    FAILED = "failed"


@dataclass(frozen=True)
class Posted:
    """The outcome of a message, with the reason. What the server wrote is not repeated: it may name anybody."""

    outcome: MailOutcome
    reason: str | None = None

    @property
    def may_have_arrived(self) -> bool:
        """Whether sending it again could send it twice."""
        return self.outcome is MailOutcome.SENT or self.reason == UNCERTAIN


@contextmanager
def connected(settings: RecorderSettings) -> Iterator[smtplib.SMTP]:
    """Opens a connection that is encrypted and, where it has a password, signed in. Raises SERVER_FAULTS."""
    server = _opened(settings)
    try:
        if settings.smtp_security is SmtpSecurity.STARTTLS:
            server.starttls(context=ssl.create_default_context())
        if settings.smtp_password is not None:
            server.login(settings.smtp_user, settings.smtp_password.get_secret_value())
        yield server
    finally:
        with suppress(*SERVER_FAULTS):
            server.quit()


def post(server: smtplib.SMTP, message: EmailMessage, sender: str, address: str) -> Posted:
    """Sends a message to one address. Where nobody can know whether it was taken, it counts as failed: it is not sent
    twice unless a person wants that.
    """
    try:
        server.send_message(message, sender, [address])
    except smtplib.SMTPRecipientsRefused as error:
        code, _ = error.recipients[address]
        return _refused(code)
    except smtplib.SMTPResponseException as error:
        return _refused(error.smtp_code)
    except smtplib.SMTPNotSupportedError:
        return Posted(MailOutcome.FAILED, "The mail server cannot send to an address with such letters.")
    except SERVER_FAULTS:
        return Posted(MailOutcome.FAILED, UNCERTAIN)
    return Posted(MailOutcome.SENT)


def is_alive(server: smtplib.SMTP) -> bool:
    """Whether the server takes another message on this connection. Servers limit how many they take on one."""
    try:
        code, _ = server.noop()
    except SERVER_FAULTS:
        return False
    return code == OK


def reason_of(error: Exception) -> str:
    """Returns why no connection could be used, in words."""
    return REFUSED if isinstance(error, smtplib.SMTPAuthenticationError) else UNREACHABLE


def _opened(settings: RecorderSettings) -> smtplib.SMTP:
    host, port = settings.smtp_host, settings.smtp_port
    name = settings.public_url.host if settings.public_url else None  # not what DNS calls this machine
    if settings.smtp_security is SmtpSecurity.TLS:
        return smtplib.SMTP_SSL(host, port, name, timeout=TIMEOUT_S, context=ssl.create_default_context())
    return smtplib.SMTP(host, port, name, timeout=TIMEOUT_S)


def _refused(code: int) -> Posted:
    if 400 <= code < 500:
        return Posted(
            MailOutcome.LATER, f"The mail server refused it for now (SMTP {code}). It is sent again by itself."
        )
    if code in (550, 551, 553):
        return Posted(
            MailOutcome.FAILED, f"The mail server knows no such address (SMTP {code}). Check it on the roster."
        )
    return Posted(
        MailOutcome.FAILED, f"The mail server refused it (SMTP {code}). Whoever runs this service can look why."
    )
