"""What visitors put after an address: it makes no page that nobody asked for, and takes nobody else's turn."""

import asyncio
import http.client
from collections.abc import Iterator

import pytest
from arena_command import done, league_file, pages_port, running
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from test_games import Visitor

from arena.web import address, work
from arena.web.queries import with_query


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    folder = tmp_path_factory.mktemp("queries")
    done("league", "run", league_file(folder, ["house:random"] * 2, rounds=1, boards=1), cwd=folder)
    with running("web", "--listen", "127.0.0.1:0", cwd=folder) as run:
        yield Visitor(f"http://127.0.0.1:{pages_port(run)}")


@pytest.mark.parametrize(
    ("asked", "page"),
    [
        ("/bots/random?after=1", "/bots/random"),
        ("/?x=1", "/"),
        ("/matches?bot=random&after=&y=2&league=", "/matches?bot=random"),
        ("/matches?bot=a&bot=random", "/matches?bot=random"),
        ("/leagues?after=" + "x" * 2_000, "/leagues"),
        ("/live?seen=3", "/live"),
        ("/api/v1/rules/koikoi?rows=all", "/api/v1/rules/koikoi"),
        ("/rules/kyogi?next=//example.com/", "/rules/kyogi"),
    ],
)
def test_what_says_nothing_of_a_page_leads_to_the_page_without_it(site: Visitor, asked: str, page: str) -> None:
    status, headers, _ = site.ask(asked)
    assert (status, headers["location"]) == (307, page)
    assert site.ask(page)[0] in (200, 303, 404)


async def test_one_visitor_has_only_so_many_pages_waiting_to_be_made_and_others_get_theirs() -> None:
    turns, go_on = work.Turns(), asyncio.Event()
    made = [asyncio.create_task(turns.do(go_on.wait, "10.0.0.1")) for _ in range(work.MAX_WAITING_OF_ONE + 1)]
    await asyncio.sleep(0)
    with pytest.raises(work.BusyError):
        await turns.do(go_on.wait, "10.0.0.1")
    other = asyncio.create_task(turns.do(go_on.wait, "10.0.0.2"))
    await asyncio.sleep(0)
    go_on.set()
    await asyncio.wait_for(asyncio.gather(*made, other), 60)


async def test_a_redirect_stays_on_the_site() -> None:
    async def page(_: Request) -> Response:
        return PlainTextResponse("page")

    scope = {"type": "http", "method": "GET", "path": "//example.com/x", "query_string": b"a=1", "headers": []}
    answer = await with_query(page)(Request({**scope, "server": ("here", 80), "scheme": "http"}))
    assert answer.headers["location"] == "/example.com/x"


def test_hosts_that_nobody_asked_at_before_have_no_pages_made_for_them(site: Visitor) -> None:
    def ask(host: str) -> str:
        connection = http.client.HTTPConnection(site.host, timeout=60)
        connection.request("GET", "/leagues", headers={"host": host})
        answer = connection.getresponse()
        connection.close()
        assert answer.status == 200
        return str(answer.headers["etag"])

    own = ask(site.host)
    room = address.MAX_ADDRESSES - 1
    assert len({ask(f"host{number}.example") for number in range(room)}) == room
    others = {ask(f"other{number}.example") for number in range(50)}
    odd = {ask(host) for host in ('"><script>', "a b", "x" * 300, "host1.example@evil.example", "[::1", "\xe9")}
    assert len(others | odd) == 1, "one page for all of them"
    assert ask(site.host) == own not in others
