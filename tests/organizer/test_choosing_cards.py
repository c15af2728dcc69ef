"""Nobody can choose the cards: an owner who reads the secret in the store, and tries whatever an owner can try."""

import secrets
from pathlib import Path

import msgspec
import pytest

from arena.launcher.sources import HouseBot
from arena.league import beacon
from arena.league.boards import board_seed, entropy
from arena.league.errors import BeaconError, NonceError
from arena.league.nonces import nonce_commitment
from arena.league.reader import parse_league
from arena.organizer import steps
from arena.organizer.changes import change
from arena.organizer.entries import check, check_beacon, enter, entrants_of, reveal
from arena.organizer.errors import EntryError, UnplayableError
from arena.store import EntryRecord, Store
from arena.store.errors import EntryChangedError, LeagueStateError

FILE = 'name = "cup"\nrounds = 1\nboards = 1\nentries = [{ name = "one", bot = "house:random" }, "house:greedy"]\n'
ROUND = 1_000
SIGNATURE = "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39"
TRIES = 5_000


async def opened(store: Store, more: str = "") -> None:
    spec = parse_league(FILE + more, "cup.toml")
    await steps.create(store, spec, await entrants_of(store, spec, check(spec, Path())))


async def commit(store: Store, bot: str) -> str:
    """Enter a bot with a nonce; the nonce."""
    nonce = secrets.token_hex(32)
    commitment = nonce_commitment("cup", bot, nonce)
    await enter(store, await store.leagues.get("cup"), HouseBot("random"), bot, commitment=commitment)
    return nonce


def seed_of(secret: bytes, nonces: dict[str, str]) -> bytes:
    return board_seed(secret, "cup", "koikoi", 1, 1, entropy(nonces))


async def test_an_owner_who_knows_the_secret_and_comes_last_cannot_choose_by_a_nonce(store: Store) -> None:
    await opened(store)
    honest = await commit(store, "honest")
    await commit(store, "cheat")
    secret = await store.leagues.secret("cup")
    # Whatever he tries while he can still choose, the nonce that he does not know is in it too.
    tried = {seed_of(secret, {"cheat": secrets.token_hex(32)}) for _ in range(TRIES)}
    await store.leagues.close("cup")
    with pytest.raises(LeagueStateError, match="'cup' is closed; entries are closed until it starts"):
        await commit(store, "another")
    with pytest.raises(LeagueStateError, match="'cup' is closed; nobody leaves it until it starts"):
        await store.leagues.withdraw("cup", "cheat")
    await reveal(store, "cup", "honest", honest)
    # Now he knows the other's nonce. A better one of his own is not taken, and without his nothing starts.
    for _ in range(3):
        with pytest.raises(NonceError, match="the nonce of cheat is not the one that it committed to"):
            await reveal(store, "cup", "cheat", secrets.token_hex(32))
    with pytest.raises(NonceError, match="cheat has committed to a nonce and not revealed it"):
        await steps.start(store, "cup")
    with pytest.raises(NonceError, match="cheat has committed to a nonce and not revealed it"):
        await steps.start(store, "cup", without_nonces=True)
    spec = parse_league(FILE.replace('name = "cup"', 'name = "cup"\nlot = "another"'), "cup.toml")
    with pytest.raises(LeagueStateError, match="its file cannot change any more"):
        await change(store, spec, [])
    assert (await store.leagues.get("cup")).state == "open"
    assert seed_of(secret, {"honest": honest}) not in tried


async def test_a_league_starts_when_every_nonce_is_revealed_once(store: Store) -> None:
    await opened(store)
    nonces = {bot: await commit(store, bot) for bot in ("anna", "bela")}
    with pytest.raises(NonceError, match="2 bots have committed to a nonce in league 'cup': close its entries"):
        await steps.start(store, "cup")
    with pytest.raises(LeagueStateError, match="'cup' is open; nonces are revealed when entries are closed"):
        await reveal(store, "cup", "anna", nonces["anna"])
    await store.leagues.close("cup")
    await store.leagues.close("cup")
    for bot, nonce in nonces.items():
        await reveal(store, "cup", bot, nonce.upper())
        await reveal(store, "cup", bot, nonce)
    with pytest.raises(NonceError, match="one has committed to no nonce"):
        await reveal(store, "cup", "one", nonces["anna"])
    with pytest.raises(EntryChangedError, match="another nonce of 'anna' was revealed"):
        await store.leagues.reveal("cup", "anna", nonces["bela"])
    entrant = next(one for one in await store.leagues.entrants("cup") if one.bot == "anna")
    assert not await store.leagues.enter("cup", msgspec.structs.replace(entrant, nonce="")), "it is there already"
    await steps.start(store, "cup")
    assert (await store.leagues.get("cup")).entropy == entropy(nonces)
    await store.leagues.enter("cup", EntryRecord("late", payload=entrant.payload, commitment="5a" * 32))
    with pytest.raises(LeagueStateError, match="nonces are revealed before a league starts"):
        await store.leagues.reveal("cup", "late", nonces["anna"])


async def test_a_schedule_starts_a_league_that_nobody_closed_without_its_nonces(store: Store) -> None:
    await opened(store)
    await commit(store, "anna")
    await steps.start(store, "cup", without_nonces=True)
    assert (await store.leagues.get("cup")).entropy == entropy({})


async def test_cards_of_a_beacon_follow_from_nothing_that_an_owner_can_choose(store: Store) -> None:
    await opened(store, f"beacon_round = {ROUND}\n")
    league = await store.leagues.get("cup")
    with pytest.raises(LeagueStateError, match="entries are closed until it starts"):
        await enter(store, league, HouseBot("random"), "cheat")
    with pytest.raises(LeagueStateError, match="nobody leaves it until it starts"):
        await store.leagues.withdraw("cup", "one")
    with pytest.raises(EntryError, match="follow from a beacon: it takes no nonces"):
        await enter(store, league, HouseBot("random"), "cheat", commitment="5a" * 32)
    with pytest.raises(BeaconError, match=r"starts with the signature of round 1000 of drand's quicknet.*public/1000"):
        await steps.start(store, "cup")
    with pytest.raises(BeaconError, match="no point of the curve"):
        await steps.start(store, "cup", "00" * 48)
    assert (await store.leagues.get("cup")).state == "open"
    await steps.start(store, "cup", SIGNATURE)
    started = await store.leagues.get("cup")
    assert (started.entropy, started.beacon) == (beacon.entropy_of(ROUND, SIGNATURE), SIGNATURE)
    await steps.start(store, "cup")  # it has started: nothing happens


async def test_a_signature_is_for_a_league_that_has_named_a_round(store: Store) -> None:
    await opened(store)
    with pytest.raises(BeaconError, match="the file of league 'cup' names no beacon_round"):
        await steps.start(store, "cup", SIGNATURE)


def test_a_round_that_is_known_already_is_refused() -> None:
    with pytest.raises(UnplayableError, match=r"round 1000 .* is known already; in an hour it will be round [0-9]{8,}"):
        check_beacon(parse_league(FILE + f"beacon_round = {ROUND}\n", "cup.toml"))
    check_beacon(parse_league(FILE + "beacon_round = 9000000000\n", "cup.toml"))
