"""By which name a request may call this server, and what the server calls itself in addresses that it gives out."""

import re
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from app.problem_responses import response_to
from app.problems import BadRequest
from app.settings import LOCAL_HOSTS, ApiSettings

# Whoever watches over processes asks them by all kinds of names, and is told nothing that a name could change.
UNNAMED: Final = ("/healthz", "/readyz", "/metrics")
HOST: Final = re.compile(r"([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?")
SENTENCE: Final = (
    "This server is not known by that name. Use the address that your instructor gave you. "
    "For operators: ASSAY_PUBLIC_URL and ASSAY_ALLOWED_HOSTS set its names (docs/settings.md)."
)


def names_of(settings: ApiSettings) -> frozenset[str]:
    """Returns the host names under which requests may reach the server, besides the address at which they arrive."""
    public = settings.public_url.host if settings.public_url is not None else None
    further = (_bare(name.strip().lower()) for name in settings.allowed_hosts.split(","))
    return frozenset(filter(None, (*LOCAL_HOSTS, _bare(public or ""), *further)))


class KnownHosts:
    """Refuses requests that name a foreign host: another site's name may have been made to resolve to this address, and
    code that reads `Host` must never find a name that an attacker chose.
    """

    def __init__(self, app: ASGIApp, names: Iterable[str]) -> None:
        self.app = app
        self.names = frozenset(names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] not in UNNAMED and not self._is_ours(scope):
            await response_to(BadRequest(SENTENCE))(scope, receive, send)
            return
        await self.app(scope, receive, send)

    def _is_ours(self, scope: Scope) -> bool:
        given = Headers(scope=scope).getlist("host")
        if len(given) != 1:
            return False
        name = _name_in(given[0])
        arrived_at = (scope.get("server") or (None,))[0]
        return name is not None and (name in self.names or name == arrived_at)


def origin_of(request: Request, settings: ApiSettings) -> str:
    """Returns scheme and host of this server, as people reach it."""
    # Where no setting says so, by the name in the request, which was let in.
    return str(settings.public_url or request.base_url).rstrip("/")


def address_for(request: Request, settings: ApiSettings, route: str) -> str:
    """Returns the full address of one of our routes, for links that are opened elsewhere."""
    return f"{origin_of(request, settings)}{request.app.url_path_for(route)}"


def _name_in(host: str) -> str | None:
    """Without the port and brackets, in small letters; None when it is no host."""
    found = HOST.fullmatch(host.lower())
    return _bare(found[1]) if found else None


def _bare(name: str) -> str:
    """An IPv6 address without its brackets."""
    return name.removeprefix("[").removesuffix("]")


def is_for_this_machine_alone(address: str) -> bool:
    """Whether nobody can open an address from elsewhere."""
    return urlsplit(address).hostname in LOCAL_HOSTS
