"""The file in which who enters a bot keeps its nonce, with what the arena published in the meantime."""

import os
import secrets
from pathlib import Path
from shlex import quote

import msgspec

from arena.cli.failures import WrongUseError
from arena.league.nonces import NONCE_BYTES, commitments_digest, nonce_commitment
from arena.private_files import read_secret
from hanafuda.arena.v1.league_pb2 import League


class NonceFile(msgspec.Struct):
    """A nonce, what it is for, and what the arena said: an archive that says something else was changed afterwards."""

    league: str
    bot: str
    nonce: str
    secret_commitment: str
    """The commitment to the league's secret when the bot entered."""
    commitments: str = ""
    """The digest of all bots' commitments when the nonce was revealed; "" before that."""

    @property
    def commitment(self) -> str:
        """What is published of the nonce."""
        return nonce_commitment(self.league, self.bot, self.nonce)


def read_nonce(path: Path) -> NonceFile:
    """The nonce in a file. Raises WrongUseError, PrivateFileError."""
    try:
        return msgspec.json.decode(read_secret(path), type=NonceFile)
    except msgspec.DecodeError as error:
        raise WrongUseError(f"{path} holds no nonce: {error}; `arena league enter --nonce FILE` writes one") from error


def drawn_nonce(path: Path, league: League, bot: str) -> NonceFile:
    """Return the nonce in a file; where there is no file, one is drawn and written. WrongUseError, PrivateFileError."""
    if not path.exists():
        drawn = NonceFile(league.name, bot, secrets.token_hex(NONCE_BYTES), league.commitment.hex())
        _write(path, drawn)
        return drawn
    stored = read_nonce(path)
    if (stored.league, stored.bot) != (league.name, bot):
        raise WrongUseError(f"{path} holds the nonce of {stored.bot} in league {stored.league}; name another file")
    _check(path, stored, league)
    return stored


def revealed_nonce(path: Path, league: League, bot: str) -> NonceFile:
    """Return the nonce of a bot that can be revealed now; the file keeps the digest of all commitments from here on.

    Raises WrongUseError where the arena shows something else than when the bot entered, or takes entries still: then
    somebody could still choose by what is revealed. Also raises PrivateFileError.
    """
    stored = read_nonce(path)
    if (stored.league, stored.bot) != (league.name, bot):
        raise WrongUseError(
            f"{path} holds the nonce of {stored.bot} in league {stored.league}, not of {bot} in {league.name}"
        )
    _check(path, stored, league)
    commitments = {entrant.name: entrant.nonce_commitment for entrant in league.entrants if entrant.nonce_commitment}
    if commitments.get(bot) != stored.commitment:
        raise WrongUseError(f"league {league.name} does not show the commitment of {bot}: reveal nothing")
    digest = commitments_digest(commitments)
    if stored.commitments and digest != stored.commitments:
        raise WrongUseError(f"the commitments in league {league.name} have changed since {path} was revealed first")
    stored.commitments = digest
    _write(path, stored)
    return stored


def _check(path: Path, stored: NonceFile, league: League) -> None:
    if stored.secret_commitment != league.commitment.hex():
        raise WrongUseError(
            f"league {league.name} shows the commitment {league.commitment.hex()}, "
            f"but {stored.secret_commitment} when {quote(str(path))} was written"
        )


def _write(path: Path, nonce: NonceFile) -> None:
    beside = path.with_name(f".{path.name}.new")
    try:
        beside.unlink(missing_ok=True)
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(msgspec.json.encode(nonce) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        raise WrongUseError(f"{path}: {error.strerror}") from error
