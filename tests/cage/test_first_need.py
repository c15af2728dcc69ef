"""A node that tries its cage only when a submitted bot needs it."""

from contextlib import aclosing
from pathlib import Path

import pytest
from bots_in_tests import FIRST

from arena.node.node import running_node
from arena.packs.packing import pack
from arena.store import BotVersion, Store
from arena.submissions.following import follow
from arena.submissions.submit import submit


def write(folder: Path) -> Path:
    """The folder of a bot that plays koi-koi."""
    folder.mkdir()
    (folder / "bot.py").write_text(FIRST)
    command = 'command = ["python", "bot.py"]\nvariants = ["koikoi"]\n'
    (folder / "bot.toml").write_text(f'[bot]\nname = "{folder.name}"\n{command}')
    return folder


async def test_such_a_node_qualifies_all_that_wait_and_leaves_none_to_others(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    data = tmp_path / "data"
    async with await Store.open(data) as store:
        for name in ("ann", "bob"):
            await submit(store, pack(write(tmp_path / name)))
        async with running_node(store, data):
            ended: list[str] = []
            for name in ("ann", "bob"):
                [version] = await store.versions.list(name)
                async with aclosing(follow(store, name, version.version)) as news:
                    ended += [one.status async for one in news if isinstance(one, BotVersion)]
    assert ended == ["qualified"] * 2
    assert not [message for message in caplog.messages if "left to other nodes" in message]
