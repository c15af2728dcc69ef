"""Who uses a data folder's store is killed, each of them first and each of them last."""

from pathlib import Path

from kill_orders import check, rotations


def test_whoever_is_left_keeps_the_store_in_whatever_order_its_users_and_the_store_are_killed(tmp_path: Path) -> None:
    check(tmp_path, rotations())
