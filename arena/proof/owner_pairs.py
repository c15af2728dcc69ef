"""Pairs of owners in a league's archive."""

from collections.abc import Sequence
from pathlib import Path

from arena.league.owner_pairs import OwnerPair, PlayedDivision, owner_pairs
from arena.proof.archive_file import ArchiveReader
from arena.proof.documents import Part, Round, read


def pairs_of(path: Path) -> tuple[str, Sequence[OwnerPair]]:
    """A league's name and its pairs of owners; LeagueError, OSError. Whether the archive is true says its proof."""
    with ArchiveReader(path) as file:
        archive = read(file.documents())
    ratings = {table.variant: table.ratings for table in archive.table.divisions}
    played = []
    for division in archive.head.spec.divisions:
        part = archive.parts[division.variant]
        rounds = [round_.plan.close(round_.outcomes) for round_ in _complete(part)]
        played.append(PlayedDivision(division, part.entrants, rounds, ratings.get(division.variant, {})))
    return archive.head.name, owner_pairs(played)


def _complete(part: Part) -> list[Round]:
    return [round_ for round_ in part.rounds if len(round_.outcomes) == len(round_.plan.matches)]
