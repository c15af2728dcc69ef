"""The command line: `arena …`."""

import gc
import signal


def main() -> None:
    """Run the command line. As long as it only loads, Ctrl-C ends it at once: no traceback out of an import."""
    interrupted = signal.getsignal(signal.SIGINT)
    if interrupted is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    gc.set_threshold(50_000, 20, 50)  # what is loaded is no garbage: looking through it takes a seventh of loading it
    from arena.node.process import configure_grpc

    configure_grpc()
    from arena.cli.app import main as run

    signal.signal(signal.SIGINT, interrupted)
    run()


__all__ = ["main"]
