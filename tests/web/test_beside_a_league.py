"""`arena web` on the data folder of leagues that begin and end beside it."""

from pathlib import Path
from urllib.request import urlopen

import psutil
from arena_command import DEADLINE_S, document, done, league_file, pages_port, running, standings_of


def read(address: str) -> str:
    with urlopen(address, timeout=DEADLINE_S) as answer:
        return str(answer.read().decode())


def test_pages_stay_when_the_league_beside_them_is_killed_and_other_leagues_run_beside_them(tmp_path: Path) -> None:
    long = league_file(tmp_path, ["house:random"] * 2, name="long", rounds=500)
    with running("league", "run", long, cwd=tmp_path) as league:
        league.wait_for("round 1/")  # its process runs the store
        with running("web", "--listen", "127.0.0.1:0", cwd=tmp_path) as pages:
            site = f"http://127.0.0.1:{pages_port(pages)}"
            assert "long" in read(f"{site}/leagues")
            assert league.process.poll() is None
            league.process.kill()
            league.end()
            assert "bot-1" in read(f"{site}/leagues/long")
            done("league", "run", league_file(tmp_path, ["house:random"] * 3, name="short"), cwd=tmp_path)
            table = standings_of(document("league", "show", "short", "--json", cwd=tmp_path))
            page = read(f"{site}/leagues/short")
            assert len(table) == 3
            assert all(row["name"] in page for row in table)
            pages.process.terminate()
            assert pages.end() == 0
    assert "short" in done("league", "list", cwd=tmp_path)


def test_pages_end_when_the_store_that_they_run_has_ended_for_good(tmp_path: Path) -> None:
    with running("web", "--listen", "127.0.0.1:0", cwd=tmp_path) as pages:
        pages_port(pages)
        [log] = (tmp_path / "arena-data" / "appendonlydir").glob("*.incr.aof")
        log.write_bytes(b"no command at all")
        [store] = psutil.Process(pages.process.pid).children()
        store.kill()
        assert pages.end() == 2
        assert any("Bad file format" in line for line in pages.lines), pages.lines
