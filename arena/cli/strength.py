"""`arena strength …`"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.commands import command
from arena.cli.failures import WrongUseError
from arena.cli.output import print_answer
from arena.cli.values import AsJson, check_file

if TYPE_CHECKING:
    from arena.strength.training import Training

app = typer.Typer(name="strength", help="Train the learned bots.", no_args_is_help=True)

_EVERY_S = 10.0
"""Seconds from one line of progress to the next."""


@command(app, "arena strength train koikoi", "arena strength train kyogi --seed 2 --to kyogi.weights --threads 1")
def train(
    variant: Annotated[
        str, typer.Argument(metavar="VARIANT", help="The game: koikoi, koikoi45, kyogi, hachihachi, sangohana.")
    ],
    seed: Annotated[int, typer.Option(metavar="SEED", min=0, help="The same seed gives the same weights.")] = 1,
    to: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The file of the weights; by default VARIANT.weights here.")
    ] = None,
    threads: Annotated[
        int, typer.Option(metavar="N", min=1, max=64, help="Threads at work; they change nothing in the weights.")
    ] = 2,
    batches: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Batches to learn from; by default as many as the arena's weights."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Learn a variant from nothing, by self-play, and write the weights.

    With seed 1 it makes those that come with the arena. Safe to kill: a checkpoint beside the file is written every few
    seconds, and the same command goes on from there.
    """
    from dataclasses import replace
    from time import process_time

    from arena.strength.training import RECIPES, Training
    from core_ext import variant_info

    variant_info(variant)  # an unknown one is refused
    recipe = RECIPES[variant]
    training = Training(variant, seed, recipe if batches is None else replace(recipe, batches=batches))
    path = Path(f"{variant}.weights") if to is None else to
    check_file(path, "a file of weights")
    checkpoint = path.with_name(path.name + ".checkpoint")
    try:
        if checkpoint.exists():
            training.resume(checkpoint)
            typer.echo(f"goes on from {checkpoint}", err=True)
        _train(training, checkpoint, threads)
        typer.echo("finds the temperatures of the levels", err=True)
        written = training.finished_file()
        path.write_bytes(written)
        checkpoint.unlink()
    except OSError as error:
        raise WrongUseError(f"{error.filename or path}: {error.strerror}") from error
    document = {
        "variant": variant,
        "seed": seed,
        "file": str(path),
        "bytes": len(written),
        "sha256": _digest(written),
        "batches": training.batch,
        "decisions": training.decisions,
        "processor_s": round(process_time(), 1),
    }
    print_answer(as_json, document, [f"{path}: {len(written):,} bytes, sha256 {document['sha256']}"])


def _digest(data: bytes) -> str:
    from hashlib import sha256

    return sha256(data).hexdigest()


def _train(training: "Training", checkpoint: Path, threads: int) -> None:
    """Learn to the end, with a line of progress now and then on standard error. OSError."""
    from concurrent.futures import ThreadPoolExecutor
    from time import monotonic

    if training.batch == 0:
        training.save(checkpoint)  # a folder that cannot be written is found out now
    began = shown = monotonic()
    first = training.batch
    with ThreadPoolExecutor(threads) as pool:
        while not training.is_over:
            training.step(pool)
            if training.at_checkpoint:
                training.save(checkpoint)
            if monotonic() - shown >= _EVERY_S:
                shown = monotonic()
                remaining_s = (shown - began) / (training.batch - first) * (training.batches - training.batch)
                typer.echo(
                    f"{training.variant}: batch {training.batch:,} of {training.batches:,}, "
                    f"{training.decisions:,} decisions, {remaining_s / 60:.0f} min left",
                    err=True,
                )
