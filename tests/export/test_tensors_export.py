"""Recorded decisions as tensors: the same that an environment, and a bot's decision, would have given."""

import asyncio
import json
from functools import partial
from pathlib import Path

import duckdb
import numpy as np
import polars
import pytest

from arena.envs.encoding import encoding
from arena.export import MatchFilter, export
from arena.export.sources import FileSource
from arena.export.tensors import MixedMatchesError, shape_of, write_parquet, write_tensors
from arena.replays import decode
from arena.replays.verify import positions
from core_ext import VARIANTS

GOLDEN = Path(__file__).parents[1] / "golden" / "replays"


def files(variant: str) -> list[Path]:
    """The golden replays of a variant with as many seats as most have."""
    return [GOLDEN / f"{variant}{kind}.hreplay" for kind in ("", "-clock", "-forfeit")]


@pytest.mark.parametrize("variant", VARIANTS)
def test_each_decision_is_what_its_seat_saw_could_do_and_did(variant: str, tmp_path: Path) -> None:
    paths = files(variant)
    seats = len(decode(paths[0].read_bytes()).names)
    paths = [path for path in paths if len(decode(path.read_bytes()).names) == seats]
    read = partial(export, [FileSource(paths)], MatchFilter())
    shape = asyncio.run(shape_of(read))
    asyncio.run(write_tensors(tmp_path, shape, read))
    arrays = {path.stem: np.load(path, mmap_mode="r") for path in tmp_path.glob("*.npy")}
    names = encoding(variant, seats)
    described = json.loads((tmp_path / "encoding.json").read_text("utf-8"))
    assert (tuple(described["planes"]), tuple(described["actions"])) == (names.planes, names.actions)
    row = 0
    for number, path in enumerate(paths):
        record = decode(path.read_bytes())
        for state, choice in positions(record):
            if choice < 0:
                continue
            seat = state.current_player
            seen = names.observe(state, seat)
            assert all((arrays[name][row] == value).all() for name, value in seen.items())
            assert arrays["seat"][row] == seat
            assert arrays["action"][row] == state.legal_actions()[choice]
            assert arrays["result"][row] == record.results[seat]
            assert described["matches"][arrays["match"][row]] == record.match_id
            assert arrays["match"][row] == number
            row += 1
    assert row == shape.decisions == len(arrays["place"]) > 0


@pytest.mark.parametrize("variant", VARIANTS)
def test_parquet_has_the_arrays_of_numpys_files_and_their_description(variant: str, tmp_path: Path) -> None:
    read = partial(export, [FileSource(files(variant)[:1])], MatchFilter())
    shape = asyncio.run(shape_of(read))
    asyncio.run(write_tensors(tmp_path, shape, read))
    asyncio.run(write_parquet(tmp_path / "tensors.parquet", shape, read))
    rows = polars.read_parquet(tmp_path / "tensors.parquet")
    described = json.loads((tmp_path / "encoding.json").read_text("utf-8"))
    matches = described.pop("matches")
    assert rows.columns == list(shape.columns)
    for name in shape.columns:
        array, column = np.load(tmp_path / f"{name}.npy"), rows[name].to_numpy()
        if name == "match":
            assert column.tolist() == [matches[number] for number in array]
        else:
            assert (column.dtype, column.shape) == (array.dtype, array.shape)
            assert column.tobytes() == array.tobytes()
    assert json.loads(polars.read_parquet_metadata(tmp_path / "tensors.parquet")["encoding"]) == described
    counts = duckdb.read_parquet(str(tmp_path / "tensors.parquet")).aggregate("count(*), len(any_value(action_mask))")
    assert counts.fetchall() == [(shape.decisions, len(described["actions"]))]


def test_a_parquet_that_breaks_off_leaves_the_file_that_was_there(tmp_path: Path) -> None:
    read = partial(export, [FileSource(files("koikoi"))], MatchFilter())
    shape = asyncio.run(shape_of(read))
    target = tmp_path / "tensors.parquet"
    target.write_bytes(b"earlier")
    with pytest.raises(MixedMatchesError, match="played or deleted meanwhile"):
        asyncio.run(write_parquet(target, shape._replace(decisions=shape.decisions + 1), read))
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("tensors.parquet", b"earlier")]


def test_matches_of_several_variants_have_no_common_shape() -> None:
    read = partial(export, [FileSource([*files("koikoi"), *files("kyogi")])], MatchFilter())
    with pytest.raises(MixedMatchesError, match="choose one variant and number of seats"):
        asyncio.run(shape_of(read))


def test_a_policy_learns_to_imitate_a_league_in_one_loop(tmp_path: Path) -> None:
    read = partial(export, [FileSource(files("koikoi"))], MatchFilter())
    shape = asyncio.run(shape_of(read))
    asyncio.run(write_tensors(tmp_path, shape, read))
    cards, mask, action = (
        np.load(tmp_path / f"{name}.npy", mmap_mode="r") for name in ("cards", "action_mask", "action")
    )
    inputs = np.asarray(cards, np.float32).reshape(len(cards), -1)
    weights = np.zeros((inputs.shape[1], mask.shape[1]), np.float32)

    def chosen() -> float:
        """How much of what was chosen is the policy's first choice."""
        return float((np.where(mask, inputs @ weights, -np.inf).argmax(1) == action).mean())

    before = chosen()
    for _ in range(200):
        scores = np.where(mask, inputs @ weights, -np.inf)
        policy = np.exp(scores - scores.max(1, keepdims=True))
        policy /= policy.sum(1, keepdims=True)
        policy[np.arange(len(action)), action] -= 1
        weights -= 0.05 * inputs.T @ policy / len(action)
    assert chosen() > before + 0.2
