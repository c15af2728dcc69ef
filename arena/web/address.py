"""The address that a site was asked at, which its pages name where a picture or a feed needs a whole one.

A page is made once for all who ask at one address. Who asks could name any, and have each page made anew for each: so
a site knows a few of them. At any other its pages name no host, and are the same for all who ask there.
"""

import re
import time

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

MAX_ADDRESSES = 8
IDLE_S = 3_600.0
"""How long after it was asked at last an address is known."""
_HOST = re.compile(r"[A-Za-z0-9._-]{1,253}(:[0-9]{1,5})?|\[[0-9A-Fa-f:.]{2,45}\](:[0-9]{1,5})?")
_IN_SCOPE = "site_address"


class AddressMiddleware:
    """Tells pages the address that the site was asked at, where it is one of those that it knows."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._asked_at: dict[str, float] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "http":
            scope = {**scope, _IN_SCOPE: self._address(Request(scope))}
        await self._app(scope, receive, send)

    def _address(self, request: Request) -> str:
        host, now = request.headers.get("host", ""), time.monotonic()
        if not _HOST.fullmatch(host):
            return ""
        address = f"{request.scope['scheme']}://{host.lower()}"
        if address not in self._asked_at:
            self._asked_at = {
                earlier: asked_at for earlier, asked_at in self._asked_at.items() if now - asked_at < IDLE_S
            }
            if len(self._asked_at) >= MAX_ADDRESSES:
                return ""
        self._asked_at[address] = now
        return address


def address_of(request: Request) -> str:
    """The address of the site in the request's language, without a slash at its end."""
    return f"{request.scope[_IN_SCOPE]}{request.scope.get('root_path', '')}"
