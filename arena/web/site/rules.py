"""The rules of each variant with pictures of the cards, from the engine's own tables, and the documents beside them."""

import re
from collections import Counter
from collections.abc import Set
from functools import cache, partial
from html import unescape
from pathlib import Path

import msgspec
from markdown_it import MarkdownIt

from arena.web.language import ENGLISH, Language, message
from arena.web.site.goals import GOALS, Goal
from core_ext import VARIANTS, VariantInfo, Yaku, variant_info, yaku_under
from core_ext.cards import CARD_NAMES

_PLACES = (Path(__file__).parents[2] / "docs", Path(__file__).parents[3] / "docs")
"""Where the documents lie: in an installed package, beside which anything may be called docs, and in a checkout."""
PAGES = {
    "glossary": (message("Glossary"), "glossary.md"),
    "bots": (message("A bot of your own"), "getting-started.md"),
    "installing": (message("Installing"), "installing.md"),
    "environments": (message("Environments for learning"), "environments.md"),
    "data": (message("Matches as data"), "data.md"),
    "submissions": (message("Submitting a bot"), "submissions.md"),
    "sdk": (message("The Python SDK"), "sdk.md"),
    "house-bots": (message("House bots"), "bots.md"),
    "analysis": (message("Mistakes and luck"), "analysis.md"),
    "cage": (message("The cage"), "cage.md"),
    "protocol": (message("The protocol"), "protocol.md"),
    "leagues": (message("How leagues count"), "leagues.md"),
    "ladder": (message("A standing ladder"), "ladder.md"),
    "fairness": (message("Fair cards"), "fairness.md"),
    "cards": (message("Rules: cards and words"), "rules/README.md"),
    "nodes": (message("Several nodes"), "nodes.md"),
    "web": (message("The web pages"), "web.md"),
    "figures": (message("Figures"), "figures.md"),
}
_LINK = re.compile(r'<a href="(?!https?:|#|/)([^"]*)">(.*?)</a>', re.DOTALL)
"""A link to another file of the project."""
_ADDRESSES = {file.rpartition("/")[2]: f"/docs/{name}" for name, (_, file) in PAGES.items()} | {
    f"{variant}.md": f"/rules/{variant}" for variant in VARIANTS
}


class Group(msgspec.Struct, frozen=True):
    """Cards of a yaku: `need` of these; all of them where it is 0. `instead`: in place of the group before."""

    cards: tuple[str, ...]
    need: int
    instead: bool = False


class Row(msgspec.Struct, frozen=True):
    """A yaku as the rules' page shows it."""

    id: str
    title: str
    points: int
    per_extra: int
    groups: tuple[Group, ...]
    beats: tuple[str, ...]
    counts: bool
    """Whether it counts unless the options say otherwise."""


class Rules(msgspec.Struct, frozen=True):
    """A variant's rules: its yaku with their cards, its options, and the text."""

    id: str
    title: str
    seats: tuple[int, int]
    version: int
    yaku: tuple[Row, ...]
    options: tuple[tuple[str, str, str], ...]
    """Name, default, and what it does."""
    text: str
    """HTML made from the project's own document."""
    goal: Goal


@cache
def rules(variant: str, language: Language = ENGLISH) -> Rules:
    """The rules of a variant, their links to pages in a language; UnknownVariantError."""
    info = variant_info(variant)
    counting = {row.id for row in yaku_under(info.id)}
    return Rules(
        id=info.id,
        title=info.name,
        seats=info.seats[:2],
        version=info.rules_version,
        yaku=tuple(_row(row, info, counting) for row in info.yaku),
        options=tuple(
            (option.name, msgspec.json.encode(option.default).decode(), option.doc) for option in info.options
        ),
        text=_html(f"rules/{variant}.md", level=1, prefix=language.prefix),
        goal=GOALS[variant],
    )


@cache
def document(name: str, language: Language = ENGLISH) -> tuple[str, str]:
    """The title and the HTML of one of `PAGES`, its links to pages in a language."""
    title, file = PAGES[name]
    return title, re.sub(
        r"<h1.*?</h1>", "", _html(file, level=0, prefix=language.prefix), count=1
    )  # the page has a title of its own


def _row(row: Yaku, info: VariantInfo, counting: Set[str]) -> Row:
    titles = {yaku.id: yaku.name for yaku in info.yaku}
    if row.threes:
        groups = [Group(_names(three), 3, instead=place > 0) for place, three in enumerate(row.threes)]
        if row.need > 3:
            groups.append(Group(_names(row.cards), row.need - 3))
    else:
        every = row.need == len(row.cards)
        groups = [Group(_names(row.cards), 0 if every else row.need)]
        if row.must:
            groups.insert(0, Group(_names(row.must), 0))
    beats = tuple(titles[beat] for beat in row.beats if beat in titles)
    return Row(row.id, row.name, row.points, row.per_extra, tuple(groups), beats, counts=row.id in counting)


def _names(cards: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(CARD_NAMES[card] for card in cards)


def _html(file: str, level: int, prefix: str) -> str:
    """A document of the project as HTML, its headings so many levels lower, its links those of the site's pages."""
    [path] = [place / file for place in _PLACES if (place / file).is_file()][:1]
    # The documents are the project's own; raw HTML in them is shown as text all the same.
    markdown = MarkdownIt("commonmark", {"html": False, "xhtmlOut": False}).enable("table")
    html = markdown.render(path.read_text(encoding="utf-8"))
    html = re.sub(r"<h(\d)>(.*?)</h\1>", partial(_heading, level, Counter()), html)
    html = html.replace("<th></th>", "<td></td>")  # a corner that heads nothing
    html = re.sub(r"<th\b", '<th scope="col"', html)
    html = html.replace("<pre>", '<pre tabindex="0">')
    html = html.replace("<table>", '<div class="scroller" tabindex="0"><table>').replace("</table>", "</table></div>")
    return _LINK.sub(partial(_link, prefix), html)


def _heading(lower: int, seen: Counter[str], match: "re.Match[str]") -> str:
    level = min(int(match[1]) + lower, 6)
    text = unescape(re.sub(r"<[^>]*>", "", match[2])).lower()
    anchor = re.sub(r"[^\w\s-]", "", text).replace(" ", "-")  # as GitHub names it, for links from other documents
    again = seen[anchor]
    seen[anchor] += 1
    if again:
        anchor = f"{anchor}-{again}"
    return f'<h{level} id="{anchor}">{match[2]}</h{level}>'


def _link(prefix: str, match: "re.Match[str]") -> str:
    """Return the link to a page of the site; text alone where the site does not show that file."""
    file, _, anchor = match[1].rpartition("/")[2].partition("#")
    if file not in _ADDRESSES:
        return match[2]
    return f'<a href="{prefix}{_ADDRESSES[file]}{"#" + anchor if anchor else ""}">{match[2]}</a>'
