"""The command line: `arena …`."""

import signal


def main() -> None:
    """Run the command line. As long as it only loads, Ctrl-C ends it at once: no traceback out of an import."""
    interrupted = signal.getsignal(signal.SIGINT)
    if interrupted is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from arena.node.process import collect_rarely, configure_grpc

    collect_rarely()
    configure_grpc()
    from arena.cli.app import main as run

    signal.signal(signal.SIGINT, interrupted)
    run()


__all__ = ["main"]
