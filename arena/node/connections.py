"""Who holds the connections of a node: where strangers take most of them, its log says who."""

import ipaddress
import logging
from collections import Counter
from collections.abc import Collection
from pathlib import Path

from arena.logs import event

_TABLES = ("/proc/net/tcp", "/proc/net/tcp6")
_ESTABLISHED = "01"
_SHOWN = 3
REPORT_EVERY_S = 60.0

log = logging.getLogger(__name__)


def holders(ports: Collection[int]) -> Counter[str]:
    """Return how many connections to these ports of this machine each address has; none where Linux does not say."""
    counts: Counter[str] = Counter()
    for table in _TABLES:
        try:
            lines = Path(table).read_text().splitlines()[1:]
        except OSError:  # no Linux, or no IPv6
            continue
        for line in lines:
            _, local, remote, state, *_ = line.split()
            if state == _ESTABLISHED and int(local.partition(":")[2], 16) in ports:
                counts[_address(remote.partition(":")[0])] += 1
    return counts


def report(ports: Collection[int], limit: int) -> None:
    """Say in the log who holds most connections, where more than half of as many as may be are taken."""
    counts = holders(ports)
    if 2 * counts.total() <= limit:
        return
    first = counts.most_common(_SHOWN)
    who = ", ".join(f"{address} {count}" for address, count in first)
    text = "%d of %d connections are taken; most by %s"
    event(log, logging.WARNING, "connections", text, counts.total(), limit, who, addresses=dict(first))


def _address(text: str) -> str:
    """Return an address as people write it: the kernel shows its words in the machine's order of bytes."""
    words = bytes.fromhex(text)
    address = ipaddress.ip_address(b"".join(words[start : start + 4][::-1] for start in range(0, len(words), 4)))
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(mapped or address)
