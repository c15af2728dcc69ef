"""What the chaos run checks: no lease is lost without a blow, and nothing is left in the store."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.store import Store

GRACE_S = 2.0
"""How long after a blow a lease may still be lost by it, beyond the time of a lease."""
STRAYED_S = 10.0
"""How far apart two nodes tell of a job that was handed over in vain."""
_STRAYED = "could not be handed over, and waits for its lease"
JOB_KEY = re.compile(rb":(jobs|backlog|stage|claims|parked|journal)(:|$)")


@dataclass
class Blow:
    """What was done, and from when until when (`time.time`) it may cost somebody a lease: these processes, or anybody.

    Who is killed renews no lease any more, and jobs that it was just handing over reach nobody: they are lost to the
    node in whose name they were already.
    """

    kind: str
    pids: frozenset[int] | None
    began: float
    ended: float
    lease_s: float
    kills: bool = False

    def explains(self, owner: int, earliest: float, latest: float) -> bool:
        """Whether a process could lose a lease at such a time by this blow."""
        hits = self.pids is None or owner in self.pids
        if not hits and not self.kills:
            return False
        if hits and self.kills and self.pids is not None and self.began - 1 <= latest:
            return True
        return self.began - 1 <= latest and earliest <= self.ended + self.lease_s + GRACE_S

    def stopped(self, pid: int, when: float) -> bool:
        """Whether a process was stopped at a time, or has just gone on."""
        hit = self.pids is None or pid in self.pids
        return hit and not self.kills and self.began - 1 <= when <= self.ended + GRACE_S


def unexplained(events: Iterable[Mapping[str, Any]], blows: Sequence[Blow]) -> Iterator[str]:
    """The losses of a lease, by the events of all nodes' logs, that no blow explains: neither to the owner nor to all.

    A node that is stopped between the store's answer and its log tells of it when it goes on. A job that did not reach
    the node to which it was handed over has its lease lost too, and the node that gave it away tells of that.
    """
    known = list(events)
    strayed = [(_name(event["message"]), event["seconds"]) for event in known if _STRAYED in event["message"]]
    for event in known:
        if event["event"] != "take_over":
            continue
        if any(job == _name(event["job"]) and abs(event["seconds"] - when) < STRAYED_S for job, when in strayed):
            continue
        said, taker, owner = event["seconds"], _pid(event["node"]), _pid(event["previous"])
        stops = [blow.began for blow in blows if blow.stopped(taker, said)]
        if not any(blow.explains(owner, min(stops, default=said), said) for blow in blows):
            yield event["message"]


def _name(job: str) -> str:
    """The job, without its fencing token and whatever is said of it."""
    return job.partition(" (fence")[0]


def _pid(node: str) -> int:
    """The process of a node, by its id."""
    return int(node.split(".")[-2])


async def leftovers(store: Store) -> list[str]:
    """The keys of the store that hold jobs, leases or journals; there are none once every league is finished."""
    return sorted(key.decode() for key in await keys(store, "hfa:{*") if JOB_KEY.search(key))


async def keys(store: Store, pattern: str) -> list[bytes]:
    """All keys of the store of a pattern, of each master of a cluster."""
    from redis.asyncio import RedisCluster

    redis = store._client.redis
    if isinstance(redis, RedisCluster):
        found: list[bytes] = await redis.keys(pattern, target_nodes=RedisCluster.PRIMARIES)
        return found
    return list(await redis.keys(pattern))
