"""What programs read that walk the site: descriptions, the sitemap, the feed, documents' links."""

import json
import re
from html import unescape
from xml.etree import ElementTree

from site_client import PAGES, SiteUnderTest

from arena.web.site.rules import PAGES as DOCUMENTS
from core_ext import VARIANTS


def test_pages_tell_search_engines_and_who_shares_them_what_they_show(site: SiteUnderTest) -> None:
    names = {}
    for path in PAGES:
        text = site.get(path).text
        [title] = re.findall(r'<meta property="og:title" content="([^"]+)">', text)
        [about] = re.findall(r'<meta name="description" content="([^"]+)">', text)
        assert f'<meta property="og:description" content="{about}">' in text
        names[path] = unescape(title), unescape(about)
    [winner, *_] = json.loads(site.get("/api/v1/leagues/spring/table").body)["tables"][0]["rows"]
    assert names["/leagues/spring"][0] == "spring"
    assert f"Winner in koikoi: {winner['bot']}." in names["/leagues/spring"][1]
    assert names["/bots/bot-1"][1].startswith("bot-1, a bot")
    urls = ElementTree.fromstring(site.get("/sitemap.xml").body).iter(
        "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"
    )
    addresses = [url.text.removeprefix(f"http://127.0.0.1:{site.port}") for url in urls]
    assert "/leagues/spring" in addresses
    assert {site.get(address).status for address in addresses} == {200}
    assert f"Sitemap: http://127.0.0.1:{site.port}/sitemap.xml" in site.get("/robots.txt").text


def test_the_feed_lists_finished_leagues(site: SiteUnderTest) -> None:
    answer = site.get("/feed.atom")
    assert answer.headers["content-type"].startswith("application/atom+xml")
    feed = ElementTree.fromstring(answer.body)
    assert [title.text for title in feed.findall(".//{*}entry/{*}title")] == ["spring"]


def test_every_link_of_a_document_leads_to_the_place_that_it_names(site: SiteUnderTest) -> None:
    pages = [f"/docs/{name}" for name in DOCUMENTS] + [f"/rules/{variant}" for variant in VARIANTS]
    texts = {path: site.get(path).text for path in pages}
    links = 0
    for path, text in texts.items():
        for href in re.findall(r'href="((?:/docs/|/rules/|#)[^"]*)"', text):
            address, _, anchor = href.partition("#")
            assert (address or path) in texts, (path, href)
            assert not anchor or f'id="{anchor}"' in texts[address or path], (path, href)
            links += 1
    assert links > len(pages)
