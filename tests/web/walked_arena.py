"""An arena with all that pages can show: leagues of every format and state, the worst names, forfeits, ladders.

It is played once by the commands that people use, with house bots and programs, on boards of a month or two.
"""

import json
import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from arena_command import arena, document, done, pages_port, running, until
from bots_in_tests import BOT, MANIFEST, write_bot
from site_client import SiteUnderTest

from arena.bench.site import house_match
from arena.replays import encode

LONGEST_NAME = "W" * 64
WORST = ("a-bot-with-a-name-of-sixty-four-characters-which-is-the-longest1", "i_i.l-l" * 9, "0", LONGEST_NAME)
"""Names as long as they may be, with and without a place to break, and the shortest."""
NO_NAMES = ("\u202eright to left: שלום\u202c", "👨\u200d👩\u200d👧\u200d👦🎴🎴🎴", "e" + "\u0301" * 30, "漢字" * 32)
"""What no bot of the arena is called, but what the file of a replay, or what a bot says about itself, can hold."""
WORST_TEXT = f"שלום עולם 🎴🎴🎴 {NO_NAMES[2]} {NO_NAMES[3]}"
"""The same for what is printed as it stands."""
TWO, THREE, FOUR = "forfeited-by-one-of-two", "forfeited-by-one-of-three", "forfeited-by-one-of-four"

# Plays well until it has more than everybody else, and ends: it forfeits while it leads.
LEADS_AND_ENDS = """\
import os

from arena.sdk import Bot, run
from bots import house

greedy = house("greedy")


class Flaky(Bot):
    def choose(self, decision):
        balances = {one.seat: one.value for one in decision.observation.counters if one.name == "balance"}
        own = balances.pop(decision.seat, 0)
        if own > max(balances.values(), default=own):
            os._exit(3)
        return greedy.choose(decision)


run(Flaky())
"""
# Takes its time where it plays under one of these names, and none where it qualifies.
SLOW = f"""(time.sleep(3 if set({WORST!r}) & set(decision.match.bots) else 0), decision.legal[0])[1]"""


def entries(names: Sequence[str], bots: Sequence[str] = ("house:random", "house:greedy")) -> str:
    """The entries of bots of these names."""
    listed = ", ".join(f'{{ name = "{name}", bot = "{bots[at % len(bots)]}" }}' for at, name in enumerate(names))
    return f"entries = [{listed}]\n"


def write(folder: Path, name: str, keys: str, divisions: Sequence[str] = ()) -> Path:
    """The file of a league or a ladder; waits are not covered."""
    file = folder / f"{name}.toml"
    secret = "" if "[ladder]" in keys else f'secret = "{"5a" * 32}"\n'
    parts = "".join(f"\n[[divisions]]\n{division}" for division in divisions)
    file.write_text(f'name = "{name}"\n{secret}cover_ms = 0\n{keys}{parts}')
    return file


def leagues(folder: Path) -> Iterator[Path]:
    """The files of the leagues that are played to their end: every format, and a forfeit in each number of seats."""
    months = "options = { months = 1 }\n"
    plain = [f"bot-{number}" for number in range(1, 5)]
    yield write(
        folder, "swiss", f'variant = "koikoi"\nrounds = 4\nboards = 8\n{months}{entries([*WORST, *plain, "odd"])}'
    )
    yield write(
        folder, "round-robin", f'variant = "kyogi"\npairing = "round-robin"\nrounds = 3\nboards = 2\n{entries(plain)}'
    )
    yield write(
        folder,
        "knock-out",
        'variant = "koikoi45"\npairing = "knock-out"\nbracket = 4\nrounds = 3\nboards = 1\n'
        f"{entries([*WORST, *plain])}",
    )
    yield write(
        folder, "field", f'variant = "koikoi"\nboard_sets = "field"\nrounds = 2\nboards = 2\n{months}{entries(plain)}'
    )
    games = ("koikoi", "koikoi45", "kyogi", "hachihachi", "sangohana")
    yield write(
        folder,
        "L" * 64,
        f"rounds = 2\nboards = 1\n{entries([*WORST, *plain[:2]])}",
        [f'variant = "{game}"\n' + (months if game == "koikoi" else "") for game in games],
    )
    yield from forfeits(folder)


def forfeits(folder: Path) -> Iterator[Path]:
    """The files of leagues in which a bot forfeits while it leads, in each number of seats."""
    ends = str(write_bot(folder, "ends", LEADS_AND_ENDS))
    for name, variant, seats in ((TWO, "koikoi", 2), (THREE, "hachihachi", 3), (FOUR, "sangohana", 4)):
        kept = "" if seats == 2 else f"seats = {seats}\n"
        names = [WORST[0], "flaky", "random", "other"][: max(seats, 3)]
        bots = ["house:random", ends, "house:random", "house:random"]
        yield write(folder, name, f'variant = "{variant}"\n{kept}rounds = 1\nboards = 1\n{entries(names, bots)}')


def submit(folder: Path, name: str, about: str, answer: str, variants: Sequence[str] = ("koikoi",)) -> None:
    """Send in a bot, which qualifies or does not."""
    sent_in = folder / name
    sent_in.mkdir()
    manifest = MANIFEST.replace('"ann"', f'"{name}"').replace("Plays the first legal action.", about)
    (sent_in / "bot.toml").write_text(manifest.replace('["koikoi"]', json.dumps(list(variants))))
    (sent_in / "bot.py").write_text(f"import time\n\n{BOT.format(answer=answer)}")
    arena("bot", "submit", sent_in, "--activate", cwd=folder)


def play(folder: Path) -> None:
    """Fill the folder of an arena. It has no node afterwards, and one league under way (`serving`)."""
    for file in leagues(folder):
        told = arena("league", "run", file, "--uncaged", cwd=folder)
        assert "over after round" in told.stdout, told.stderr
    house = entries(["bot-1", "bot-2"])
    for name, keys in (
        ("empty", "entries = []\n"),
        ("opened", entries(WORST)),
        ("cancelled-early", house),
        ("paused", house),
    ):
        done("league", "open", write(folder, name, f'variant = "koikoi"\nrounds = 3\n{keys}'), cwd=folder)
    done("league", "cancel", "cancelled-early", cwd=folder)
    done("league", "start", "paused", cwd=folder)
    done("league", "pause", "paused", cwd=folder)
    long = write(folder, "cancelled-late", f'variant = "koikoi"\nrounds = 900\nboards = 1\n{entries(WORST)}')
    with running("league", "run", long, cwd=folder) as run:
        run.wait_for("cancelled-late: round 3/")
        os.kill(run.process.pid, signal.SIGKILL)
    done("league", "cancel", "cancelled-late", cwd=folder)
    submit(folder, "answers", WORST_TEXT, "decision.legal[0]")
    submit(folder, "fails", "x" * 200, "1 / 0")
    submit(folder, "slow", "Thinks.", SLOW, ("koikoi", "sangohana", "hachihachi"))
    ladder(folder)
    done("match", "play", "house:greedy", "house:random", "--seed", "7", cwd=folder)
    for number, (name, other) in enumerate(zip(NO_NAMES, WORST, strict=True)):
        record = house_match("koikoi", f"strange-{number}", options={"months": 1}, names=[name, other])
        (folder / "arena-data" / "replays" / f"strange-{number}.hreplay").write_bytes(encode(record))
    under_way = write(
        folder,
        "under-way",
        f"rounds = 20\nboards = 2\nper_decision_ms = 600000\n{entries(WORST, ['slow', 'house:random'])}",
        ['variant = "koikoi"\n', 'variant = "sangohana"\nseats = 4\n', 'variant = "hachihachi"\n'],
    )
    done("league", "open", under_way, cwd=folder)
    done("league", "start", "under-way", cwd=folder)


def ladder(folder: Path) -> None:
    """Play a ladder for two seasons, and close it; another one is open and goes on when a node does."""
    keys = 'variant = "koikoi"\nrounds = 2\nboards = 1\noptions = { months = 1 }\n'
    keys = f"{keys}{entries(WORST)}\n[ladder]\ntables = 2\n"
    done("ladder", "open", write(folder, "closed-ladder", keys), cwd=folder)
    with running("serve", "--listen", "127.0.0.1:0", cwd=folder) as node:
        node.wait_for("ladder closed-ladder: season 2 has begun")
        done("ladder", "close", "closed-ladder", cwd=folder)
        state = lambda: document("ladder", "show", "closed-ladder", cwd=folder)["state"]  # noqa: E731
        until(lambda: state() == "closed", "the ladder is closed")
    keys = keys.replace("house:random", "slow").replace("house:greedy", "house:random")
    done("ladder", "open", write(folder, LONGEST_NAME[:48], keys), cwd=folder)


@contextmanager
def serving(folder: Path) -> Iterator[int]:
    """The port of the arena's pages, beside a node that plays what is under way; a match can be watched."""
    with running("serve", "--listen", "127.0.0.1:0", cwd=folder) as node:
        node.wait_for("listening on")
        with running("web", "--listen", "127.0.0.1:0", cwd=folder) as run:
            site = SiteUnderTest(pages_port(run))
            until(lambda: '"match":' in site.get("/api/v1/live").text, "a match can be watched")
            yield site.port
