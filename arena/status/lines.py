"""A report on one screen."""

import time
from collections.abc import Iterator

from arena.status.report import Report
from arena.store.survey import Queue

_MAX_DIVISIONS = 12


def lines(report: Report) -> Iterator[str]:
    """Yield the lines of a report, warnings first."""
    for warning in report.warnings:
        yield f"WARNING  {warning}"
    if not report.warnings:
        yield "all is well"
    store = report.store
    limit = f" of {_size(store.memory_limit)}" if store.memory_limit else ""
    fsync = f"append-only file, fsync {store.appendfsync or '?'}" if store.append_only else "no append-only file"
    yield ""
    yield f"store    {store.name} {store.version}, {_size(store.memory)}{limit}, {fsync}, {1000 * store.ping_s:.1f} ms"
    yield f"         key schema {report.schema}"
    for node in report.nodes:
        state = "draining" if node.draining else f"up {_duration(time.time() - node.started_us / 1e6)}"
        yield (
            f"node     {node.id}  {node.version}  {state}, plays {node.playing}, {node.waiting} wait for a bot, "
            f"{node.bots} bots"
        )
        yield f"         {', '.join(node.addresses)}"
    queues = report.queues
    for queue in queues.divisions[:_MAX_DIVISIONS]:
        yield f"league   {queue.league}, {queue.variant}: {_waits_for(queue)}"
    if len(queues.divisions) > _MAX_DIVISIONS:
        yield f"         and {len(queues.divisions) - _MAX_DIVISIONS} more divisions"
    yield f"beside   {queues.singles} single matches open, {queues.versions} submissions to be qualified"


def _waits_for(queue: Queue) -> str:
    if queue.state != "running":
        return queue.state
    parts = [f"round {queue.round}, {queue.ready} jobs wait, {queue.leased} under way"]
    if queue.oldest_ready_s:
        parts.append(f"oldest waits {_duration(queue.oldest_ready_s)}")
    if queue.oldest_leased_s:
        parts.append(f"oldest under way for {_duration(queue.oldest_leased_s)}")
    return ", ".join(parts)


def _size(size: int) -> str:
    return f"{size / (1 << 20):.1f} MiB" if size < 1 << 30 else f"{size / (1 << 30):.1f} GiB"


def _duration(seconds: float) -> str:
    whole = max(0, round(seconds))
    for unit, length in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if whole >= length:
            return f"{whole / length:.1f} {unit}"
    return f"{whole} s"
