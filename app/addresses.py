"""Decides which network addresses count as one client."""

from ipaddress import IPv6Address, ip_address
from typing import Final

IPV6_HOST_BITS: Final = 64  # one household or one machine has all of these addresses


def origin(host: str) -> str:
    """Returns the IPv4 address, or the network of an IPv6 address, by which a client is counted."""
    try:
        address = ip_address(host)
    except ValueError:
        return host[:100]
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(IPv6Address(int(address) >> IPV6_HOST_BITS << IPV6_HOST_BITS))
