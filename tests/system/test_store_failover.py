"""The store's master is lost in the middle of a league, and a replica takes its place."""

from pathlib import Path

from arena_command import document, running
from one_league import Unbroken, file_in, held
from sentinels import watched_by_sentinel


def test_a_league_whose_master_is_killed_goes_on_at_the_replica_to_the_same_table(
    tmp_path: Path, unbroken: Unbroken
) -> None:
    file = file_in(tmp_path)
    with watched_by_sentinel(tmp_path / "servers") as servers:
        place = ("--redis", servers.url, "--data", tmp_path / "data")
        with running("league", "run", "--uncaged", file, *place) as run:
            with held(tmp_path, 3):
                run.wait_for("round 3/4")
                servers.wait_until_copied()
                servers.master.kill()
            run.wait_for("round 4/4")
            assert run.end() == 0
        assert document("league", "show", "spring", *place[:2]) == unbroken.told
