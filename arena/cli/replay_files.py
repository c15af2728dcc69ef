"""Replays that a command names: files, or ids in an arena."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli.failures import WrongUseError
from arena.cli.targets import Arena
from arena.cli.values import check_file

if TYPE_CHECKING:
    from arena.remote.client import Client
    from arena.replays import ReplayRecord


def load(replay: str, arena: Arena) -> "ReplayRecord":
    """The replay of a file or of an arena. Raises ReplayError with the replay's name, and what `read` raises."""
    ((_, raw),) = read([replay], arena)
    return decoded(raw, replay)


def read(replays: Sequence[str], arena: Arena) -> list[tuple[str, bytes]]:
    """The bytes of files, of matches that were played here by their ids, or else of replays of the arena.

    Raises OSError, StoreError, RemoteError, WrongUseError.
    """
    raw: dict[str, bytes] = {}
    for replay in replays:
        path = Path(replay)
        if not path.exists() and path.name == replay:
            path = kept_at(arena.store.data, replay)
        if path.exists():
            check_file(path, "a replay")
            raw[replay] = path.read_bytes()
    wanted = list(dict.fromkeys(replay for replay in replays if replay not in raw))
    if wanted and arena.server is None and not arena.store.exists:
        raise WrongUseError(f"there is no file {wanted[0]}, and no store in {arena.store.data}")
    if wanted:
        raw |= arena.read(lambda client: get(wanted, client))
    return [(replay, raw[replay]) for replay in replays]


def kept_at(data: Path, match: str) -> Path:
    """The file in which `arena match play` keeps a match."""
    return data / "replays" / f"{match}.hreplay"


def decoded(raw: bytes, name: str) -> "ReplayRecord":
    """The replay of these bytes. Raises ReplayError with the replay's name."""
    from arena.replays import ReplayError, decode

    try:
        return decode(raw)
    except ReplayError as error:
        raise type(error)(f"{name}: {error}") from error


async def get(replays: Sequence[str], client: "Client") -> dict[str, bytes]:
    """The bytes of replays of an arena, by id. RemoteError."""
    from arena.cli.infos import replay_of

    return {replay: await replay_of(client, replay) for replay in replays}
