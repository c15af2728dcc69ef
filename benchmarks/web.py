"""The site in Chromium: how soon a match is ready to step in, and how much is sent for it."""

import statistics
from typing import Any

from arena.web.viewer.routes import replay_routes
from benchmarks import Result, say, web_league, web_readers
from benchmarks.chromium import chromium
from benchmarks.site import Matches, house_match, site
from core_ext import VARIANTS

RUNS = 5
_KIB = 1024


def measure() -> list[Result]:
    """`web.match`: medians of `RUNS` first visits to matches of twelve months, the arena's part of the work included.

    Each run has a server that has not shown the match and a browser that has kept nothing. `web.match.cpu` is the
    processor time that the page's process has taken by then, which says more on a busy machine. `web.match.size` is all
    that is sent for such a visit, compressed as it is, for the variant with the most.
    """
    arena = [*web_league.measure(), *web_readers.measure()]
    times: dict[str, float] = {}
    cpu: dict[str, float] = {}
    sizes: dict[str, float] = {}
    records = {variant: house_match(variant, f"match-{variant}") for variant in VARIANTS}
    with chromium() as browser:
        for variant, record in records.items():
            say(f"a replay of {variant} in Chromium")
            seconds, cpu_seconds = [], []
            for _ in range(RUNS):
                with site(replay_routes(Matches([record]))) as address:
                    page = browser.new_page()
                    session = page.context.new_cdp_session(page)
                    session.send("Network.enable")
                    session.send("Performance.enable")
                    sent: list[float] = []

                    def count(event: dict[str, Any], sent: list[float] = sent) -> None:
                        sent.append(event["encodedDataLength"])

                    session.on("Network.loadingFinished", count)
                    page.goto(f"{address}/replays/{record.match_id}")
                    page.wait_for_selector("#viewer[data-ready]")
                    seconds.append(page.evaluate("performance.getEntriesByName('viewer-ready')[0].startTime") / 1000)
                    metrics = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
                    cpu_seconds.append(metrics["ProcessTime"])
                    page.wait_for_load_state("networkidle")
                    sizes[variant] = sum(sent) / _KIB
                    page.context.close()
            times[variant] = statistics.median(seconds)
            cpu[variant] = statistics.median(cpu_seconds)
    return [
        *arena,
        Result("web.match", max(times.values()), "s"),
        *(Result(f"web.match.{variant}", value, "s") for variant, value in times.items()),
        Result("web.match.cpu", max(cpu.values()), "s"),
        Result("web.match.size", max(sizes.values()), "KiB"),
    ]
