"""`arena replay …`: from files and from the store, true ones and broken ones, while the cards are still in play."""

import io
import json
import random
import re
from datetime import UTC, datetime
from pathlib import Path

import pexpect
import pytest
from arena_command import ARENA, DEADLINE_S, arena, document, done, league_file, refused, running, until
from bots_in_tests import CHOOSES, GATE, write_bot
from PIL import Image, ImageChops, ImageSequence, ImageStat
from resvg_py import svg_to_bytes

from arena.replays import decode
from arena.web.viewer.document import document as viewer_document


@pytest.fixture(scope="module")
def replay(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A replay of a true match of three months."""
    folder = tmp_path_factory.mktemp("replay")
    match = ("match", "play", "house:greedy", "house:random", "--seed", "7", "--option", "months=3")
    return folder / str(document(*match, cwd=folder)["replay"])


def test_a_match_is_drawn_so_that_a_person_can_follow(replay: Path) -> None:
    drawn = done("replay", "show", replay)
    assert [f"month {month} " in drawn for month in (1, 2, 3, 4)] == [True, True, True, False]
    for word in ("field", "plays", "takes", "turns", "wins the month", "balance", "The match was played to its end"):
        assert word in drawn
    month = done("replay", "show", replay, "--month", "2")
    assert "month 2 " in month
    assert "month 1 " not in month


def test_a_drawn_match_explains_its_cards_and_pads_no_line(replay: Path) -> None:
    for width in ("80", "200"):
        drawn = arena("replay", "show", replay, env={"COLUMNS": width}).stdout
        assert "cards: plant, month, then L light, A animal, R ribbon, x y z chaff\n" in drawn
        assert [line for line in drawn.splitlines() if line != line.rstrip()] == []


def test_a_match_that_was_played_here_is_named_by_its_id_too(replay: Path) -> None:
    folder = replay.parents[2]
    assert done("replay", "show", replay.stem, cwd=folder) == done("replay", "show", replay)
    assert refused("replay", "show", f"replays/{replay.stem}", cwd=folder).startswith(
        "error: there is no file replays/"
    )


def test_an_analysis_counts_marks_in_the_singular_and_the_plural(replay: Path) -> None:
    told = done("replay", "analyse", replay, "--playouts", "200", "--worst", "0")
    marks = re.findall(r"(\d+) (inaccurac\w+|mistakes?|blunders?)", told)
    assert {number == "1" for number, _ in marks} == {True, False}
    assert all((number == "1") == (word in ("inaccuracy", "mistake", "blunder")) for number, word in marks)


def test_several_matches_are_analysed_together_and_each_bad_choice_says_where_it_was(
    replay: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.hreplay"
    other.write_bytes(replay.read_bytes())
    told = done("replay", "analyse", replay, other, "--playouts", "200", "--worst", "1").splitlines()
    assert told[0] == "all together: 2 matches; margin, luck, play and lost are means a match"
    assert [line.split()[:2] for line in told[2:5]] == [["bot", "matches"], ["greedy", "2"], ["random", "2"]]
    shown = sum(line.startswith("the worst choices of ") for line in told)
    assert shown == told.count(f"  {replay}") + told.count(f"  {other}") > 0, "of each bot one choice"
    assert max(len(line) for line in told if str(tmp_path.parent) not in line) <= 80
    refusal = "error: --seat is of one match: of several, a bot has every seat"
    assert refusal in refused("replay", "analyse", replay, other, "--seat", "0")


@pytest.mark.usefixtures("bubblewrap")
def test_only_thinking_that_took_time_is_shown(tmp_path: Path) -> None:
    slow = write_bot(tmp_path, "slow", CHOOSES.format(choose="time.sleep(0.2); return decision.legal[0]"))
    told = document("match", "play", slow, "house:random", "--seed", "7", "--option", "months=1", cwd=tmp_path)
    drawn = done("replay", "show", tmp_path / told["replay"])
    times = [int(ms) for ms in re.findall(r"(\d+) ms$", drawn, re.MULTILINE)]
    assert len([ms for ms in times if ms >= 50]) >= 4
    assert min(times) >= 10


def test_all_files_of_a_folder_are_drawn_one_after_another(replay: Path, tmp_path: Path) -> None:
    copies = [tmp_path / "a.hreplay", tmp_path / "b.hreplay"]
    for copy in copies:
        copy.write_bytes(replay.read_bytes())
    once, twice = done("replay", "show", copies[0]), done("replay", "show", *copies)
    assert twice == f"{once}\n{once}"


def test_replays_are_listed_as_json(replay: Path) -> None:
    [listed] = document("replay", "list", "--data", replay.parents[1])["replays"]
    assert listed["replay"] == str(replay)
    assert (listed["readable"], listed["variant"], listed["bots"]) == (True, "koikoi", ["greedy", "random"])
    assert (len(listed["results"]), listed["end"], listed["offender"]) == (2, "completed", -1)


def test_a_transcript_is_one_line_of_json_with_legal_lists_on_demand(replay: Path) -> None:
    (line,) = done("replay", "transcript", replay).splitlines()
    assert json.loads(line)["format"] == "hanafuda-transcript/1"
    action = json.loads(done("replay", "transcript", replay, "--legal"))["months"][0]["actions"][0]
    assert action["action"] in action["legal"]


def test_a_listing_says_when_each_was_kept_and_elsewhere_where_it_looked(replay: Path, tmp_path: Path) -> None:
    kept = datetime.fromtimestamp(replay.stat().st_mtime, UTC).strftime("%Y-%m-%d %H:%M")
    assert f"{replay}  {kept}  koikoi" in done("replay", "list", "--data", replay.parents[1])
    found = arena("replay", "list", cwd=tmp_path)
    assert (found.returncode, found.stdout) == (0, "")
    assert found.stderr == f"there is no replay in {tmp_path / 'arena-data'}\n"


def test_files_are_listed_by_bot_and_a_broken_one_is_named_beside_them(replay: Path) -> None:
    data = replay.parents[1]
    broken = replay.with_name("broken.hreplay")
    broken.write_bytes(replay.read_bytes()[:-1])
    try:
        assert replay.name in done("replay", "list", "--data", data, "--bot", "greedy")
        found = arena("replay", "list", "--data", data, "--bot", "nobody")
        assert (found.returncode, found.stdout) == (0, "")
        assert found.stderr.endswith(f"\nthere is no replay with nobody in {data}\n")
    finally:
        broken.unlink()


@pytest.mark.parametrize("place", [0.0, 0.3, 0.6, 0.9, 1.0])
def test_one_flipped_byte_is_found(replay: Path, tmp_path: Path, place: float) -> None:
    raw = bytearray(replay.read_bytes())
    raw[round(place * (len(raw) - 1))] ^= 1 << random.Random(place).randrange(8)
    altered = tmp_path / "altered.hreplay"
    altered.write_bytes(raw)
    assert f"{altered}: " in refused("replay", "verify", altered, status=1)


def test_many_replays_are_verified_at_once_and_those_that_fail_are_named(replay: Path, tmp_path: Path) -> None:
    copy, cut = tmp_path / "copy.hreplay", tmp_path / "cut.hreplay"
    copy.write_bytes(replay.read_bytes())
    cut.write_bytes(replay.read_bytes()[:40])
    said = done("replay", "verify", copy, replay).splitlines()
    assert [line.partition(" verified")[0] for line in said] == [str(copy), str(replay)]
    result = arena("replay", "verify", copy, cut, replay)
    assert result.returncode == 1
    assert result.stdout.splitlines() == said
    assert result.stderr.startswith(f"{cut}: the replay is cut off")
    assert result.stderr.count("\n") == 1


def test_what_is_cut_off_or_no_replay_is_named_for_what_it_is(replay: Path, tmp_path: Path) -> None:
    cut, other, empty = (tmp_path / name for name in ("cut.hreplay", "notes.txt", "empty"))
    cut.write_bytes(replay.read_bytes()[:40])
    other.write_text("Not a replay.\n")
    empty.touch()
    assert "cut off" in refused("replay", "verify", cut, status=1)
    assert "not a replay" in refused("replay", "verify", other, status=1)
    assert f"{empty}: " in refused("replay", "verify", empty, status=1)
    assert "cut off" in refused("replay", "show", cut)
    assert "not a replay" in refused("replay", "transcript", other)


def test_while_a_league_runs_its_open_boards_are_closed_to_readers_and_its_closed_ones_open(tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    bot = write_bot(tmp_path, "gated", GATE.format(gate=str(gate)))
    more = "options = { months = 1 }\nper_decision_ms = 60000\n"
    file = league_file(tmp_path, [str(bot), "house:random"], rounds=1, boards=1, more=more)
    at = ("--data", tmp_path / "data")
    # The bot plays at once in the first seat, and in the second it waits for the gate.
    with running("league", "run", "--uncaged", file, *at) as run:
        run.wait_for("round 1/1")
        until(lambda: done("replay", "list", "--league", "spring", *at), "a match is over")
        line = done("replay", "list", "--league", "spring", *at).strip()
        assert line.endswith("its board is still being played")
        played = line.split()[0]
        for verb in ("show", "verify"):
            said = refused("replay", verb, played, *at)
            assert "is not readable before every match on board 'r1.b1' is over" in said
        gate.touch()
        assert run.end() == 0
    assert len(done("replay", "list", "--league", "spring", *at).splitlines()) == 2
    assert "verified" in done("replay", "verify", played, *at)
    transcripts = [json.loads(done("replay", "transcript", f"spring.koikoi.r1.t1.b1.{turn}", *at)) for turn in "ab"]
    assert transcripts[0]["months"][0]["deck"] == transcripts[1]["months"][0]["deck"]
    assert transcripts[0]["seed"] == transcripts[1]["seed"]


def test_a_match_is_exported_as_a_page_and_as_pictures(tmp_path: Path) -> None:
    replay = document("match", "play", "house:greedy", "house:random", "--option", "months=1", cwd=tmp_path)["replay"]
    said = done("replay", "export", replay, "--html", "match.html", "--svg", "3", "--output", "t.svg", cwd=tmp_path)
    assert said == "match.html plays the match, without a network\nt.svg shows the table after move 3\n"
    assert (tmp_path / "match.html").read_text("utf-8").startswith("<!doctype html>")
    assert done("replay", "export", replay, "--svg", "3", cwd=tmp_path).rstrip() == (tmp_path / "t.svg").read_text()
    terminal = {"cwd": str(tmp_path), "encoding": "utf-8", "withexitstatus": True, "timeout": DEADLINE_S}
    said, status = pexpect.run(f"{ARENA} replay export {replay} --svg 3", **terminal)
    assert (said, status) == ("error: a picture is not for a terminal: name its file with --output FILE\r\n", 2)
    done("replay", "export", replay, "--html", "ja.html", "--language", "ja", cwd=tmp_path)
    assert '<html lang="ja">' in (tmp_path / "ja.html").read_text("utf-8")
    assert "1月・松" in (tmp_path / "ja.html").read_text("utf-8")
    for arguments, words in (
        ((), "--html FILE, --gif FILE, or --svg MOVE"),
        (("--svg", "1000"), "the match has the moves 0 to"),
        (("--svg", "1", "--seat", "2"), "the match has the seats 0 to 1"),
        (("--html", "no/such/folder.html"), "No such file or directory"),
        (("--gif", "t.gif", "--month", "2"), "--month 2: the match has the months 1 to 1"),
        (("--html", "t.html", "--month", "1"), "--month is for --gif FILE"),
    ):
        assert words in refused("replay", "export", replay, *arguments, cwd=tmp_path)


def test_a_match_is_exported_as_a_moving_picture_of_the_same_tables(replay: Path, tmp_path: Path) -> None:
    assert done("replay", "export", replay, "--gif", "m.gif", "--month", "2", cwd=tmp_path) == "m.gif shows the match\n"
    told = viewer_document(decode(replay.read_bytes()))
    moves = [number for number, step in enumerate(told["steps"]) if told["deals"][step["deal"]]["month"] == 2]
    with Image.open(tmp_path / "m.gif") as made:
        assert made.info["loop"] == 0
        frames = [(frame.convert("RGB"), frame.info["duration"]) for frame in ImageSequence.Iterator(made)]
    assert len(frames) == len(moves)
    assert [duration > 1_000 for _, duration in frames] == [False] * (len(moves) - 1) + [True]
    for frame, move in ((frames[-7][0], moves[-7]), (frames[-4][0], moves[-4])):
        svg = done("replay", "export", replay, "--svg", str(move), cwd=tmp_path)
        with Image.open(io.BytesIO(svg_to_bytes(svg_string=svg))) as table:
            # the upper half, where only names, which need fonts, may differ
            part = (0, 64, 760, 210)
            away = ImageChops.difference(frame.crop(part), table.convert("RGB").crop(part))
        assert max(ImageStat.Stat(away).mean) < 6
