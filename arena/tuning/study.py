"""A tuning: asks Optuna for values, plays boards with them in several processes, and keeps what came of them."""

import fcntl
import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean, stdev
from typing import BinaryIO

import msgspec
import numpy as np
import optuna
from optuna.distributions import FloatDistribution, IntDistribution
from optuna.samplers import TPESampler
from optuna.storages import JournalStorage
from optuna.storages.journal import JournalFileBackend
from optuna.trial import FrozenTrial, Trial, TrialState

from arena.processes import die_with_parent
from arena.tuning.boards import Boards, Contest, margins
from arena.tuning.errors import TuningError
from arena.tuning.parameters import Parameter, Values
from arena.tuning.surface import Surface, fit

_ERROR = "error"
_FREE_SHARE = 2
"""One trial of so many is drawn from the whole range; the others where earlier ones did well."""

_TEST_SHARE = 20
"""Boards of the last test that one bot plays: where it remembers something, that does not depend on the processes."""

Measure = Callable[[Contest, Boards, Values, Values], list[float]]


class Plan(msgspec.Struct, frozen=True):
    """What a tuning plays: with the same plan a study goes on. `start` are the bot's own values."""

    contest: Contest
    parameters: tuple[Parameter, ...]
    start: dict[str, float]
    seed: str
    boards: int
    contents: str = ""
    """What tells this version of the program from others."""


class Measured(msgspec.Struct, frozen=True):
    """A mean margin a board with its standard error."""

    margin: float
    error: float

    @property
    def interval(self) -> tuple[float, float]:
        """95 %."""
        return self.margin - 1.96 * self.error, self.margin + 1.96 * self.error


class Optimum(msgspec.Struct, frozen=True):
    """What so many trials found: the best values, and between which values 95 % of what is possible lies."""

    best: dict[str, float]
    low: dict[str, float]
    high: dict[str, float]
    trials: int


class Tuning:
    """One study in a file. Every finished trial stays there, whatever ends the process.

    Raises TuningError where the file holds the study of another plan, or another process works on it, and OSError.
    """

    def __init__(self, plan: Plan, file: Path, measure: Measure = margins) -> None:
        self.plan = plan
        self._measure = measure
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        file.parent.mkdir(parents=True, exist_ok=True)
        self._lock = _locked(file)
        storage = JournalStorage(JournalFileBackend(str(file)))
        digest = hashlib.sha256(msgspec.json.encode(plan)).hexdigest()[:16]
        studies = storage.get_all_studies()
        if studies and studies[0].study_name != digest:
            raise TuningError(f"{file} holds a tuning of other parameters, boards, options or bots: name another file")
        sampler = TPESampler(multivariate=True, constant_liar=True, n_startup_trials=10, seed=_number(plan.seed, "tpe"))
        self._study = optuna.create_study(
            storage=storage, study_name=digest, sampler=sampler, direction="maximize", load_if_exists=True
        )
        self._free = np.random.default_rng(_number(plan.seed, f"free/{len(self._study.trials)}"))
        for trial in self._study.get_trials(states=(TrialState.RUNNING, TrialState.WAITING)):
            # Its process was killed: its values are played again, on boards of a trial of their own.
            if trial.state is TrialState.RUNNING:
                self._study.tell(trial.number, state=TrialState.FAIL)
                self._study.enqueue_trial(trial.params)

    @property
    def trials(self) -> list[FrozenTrial]:
        """The trials that were played to their end."""
        return self._study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))

    def measured(self) -> list[tuple[Values, Measured]]:
        """The values of each trial, and what they came to."""
        return [
            (as_values(trial.params), Measured(float(trial.value or 0.0), float(trial.user_attrs[_ERROR])))
            for trial in self.trials
        ]

    def play(self, trials: int, jobs: int, progress: Callable[[int, Values, Measured], None] = lambda *_: None) -> None:
        """Play until there are so many trials, in so many processes. Raises TuningError where a bot fails."""
        with workers(jobs) as pool:
            running: dict[Future[list[float]], tuple[Trial, dict[str, float]]] = {}
            while (done := len(self.trials)) < trials or running:
                while len(running) < jobs and done + len(running) < trials:
                    trial, values = self._ask()
                    boards = Boards(f"{self.plan.seed}/trial/{trial.number}", self.plan.boards)
                    running[self._submit(pool, boards, values)] = trial, values
                finished, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in finished:
                    trial, values = running.pop(future)
                    measured = mean_of(future.result())
                    trial.set_user_attr(_ERROR, measured.error)
                    self._study.tell(trial, measured.margin)
                    progress(len(self.trials), values, measured)

    def test(self, values: Values, boards: int, jobs: int) -> Measured:
        """Play the values against the opponent on boards that no trial has seen; the same for any number of `jobs`."""
        with workers(jobs) as pool:
            parts = [
                Boards(f"{self.plan.seed}/test", min(_TEST_SHARE, boards - begin), begin + 1)
                for begin in range(0, boards, _TEST_SHARE)
            ]
            futures = [self._submit(pool, part, values) for part in parts]
            return mean_of([margin for future in futures for margin in future.result()])

    def surface(self) -> Surface:
        """Return what the trials say of the whole range. Raises TuningError where there are too few."""
        trials = self.trials
        parameters = self.plan.parameters
        if len(trials) < 2 + 2 * len(parameters):
            raise TuningError(f"{len(trials)} trials say nothing yet: {2 + 2 * len(parameters)} are needed at least")
        places = np.array(
            [[parameter.unit(float(trial.params[parameter.name])) for parameter in parameters] for trial in trials]
        )
        values = np.array([float(trial.value or 0.0) for trial in trials])
        # Each trial's own error is known badly by its few boards; all of them have the same number.
        own_errors = np.array([float(trial.user_attrs[_ERROR]) for trial in trials])
        pooled = float(np.sqrt(np.mean(own_errors**2)))
        errors = np.sqrt(0.5 * own_errors**2 + 0.5 * pooled**2)
        is_own = self.plan.contest.opponent == self.plan.contest.program
        start = [parameter.unit(self.plan.start[parameter.name]) if is_own else np.nan for parameter in parameters]
        return fit(places, values, errors, np.array(start), _number(self.plan.seed, "surface"))

    def optimum(self, surface: Surface) -> Optimum:
        """Return the best values, and the interval of each."""
        named = [
            {
                parameter.name: parameter.value(float(unit))
                for parameter, unit in zip(self.plan.parameters, place, strict=True)
            }
            for place in (surface.best, surface.low, surface.high)
        ]
        return Optimum(named[0], named[1], named[2], len(self.trials))

    def _ask(self) -> tuple[Trial, dict[str, float]]:
        number = len(self._study.get_trials(deepcopy=False))
        waits = self._study.get_trials(deepcopy=False, states=(TrialState.WAITING,))
        if number % _FREE_SHARE == 0 and not waits:
            self._study.enqueue_trial(
                {
                    parameter.name: _plain(parameter, parameter.value(self._free.random()))
                    for parameter in self.plan.parameters
                }
            )
        trial = self._study.ask({parameter.name: _distribution(parameter) for parameter in self.plan.parameters})
        return trial, {name: float(value) for name, value in trial.params.items()}

    def _submit(self, pool: ProcessPoolExecutor, boards: Boards, values: Values) -> "Future[list[float]]":
        plan = self.plan
        tried = {parameter.name: _plain(parameter, values[parameter.name]) for parameter in plan.parameters}
        begin = {parameter.name: _plain(parameter, plan.start[parameter.name]) for parameter in plan.parameters}
        return pool.submit(self._measure, plan.contest, boards, tried, begin)


def mean_of(played: Sequence[float]) -> Measured:
    """The mean of margins by board with its standard error."""
    error = stdev(played) / len(played) ** 0.5 if len(played) > 1 else 0.0
    return Measured(fmean(played), error)


def _locked(file: Path) -> BinaryIO:
    """The file, locked for as long as it is open, which ends with this process. Raises TuningError, OSError."""
    opened = file.open("ab")
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        opened.close()
        raise TuningError(f"another process works on {file}: wait until it is done, or name another file") from error
    return opened


@contextmanager
def workers(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """So many processes, which end with this one. TuningError where one of them ends by itself."""
    context = get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=die_with_parent, initargs=(os.getpid(),)) as pool:
        try:
            yield pool
        except BrokenProcessPool as error:
            raise TuningError(
                "a process that played was killed, or ended by the bot; the trials that ended are kept"
            ) from error
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _plain(parameter: Parameter, value: float) -> float:
    return int(value) if parameter.whole else value


def _distribution(parameter: Parameter) -> FloatDistribution | IntDistribution:
    if parameter.whole:
        return IntDistribution(int(parameter.low), int(parameter.high))
    return FloatDistribution(parameter.low, parameter.high)


def _number(seed: str, use: str) -> int:
    """A seed of a random generator for one use."""
    return int.from_bytes(hashlib.sha256(f"{use}/{seed}".encode()).digest()[:4], "big")


def as_values(values: Mapping[str, object]) -> dict[str, float]:
    """Values as numbers."""
    return {name: float(str(value)) for name, value in values.items()}
