"""The site in Chromium: how soon a match is ready to step in, and how much is sent for it."""

import statistics
from typing import Any

from arena.bench import Result, say, web_large, web_league, web_visitors
from arena.bench.chromium import chromium, required_chromium
from arena.bench.site import house_match, site
from arena.web.viewer.routes import replay_routes
from arena.web.viewer.sources import source_of
from core_ext import VARIANTS

RUNS = 5
_KIB = 1024
_READY_AND_DRAWN = """(async () => {
  const noted = (type, name) => new Promise((done) => new PerformanceObserver((list) => {
    const found = list.getEntries().find((one) => name.test(one.name));
    if (found) done(found);
  }).observe({ type, buffered: true }));
  const ready = await noted("mark", /^viewer-ready$/);
  await noted("resource", /cards.svg$/);
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return [ready.startTime, performance.now()];
})()"""
"""Evaluated by the browser itself: Playwright's own waiting brings a script to the page that takes time from it."""


def measure() -> list[Result]:
    """`web.match`: medians of `RUNS` first visits to matches of twelve months, the arena's part of the work included.

    Each run has a server that has not shown the match and a browser that has kept nothing. A match is ready when its
    page takes steps; `.drawn` is when a frame with all of its cards is over as well. `.cpu` is the processor time that
    the page's process has taken by then, which says more on a busy machine. `.size` is all that is sent for such a
    visit, compressed as it is, for the variant with the most.
    """
    required_chromium()  # before minutes of other measurements
    arena = [*web_league.measure(), *web_visitors.measure(), *web_large.measure()]
    medians: dict[str, list[float]] = {}
    sizes: dict[str, float] = {}
    records = {variant: house_match(variant, f"match-{variant}") for variant in VARIANTS}
    with chromium() as browser:
        for variant, record in records.items():
            say(f"a replay of {variant} in Chromium")
            visits: list[tuple[float, float, float]] = []
            for _ in range(RUNS):
                with site(replay_routes(source_of([record]))) as address:
                    page = browser.new_page()
                    session = page.context.new_cdp_session(page)
                    session.send("Network.enable")
                    session.send("Performance.enable")
                    sent: list[float] = []

                    def count(event: dict[str, Any], sent: list[float] = sent) -> None:
                        sent.append(event["encodedDataLength"])

                    session.on("Network.loadingFinished", count)
                    page.goto(f"{address}/replays/{record.match_id}", wait_until="commit")
                    asked = {"expression": _READY_AND_DRAWN, "awaitPromise": True, "returnByValue": True}
                    ready_ms, drawn_ms = session.send("Runtime.evaluate", asked)["result"]["value"]
                    metrics = {
                        metric["name"]: metric["value"] for metric in session.send("Performance.getMetrics")["metrics"]
                    }
                    visits.append((ready_ms / 1000, drawn_ms / 1000, metrics["ProcessTime"]))
                    page.wait_for_load_state("networkidle")
                    sizes[variant] = sum(sent) / _KIB
                    page.context.close()
            medians[variant] = list(map(statistics.median, zip(*visits, strict=True)))
    ready, drawn, cpu = map(max, zip(*medians.values(), strict=True))
    return [
        *arena,
        Result("web.match", ready, "s"),
        *(Result(f"web.match.{variant}", times[0], "s") for variant, times in medians.items()),
        Result("web.match.drawn", drawn, "s"),
        Result("web.match.cpu", cpu, "s"),
        Result("web.match.size", max(sizes.values()), "KiB"),
    ]
