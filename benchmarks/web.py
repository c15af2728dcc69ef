"""The site in Chromium: how soon a match is ready to step in, and how much is sent for it."""

import statistics
from typing import Any

from arena.web.viewer.routes import replay_routes
from benchmarks import Result, web_league, web_readers
from benchmarks.chromium import chromium
from benchmarks.site import Matches, house_match, site
from core_ext import VARIANTS

RUNS = 7
_KIB = 1024


def measure() -> list[Result]:
    """`web.match`: medians of `RUNS` first visits to matches of twelve months, the arena's part of the work included.

    Each run has a server that has not shown the match and a browser that has kept nothing. `web.match.size` is all that
    is sent for such a visit, compressed as it is, for the variant with the most.
    """
    times: dict[str, float] = {}
    sizes: dict[str, float] = {}
    records = {variant: house_match(variant, f"match-{variant}") for variant in VARIANTS}
    with chromium() as browser:
        for variant, record in records.items():
            seconds = []
            for _ in range(RUNS):
                with site(replay_routes(Matches([record]))) as address:
                    page = browser.new_page()
                    session = page.context.new_cdp_session(page)
                    session.send("Network.enable")
                    sent: list[float] = []

                    def count(event: dict[str, Any], sent: list[float] = sent) -> None:
                        sent.append(event["encodedDataLength"])

                    session.on("Network.loadingFinished", count)
                    page.goto(f"{address}/replays/{record.match_id}")
                    page.wait_for_selector("#viewer[data-ready]")
                    seconds.append(page.evaluate("performance.getEntriesByName('viewer-ready')[0].startTime") / 1000)
                    page.wait_for_load_state("networkidle")
                    sizes[variant] = sum(sent) / _KIB
                    page.context.close()
            times[variant] = statistics.median(seconds)
    return [
        *web_league.measure(),
        *web_readers.measure(),
        Result("web.match", max(times.values()), "s"),
        *(Result(f"web.match.{variant}", value, "s") for variant, value in times.items()),
        Result("web.match.size", max(sizes.values()), "KiB"),
    ]
