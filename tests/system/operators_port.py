"""A node's port for operators as a test asks it."""

import signal
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

import psutil
from arena_command import DEADLINE_S
from prometheus_client.parser import text_string_to_metric_families


def asked(url: str | urllib.request.Request) -> tuple[int, str]:
    """Status and text of an answer."""
    try:
        with urllib.request.urlopen(url, timeout=DEADLINE_S) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def metrics(url: str) -> dict[str, float]:
    """All samples, by name and labels as Prometheus writes them."""
    families = text_string_to_metric_families(asked(f"{url}/metrics")[1])
    return {
        sample.name + "".join(f" {name}={value}" for name, value in sorted(sample.labels.items())): sample.value
        for family in families
        for sample in family.samples
    }


@contextmanager
def stopped(process: psutil.Process) -> Iterator[None]:
    """The process does nothing while the body runs."""
    process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        process.send_signal(signal.SIGCONT)
