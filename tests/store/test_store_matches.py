"""Single matches: whose turn it is, and what counts against whom."""

from functools import partial

import msgspec
import pytest
from store_rounds import begin_round, let_lapse

from arena.store import Admission, Scope, Store, cage_policy
from arena.store.errors import HourlyMatchesError, OpenMatchesError
from arena.store.keys import MATCH_OWNERS, made_by, open_matches_of_bot, open_matches_of_owner


async def test_the_single_matches_of_owners_are_handed_out_in_turns(store: Store) -> None:
    queue = store.jobs()
    for number in range(200):
        await store.matches.create(f"a{number}", bots=("a",), payload=b"", commitment="", owner="ann")
    for number in range(3):
        await store.matches.create(f"b{number}", bots=("b",), payload=b"", commitment="", owner="ben")
    taken = [job.scope.name[0] for _ in range(3) for job in await queue.claim(0, singles=2)]
    assert taken.count("b") == 3, "however many ann has before"
    one_by_one = [job.scope.name[0] for _ in range(3) for job in await queue.claim(0, singles=1)]
    assert one_by_one == ["a"] * 3
    for number in range(3, 6):
        await store.matches.create(f"b{number}", bots=("b",), payload=b"", commitment="", owner="ben")
    one_by_one = [job.scope.name[0] for _ in range(6) for job in await queue.claim(0, singles=1)]
    assert one_by_one.count("b") == 3


async def test_a_league_comes_before_any_number_of_single_matches(store: Store) -> None:
    queue = store.jobs()
    for number in range(100):
        await store.matches.create(f"a{number}", bots=("a",), payload=b"", commitment="", owner="ann")
    await begin_round(store, queue, matches=10)
    assert {job.scope.kind for job in await queue.claim(10)} == {"league"}
    assert {job.scope.kind for job in await queue.claim(10)} == {"match"}


async def test_a_match_whose_commit_was_cut_off_takes_its_places_no_longer_when_it_is_looked_at(store: Store) -> None:
    """What a node does after the commit is lost with it: the next look at the match frees its places."""
    queue, admission = store.jobs(), Admission(open=1, hourly=100, places={"a": 1})
    match = {"bots": ("a",), "payload": b"", "commitment": "", "owner": "ann"}
    await store.matches.create("m1", **match, admission=admission)
    [job] = await queue.claim(1)
    await queue.commit_match(job, b"result", b"replay")
    # As they were between the two.
    await store._client.call("ZADD", open_matches_of_owner("ann"), 0, str(job.scope))
    await store._client.call("SADD", open_matches_of_bot("a"), str(job.scope))
    await store._client.call("ZADD", MATCH_OWNERS, 0, "ann")
    with pytest.raises(OpenMatchesError):
        await store.matches.create("m2", **match, admission=admission)
    assert await queue.claim(1) == []
    await store.matches.create("m2", **match, admission=admission)


async def test_an_owner_waits_until_as_many_matches_are_an_hour_old_as_it_made_too_many(store: Store) -> None:
    match = {"bots": ("a",), "payload": b"", "commitment": "", "owner": "ann"}
    for number in range(2):
        await store.matches.create(f"m{number}", **match, admission=Admission(open=9, hourly=2, places={}))
    await store._client.call("ZINCRBY", made_by("ann"), -1_800_000_000, str(Scope.match("m0")))
    for hourly, least_s, most_s in ((2, 1_700, 1_800), (1, 3_500, 3_600)):
        with pytest.raises(HourlyMatchesError) as refusal:
            await store.matches.create("m2", **match, admission=Admission(open=9, hourly=hourly, places={}))
        assert least_s < refusal.value.retry_s <= most_s


async def test_a_challenge_that_was_never_written_takes_no_place_for_long(store: Store) -> None:
    queue, admission = store.jobs(), Admission(open=1, hourly=100, places={"a": 1})
    client, match = store._client, {"bots": ("a",), "payload": b"", "commitment": "", "owner": "ann"}
    scope = Scope.match("lost")
    await store.matches._admit(scope, "ann", admission)
    for field, value in (("owner", "ann"), ("bots", msgspec.msgpack.encode(("a",))), ("created_us", 1)):
        await client.call("HSET", scope.head, field, value)
    with pytest.raises(OpenMatchesError):
        await store.matches.create("m1", **match, admission=admission)
    assert await queue.claim(1) == []
    await store.matches.create("m1", **match, admission=admission)


@pytest.mark.parametrize("how", ["its work fails", "its owners die"])
async def test_a_challenge_that_was_given_up_takes_no_place_any_more(store: Store, how: str) -> None:
    queue, admission = store.jobs(), Admission(open=1, hourly=100, places={"a": 1})
    queue.max_failures = queue.claims.max_claims = 1
    match = {"bots": ("a",), "payload": b"", "commitment": "", "owner": "ann"}
    await store.matches.create("m1", **match, admission=admission)
    [job] = await queue.claim(1)
    if how == "its work fails":
        assert await queue.fail(job, "no bot could be started")
    else:
        await let_lapse(queue, job)
        assert await queue.claim(1) == []
    [parked] = (await store.stalled.parked(job.scope)).items
    await store.matches.create("m2", **match, admission=admission)
    [other] = await queue.claim(1)
    assert other.scope == Scope.match("m2")
    await queue.commit_match(other, b"result")
    # It can be tried again.
    assert await store.stalled.requeue(parked)
    assert [again.scope for again in await queue.claim(1)] == [job.scope]


async def test_a_match_that_is_queued_again_is_not_counted_again_nor_lost_beyond_a_limit(store: Store) -> None:
    queue, admission = store.jobs(), Admission(open=1, hourly=100, places={"a": 1})
    match = {"bots": ("a",), "payload": b"", "commitment": "", "owner": "ann"}
    await store.matches.create("m1", **match, admission=admission)
    [job] = await queue.claim(1)
    await queue.commit_match(job, b"result")
    await store.matches.create("m2", **match, admission=admission)
    assert (await store.matches.create("m1", **match, admission=admission)).result == b"result"
    assert [job.scope.name for job in await queue.claim(3)] == ["m2"]


async def test_an_owner_has_one_match_in_a_cage_at_each_node_and_any_number_of_others(store: Store) -> None:
    about = {"bots": ("a",), "payload": b"", "commitment": "", "owner": "ann"}
    for number in range(3):
        await store.matches.create(f"caged{number}", **about, runtimes=("python",))
        await store.matches.create(f"free{number}", **about)
    one, other = store.jobs(), store.jobs()
    taken = [job.scope.name for job in await one.claim(0, singles=10, runtimes=("python",))]
    assert sorted(taken)[1:] == ["free0", "free1", "free2"]
    await store.matches.create("free3", **about)
    busy = {"singles": 10, "runtimes": ("python",), "caging": lambda: {"ann"}}
    taken += [job.scope.name for _ in range(3) for job in await one.claim(0, **busy)]
    assert taken[4:] == ["free3"], "it is found behind the others"
    for queue in (other, one):
        taken += [job.scope.name for job in await queue.claim(0, singles=10, runtimes=("python",))]
    assert len(taken) == len(set(taken)) == 7


async def test_while_an_owners_matches_are_left_to_others_a_look_takes_one_script(
    embedded: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scripts() -> int:
        stats = await embedded._client.call("INFO", "commandstats")
        return sum(stats[f"cmdstat_{name}"]["calls"] for name in ("eval", "evalsha") if f"cmdstat_{name}" in stats)

    about = {"bots": ("a",), "payload": b"", "commitment": "", "owner": "ann"}
    for number in range(20):
        await embedded.matches.create(f"caged{number}", **about, runtimes=("python",))
    queue = embedded.jobs()
    look = partial(queue.claim, 0, singles=30, runtimes=("python",))
    monkeypatch.setattr(cage_policy, "_LEFT_S", 3_600)
    assert await look(caging=lambda: {"ann"}) == []
    before = await scripts()
    for _ in range(10):
        assert await look(caging=lambda: {"ann"}) == []
    assert await scripts() == before + 10
    assert len(await look()) == 1, "the cage is free, and one is played at once"

    monkeypatch.setattr(cage_policy, "_LEFT_S", 0)
    other = embedded.jobs()
    assert await other.claim(0, singles=30, runtimes=()) == []
    await embedded.matches.create("free", **about)
    assert [job.scope.name for job in await other.claim(0, singles=30, runtimes=())] == ["free"]
