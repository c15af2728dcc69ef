"""`arena export …`: what is read back is what was played, in every format, or there is no file."""

import csv
import json
import os
import shutil
import signal
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from arena_command import arena, document, done, league_file, refused, running, standings_of, until

from arena.export import TABLES
from arena.export.columns import LISTS, Kind
from arena.replays import decode
from core_ext import VARIANTS

GOLDEN = Path(__file__).parents[1] / "golden" / "replays"
FORMATS = ("parquet", "csv", "jsonl")


def cell(text: str, kind: Kind) -> Any:
    """What a cell of a CSV says."""
    if not text:
        return None if kind not in (Kind.TEXT, Kind.JSON) else text or None
    return json.loads(text) if kind in LISTS or kind in (Kind.NUMBER, Kind.SMALL, Kind.SEAT) else text


def read(file: Path, table: str) -> list[dict[str, Any]]:
    """The rows of an exported file, all formats alike; times as they are."""
    columns = TABLES[table].columns
    if file.suffix == ".parquet":
        rows: list[dict[str, Any]] = pq.read_table(file).to_pylist()
    elif file.suffix == ".csv":
        with file.open(newline="", encoding="utf-8") as lines:
            rows = [
                {name: cell(text, columns[name].kind) for name, text in row.items()} for row in csv.DictReader(lines)
            ]
    else:
        rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert all(list(row) == list(columns) for row in rows)
    return rows


def without_time(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows but for their times, of which each format has its own type."""
    return [{name: value for name, value in row.items() if name != "time"} for row in rows]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """The folder of a finished league, and what it came to."""
    folder = tmp_path_factory.mktemp("league")
    bots = ["house:random", "house:greedy", "house:greedy"]
    file = league_file(folder, bots, rounds=3, boards=1, more="options = { months = 2 }\n")
    return folder, document("league", "run", file, cwd=folder)


@pytest.mark.parametrize("format_", FORMATS)
def test_matches_read_back_give_the_results_of_the_table(played: tuple[Path, dict[str, Any]], format_: str) -> None:
    folder, told = played
    done("export", "matches", f"matches.{format_}", "--league", "spring", cwd=folder)
    rows = read(folder / f"matches.{format_}", "matches")
    assert len(rows) == told["matches"] > 0
    for standing in standings_of(told):
        seats = [(row, row["bots"].index(standing["name"])) for row in rows if standing["name"] in row["bots"]]
        places = Counter(0 if row["placing"].count(1) > 1 else row["placing"][seat] for row, seat in seats)
        assert [places[1], places[0], places[2]] == [standing["won"], standing["drawn"], standing["lost"]]
        assert len(seats) == standing["played"]
        margins = [row["results"][seat] - row["results"][1 - seat] for row, seat in seats]
        assert sum(margins) == standing["margin"]


@pytest.mark.parametrize("table", TABLES)
def test_all_formats_say_the_same_of_a_league(played: tuple[Path, dict[str, Any]], table: str) -> None:
    folder, _ = played
    for format_ in FORMATS:
        done("export", table, f"same-{table}.{format_}", cwd=folder)
    parquet, *others = [without_time(read(folder / f"same-{table}.{format_}", table)) for format_ in FORMATS]
    assert parquet
    assert others == [parquet, parquet]


def test_every_variant_is_exported_from_files_in_every_format(tmp_path: Path) -> None:
    for format_ in FORMATS:
        done("export", "deals", f"all.{format_}", GOLDEN, cwd=tmp_path)
    parquet, *others = [without_time(read(tmp_path / f"all.{format_}", "deals")) for format_ in FORMATS]
    assert {row["variant"] for row in parquet} == set(VARIANTS)
    assert others == [parquet, parquet]


def test_filters_choose_matches_by_what_the_bots_did(played: tuple[Path, dict[str, Any]]) -> None:
    folder, _ = played

    def found(*filters: str) -> set[str]:
        done("export", "matches", "some.jsonl", *filters, cwd=folder)
        return {row["match"] for row in read(folder / "some.jsonl", "matches")}

    every = read_all(folder)
    bot = every[0]["bots"][0]
    own = {row["match"]: row["placing"][row["bots"].index(bot)] for row in every if bot in row["bots"]}
    ties = {row["match"] for row in every if row["placing"].count(1) > 1}
    assert found("--bot", bot) == set(own)
    assert found("--won", bot) == {match for match, place in own.items() if place == 1} - ties
    assert found("--lost", bot) == {match for match, place in own.items() if place > 1}
    assert found("--forfeited", bot) == set()
    assert found("--variant", "kyogi") == set()
    assert found("--version", "greedy@") == {
        row["match"] for row in every if any("greedy@" in v for v in row["versions"])
    }
    assert found("--from", "2000-01-01", "--to", "2999-01-01T12:00") == {row["match"] for row in every}
    assert found("--to", "2000-01-01") == found("--from", "2999-01-01") == set()


def read_all(folder: Path) -> list[dict[str, Any]]:
    """Every match of the league."""
    done("export", "matches", "every.jsonl", cwd=folder)
    return read(folder / "every.jsonl", "matches")


def test_a_forfeited_match_is_found_by_who_forfeited_it(tmp_path: Path) -> None:
    done("export", "matches", "lost.jsonl", GOLDEN, "--forfeited", "bo", cwd=tmp_path)
    rows = read(tmp_path / "lost.jsonl", "matches")
    records = [decode(path.read_bytes()) for path in GOLDEN.glob("*.hreplay")]
    forfeited = {
        record.match_id for record in records if record.offender >= 0 and record.names[record.offender] == "bo"
    }
    assert {row["match"] for row in rows} == forfeited
    assert forfeited


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--league", "winter"), "error: --league: there is no 'winter'; there is: spring\n"),
        (("--won", "nobody"), "error: --won: there is no 'nobody'; there is: bot-1, bot-2, bot-3\n"),
        (("--owner", "nobody"), "error: --owner: there is no 'nobody'; there is: none\n"),
        (("--version", "f00"), "error: --version: there is no 'f00'; there is: greedy@"),
        (
            ("--variant", "poker"),
            "error: --variant: there is no 'poker'; there is: hachihachi, koikoi, koikoi45, kyogi, ",
        ),
        (("--format", "xml"), "error: --format: there is no 'xml'; there is: csv, jsonl, parquet\n"),
        (("--from", "yesterday"), "error: --from takes a day or a time such as 2026-05-31T18:00, not 'yesterday'\n"),
    ],
)
@pytest.mark.parametrize("format_", FORMATS)
def test_a_bad_filter_says_what_there_is_and_leaves_the_file_as_it_was(
    played: tuple[Path, dict[str, Any]], words: tuple[str, str], said: str, format_: str
) -> None:
    folder, _ = played
    file = folder / f"kept.{format_}"
    file.write_text("as it was")
    message = refused("export", "decisions", file, *words, cwd=folder)
    assert message.startswith(said)
    assert message.count("\n") == 1
    assert file.read_text() == "as it was"
    assert not list(folder.glob(".arena-export-*"))


def test_files_that_are_no_replays_or_no_place_to_write_are_named(tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("Not a replay.\n")
    assert f"{notes}: " in refused("export", "deals", "x.csv", notes, cwd=tmp_path)
    assert "error: nothing.hreplay: there is no such" in refused(
        "export", "deals", "x.csv", "nothing.hreplay", cwd=tmp_path
    )
    assert "there is no folder far" in refused("export", "deals", "far/x.csv", notes, cwd=tmp_path)
    assert "give --format parquet, csv, jsonl" in refused("export", "deals", "x.dat", notes, cwd=tmp_path)
    assert "there is no store in arena-data" in refused("export", "deals", "x.csv", cwd=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize(("ending", "left"), [(signal.SIGKILL, 1), (signal.SIGINT, 0), (signal.SIGTERM, 0)])
@pytest.mark.parametrize("format_", FORMATS)
def test_an_export_that_is_cut_off_leaves_nothing_at_its_place(
    tmp_path: Path, format_: str, ending: signal.Signals, left: int
) -> None:
    replays = tmp_path / "replays"
    replays.mkdir()
    # The links are to a copy: a file system lets a file have so many, and folders of tests are kept.
    source = Path(shutil.copy(GOLDEN / "hachihachi.hreplay", tmp_path))
    for number in range(4000):
        (replays / f"{number:04}.hreplay").hardlink_to(source)
    with running("export", "decisions", f"cut.{format_}", replays, cwd=tmp_path) as command:
        until(lambda: list(tmp_path.glob(".arena-export-*")), "it writes")
        os.kill(command.process.pid, ending)
        command.end()
    assert not (tmp_path / f"cut.{format_}").exists()
    assert len(list(tmp_path.glob(".arena-export-*"))) == left


def test_without_pyarrow_parquet_says_what_to_install_and_the_others_are_written(tmp_path: Path) -> None:
    (tmp_path / "hidden").mkdir()
    (tmp_path / "hidden" / "pyarrow.py").write_text("raise ImportError('hidden')\n")
    without = {"PYTHONPATH": str(tmp_path / "hidden")}
    said = refused("export", "deals", "x.parquet", GOLDEN, cwd=tmp_path, env=without)
    assert said == "error: Parquet needs pyarrow: pip install 'hanafuda-arena[parquet]'\n"
    assert arena("export", "deals", "x.csv", GOLDEN, cwd=tmp_path, env=without).returncode == 0
