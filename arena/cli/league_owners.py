"""`arena league owners`: what each pair of owners did for one another."""

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.failures import CheckFailedError, WrongUseError
from arena.cli.output import harmless, print_answer
from arena.cli.values import AsJson, check_file

_SHOWN = 20


def owners(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `arena league export` wrote.")],
    as_json: AsJson = False,
) -> None:
    """Show which owners may have worked together.

    Games that were thrown, and cards that were told, show in a high z.
    """
    import msgspec

    from arena.league.errors import LeagueError
    from arena.league.owner_pairs import by_chance, highest
    from arena.proof.owner_pairs import pairs_of

    if not file.exists():
        raise WrongUseError(f"there is no file {file}; of a league that is over, arena league export writes one")
    check_file(file, "an exported league")
    try:
        name, pairs = pairs_of(file)
    except LeagueError as error:
        raise CheckFailedError(f"{file} cannot be read: {error}") from error
    lines = [f"League {name}: {len(pairs)} ordered pairs of owners"]
    if pairs:
        heads = ("board sets", 10), ("excess", 7), ("z", 6), ("shared", 6), ("lift", 6), ("z", 6)
        lines.append(f"{'owner':<20} {'other':<20} " + " ".join(f"{head:>{width}}" for head, width in heads))
    for pair in pairs[:_SHOWN]:
        lift, lift_z = (f"{value:+.2f}" if value is not None else "" for value in (pair.lift, pair.lift_z))
        lines.append(
            f"{harmless(pair.owner):<20} {harmless(pair.other):<20} {pair.board_sets:>10} {pair.excess:>+7.2f} "
            f"{pair.z:>+6.2f} {pair.shared_boards:>6} {lift:>6} {lift_z:>6}".rstrip()
        )
    bound = by_chance(pairs)
    if pairs:
        beyond = sum(highest(pair) > bound for pair in pairs)
        lines.append(f"{beyond} beyond a z of {bound:.2f}, which chance alone reaches in one league of twenty")
    if len(pairs) > _SHOWN:
        lines.append(f"and {len(pairs) - _SHOWN} more, which --json gives")
    shown = {"league": name, "by_chance": round(bound, 6), "pairs": [msgspec.to_builtins(pair) for pair in pairs]}
    print_answer(as_json, shown, lines)
