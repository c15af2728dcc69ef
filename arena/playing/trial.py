"""A test of two bots in this process: `arena.match_test(MyBot, "house:greedy")`."""

import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from arena.league.errors import StatisticsError
from arena.match.model import MatchSpec
from arena.playing.bots import BotLike, Players, names_of, what_bots_raise
from arena.playing.progress import bar
from arena.simulate import play_out
from arena.sprt.sequential import Hypotheses, Model, Verdict
from arena.sprt.trial import Measure, Summary, Trial, names_at, trial_game
from arena.sprt.wording import number_rows, verdict_text
from arena.web.report.plots import Bounds, course
from arena.web.report.tables import grid, paragraph
from core_ext import State, parse_seed, variant_info

_MODELS = {"normalized": Model.NORMALISED, "normalised": Model.NORMALISED, "logistic": Model.LOGISTIC}


@dataclass(frozen=True, repr=False)
class MatchTest:
    """A test that was played. In a notebook it draws its course.

    `names` are those of the new and the old version; `summary` has the verdict, the estimates with their intervals and
    all counts; `llr` is the log-likelihood ratio after each board set, of which at most `boards` were to be played.
    """

    names: tuple[str, str]
    variant: str
    seed: str
    boards: int
    hypotheses: Hypotheses
    summary: Summary
    llr: tuple[float, ...]

    @property
    def verdict(self) -> Verdict:
        """What was decided; `Verdict.OPEN` where the boards did not suffice."""
        return self.summary.reading.verdict

    def _decided(self) -> str:
        return verdict_text(self.names, self.hypotheses, self.summary, stopped=len(self.llr) < self.boards)

    def __str__(self) -> str:
        rows = [f"{name:<10} {text}" for name, text in number_rows(self.names, self.summary)]
        return "\n".join([self._decided(), *rows, f"seed       {self.seed}"])

    def __repr__(self) -> str:
        return f"<MatchTest {self}>"

    def course(self) -> str:
        """Draw the test's course between its bounds, as SVG."""
        reading = self.summary.reading
        return course(self.llr, Bounds(reading.lower, reading.upper), ("not better", "better"))

    def _repr_html_(self) -> str:
        title = f"{self.names[0]} against {self.names[1]}, {self.variant}, seed {self.seed}"
        rows = number_rows(self.names, self.summary)
        return f"{paragraph(title)}{paragraph(self._decided())}{self.course()}{grid((), rows)}"


def match_test(
    new: BotLike,
    old: BotLike,
    *,
    variant: str = "koikoi",
    seats: int | None = None,
    elo: tuple[float, float] | None = None,
    margin: tuple[float, float] | None = None,
    model: str = "normalized",
    alpha: float = 0.05,
    beta: float = 0.05,
    boards: int = 50_000,
    seed: str | int | None = None,
    options: Mapping[str, object] | None = None,
    progress: bool = True,
) -> MatchTest:
    """Test in this process whether one bot is better than another, as `arena match test` does it.

    Mirrored boards are played until the test can tell, at most so many; board i has the seed `SEED/i`. The test is of
    `elo`, by default (0, 5), in the unit of the `model`, or of the mean `margin` in points a match. An interrupt ends
    it early, and what was played is returned. What a bot raises is raised, with a note that says at which decision.

    Raises UnknownHouseBotError, CoreError where there is no such variant, option or number of seats, and
    StatisticsError for hypotheses that cannot be tested.
    """
    number = variant_info(variant).seats[-1] if seats is None else seats
    chosen = dict(options or {})
    State.new(variant, chosen, "check", number)
    trial = _trial(number, elo, margin, model, alpha, beta)
    text = secrets.token_hex(16) if seed is None else str(seed)
    names = names_of((new, old))
    players = Players(dict(zip(names, (new, old), strict=True)))
    llr: list[float] = []
    with bar(boards, "board sets", shown=progress) as shown, suppress(KeyboardInterrupt):
        while trial.reading.verdict is Verdict.OPEN and len(llr) < boards:
            seed_of_board = parse_seed(f"{text}/{len(llr) + 1}")
            games = []
            for seating in trial.seatings:
                seated = names_at(seating, (names[0], names[1]))
                spec = MatchSpec(f"b{len(llr) + 1}", variant, seed_of_board, seated, chosen)
                with what_bots_raise(spec):
                    games.append(
                        trial_game(
                            seating, play_out(spec, [players.of(names[side]) for side in seating]).state.returns()
                        )
                    )
            llr.append(trial.add(games).llr)
            shown.set_postfix_str(f"LLR {llr[-1]:+.2f}", refresh=False)
            shown.update()
    return MatchTest((names[0], names[1]), variant, text, boards, trial.hypotheses, trial.summary(), tuple(llr))


def _trial(
    seats: int,
    elo: tuple[float, float] | None,
    margin: tuple[float, float] | None,
    model: str,
    alpha: float,
    beta: float,
) -> Trial:
    if margin is not None:
        if elo is not None:
            raise StatisticsError("a test is of Elo or of the margin, not of both")
        return Trial(seats, Measure.MARGINS, Hypotheses(*margin, Model.POINTS, alpha, beta))
    if model not in _MODELS:
        raise StatisticsError(f"the model is normalized or logistic, not {model!r}")
    return Trial(seats, Measure.RESULTS, Hypotheses(*(elo or (0.0, 5.0)), _MODELS[model], alpha, beta))
