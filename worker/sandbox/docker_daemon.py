"""The Docker daemon's client, and whose its containers are: each is labelled with the name of its runner."""

import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docker
from docker.errors import DockerException, NotFound

LABEL = "assay.runner"
_CALL_S = 30.0


class DockerClient(docker.APIClient):  # type: ignore[misc]  # the library has no types
    """The library's client. Raises DockerException when nobody listens at `url`."""

    def __init__(self, url: str, version: str) -> None:
        _require_daemon(url)
        super().__init__(base_url=url, version=version, timeout=_CALL_S)


def _require_daemon(url: str) -> None:
    """The library leaves a socket open when nobody listens, so that is found out before it is asked."""
    scheme, _, path = url.partition("://")
    if scheme == "unix":
        with socket.socket(socket.AF_UNIX) as probe:
            if probe.connect_ex(path) != 0:
                raise DockerException(f"nobody listens on {path}")


def runner_name(pid: int) -> str:
    """Names a runner by machine, number and time of its start, so that nobody else is ever taken for it."""
    return f"{socket.gethostname()}/{pid}/{_start_of(pid)}"


def _start_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except OSError:
        return ""


def remove_stale(client: Any) -> None:
    """Removes the containers of this machine whose runner was killed."""
    host = socket.gethostname()

    def is_stale(name: str) -> bool:
        machine, _, rest = name.partition("/")
        pid = rest.partition("/")[0]
        return machine == host and pid.isdigit() and name != runner_name(int(pid))

    remove_all(client, is_stale)


def remove_all(client: Any, is_chosen: Callable[[str], bool]) -> None:
    """Removes the containers of every runner whose name is chosen."""
    for container in client.containers(all=True, filters={"label": LABEL}):
        if is_chosen(container["Labels"][LABEL]):
            try:
                client.remove_container(container["Id"], v=True, force=True)
            except NotFound:
                continue
