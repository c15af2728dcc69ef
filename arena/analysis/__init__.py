"""What positions are worth, where a bot went wrong, and what was luck.

from pathlib import Path
from arena.analysis import Replay, analyse

replay = Replay.read(Path("game.hreplay"))
for decision, choice in replay.decisions(0):
    print(decision.number, choice.text)
for mistake in analyse(replay.record).worst(5):
    print(mistake.number, mistake.action, mistake.best, mistake.loss)
"""

from arena.analysis.luck import SeatLuck, luck_of
from arena.analysis.mistakes import Analysis, Judgement, Verdict, analyse, judge
from arena.analysis.replay import Replay
from arena.analysis.values import values
from arena.strength.expert import ActionValue

__all__ = [
    "ActionValue",
    "Analysis",
    "Judgement",
    "Replay",
    "SeatLuck",
    "Verdict",
    "analyse",
    "judge",
    "luck_of",
    "values",
]
