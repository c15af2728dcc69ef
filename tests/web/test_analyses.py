"""Analyses that readers ask for: what they find, that they are kept, and that they are bounded."""

import logging
import os
import signal
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from multiprocessing import active_children

import msgspec
import pytest
from analysis_cases import FullShelf, findings
from store_servers import until
from viewer_cases import FORFEITS

from arena.analysis.values import PLAYOUTS
from arena.bench.site import house_match
from arena.store.errors import StoreUnavailableError
from arena.web.viewer.analysis import analyses as place
from arena.web.viewer.analysis.analyses import (
    MAX_QUEUED,
    MAX_QUEUED_OF_ONE,
    Analyses,
    Progress,
    Shelf,
    TooManyAnalysesError,
)

SHORT = house_match("koikoi", "short", options={"months": 1})
BROKEN = msgspec.structs.replace(SHORT, packed=b"\xff" * len(SHORT.packed))


@asynccontextmanager
async def analyses_of(shelf: Shelf | None = None) -> AsyncIterator[Analyses]:
    async with aclosing(Analyses(shelf, idle=False)) as analyses:
        yield analyses


async def worked_off(analyses: Analyses, match: str) -> None:
    await until(lambda: analyses.stands(match).progress is None, f"the analysis of {match}")


class Hours:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


async def test_what_is_found_is_what_the_command_finds_and_outlives_the_process() -> None:
    shelf = FullShelf()
    async with analyses_of(shelf) as analyses:
        assert await analyses.findings("short", "koikoi") is None
        analyses.ask("short", SHORT, "ann")
        progress = analyses.stands("short").progress
        assert progress is not None
        assert (progress.done, progress.decisions, progress.ahead) == (0, SHORT.decisions, 0)
        await worked_off(analyses, "short")
        found = await analyses.findings("short", "koikoi")
        assert found == findings(SHORT, PLAYOUTS)
    async with analyses_of(shelf) as after_a_restart:
        assert await after_a_restart.findings("short", "koikoi") == found


async def test_a_process_that_is_killed_is_replaced_and_nothing_is_lost() -> None:
    before = active_children()
    async with analyses_of() as analyses:
        analyses.ask("short", SHORT, "ann")
        await until(lambda: (analyses.stands("short").progress or Progress(0, 0, 0)).done > 0, "some decisions")
        [worker] = [child for child in active_children() if child not in before]
        assert worker.pid is not None
        os.kill(worker.pid, signal.SIGKILL)
        await worked_off(analyses, "short")
        assert await analyses.findings("short", "koikoi") == findings(SHORT, PLAYOUTS)
        assert not analyses.stands("short").has_failed


async def test_everything_else_goes_before_the_process_that_analyses() -> None:
    before = active_children()
    async with aclosing(Analyses()) as analyses:
        analyses.ask("short", SHORT, "ann")
        await until(lambda: not set(active_children()) <= set(before), "the process")
        [worker] = set(active_children()) - set(before)
        assert worker.pid is not None
        await until(lambda: os.getpriority(os.PRIO_PROCESS, worker.pid or 0) == 19, "its priority")


async def test_a_match_that_cannot_be_analysed_keeps_nobody_waiting(caplog: pytest.LogCaptureFixture) -> None:
    async with analyses_of() as analyses:
        analyses.ask("broken", BROKEN, "ann")
        analyses.ask("short", SHORT, "bo")
        assert analyses.stands("short").progress == (0, SHORT.decisions, 1)
        await worked_off(analyses, "short")
        assert analyses.stands("broken").has_failed
        assert await analyses.findings("broken", "koikoi") is None
        assert await analyses.findings("short", "koikoi") is not None
        analyses.ask("broken", BROKEN, "ann")
        assert analyses.stands("broken").progress is None, "it is not tried again and again"
    assert "match short cannot be analysed" in caplog.text


async def test_a_store_that_does_not_answer_costs_the_keeping_alone(caplog: pytest.LogCaptureFixture) -> None:
    class Away(FullShelf):
        async def keep_analysis(self, replay: str, value: str, analysis: bytes) -> None:
            raise StoreUnavailableError("nowhere", 5, "no answer")

    async with analyses_of(Away()) as analyses:
        with caplog.at_level(logging.WARNING):
            analyses.ask("short", SHORT, "ann")
            await worked_off(analyses, "short")
        assert await analyses.findings("short", "koikoi") is not None
    assert "an analysis is not kept: the store at nowhere did not answer" in caplog.text


async def test_a_visitor_has_a_share_of_the_queue_and_the_queue_an_end() -> None:
    async with analyses_of() as analyses:
        for number in range(MAX_QUEUED_OF_ONE):
            analyses.ask(f"a{number}", SHORT, "ann")
        with pytest.raises(TooManyAnalysesError, match="analysed first"):
            analyses.ask("one more", SHORT, "ann")
        analyses.ask("a0", SHORT, "ann")  # it is in the queue already
        for number in range(MAX_QUEUED - MAX_QUEUED_OF_ONE):
            analyses.ask(f"b{number}", SHORT, f"visitor {number}")
        with pytest.raises(TooManyAnalysesError, match="Many matches wait"):
            analyses.ask("too many", SHORT, "zed")
        last = analyses.stands(f"b{MAX_QUEUED - MAX_QUEUED_OF_ONE - 1}").progress
        assert last is not None
        assert last.ahead == MAX_QUEUED - 1


async def test_a_visitor_has_so_many_an_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place, "MAX_HOURLY", 2)
    clock = Hours()
    async with aclosing(Analyses(clock=clock, idle=False)) as analyses:
        analyses.ask("first", BROKEN, "ann")
        analyses.ask("second", BROKEN, "ann")
        await worked_off(analyses, "second")
        with pytest.raises(TooManyAnalysesError, match="within the hour"):
            analyses.ask("third", SHORT, "ann")
        analyses.ask("third", SHORT, "bo")
        clock.now = 3_601
        analyses.ask("fourth", SHORT, "ann")


async def test_every_variant_has_an_analysis_and_a_forfeited_match_too() -> None:
    for record in FORFEITS.values():
        found = findings(record, 20)
        assert len(found.luck) == len(record.names)
        assert all(one.number <= record.decisions for one in found.judged)
