"""Who visits: what one visitor asks for takes only a share of what there is for all."""

import ipaddress

from starlette.requests import Request


def visitor(request: Request) -> str:
    """Whose request it is, by its address."""
    return network(request.client.host) if request.client else ""


def network(address: str) -> str:
    """Return whose address it is: of IPv6 a network of 64 bits, of which a visitor has every address."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    return str(ipaddress.ip_network((parsed, 64), strict=False)) if parsed.version == 6 else address
