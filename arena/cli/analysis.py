"""`arena replay analyse` and `arena bot ask`: what a match's decisions were worth, and what another bot would do."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli import completion
from arena.cli.failures import WrongUseError
from arena.cli.judgements import judgement_document, line_of
from arena.cli.output import print_answer
from arena.cli.targets import Arena
from arena.cli.values import BOTS, AsJson, Uncaged, confinement_of
from arena.league.plurals import pluralize

if TYPE_CHECKING:
    from arena.analysis import Analysis, Judgement
    from arena.replays import ReplayRecord

Which = Annotated[
    str,
    typer.Argument(
        autocompletion=completion.replays, metavar="REPLAY", help="A replay's file, or its id in the arena."
    ),
]
OneSeat = Annotated[int | None, typer.Option("--seat", metavar="N", min=0, help="Only the decisions of this seat.")]

PLURALS = {"inaccuracy": "inaccuracies"}
"""The marks whose plural has more than an s."""
_BARS = "▁▂▃▄▅▆▇█"
_WIDTH = 60


def analyse(
    replays: Annotated[
        list[str],
        typer.Argument(autocompletion=completion.replays, metavar="REPLAY", help="Files of replays, or their ids."),
    ],
    arena: Arena,
    seat: OneSeat = None,
    playouts: Annotated[
        int | None, typer.Option(metavar="N", min=20, max=1_000_000, help="Playouts of a decision; by default 4,000.")
    ] = None,
    worst: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, help="Worst choices shown; by default 10, of several matches 3 a bot."),
    ] = None,
    threads: Annotated[int, typer.Option(metavar="N", min=1, max=64, help="They change the time alone.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Show a match's worst choices, its course and its luck.

    Each choice is compared with the best by what its seat knew then, never by hidden cards. Luck is what the cards
    brought beyond what they bring on the average, play is the rest of the margin. The same replay gives the same
    numbers. Of several matches, such as `match test --keep` keeps, it shows what they tell of each bot together.
    """
    if len(replays) > 1:
        _analyse_all(replays, arena, seat, playouts, 3 if worst is None else worst, as_json=as_json)
        return
    import msgspec

    from arena.analysis import analyse as judged
    from arena.analysis.values import PLAYOUTS
    from arena.cli.replay_files import load

    record = load(replays[0], arena)
    seats = None if seat is None else frozenset([checked(seat, record)])
    analysis = judged(record, PLAYOUTS if playouts is None else playouts, seats, threads)
    document = msgspec.to_builtins(analysis)
    document["judgements"] = [judgement_document(judgement) for judgement in analysis.judgements]
    document["luck"] = [{"margin": luck.margin, "luck": luck.luck, "play": luck.play} for luck in analysis.luck]
    print_answer(as_json, document, _lines(analysis, 10 if worst is None else worst))


def _analyse_all(
    replays: Sequence[str],
    arena: Arena,
    seat: int | None,
    playouts: int | None,
    worst: int,
    *,
    as_json: bool,
) -> None:
    from arena.cli.joint_analysis import CLOSE, print_report
    from arena.cli.replay_files import read

    if seat is not None:
        raise WrongUseError("--seat is of one match: of several, a bot has every seat")
    read_replays = read(list(dict.fromkeys(replays)), arena)
    close = CLOSE if playouts is None else playouts
    print_report("all together", {}, read_replays, worst=worst, close=close, as_json=as_json)


def checked(seat: int, record: "ReplayRecord") -> int:
    """A seat of the match; WrongUseError where there is no such seat."""
    if seat >= len(record.names):
        raise WrongUseError(f"--seat {seat}: the match has the seats 0 to {len(record.names) - 1}")
    return seat


def _lines(analysis: "Analysis", worst: int) -> Iterator[str]:
    names = [f"{seat} {name}" for seat, name in enumerate(analysis.bots)]
    width = max(4, *map(len, names))
    yield f"{analysis.variant}  match {analysis.match}  {analysis.playouts:,} playouts a decision"
    yield f"{'seat':<{width}}  {'result':>7} {'margin':>8} {'luck':>8} {'play':>8} {'lost':>8}  marks"
    for seat, name in enumerate(names):
        marks = [judgement.verdict for judgement in analysis.judgements if judgement.seat == seat]
        counted = ", ".join(
            pluralize(marks.count(kind), kind, PLURALS.get(kind))
            for kind in dict.fromkeys(sorted(marks))
            if kind != "good"
        )
        luck = analysis.luck[seat]
        yield (
            f"{name:<{width}}  {analysis.results[seat]:>7} {luck.margin:>+8.1f} {luck.luck:>+8.1f} {luck.play:>+8.1f} "
            f"{analysis.lost(seat):>8.1f}  {counted or '-'}"
        )
    if len(names) == 2 and analysis.curve:
        chances = [chance if seat == 0 else 1 - chance for _, seat, chance, _ in analysis.curve]
        yield f"chance to win of {analysis.bots[0]}, from the first decision to the last, 0 to 100 %:"
        yield "  " + "".join(_bar(chances[place * len(chances) // _WIDTH]) for place in range(_WIDTH))
    shown = analysis.worst(worst)
    if not shown:
        yield "no choice was clearly worse than the best"
        return
    yield "the worst choices:"
    yield from (_line(judgement, analysis.bots) for judgement in shown)


def _bar(chance: float) -> str:
    return _BARS[min(len(_BARS) - 1, int(chance * len(_BARS)))]


def _line(judgement: "Judgement", bots: Sequence[str]) -> str:
    return f"  {bots[judgement.seat]} {line_of(judgement)}"


def ask(
    bot: Annotated[
        str, typer.Argument(autocompletion=completion.bots, metavar="BOT", help=f"The bot that is asked: {BOTS}.")
    ],
    replay: Which,
    arena: Arena,
    decision: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Ask this decision of the match alone, and show it whole.")
    ] = None,
    seat: OneSeat = None,
    decision_ms: Annotated[int, typer.Option(metavar="MS", min=1, help="Time for each decision.")] = 10_000,
    uncaged: Uncaged = False,
    as_json: AsJson = False,
) -> None:
    """Ask a bot the questions of a past match.

    Prints where it answers otherwise. It gets the very decisions that were asked then, with the same dice, one after
    the other: what it answers changes nothing in the match.
    """
    from arena.cli.aio import run
    from arena.cli.asking import answers_of
    from arena.cli.replay_files import load
    from arena.match.model import TimeControl

    record = load(replay, arena)
    if decision is not None and decision > record.decisions:
        raise WrongUseError(f"--decision {decision}: the match has {record.decisions} decisions")
    seats = range(len(record.names)) if seat is None else [checked(seat, record)]
    answers = run(
        answers_of(bot, record, list(seats), TimeControl(decision_ms, 0), confinement_of(uncaged), arena.store)
    )
    if decision is not None:
        answers = [answer for answer in answers if answer.number == decision]
        if not answers:
            raise WrongUseError(f"--decision {decision} was not asked of seat {seat}")
    different = [answer for answer in answers if answer.then != answer.now]
    document: dict[str, Any] = {
        "replay": replay,
        "bot": bot,
        "asked": len(answers),
        "different": [answer._asdict() for answer in (different if decision is None else answers)],
    }
    lines = [line for answer in (different if decision is None else answers) for line in answer.lines(record.names)]
    if decision is None:
        lines.append(f"{len(different)} of {len(answers)} decisions otherwise")
    print_answer(as_json, document, lines)
