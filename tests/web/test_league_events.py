"""A league's live events, from the first to the last, and when the site or its store goes away."""

import http.client
import json
from collections.abc import Iterator
from pathlib import Path

from arena_command import DEADLINE_S, done, league_file, pages_port, refused, running, until
from site_client import SiteUnderTest
from store_servers import ServerProcess


def test_a_league_is_followed_live_to_its_end_and_nothing_is_missed(tmp_path: Path) -> None:
    file = league_file(tmp_path, ["house:random"] * 2, rounds=2, boards=1)
    done("league", "open", file, cwd=tmp_path)
    with running("serve", "--listen", "127.0.0.1:0", "--web", "127.0.0.1:0", cwd=tmp_path) as node:
        port = pages_port(node)
        node.wait_for("listening on")
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=DEADLINE_S)
        connection.request("GET", "/leagues/spring/events")
        events = connection.getresponse()
        assert events.headers["content-type"].startswith("text/event-stream")
        first = next(_events(events))
        assert first["state"] == "open"
        done("league", "start", "spring", cwd=tmp_path)
        seen = list(_events(events))
        connection.close()
        assert seen[-1]["state"] == "finished"
        assert seen[-1]["divisions"][0]["played"] == 4
        # Who comes back with the last id has missed nothing, and is told at once where the league stands otherwise.
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=DEADLINE_S)
        connection.request("GET", "/leagues/spring/events", headers={"last-event-id": first["version"]})
        assert [event["version"] for event in _events(connection.getresponse())] == [seen[-1]["version"]]
        connection.close()


def test_when_the_site_ends_open_answers_end_with_it_and_nothing_is_logged(tmp_path: Path) -> None:
    done("league", "open", league_file(tmp_path, ["house:random", "house:greedy"]), cwd=tmp_path)
    with running("web", "--listen", "127.0.0.1:0", cwd=tmp_path) as run:
        port = pages_port(run)
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=DEADLINE_S)
        connection.request("GET", "/leagues/spring/events")
        events = connection.getresponse()
        assert next(_events(events))["state"] == "open"
        run.process.terminate()
        assert list(_events(events)) == []
        assert run.end() == 0
        assert [line for line in run.lines if not line.startswith("pages at")] == []
        connection.close()


def _events(response: http.client.HTTPResponse) -> Iterator[dict[str, object]]:
    for line in response:
        if line.startswith(b"data: "):
            yield json.loads(line[6:])


def test_while_the_store_is_away_pages_say_so_and_are_there_again_afterwards(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, "--appendonly", "yes")
    server.start()
    try:
        done("league", "run", league_file(tmp_path, ["house:random"] * 2, rounds=1, boards=1), "--redis", server.url)
        with running("web", "--listen", "127.0.0.1:0", "--redis", server.url) as run:
            site = SiteUnderTest(pages_port(run))
            assert site.get("/leagues/spring").status == 200
            server.kill()
            answer = site.get("/leagues/spring")
            assert answer.status == 503
            assert "does not answer" in answer.text
            server.start()
            until(lambda: site.get("/leagues/spring").status == 200, "the pages are there again")
    finally:
        server.kill()


def test_an_address_that_cannot_be_used_is_refused_in_a_line(played: Path, site: SiteUnderTest) -> None:
    for address in ("8080", "fd=x"):
        assert "is not HOST:PORT" in refused("web", "--listen", address, cwd=played)
    for number in ("fd=0", "fd=9999", "fd=99999999999999"):
        assert "no socket has this number here" in refused("web", "--listen", number, cwd=played)
    taken = f"127.0.0.1:{site.port}"
    said = refused("web", "--listen", taken, cwd=played)
    assert said.endswith(f"pages cannot be served at {taken}: Address already in use\n")


def test_a_site_that_was_started_anew_sends_others_the_whole_page_that_one_reader_has_already(
    site: SiteUnderTest, played: Path
) -> None:
    known = {path: site.get(path) for path in ("/", "/leagues/spring", "/bots/bot-1", "/api/v1/bots/bot-1")}
    host = f"127.0.0.1:{site.port}"  # pages name their site, whose address is the same when it is started anew
    with running("web", "--listen", "127.0.0.1:0", cwd=played) as run:
        anew = SiteUnderTest(pages_port(run))
        for path, answer in known.items():
            assert anew.get(path, host=host, if_none_match=answer.headers["etag"]).status == 304
            assert anew.get(path, host=host).body == answer.body
