"""A short walk over the site in both languages: what pages weigh, what is wrong with their layout, dead links.

`make walk` is the long one.
"""

import re
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

from site_client import PAGES, SiteUnderTest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PATIENCE_MS = 200_000
PREFIXES = ("", "/ja")
WALKED = [path for path in PAGES if not path.startswith(("/docs/", "/rules/"))] + ["/rules/koikoi", "/learn", "/play"]
MAX_REQUESTS = 12
MAX_BYTES = 60_000
MIN_TARGET = 44

FAULTS = (Path(__file__).parent / "page_faults.js").read_text()
SENT = """() => {
  const entries = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
  return {
    requests: entries.length,
    bytes: entries.reduce((sum, one) => sum + one.encodedBodySize, 0),
    elsewhere: entries.map((one) => one.name).filter((name) => !name.startsWith(location.origin)),
  };
}"""


def test_every_page_is_light_fits_and_can_be_hit_in_each_language(browser: "Browser", site: SiteUnderTest) -> None:
    faults: list[str] = []

    def fault(error: object) -> None:
        faults.append(f"{address}: {error}")

    for prefix in PREFIXES:
        for path in WALKED:
            address = f"{prefix}{path}" if path != "/" else f"{prefix}/"
            page = browser.new_page(
                viewport={"width": 390, "height": 844}, color_scheme="dark", has_touch=True, is_mobile=True
            )
            page.set_default_timeout(PATIENCE_MS)
            page.on("pageerror", fault)
            answer = page.goto(f"http://127.0.0.1:{site.port}{address}", wait_until="load")
            assert answer is not None
            sent = page.evaluate(SENT)
            if sent["requests"] > MAX_REQUESTS or sent["bytes"] > MAX_BYTES:
                faults.append(f"{address}: {sent['requests']} requests, {sent['bytes']} bytes")
            faults += [f"{address} asks {one}" for one in sent["elsewhere"]]
            for width in (390, 1280, 1440):
                page.set_viewport_size({"width": width, "height": 844})
                faults += [f"{address} at {width}: {one}" for one in page.evaluate(FAULTS, MIN_TARGET)]
            if answer.status != 200:
                faults.append(f"{address}: {answer.status}")
            page.close()
    assert not faults, "\n".join(faults)


def test_every_link_of_every_page_is_alive(site: SiteUnderTest) -> None:
    links: dict[str, str] = {}
    for prefix in PREFIXES:
        for path in WALKED:
            address = f"{prefix}{path}" if path != "/" else f"{prefix}/"
            for link in re.findall(r'(?:href|src)="(/[^"#]*)', site.get(address).text):
                links.setdefault(unescape(link), address)
    assert len(links) > 100
    dead = {link: found_on for link, found_on in links.items() if site.get(link).status not in (200, 303, 307)}
    assert not dead
