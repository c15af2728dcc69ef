"""What a form of this site sends."""

import asyncio
from collections.abc import Mapping
from urllib.parse import parse_qs

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

_LARGEST_BODY = 1024
_BODY_S = 10


async def form_of(request: Request) -> Mapping[str, str]:
    """What a form of this site sent; nobody else's is taken. HTTPException."""
    origin = request.headers.get("origin", "").partition("://")[2]
    if not origin or origin != request.headers.get("host"):
        raise HTTPException(403, "This can only be sent from a page of this site.")
    body = b""
    try:
        async with asyncio.timeout(_BODY_S):
            async for part in request.stream():
                body += part
                if len(body) > _LARGEST_BODY:
                    raise HTTPException(413)
        fields = parse_qs(body.decode("ascii"), max_num_fields=8)
    except TimeoutError as error:
        raise HTTPException(408) from error
    except (ValueError, ClientDisconnect) as error:
        raise HTTPException(400, "That is no form of this site.") from error
    return {name: values[0] for name, values in fields.items()}
