"""What the chaos run checks: no lease is lost without a blow, and nothing is left in the store."""

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arena.store import Client

GRACE_S = 2.0
"""How long after a blow a lease may still be lost by it, beyond the time of a lease."""
JOB_KEY = re.compile(r":(jobs|backlog|stage|claims|parked|journal)(:|$)")
TAKEOVER = re.compile(
    r"^(?P<when>\d+-\d+-\d+ \d+:\d+:\d+),\d+ .* \S+?\.(?P<taker>\d+)\.\w+ takes over .+, whose lease ran out, "
    r"from \S+?\.(?P<owner>\d+)\.\w+$",
    re.MULTILINE,
)
"""The line of a node's log that tells of a job taken from an owner whose lease ran out."""


@dataclass(frozen=True)
class Blow:
    """What was hit, and from when until when (`time.time`) it may cost somebody a lease."""

    kind: str
    name: str
    pid: int
    began: float
    ended: float
    lease_s: float

    def explains(self, owner: int, earliest: float, latest: float) -> bool:
        """Whether a process could lose a lease at such a time by this blow: one that is dead renews none any more."""
        if self.kind == "kill node" and self.pid == owner:
            return self.began - 1 <= latest
        if self.kind == "kill store" or self.pid == owner:
            return self.began - 1 <= latest and earliest <= self.ended + self.lease_s + GRACE_S
        return False

    def stopped(self, pid: int, when: float) -> bool:
        """Whether a process was stopped at a time, or has just gone on."""
        return self.kind == "stop node" and self.pid == pid and self.began - 1 <= when <= self.ended + GRACE_S


def unexplained(log: str, blows: Sequence[Blow]) -> Iterator[str]:
    """The losses of a lease, by a node's log, that no blow explains: neither to the owner nor to the store.

    A node that is stopped between the store's answer and its log tells of it when it goes on.
    """
    for line in TAKEOVER.finditer(log):
        said = time.mktime(time.strptime(line["when"], "%Y-%m-%d %H:%M:%S"))
        stops = [blow.began for blow in blows if blow.stopped(int(line["taker"]), said)]
        if not any(blow.explains(int(line["owner"]), min(stops, default=said), said) for blow in blows):
            yield line[0]


async def leftovers(redis: str) -> list[str]:
    """The keys of the store that hold jobs, leases or journals; there are none once every league is finished."""
    client = await Client.connect(redis)
    try:
        keys = [key.decode() for key in await client.call("KEYS", "hfa:{*")]
    finally:
        await client.close()
    return sorted(key for key in keys if JOB_KEY.search(key))
