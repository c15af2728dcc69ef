"""A bot is named in the same ways wherever a command takes one."""

import json
import re
from pathlib import Path

import pytest
from arena_command import document, done, refused
from bots_in_tests import BOT, MANIFEST

pytestmark = pytest.mark.usefixtures("bubblewrap")

MONTH = ("--option", "months=1")


class Place:
    """A folder with a store in which ann was submitted, and is also the folder `mine`, and cay connects by herself."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        mine = folder / "mine"
        mine.mkdir()
        (mine / "bot.toml").write_text(MANIFEST)
        (mine / "bot.py").write_text(BOT.format(answer="decision.legal[0]"))
        done("bot", "submit", "mine", "--activate", cwd=folder)
        done("bot", "create", "cay", cwd=folder)
        self.version: str = document("bot", "versions", "ann", cwd=folder)["versions"][0]["version"]
        self.replay: str = document("match", "play", "house:greedy", "house:random", *MONTH, cwd=folder)["replay"]
        self.named = f"ann@{self.version[:12]}"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return Place(tmp_path_factory.mktemp("names"))


def test_a_match_shows_which_version_played(place: Place) -> None:
    said = done("match", "play", "ann", place.named, *MONTH, cwd=place.folder)
    assert re.search(rf"^[12]\. ann-1@{place.version[:12]} ", said, re.MULTILINE)
    assert re.search(rf"^[12]\. ann-2@{place.version[:12]} ", said, re.MULTILINE)


def test_a_simulation_plays_bots_of_every_kind_and_the_same_each_time(place: Place) -> None:
    def simulated(*bots: str) -> dict[str, object]:
        told = document("simulate", "--bots", ",".join(bots), "--seed", "5", *MONTH, cwd=place.folder)
        return {name: told[name] for name in ("decisions", "totals", "wins")}

    first, *others = [simulated("greedy", bot) for bot in ("ann", place.named, "mine", "./mine/bot.py")]
    assert others == [first] * 3
    # House bots answer in the process itself, or as in a match: the same way.
    done("match", "play", "house:greedy", "house:random", *MONTH, "--seed", "9", cwd=place.folder)
    call = ("simulate", "--bots", "house:greedy,ann", *MONTH, "--seed", "9", "--transcript", "t.json")
    done(*call, cwd=place.folder)
    transcript = json.loads((place.folder / "t.json").read_text())
    assert (
        transcript["months"][0]["deck"] == json.loads(done("replay", "transcript", _newest(place)))["months"][0]["deck"]
    )


def _newest(place: Place) -> Path:
    return max((place.folder / "arena-data" / "replays").iterdir(), key=lambda file: file.stat().st_mtime_ns)


def test_submitted_and_house_bots_are_asked_and_checked_as_those_by_path_and_own_ones_tuned(place: Place) -> None:
    asked = [document("bot", "ask", bot, place.replay, cwd=place.folder) for bot in (place.named, "./mine")]
    assert asked[0]["different"] == asked[1]["different"] != []
    assert f"{place.named} keeps the protocol" in done("bot", "check", place.named, cwd=place.folder)
    assert "house:random keeps the protocol" in done("bot", "check", "house:random", cwd=place.folder)
    tune = ("--param", "zeal=0:1")
    asks = "asks for no parameter 'zeal'; it asks for"
    for named in (place.named, "ann"):
        assert "is no program of yours: tuning runs bots without a cage" in refused(
            "bot", "tune", named, *tune, cwd=place.folder
        )
    assert f"{asks} chance" in refused("bot", "tune", "house:greedy", *tune, cwd=place.folder)


def test_a_submitted_version_is_tested_against_several_bots(place: Place) -> None:
    several = ("--against", "house:random", "mine/bot.py", place.named, *MONTH, "--boards-max", "1")
    told = document("match", "test", "house:greedy", *several, cwd=place.folder)
    assert [test["games"] for test in told["tests"]] == [2, 2, 2]
    assert [test["old"] for test in told["tests"]] == ["random", "bot", place.named]


def test_a_name_that_cannot_be_started_is_told_for_what_it_is(place: Place) -> None:
    for bot, said in (
        ("cay", "'cay' connects by itself, and this command starts its bots"),
        ("bob", "there is no folder 'bob', and no bot of this name in the store"),
        ("ann@01234567", "bot 'ann' has no version '01234567'"),
    ):
        assert said in refused("match", "play", bot, "house:random", cwd=place.folder)
        assert said in refused("simulate", "--bots", f"{bot},random", cwd=place.folder)
    done("bot", "retire", "ann", place.version, cwd=place.folder)
    said = refused("match", "play", "ann", "house:random", cwd=place.folder)
    assert (
        f"no version of 'ann' is active: name one, such as {place.named}, or `arena bot activate ann VERSION`" in said
    )
    done("bot", "activate", "ann", place.version, cwd=place.folder)
