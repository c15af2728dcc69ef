"""Replays that are removed, while results stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from store_rounds import LEAGUE, SCOPE, VARIANT, begin_round, play_out

if TYPE_CHECKING:
    from arena.store import Store


async def test_a_leagues_replays_go_with_their_listings_and_its_results_stay(store: Store) -> None:
    queue = store.jobs("one")
    await begin_round(store, queue, matches=6)
    await play_out(queue)
    found = await store.retention.replays_of(LEAGUE, (VARIANT,))
    assert found.replays == 6
    assert found.bytes > 6
    results = await store._client.call("HGETALL", SCOPE.results(1))
    bots = tuple(f"bot{n}" for n in range(7))
    for _ in range(2):
        await store.retention.drop_replays(LEAGUE, (VARIANT,), bots)
    assert (await store.retention.replays_of(LEAGUE, (VARIANT,))).replays == 0
    assert (await store.replays.list(league=LEAGUE)).items == ()
    assert (await store.replays.list(bot="bot1")).items == ()
    assert await store._client.call("HGETALL", SCOPE.results(1)) == results
