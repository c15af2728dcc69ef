"""The work of `arena bot check`."""

from contextlib import closing
from functools import partial

import typer

from arena.cli.failures import CheckFailedError, WrongUseError
from arena.cli.output import print_document, say
from arena.cli.startable import program
from arena.cli.targets import StoreOptions
from arena.conformance.check import Report, check_bot
from arena.launcher.cage.errors import NoCageError, RuntimeUnknownError
from arena.launcher.cage.paths import program_in
from arena.launcher.cage.shared import SharedCages
from arena.launcher.path_bots import CAGE_HINT, UNCAGED_HINT, Confinement
from arena.launcher.sources import HouseBot, PathBot
from arena.match.model import End, TimeControl
from arena.match.question import Question
from arena.organizer.entries import check_plays
from arena.packs.packing import pack, unpack
from arena.scratch import scratch_folder
from arena.seats.watched import Step


async def show_check(
    name: str, variant: str, confinement: Confinement, time: TimeControl, target: StoreOptions, *, as_json: bool
) -> None:
    """Check the bot of this name and show how that goes.

    Raises CheckFailedError, what `program` raises, and SubmissionError for a folder that is no pack.
    """
    with scratch_folder() as folder:
        bot = await program(name, target, folder)
        if isinstance(bot, HouseBot):
            confinement = Confinement.UNCAGED
        check_plays(name, [variant], bot.variants if isinstance(bot, PathBot) else None)
        report = await _check(bot, variant, confinement, time)
    if as_json:
        document = {
            "ok": report.passed,
            "bot": name,
            "variant": variant,
            "steps": report.outcomes,
            "reproducible": report.reproducible,
            "output": report.output,
        }
        print_document(document)
    if report.reproducible is False:
        say("note    it played one match in two different ways: draw from decision.random to be reproducible")
    if not report.passed:
        failed = report.outcomes[-1]
        parts = [
            f"{name}: {failed.fault}",
            _clock(failed, time),
            failed.decision,
            report.output and f"it wrote:\n{report.output}",
        ]
        raise CheckFailedError("\n".join(filter(None, parts)))
    say(f"{name} keeps the protocol")


async def _check(bot: HouseBot | PathBot, variant: str, confinement: Confinement, time: TimeControl) -> Report:
    """Check a bot in a cage, or without one if that is asked for. CageError where it cannot be caged."""
    checked = partial(check_bot, bot, variant, time, show=_show, show_wait=_show_wait)
    with scratch_folder() as scratch, closing(SharedCages()) as cages:
        if isinstance(bot, PathBot) and bot.manifest is not None:
            unpack(pack(bot.path).data, scratch / "bot")
        if confinement is Confinement.UNCAGED or isinstance(bot, HouseBot):
            return await checked()
        try:
            content = None if bot.manifest is None else program_in(scratch / "bot", bot.manifest)
            report = await checked(cages=cages.get(), program=content)
        except (NoCageError, RuntimeUnknownError) as error:
            raise WrongUseError(
                f"{bot.path.name} is not checked: {' '.join(str(error).split())}; {UNCAGED_HINT}"
            ) from error
        if report.outcomes[0].fault:
            typer.echo(CAGE_HINT, err=True)
        return report


def _clock(failed: Step, time: TimeControl) -> str:
    """What the clock of a check was, where that is why a bot failed."""
    if not failed.fault.startswith(f"{End.TIMEOUT.value}:"):
        return ""
    each_s, bank_s = time.per_decision_ms / 1000, time.bank_ms / 1000
    return f"(here it had {each_s:g} s for each decision and {bank_s:g} s for a match: --decision-ms, --bank-ms)"


def _show(outcome: Step) -> None:
    say(f"{'FAILED' if outcome.fault else 'ok':<6}  {outcome.name}")


def _show_wait(question: Question) -> None:
    where = f"decision {question.number} of match {question.spec.match_id}"
    say(f"waits   for {where}: the bot has {question.limit_ms / 1000:g} s for it")
