"""The headers that every answer carries: above all the Content-Security-Policy."""

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.web.language import LANGUAGES
from arena.web.language.choice import varies

EMBEDDED = "/embed/"
"""Pages under this path may stand in a frame of another site; no other page may."""

_FRAMED = tuple(f"{language.prefix}{EMBEDDED}" for language in LANGUAGES)
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors {ancestors}"
)
_ALWAYS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


class HeadersMiddleware:
    """Adds the headers. Answers may be kept, and are checked for changes (`no-cache`) unless a route says else."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        ancestors = "*" if scope["path"].startswith(_FRAMED) else "'none'"

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _ALWAYS.items():
                    headers[name] = value
                headers["vary"] = varies(scope["path"])
                headers["content-security-policy"] = _POLICY.format(ancestors=ancestors)
                headers.setdefault("cache-control", "no-cache")
            await send(message)

        await self._app(scope, receive, send_with_headers)
