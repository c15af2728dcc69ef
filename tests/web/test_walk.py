"""A walk over the site in both languages: what pages weigh, what hangs out or is too small to hit, dead links."""

import re
from html import unescape
from typing import TYPE_CHECKING

from site_client import PAGES, SiteUnderTest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PATIENCE_MS = 200_000
PREFIXES = ("", "/ja")
WALKED = [path for path in PAGES if not path.startswith(("/docs/", "/rules/"))] + ["/rules/koikoi", "/learn", "/play"]
MOST_REQUESTS = 12
MOST_BYTES = 60_000
LEAST_TARGET = 24

FOUND = """() => {
  const entries = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
  const small = [...document.querySelectorAll("button, select, input:not([type=hidden]), summary, a.button, nav a")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest(".visually-hidden, .skip"))
    .map((one) => ({ text: one.outerHTML.slice(0, 120), box: one.getBoundingClientRect() }))
    .filter(({ box }) => box.width && Math.min(box.width, box.height) < LEAST - 0.1);
  return {
    requests: entries.length,
    bytes: entries.reduce((sum, one) => sum + one.encodedBodySize, 0),
    elsewhere: entries.map((one) => one.name).filter((name) => !name.startsWith(location.origin)),
    small: small.map(({ text, box }) => `${Math.round(box.width)} x ${Math.round(box.height)} ${text}`),
    wide: document.documentElement.scrollWidth - innerWidth,
  };
}""".replace("LEAST", str(LEAST_TARGET))


def test_every_page_is_light_fits_and_can_be_hit_in_each_language(browser: "Browser", site: SiteUnderTest) -> None:
    faults: list[str] = []

    def fault(error: object) -> None:
        faults.append(f"{address}: {error}")

    for prefix in PREFIXES:
        for path in WALKED:
            address = f"{prefix}{path}" if path != "/" else f"{prefix}/"
            page = browser.new_page(viewport={"width": 390, "height": 844}, color_scheme="dark", has_touch=True)
            page.set_default_timeout(PATIENCE_MS)
            page.on("pageerror", fault)
            answer = page.goto(f"http://127.0.0.1:{site.port}{address}", wait_until="load")
            assert answer is not None
            for width in (390, 1280, 1440):
                page.set_viewport_size({"width": width, "height": 844})
                found = page.evaluate(FOUND)
                if width == 390 and (found["requests"] > MOST_REQUESTS or found["bytes"] > MOST_BYTES):
                    faults.append(f"{address}: {found['requests']} requests, {found['bytes']} bytes")
                faults += [f"{address} at {width}: {one}" for one in (*found["elsewhere"], *found["small"])]
                if found["wide"] > 0:
                    faults.append(f"{address} at {width}: {found['wide']} pixels too wide")
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
