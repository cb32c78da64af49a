"""TLS and proxies that stand in the way: told in words, with what to do."""

import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.engine.conftest import Student
from tests.patience import PATIENCE_S


@contextmanager
def answering(answer: Callable[[socket.socket], None]) -> Iterator[int]:
    """A server's port, at which each connection is answered so."""

    def serve() -> None:
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:  # closed: the test is over
                return
            with connection:
                connection.settimeout(PATIENCE_S)
                answer(connection)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = Thread(target=serve)
        thread.start()
        try:
            yield listening.getsockname()[1]
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            thread.join()


def without_tls(connection: socket.socket) -> None:
    connection.recv(4096)
    connection.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")


def as_a_proxy_that_asks_for_a_password(connection: socket.socket) -> None:
    connection.recv(4096)
    connection.sendall(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")


def with_a_certificate_of_its_own(folder: Path) -> Callable[[socket.socket], None]:
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "assay")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), now, now + timedelta(1))
    ).sign(key, hashes.SHA256())
    pem = folder / "own.pem"
    pem.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)

    def answer(connection: socket.socket) -> None:
        with pytest.raises(ssl.SSLError):  # the client hangs up
            context.wrap_socket(connection, server_side=True)

    return answer


def refusal(student: Student, server: str, **environment: str) -> str:
    student.environment |= {"ASSAY_SERVER": server} | environment
    result = student.invoke("challenges")
    assert result.exit_code == 3, result.output
    return result.stderr


def test_a_certificate_that_nobody_vouches_for(student: Student, tmp_path: Path):
    with answering(with_a_certificate_of_its_own(tmp_path)) as port:
        told = refusal(student, f"https://127.0.0.1:{port}")
    assert f"The certificate of https://127.0.0.1:{port} can't be trusted (self-signed certificate" in told
    assert "set SSL_CERT_FILE" in told


def test_https_to_a_server_without_tls(student: Student):
    with answering(without_tls) as port:
        told = refusal(student, f"https://127.0.0.1:{port}")
    assert f"No secure connection to https://127.0.0.1:{port} could be made" in told
    assert "begins with http://" in told


def test_a_proxy_that_lets_nobody_through(student: Student):
    with answering(as_a_proxy_that_asks_for_a_password) as port:
        told = refusal(student, "https://assay.example", HTTPS_PROXY=f"http://127.0.0.1:{port}")
    assert "The proxy refused the connection to https://assay.example (407 Proxy Authentication" in told
    assert "Check HTTPS_PROXY" in told


def test_a_proxy_that_does_not_answer(student: Student):
    with answering(without_tls) as port:
        pass  # nobody listens there any more
    told = refusal(student, "https://assay.example", HTTPS_PROXY=f"http://ada:secret@127.0.0.1:{port}")
    assert f"The proxy 127.0.0.1:{port} on the way to https://assay.example is not answering" in told
    assert "Check HTTPS_PROXY" in told
    assert "secret" not in told
