"""Programs of bots, good and bad, as a bot's author might write them."""

from pathlib import Path

CHOOSES = """\
import os
import signal
import time

from arena.sdk import Bot, run


class MyBot(Bot):
    def choose(self, decision):
        {choose}


run(MyBot())
"""

# Without the SDK: one stream, on which every decision is answered by `answer`.
RAW = """\
import os
import queue

import grpc

from hanafuda.arena.v1 import play_pb2, play_pb2_grpc

requests = queue.Queue()
requests.put(play_pb2.PlayRequest(hello=play_pb2.Hello(protocol_version=1)))
token = (("authorization", "Bearer " + os.environ["ARENA_TOKEN"]),)
channel = grpc.insecure_channel(os.environ["ARENA_ADDRESS"])
for response in play_pb2_grpc.PlayServiceStub(channel).Play(iter(requests.get, None), metadata=token):
    {answer}
"""

FIRST = CHOOSES.format(choose="return decision.legal[0]")

DECLINES = FIRST.replace("    def choose", "    def accepts(self, match):\n        return False\n\n    def choose")

# Plays at once in the first seat, and in the second when the file `gate` is there.
GATE = """\
import os
import time

from arena.sdk import Bot, run


class MyBot(Bot):
    def choose(self, decision):
        while decision.seat and not os.path.exists({gate!r}):
            time.sleep(0.02)
        return decision.legal[0]


run(MyBot())
"""

# Plays by its dice, but waits in round N of a league while there is a file `hold.rN` beside its own.
HOLDS = """\
from pathlib import Path
import time

from arena.sdk import Bot, run


class MyBot(Bot):
    def choose(self, decision):
        while Path(__file__).with_name("hold." + decision.match.id.split(".")[2]).exists():
            time.sleep(0.02)
        return decision.legal[decision.message.random % len(decision.legal)]


run(MyBot())
"""

ILLEGAL = RAW.format(
    answer="""\
if response.HasField("decision"):
        asked = response.decision
        move = play_pb2.Move(match_id=asked.match_id, decision=asked.decision, code=9999)
        requests.put(play_pb2.PlayRequest(move=move))"""
)

BROKEN = {
    "crashes": CHOOSES.format(choose="raise RuntimeError('I cannot count')"),
    "sends-what-is-not-legal": ILLEGAL,
    "hangs": CHOOSES.format(choose="signal.pause()"),
    "dies": CHOOSES.format(choose="print('goodbye', flush=True); os._exit(3)"),
    "is-killed": CHOOSES.format(choose="os.kill(os.getpid(), 40)"),
    "dies-before-it-is-asked": RAW.format(answer="os._exit(7)"),
    "ends-at-once": "import sys\n\nsys.exit('no thanks')\n",
    "prints-nonsense": "import signal\n\nprint('\\x1b[31mblah\\n' * 1000, flush=True)\nsignal.pause()\n",
}


# What is sent in: the manifest and the program of a bot.
MANIFEST = """\
[bot]
name = "ann"
command = ["python", "bot.py"]
variants = ["koikoi"]
about = "Plays the first legal action."
"""
BOT = """\
from arena.sdk import Bot, run

class MyBot(Bot):
    def choose(self, decision):
        return {answer}

run(MyBot())
"""


def write_bot(folder: Path, name: str, program: str) -> Path:
    """A bot's file."""
    path = folder / f"{name}.py"
    # One that is there already may just be read by a bot that starts.
    if not path.exists() or path.read_text() != program:
        path.write_text(program)
    return path


def short_league(folder: Path, bot: str) -> None:
    """Write the file `spring.toml`: one bot against a house bot, in two matches of one month."""
    (folder / "spring.toml").write_text(
        'name = "spring"\nvariant = "koikoi"\nrounds = 1\nboards = 1\n'
        f'entries = ["{bot}", "house:random"]\n\n[options]\nmonths = 1\n'
    )
