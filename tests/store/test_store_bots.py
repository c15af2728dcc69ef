"""Bots are known by name and token, of which no store keeps more than a digest."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from store_servers import tell

from arena.store import Store, Submission
from arena.store.errors import (
    BotExistsError,
    InvalidNameError,
    MalformedTokenError,
    NameTakenError,
    StoreError,
    UnknownBotError,
    UnknownTokenError,
)
from arena.store.tokens import BOT, OWNER, Prefix, new_token, token_hash


async def test_a_bot_is_known_by_its_token(store: Store) -> None:
    bot, token = await store.bots.create("crane", owner="ann", stateless=True)
    assert (bot.name, bot.owner, bot.stateless) == ("crane", "ann", True)
    assert await store.bots.authenticate(token) == await store.bots.get("crane") == bot
    _, other = await store.bots.create("deer")
    assert (await store.bots.authenticate(other)).name == "deer"


async def test_a_name_that_differs_from_anothers_by_case_alone_is_refused(store: Store) -> None:
    for kind, registered in (("bot", store.bots), ("owner", store.owners)):
        await registered.create("Crane")
        await registered.create("crane-2")
        for name in ("crane", "CRANE", "Crane-2"):
            with pytest.raises(StoreError, match=f"^an? {kind} named .* exists already, and '{name}' differs by case"):
                await registered.create(name)
        assert [one.name for one in (await registered.list()).items] == ["Crane", "crane-2"]
    with pytest.raises(NameTakenError, match="by case alone"):
        await store.owners.admit("Crane", Submission("cRANE", "5a" * 32, 100, "a5" * 32), register=True)
    await store.owners.admit("Crane", Submission("Heron", "5a" * 32, 100, "a5" * 32), register=True)
    with pytest.raises(BotExistsError, match="Heron"):
        await store.bots.create("heron")


async def test_a_name_that_looks_like_anothers_is_refused_and_letters_of_other_scripts_are_in_no_name(
    store: Store,
) -> None:
    await store.bots.create("alice")
    await store.bots.create("modern-10")
    for name in ("Alice", "a1ice", "al1ce", "ALICE"):
        with pytest.raises(BotExistsError, match="'alice' exists already"):
            await store.bots.create(name)
    for name in ("rnodern-10", "modern-lo", "MODERN-1O"):
        with pytest.raises(BotExistsError, match="'modern-10' exists already"):
            await store.bots.create(name)
    await store.owners.create("ann")
    with pytest.raises(NameTakenError):
        await store.owners.admit("ann", Submission("a1ice", "5a" * 32, 100, "a5" * 32), register=True)
    for name in ("\u0430lice", "alice\u202e", "ali\u200bce", "x" * 8_000):
        with pytest.raises(InvalidNameError) as refused:
            await store.bots.create(name)
        assert str(refused.value).isprintable()
        assert len(str(refused.value)) < 300


async def test_a_name_is_given_to_one_bot_only(store: Store) -> None:
    _, token = await store.bots.create("crane")
    with pytest.raises(BotExistsError, match="crane"):
        await store.bots.create("crane")
    assert (await store.bots.authenticate(token)).name == "crane"
    with pytest.raises(InvalidNameError):
        await store.bots.create("house:crane")


async def test_a_rotated_token_replaces_the_old_one_at_once(store: Store) -> None:
    _, old = await store.bots.create("crane")
    new = await store.bots.rotate("crane")
    assert (await store.bots.authenticate(new)).name == "crane"
    with pytest.raises(UnknownTokenError):
        await store.bots.authenticate(old)


async def test_what_a_bot_plays_is_what_it_said_last(store: Store) -> None:
    await store.bots.create("crane")
    assert await store.bots.variants("crane") is None, "it has said nothing yet"
    await store.bots.keep_variants("crane", ("koikoi", "kyogi"))
    assert await store.bots.variants("crane") == ("koikoi", "kyogi")
    await store.bots.keep_variants("crane", ())
    assert await store.bots.variants("crane") == (), "all"


async def test_no_token_is_stored(tcp_url: str) -> None:
    tell(tcp_url, "FLUSHALL")
    async with await Store.open(redis=tcp_url) as store:
        _, token = await store.bots.create("crane")
    for key in ("tokens", "hashes", "records"):
        kept = tell(tcp_url, f"HGETALL hfa:{{bots}}:{key}")
        assert b"crane" in kept
        assert token[4:20].encode() not in kept
    assert hashlib.sha256(token.encode()).hexdigest().encode() in tell(tcp_url, "HGETALL hfa:{bots}:tokens")


async def test_an_unknown_bot_is_said_to_be_unknown(store: Store) -> None:
    for call in (store.bots.get, store.bots.rotate):
        with pytest.raises(UnknownBotError, match="'nobody'"):
            await call("nobody")
    with pytest.raises(UnknownTokenError):
        await store.bots.authenticate(new_token(BOT))


async def test_the_bots_of_an_owner_are_listed_by_themselves(store: Store) -> None:
    for name, owner in (("c", "ann"), ("a", "ann"), ("b", "bob"), ("d", "")):
        await store.bots.create(name, owner=owner)
    first = await store.bots.list(owner="ann", limit=1)
    second = await store.bots.list(owner="ann", limit=1, after=first.next)
    assert [[bot.name for bot in page.items] for page in (first, second)] == [["a"], ["c"]]
    assert (await store.bots.list(owner="nobody")).items == ()


async def test_bots_are_listed_by_name_in_pages(store: Store) -> None:
    for name in ("c", "a", "b"):
        await store.bots.create(name)
    first = await store.bots.list(limit=2)
    second = await store.bots.list(limit=2, after=first.next)
    assert [[bot.name for bot in page.items] for page in (first, second)] == [["a", "b"], ["c"]]


@pytest.mark.parametrize("prefix", [BOT, OWNER])
def test_tokens_differ_and_have_one_form(prefix: Prefix) -> None:
    tokens = {new_token(prefix) for _ in range(100)}
    assert len(tokens) == 100
    assert {(token[:4], len(token)) for token in tokens} == {(prefix, 52)}


def test_a_token_of_an_owner_is_none_of_a_bot() -> None:
    with pytest.raises(MalformedTokenError):
        token_hash(new_token(OWNER), BOT)


@given(place=st.integers(0, 51), letter=st.characters(codec="utf-8"))
def test_a_mistyped_token_is_told_from_an_unknown_one(place: int, letter: str) -> None:
    token = new_token(BOT)
    mistyped = token[:place] + letter + token[place + 1 :]
    if mistyped == token:
        assert token_hash(token, BOT)
    else:
        with pytest.raises(MalformedTokenError):
            token_hash(mistyped, BOT)


@pytest.mark.parametrize("token", [new_token(OWNER), new_token(BOT).removeprefix(BOT)], ids=["owner's", "no prefix"])
def test_a_token_of_another_kind_or_of_none_is_malformed(token: str) -> None:
    with pytest.raises(MalformedTokenError):
        token_hash(token, BOT)


@given(st.text())
def test_any_text_is_no_token(text: str) -> None:
    with pytest.raises(MalformedTokenError):
        token_hash(text, BOT)


@pytest.mark.parametrize("cut", [0, 4, 10, 51])
def test_a_cut_token_is_malformed(cut: int) -> None:
    with pytest.raises(MalformedTokenError):
        token_hash(new_token(BOT)[:cut], BOT)
