"""`arena web` where nothing was played, and where nothing was but matches of `arena match play`."""

import json
from pathlib import Path
from urllib.request import urlopen

from arena_command import DEADLINE_S, done, pages_port, running


def read(address: str) -> str:
    with urlopen(address, timeout=DEADLINE_S) as answer:
        return str(answer.read().decode())


def test_an_absent_folder_is_an_arena_with_something_to_watch_to_read_and_to_play(tmp_path: Path) -> None:
    with running("web", "--listen", "127.0.0.1:0", "--data", str(tmp_path / "nothing"), cwd=tmp_path) as run:
        site = f"http://127.0.0.1:{pages_port(run)}"
        home = read(site)
        for address in ("/replays/sample", "/play", "/rules"):
            assert f'href="{address}"' in home
            assert "<h1" in read(site + address)
        assert "arena league run" in home
        assert "None" not in home


def test_a_match_played_by_a_command_is_listed_and_can_be_watched(tmp_path: Path) -> None:
    done("match", "play", "house:greedy", "house:random", "--seed", "7", cwd=tmp_path)
    [file] = (tmp_path / "arena-data" / "replays").glob("*.hreplay")
    (file.parent / "broken.hreplay").write_bytes(b"no replay")
    with running("web", "--listen", "127.0.0.1:0", cwd=tmp_path) as run:
        site = f"http://127.0.0.1:{pages_port(run)}"
        [match] = json.loads(read(f"{site}/api/v1/matches"))["matches"]
        assert match["replay"] == file.stem
        assert sorted(match["placing"]) == [1, 2]
        assert f"/replays/{file.stem}" in read(f"{site}/matches")
        shown = read(f"{site}/replays/{file.stem}")
        assert "greedy" in shown
        assert "/bots/greedy" not in shown, "which has no page where no league and no match of the store knows it"
