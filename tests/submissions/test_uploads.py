"""Uploads and the limits of their owners, in a store without a node."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from arena.packs.packing import Pack, pack
from arena.store import OwnerLimits, Store, Submission
from arena.store.errors import InvalidNameError, OwnerLimitError
from arena.submissions.submit import submit
from arena.submissions.uploads import Uploads

MANIFEST = '[bot]\nname = "crane"\ncommand = ["python", "bot.py"]\n'


def packed(folder: Path, program: str) -> Pack:
    folder /= "crane"
    folder.mkdir(exist_ok=True)
    (folder / "bot.toml").write_text(MANIFEST)
    (folder / "bot.py").write_text(program)
    return pack(folder)


async def send(store: Store, one: Pack) -> None:
    """Upload a pack as ann."""
    uploads = Uploads(store)
    await uploads.begin("ann", Submission("crane", one.version, len(one.data), hashlib.sha256(one.data).hexdigest()))
    await uploads.append("ann", one.version, 0, one.data)
    await uploads.finish("ann", "crane", one.version)


async def fail(store: Store) -> None:
    """Have the version that waits for its qualification fail it."""
    queue = store.jobs()
    job, _ = await queue.claim_version(wait_s=60)
    await queue.commit_version(job, b'{"steps":[]}', qualified=False)


async def test_what_failed_counts_by_its_bytes_against_whoever_submitted_it(store: Store, tmp_path: Path) -> None:
    await store.owners.create("ann", OwnerLimits(versions=1))
    first, operators, second = (packed(tmp_path, f"print({number})\n" * 10**number) for number in range(3))
    await send(store, first)
    await fail(store)
    await submit(store, operators)
    await fail(store)
    await send(store, second)
    assert (await store.owners.usage("ann")).packed_bytes == len(first.data) + len(second.data)


@pytest.mark.parametrize("name", ["", "../crane"])
async def test_a_wrong_name_is_refused_as_one_when_limits_are_reached(store: Store, tmp_path: Path, name: str) -> None:
    await store.owners.create("ann", OwnerLimits(bots=1, versions=1, submissions=1))
    await send(store, packed(tmp_path, ""))
    with pytest.raises(OwnerLimitError):
        await Uploads(store).begin("ann", Submission("crane", "0" * 64, 1))
    with pytest.raises(InvalidNameError):
        await Uploads(store).begin("ann", Submission(name, "0" * 64, 1))
