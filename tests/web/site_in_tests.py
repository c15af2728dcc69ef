"""A site that runs in this process."""

import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import uvicorn
from starlette.routing import BaseRoute

from arena.web.app import create_app


@contextmanager
def serving(routes: Sequence[BaseRoute]) -> Iterator[str]:
    """The address of a real server on loopback with these pages."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(uvicorn.Config(create_app(routes), log_level="critical", lifespan="off"))
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()
