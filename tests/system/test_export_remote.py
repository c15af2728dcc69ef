"""The data of an arena from elsewhere: over gRPC for owners, and as downloads from its pages."""

import http.client
import json
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import duckdb
import pandas
import polars
import pyarrow.parquet as pq
import pytest
from arena_command import DEADLINE_S, document, done, league_file, pages_port, refused
from one_node import node


class Arena(NamedTuple):
    """A node with its pages, over a folder in which a league was played."""

    home: Path
    away: Path
    there: tuple[str, ...]
    """The options with which an owner's commands find it."""
    port: int
    """That of its pages."""

    def get(self, path: str, method: str = "GET", **query: str) -> tuple[http.client.HTTPResponse, bytes]:
        """What the pages answer."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=DEADLINE_S)) as connection:
            connection.request(method, path + (f"?{urlencode(query)}" if query else ""))
            with connection.getresponse() as answer:
                return answer, answer.read()


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    """A node and its pages; nothing is kept where the owner works."""
    home, away = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("away")
    file = league_file(home, ["house:greedy", "house:random"], rounds=2, boards=2, more="options = { months = 2 }\n")
    done("league", "run", file, cwd=home)
    token = done("owner", "create", "ann", cwd=home).strip()
    with node(home, "--web", "127.0.0.1:0") as (run, address):
        yield Arena(home, away, ("--server", address, "--token", token), pages_port(run))


def lines(file: Path) -> list[dict[str, Any]]:
    """The rows of JSON Lines."""
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("table", ["matches", "decisions", "deals"])
def test_an_owner_gets_the_same_rows_as_the_operator(arena: Arena, table: str) -> None:
    done("export", table, f"{table}.jsonl", "--won", "bot-1", cwd=arena.home)
    done("export", table, f"{table}.jsonl", "--won", "bot-1", *arena.there, cwd=arena.away)
    rows = lines(arena.away / f"{table}.jsonl")
    assert rows
    assert rows == lines(arena.home / f"{table}.jsonl")


def test_an_owner_lists_replays_by_the_same_filters(arena: Arena) -> None:
    for filters in (("--lost", "bot-2"), ("--version", "greedy@"), ("--from", "2999-01-01"), ("--variant", "koikoi")):
        here = document("replay", "list", *filters, cwd=arena.home)
        assert document("replay", "list", *filters, *arena.there, cwd=arena.away) == here
    said = refused("replay", "list", "--won", "nobody", *arena.there, cwd=arena.away)
    assert said == "error: --won: there is no 'nobody'; there is: bot-1, bot-2\n"


@pytest.mark.parametrize("format_", ["parquet", "csv", "jsonl"])
def test_the_pages_give_the_files_that_the_command_writes(arena: Arena, format_: str) -> None:
    for table in ("matches", "decisions", "deals"):
        done("export", table, f"local.{format_}", "--league", "spring", "--bot", "bot-1", cwd=arena.home)
        answer, body = arena.get(f"/data/{table}.{format_}", league="spring", bot="bot-1")
        assert answer.status == 200
        assert answer.headers["content-disposition"] == f"attachment; filename*=utf-8''spring-bot-1-{table}.{format_}"
        (arena.away / f"page.{format_}").write_bytes(body)
        ours, theirs = arena.home / f"local.{format_}", arena.away / f"page.{format_}"
        if format_ == "parquet":
            assert pq.read_table(theirs).equals(pq.read_table(ours))
        else:
            assert body == ours.read_bytes()


def test_the_pages_refuse_what_there_is_not_by_naming_what_there_is(arena: Arena) -> None:
    for path, query, status, said in (
        ("/data/decisions.xml", {}, 404, ""),
        ("/data/cards.csv", {}, 404, ""),
        ("/data/deals.csv", {"bot": "nobody"}, 400, "there is: bot-1, bot-2"),
        ("/data/deals.csv", {"league": "../../etc"}, 400, "there is: spring"),
        ("/data/deals.csv", {"variant": "poker"}, 400, "there is: hachihachi, koikoi"),
        ("/data/deals.csv", {"from": "yesterday"}, 400, "from takes a day or a time such as 2026-05-31T18:00"),
    ):
        answer, body = arena.get(path, **query)
        assert answer.status == status
        assert said in body.decode()
    answer, body = arena.get("/data/decisions.parquet", "HEAD")
    assert (answer.status, body) == (200, b"")
    answer, _ = arena.get("/data/deals.csv", bot="bot-1", other="x")
    assert answer.headers["location"] == "/data/deals.csv?bot=bot-1"


def test_a_league_page_links_to_its_data(arena: Arena) -> None:
    _, page = arena.get("/leagues/spring")
    assert b'href="/data/decisions.parquet?league=spring"' in page
    _, page = arena.get("/bots/bot-1")
    assert b'href="/data/deals.csv?bot=bot-1"' in page


@pytest.mark.parametrize("place", ["store", "server"])
def test_a_finished_league_is_published_whole(arena: Arena, place: str) -> None:
    there, folder = ((), arena.home) if place == "store" else (arena.there, arena.away)
    done("export", "league", "spring", "spring-data", *there, cwd=folder)
    data = folder / "spring-data"
    names = {path.name for path in data.iterdir()}
    assert names == {
        *("matches.parquet", "decisions.parquet", "deals.parquet", "tables.json"),
        *("README.md", "schema.json", "SHA256SUMS"),
    }
    checked = subprocess.run(["sha256sum", "-c", "SHA256SUMS"], cwd=data, capture_output=True, text=True, check=True)
    assert checked.stdout.count(": OK\n") == len(names) - 1
    schema = json.loads((data / "schema.json").read_text("utf-8"))
    for table in schema["tables"].values():
        read = pq.read_table(data / table["file"])
        assert read.column_names == [column["name"] for column in table["columns"]]
        assert read.num_rows == table["rows"] > 0
    tables = json.loads((data / "tables.json").read_text("utf-8"))
    shown = document("league", "show", "spring", cwd=arena.home)
    [division], [told] = tables["divisions"], shown["divisions"]
    assert division["table"] == told["table"]
    said = refused("export", "league", "spring", "spring-data", *there, cwd=folder)
    assert said == "error: spring-data is there already: name a folder that is not\n"


def test_polars_pandas_and_duckdb_read_the_same(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(arena.home)
    done("export", "decisions", "read.parquet", cwd=arena.home)
    done("export", "decisions", "read.jsonl", cwd=arena.home)
    rows = lines(Path("read.jsonl"))
    assert polars.read_parquet("read.parquet")["action_text"].to_list() == [row["action_text"] for row in rows]
    read = polars.read_parquet("read.parquet").drop("time").to_dicts()
    assert read == [{name: value for name, value in row.items() if name != "time"} for row in rows]
    frame = pandas.read_parquet("read.parquet")
    assert [list(legal) for legal in frame["legal"]] == [row["legal"] for row in rows]
    asked = duckdb.sql("SELECT bot, count(*), avg(len(legal)) FROM 'read.parquet' GROUP BY bot ORDER BY bot")
    assert asked is not None
    for bot, count, mean in asked.fetchall():
        own = [row for row in rows if row["bot"] == bot]
        assert (count, mean) == (len(own), pytest.approx(sum(len(row["legal"]) for row in own) / len(own)))
