"""Our own addresses, as platforms are told them."""

from fastapi import Request

from app.hosts import address_for
from app.lti.schemas import OwnAddresses
from app.settings import ApiSettings


def own_addresses(request: Request, settings: ApiSettings) -> OwnAddresses:
    """Returns what a platform's administrator enters."""
    launch = address_for(request, settings, "lti_launch")
    return OwnAddresses(
        login_url=address_for(request, settings, "lti_login"),
        launch_url=launch,
        deep_link_url=launch.removesuffix("launch") + "deep-link",
        keyset_url=address_for(request, settings, "lti_keys"),
    )
