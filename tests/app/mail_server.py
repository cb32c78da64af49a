"""A real SMTP server on a real socket, which keeps what it is sent and refuses what a test wants refused."""

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from ipaddress import ip_address
from pathlib import Path

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.app.redis_process import free_port

OK = "250 OK"
USER, PASSWORD = "assay", "marked-mail-password"


@dataclass
class MailServer:
    """What came, and how it answers: by address to RCPT, or once to the content of the next mail."""

    port: int = field(default_factory=free_port)
    mails: list[EmailMessage] = field(default_factory=list)
    recipients: list[list[str]] = field(default_factory=list)
    refusals: dict[str, str] = field(default_factory=dict)
    next_answer: str | None = None
    breaks_off: bool = False

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if address in self.refusals:
            return self.refusals[address]
        envelope.rcpt_tos.append(address)
        return OK

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 - and this
        assert isinstance(envelope.content, bytes)
        answer, self.next_answer = self.next_answer or OK, None
        if answer == OK:
            self.recipients.append(envelope.rcpt_tos)
            self.mails.append(message_from_bytes(envelope.content, _class=EmailMessage, policy=policy.default))
        if self.breaks_off:
            server.transport.abort()
        return answer

    def to(self, address: str) -> list[EmailMessage]:
        return [mail for mail, whom in zip(self.mails, self.recipients, strict=True) if whom == [address]]


def _allows(_server: SMTP, _session: Session, _envelope: Envelope, _how: str, said: object) -> AuthResult:
    assert isinstance(said, LoginPassword)
    is_right = (said.login, said.password) == (USER.encode(), PASSWORD.encode())
    return AuthResult(success=is_right, handled=False)


@contextmanager
def running(server: MailServer, certificate: Path | None = None) -> Iterator[MailServer]:
    """With a certificate, it takes nothing without STARTTLS and the password."""
    options = {}
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        options = {"tls_context": context, "require_starttls": True, "authenticator": _allows, "auth_required": True}
    controller = Controller(server, hostname="127.0.0.1", port=server.port, **options)
    controller.start()
    try:
        yield server
    finally:
        controller.stop()


def make_certificate(folder: Path) -> Path:
    """A certificate for 127.0.0.1 that nobody has signed, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    today = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(today - timedelta(days=1))
        .not_valid_after(today + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = folder / "mail.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    return path
