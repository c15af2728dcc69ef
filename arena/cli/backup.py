"""`arena backup` and `arena restore`."""

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.failures import WrongUseError
from arena.cli.output import print_answer
from arena.cli.targets import StoreOptions
from arena.cli.values import AsJson

BackupFile = Annotated[Path, typer.Argument(metavar="FILE", help="The backup's file.")]


def backup(target: StoreOptions, file: BackupFile, as_json: AsJson = False) -> None:
    """Write the whole arena into one file, while it plays.

    It is of one moment, and holds the arena's secrets: those of leagues' cards, the signing key, what tokens are
    checked by.
    """
    from arena.store import Store
    from arena.store.archive import Manifest

    if file.exists():
        raise WrongUseError(f"{file} exists already; name another file")
    if not file.absolute().parent.is_dir():
        raise WrongUseError(f"{file} cannot be written: there is no folder {file.absolute().parent}")

    async def write(store: Store) -> Manifest:
        return await store.back_up(file, target.data / "replays" if target.redis is None else None)

    has_replays = target.redis is None and any((target.data / "replays").glob("*.hreplay"))
    manifest = target.do(write, create=has_replays, as_is=target.exists)
    size = file.stat().st_size
    text = f"{file}: {size:,} bytes, {manifest.made_at}; whoever can read it can act as this arena"
    print_answer(as_json, {"file": str(file), "bytes": size, "manifest": manifest}, [text])


def restore(target: StoreOptions, file: BackupFile, as_json: AsJson = False) -> None:
    """Make an arena of a backup, in an empty store.

    Its leagues go on from where they were when the backup was made. If it is interrupted, run it again.
    """
    from arena.cli.aio import run
    from arena.scratch import scratch_folder
    from arena.store import archive
    from arena.store.restoring import restore as fill

    if not file.is_file():
        raise WrongUseError(f"there is no backup {file}")
    manifest = archive.read(file)

    def restore_replays() -> None:
        if target.redis is None:
            archive.unpack_replays(file, target.data / "replays")

    with scratch_folder() as folder:
        snapshots = archive.unpack_snapshots(file, manifest, folder)
        keys = run(
            fill(
                snapshots,
                folder,
                schema=manifest.schema,
                database=manifest.database,
                data=target.data,
                redis=target.redis,
                beside=restore_replays,
            )
        )
    text = f"restored {file}, made {manifest.made_at} by arena {manifest.arena}: {keys:,} keys"
    print_answer(as_json, {"keys": keys, "manifest": manifest}, [text])
