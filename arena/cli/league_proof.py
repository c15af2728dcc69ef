"""`arena league export, verify`: a league that is over in one file, and its proof."""

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.failures import CheckFailedError, WrongUseError
from arena.cli.output import print_answer, print_document, print_encoded, writing
from arena.cli.targets import Arena, StoreOptions
from arena.cli.values import AsJson, LeagueName, SigningKeyText, check_file, signing_key_of

if TYPE_CHECKING:
    from arena.cli.nonce_file import NonceFile
    from arena.proof.checks import Check
    from arena.proof.documents import Archive

_FAULTS_SHOWN = 10
_SHA256 = re.compile("[0-9a-fA-F]{64}")


NewFile = Annotated[Path, typer.Argument(metavar="FILE", help="The file to write; it must not exist yet.")]


def export(name: LeagueName, file: NewFile, target: StoreOptions) -> None:
    """Write a finished league, with every replay, to one file."""
    from arena.league.plurals import pluralize
    from arena.proof.archives import export as write

    with writing(file):
        archive = target.do(lambda store: write(store, name, file))
    played = sum(len(round_.outcomes) for part in archive.parts.values() for round_ in part.rounds)
    matches = pluralize(played, "match", "matches")
    typer.echo(f"League {name}, {matches}, is in {file}. Prove it anywhere: arena league verify {quote(str(file))}")


def verify(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A file that `arena league export` or `arena league table` wrote.")
    ],
    commitment: Annotated[
        str | None, typer.Option(metavar="SHA256", help="The commitment that you saw before entries opened.")
    ] = None,
    nonce: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The file of your bot's nonce, to compare all commitments."),
    ] = None,
    key: SigningKeyText = None,
    as_json: AsJson = False,
) -> None:
    """Prove a league from its exported file alone.

    Checks the signature, cards, pairings, matches, results and tables; of a table in a file, its signature. Exit status
    1 if a check fails.
    """
    import msgspec

    from arena.cli.nonce_file import read_nonce
    from arena.league.errors import ArchiveError
    from arena.proof.archives import proof

    if commitment is not None and _SHA256.fullmatch(commitment) is None:
        raise WrongUseError(f"--commitment takes a SHA-256, 64 hex digits, not {commitment!r}")
    wanted = signing_key_of(key)
    nonce_file = None if nonce is None else read_nonce(nonce)
    if not file.exists():
        raise WrongUseError(
            f"there is no file {file}; of a league that is over, `arena league export NAME FILE` writes one"
        )
    check_file(file, "an exported league")
    if _is_table(file):
        if commitment is not None or nonce is not None:
            option = "--nonce" if commitment is None else "--commitment"
            raise WrongUseError(f"{option} is for an exported league; {file} holds tables, which do not show it")
        _verify_table(file, wanted, as_json)
        return
    checks: list[Check] = []
    try:
        archive, proof_checks = proof(file, key=wanted)
        if not as_json:
            typer.echo(_heading(archive))
        for check in chain(_seen(archive, commitment), _entered(archive, nonce_file), proof_checks):
            checks.append(check)
            if not as_json:
                _show(check)
    except ArchiveError as error:
        raise CheckFailedError(f"{file} cannot be proved: {error}") from error
    if as_json:
        document = {
            "league": archive.head.name,
            "state": archive.head.state,
            "test": archive.head.test,
            "commitment": archive.head.commitment,
            "beacon_round": archive.head.spec.beacon_round,
            "nonces": sum(bool(entry.nonce) for entry in archive.head.entries),
            "ok": all(check.ok for check in checks),
            "checks": [{"ok": check.ok, **msgspec.structs.asdict(check)} for check in checks],
        }
        print_document(document)
    failed = [check.name for check in checks if not check.ok]
    if failed:
        raise CheckFailedError(f"league {archive.head.name} does not hold: {', '.join(failed)}")
    if not as_json:
        typer.echo(f"league {archive.head.name} holds")


def table(
    name: LeagueName,
    arena: Arena,
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="The file to write, signed; it must not exist yet.")
    ] = None,
    adjusted: Annotated[
        bool, typer.Option("--adjusted", help="Show margins with the luck of the cards and without.")
    ] = False,
    matches: Annotated[bool, typer.Option("--matches", help="With --adjusted: show the luck of each match.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show a league's tables, or write them to a file.

    FILE gets them signed by their arena; with --json they go, signed, to the standard output. With --adjusted it first
    works out what is missing of the luck, where the league is in this store; an arena that is called does so by itself.
    """
    if file is not None and (adjusted or matches):
        raise WrongUseError("FILE gets the whole signed tables: --adjusted shows them without it")
    if matches and not adjusted:
        raise WrongUseError("--matches goes with --adjusted")
    if adjusted:
        from arena.cli.league_luck import show_adjusted

        show_adjusted(name, arena, matches=matches, as_json=as_json)
    elif file is not None or as_json:
        _give_signed(name, file, arena, as_json)
    else:
        from arena.cli.league_luck import show_tables

        show_tables(name, arena)


def _give_signed(name: str, file: Path | None, arena: Arena, as_json: bool) -> None:
    from arena.proof.signed import signed_table
    from arena.signatures import Signature
    from hanafuda.arena.v1.league_pb2 import GetLeagueTableRequest

    def signed() -> bytes:
        answer = arena.read(lambda client: client.call(client.leagues.GetLeagueTable, GetLeagueTableRequest(name=name)))
        return signed_table(name, answer.document, Signature(answer.signature.key, answer.signature.value))

    if file is None:
        print_encoded(signed())
        return
    with writing(file):
        file.write_bytes(signed())
    line = f"The tables of league {name} are in {file}. See who signed them: arena league verify {quote(str(file))}"
    print_answer(as_json, {"league": name, "file": str(file)}, [line])


def _is_table(file: Path) -> bool:
    """Whether the file holds JSON: an archive is a zip."""
    with file.open("rb") as opened:
        return opened.read(1) == b"{"


def _verify_table(file: Path, key: bytes | None, as_json: bool) -> None:
    from arena.league.errors import ArchiveError
    from arena.proof.signed import table_signer
    from arena.signatures import key_text

    try:
        signed, signer = table_signer(file.read_bytes())
    except ArchiveError as error:
        raise CheckFailedError(f"{file}: {error}") from error
    if key not in (None, signer):
        raise CheckFailedError(f"{file} is signed by {key_text(signer)}, not by {key_text(key)}")
    document = {"ok": True, "league": signed.league, "signed_by": key_text(signer)}
    print_answer(as_json, document, [f"the tables of league {signed.league}, signed by {key_text(signer)}"])


def _seen(archive: "Archive", commitment: str | None) -> "Iterator[Check]":
    """Whether the league's commitment is the one that somebody saw."""
    from arena.proof.checks import Check

    if commitment is not None:
        expected = archive.head.commitment
        faults = () if expected == commitment.lower() else (f"the league's commitment is {expected}, not {commitment}",)
        yield Check("commitment", "it is the one that you saw", faults)


def _entered(archive: "Archive", nonce_file: "NonceFile | None") -> "Iterator[Check]":
    """Check that the league is the one that a bot entered with a nonce: an operator could have changed it."""
    from arena.league.nonces import commitments_digest
    from arena.proof.checks import Check

    if nonce_file is None:
        return
    head = archive.head
    commitments = {entry.name: entry.commitment for entry in head.entries if entry.commitment}
    faults = []
    if nonce_file.league != head.name:
        faults.append(f"it is of league {nonce_file.league}")
    if commitments.get(nonce_file.bot) != nonce_file.commitment:
        faults.append(f"{nonce_file.bot} entered with another commitment")
    if nonce_file.secret_commitment != head.commitment:
        faults.append(f"the league's commitment is {head.commitment}, not {nonce_file.secret_commitment}")
    if nonce_file.commitments not in ("", digest := commitments_digest(commitments)):
        faults.append(f"the digest of all commitments is {digest}, not {nonce_file.commitments}")
    yield Check("your nonce", "the league and all commitments are those that you saw", tuple(faults))


def _heading(archive: "Archive") -> str:
    head = archive.head
    heading = f"League {head.name}, {head.state}, {', '.join(head.spec.variants)}"
    if head.test:
        heading += "\nThis is a test: its file fixes the secret, so its owner could know the cards."
    return heading


def _show(check: "Check") -> None:
    typer.echo(f"{'ok    ' if check.ok else 'FAILED'}  {check.name:<11}  {check.what}")
    for fault in check.faults[:_FAULTS_SHOWN]:
        typer.echo(f"        - {fault}")
    if len(check.faults) > _FAULTS_SHOWN:
        typer.echo(f"        and {len(check.faults) - _FAULTS_SHOWN} more")
