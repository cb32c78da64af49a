"""A listening TCP socket, or a sentence that says why there is none."""

import resource
import socket

from assay.errors import CannotStart

BACKLOG = 2048


def listen(host: str, port: int) -> socket.socket:
    """Opens a port to listen on; 0 picks a free one. Raises CannotStart when it is taken or the host is not this
    machine's.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        raise CannotStart(
            f"Cannot listen on {host}:{port}: {error.strerror}.", "Choose another port; --port 0 picks a free one."
        ) from error


def allow_many_connections() -> None:
    """Raises the limit of open files as far as it goes: shells give a thousand, which one idle client can take."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def free_port() -> int:
    """A port on the loopback address that nobody has at this moment."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def address_of(listener: socket.socket) -> str:
    """`http://host:port`, as a browser on this machine wants it."""
    host, port = listener.getsockname()[:2]
    if host in ("0.0.0.0", "::"):  # noqa: S104 - read, not bound
        host = "127.0.0.1"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
