"""The step of a league: what it queues, of which bots, when they come and go."""

from collections import Counter
from pathlib import Path

import msgspec
import pytest

from arena.launcher.sources import HouseBot, RegisteredBot, SubmittedBot
from arena.league.reader import parse_league
from arena.league.spec import LeagueSpec
from arena.league.values import RoundPlan
from arena.match.model import End, MatchResult
from arena.organizer import steps as league
from arena.organizer.changes import change
from arena.organizer.entries import Player, check, check_once, check_source, enter, entrants_of
from arena.organizer.errors import EntryError, FieldError, UnplayableError
from arena.organizer.matches import MatchJob
from arena.store import EntryRecord, Job, JobQueue, MatchWork, Store, replay_id
from arena.store.errors import OwnersBotsError


async def begin(store: Store, text: str, bots: int) -> LeagueSpec:
    """Make and start a league of so many house bots."""
    entries = "".join(f'{{ name = "bot-{number}", bot = "house:random" }}, ' for number in range(1, bots + 1))
    spec = parse_league(f'name = "cup"\nentries = [{entries}]\n{text}', "cup.toml")
    await league.create(store, spec, await entrants_of(store, spec, check(spec, Path())))
    await league.start(store, spec.name)
    return spec


async def queued(
    store: Store, queue: JobQueue, known: league.PlayedRounds | None = None
) -> list[tuple[Job, MatchWork, MatchJob]]:
    """Take the step that is there, make it, and take the matches that it queued."""
    [step] = await queue.claim(1, wait_s=20)
    async with queue.leases.hold(step):
        await league.step(store, queue, step, known)
    return [
        (job, job.work, msgspec.msgpack.decode(job.work.payload, type=MatchJob))
        for job in await queue.claim(1000)
        if isinstance(job.work, MatchWork)
    ]


async def play(queue: JobQueue, matches: list[tuple[Job, MatchWork, MatchJob]]) -> None:
    """Commit every match; the seat that comes later wins."""
    for job, _, match in matches:
        assert match.plan is not None
        seats = len(match.spec.names)
        result = MatchResult(End.COMPLETED, -1, tuple(range(seats)), tuple(range(seats, 0, -1)), b"", (), (0,) * seats)
        await queue.commit_match(job, league.outcome_of(match.plan, result), b"replay")


async def test_pods_of_three_and_four_are_queued_with_every_board_in_each_rotation(store: Store) -> None:
    await begin(store, 'variant = "sangohana"\nrounds = 2\nboards = 2\n', bots=10)
    queue = store.jobs()
    matches = await queued(store, queue)
    tables = {tuple(sorted(match.spec.names)) for _, _, match in matches}
    assert sorted(map(len, tables)) == [3, 3, 4]
    assert len({name for bots in tables for name in bots}) == 10
    assert len(matches) == 2 * 10, "a board is played as often as it has seats"
    assert all(work.board_matches == len(match.spec.names) for _, work, match in matches)
    seats = Counter((name, seat) for _, _, match in matches for seat, name in enumerate(match.spec.names))
    assert set(seats.values()) == {2}
    assert {match.spec.match_id for _, _, match in matches} == {
        replay_id(job.scope, work.key) for job, work, _ in matches
    }
    assert "cup.sangohana.r1.t1.b1.c" in {match.spec.match_id for _, _, match in matches}

    await play(queue, matches)
    table = await league.table_of(store, await store.leagues.get("cup"))
    assert table.divisions[0].rounds == 1
    again = await queued(store, queue)
    assert not {match.spec.seed for _, _, match in matches} & {match.spec.seed for _, _, match in again}


async def test_the_matches_of_a_board_are_queued_together_and_hide_what_would_tell_them_apart(store: Store) -> None:
    await begin(store, 'board_sets = "field"\nrounds = 1\nboards = 4\n', bots=8)
    matches = await queued(store, store.jobs())
    boards = [match.plan.board for _, _, match in matches if match.plan is not None]
    assert boards == sorted(boards)
    assert len(boards) == 16
    assert all(match.spec.shared for _, _, match in matches)
    assert {match.spec.cover_ms for _, _, match in matches} == {0}, "house bots have nobody to hide from"


async def test_where_a_bot_is_somebodys_waits_hide_who_is_asked_in_secret(store: Store) -> None:
    await store.bots.create("alice")
    entries = '["house:greedy", "alice", { name = "second", bot = "house:random" }, "house:random"]'
    spec = parse_league(f'name = "cup"\nboard_sets = "field"\nrounds = 1\nentries = {entries}\n', "cup.toml")
    await league.create(store, spec, await entrants_of(store, spec, check(spec, Path())))
    await league.start(store, spec.name)
    covers = {("alice" in match.spec.names, match.spec.cover_ms) for _, _, match in await queued(store, store.jobs())}
    assert covers == {(True, 300), (False, 0)}


async def test_a_board_of_the_field_is_open_until_its_last_table_is_over(store: Store) -> None:
    await begin(store, 'board_sets = "field"\nrounds = 1\nboards = 2\n', bots=6)
    queue = store.jobs()
    matches = await queued(store, queue)
    assert Counter(work.board for _, work, _ in matches) == {"r1.b1": 3, "r1.b2": 3}
    assert {work.board_matches for _, work, _ in matches} == {3}
    assert len({match.spec.seed for _, _, match in matches}) == 2
    *others, last = [match for match in matches if match[1].board == "r1.b1"]
    await play(queue, others)
    assert [info.readable for info in (await store.replays.list(league="cup")).items] == [False, False]
    await play(queue, [last])
    assert [info.readable for info in (await store.replays.list(league="cup")).items] == [True] * 3


async def test_a_step_during_which_a_bot_enters_is_computed_again_with_it(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await begin(store, "rounds = 2\nboards = 1\n", bots=4)
    queue = store.jobs()
    commit = queue.commit_round
    revisions: list[int] = []

    async def commit_late(job: Job, plan: bytes, matches: list[MatchWork], *, revision: int, **more: bool) -> object:
        if not revisions:
            await enter(store, await store.leagues.get("cup"), HouseBot("greedy"), "late")
            await store.leagues.withdraw("cup", "bot-1")
            await store.leagues.withdraw("cup", "bot-2")
        revisions.append(revision)
        return await commit(job, plan, matches, revision=revision, **more)

    monkeypatch.setattr(queue, "commit_round", commit_late)
    matches = await queued(store, queue)
    assert revisions == [0, 3]
    playing = {name for _, _, match in matches for name in match.spec.names}
    plan = msgspec.json.decode((await store.leagues.plans("cup", "koikoi"))[1], type=RoundPlan)
    assert playing | set(plan.byes) == {"bot-3", "bot-4", "late"}


async def test_a_league_ends_early_when_too_few_bots_are_left(store: Store) -> None:
    await begin(store, "rounds = 5\nboards = 1\n", bots=3)
    queue = store.jobs()
    matches = await queued(store, queue)
    for bot in ("bot-1", "bot-2"):
        await store.leagues.withdraw("cup", bot)
    await play(queue, matches)
    assert await queued(store, queue) == []
    ended = await store.leagues.get("cup")
    assert (ended.state, ended.divisions[0].round) == ("finished", 1)


async def test_the_rounds_of_a_league_that_is_over_are_kept_in_memory_by_nobody(store: Store) -> None:
    await begin(store, 'variant = "koikoi"\nrounds = 2\nboards = 1\n', bots=4)
    queue, of_node, of_pages = store.jobs(), league.PlayedRounds(), league.PlayedRounds()
    for _ in range(2):
        await play(queue, await queued(store, queue, of_node))
    cup = await store.leagues.get("cup")
    await league.table_of(store, cup, of_pages)
    assert len(of_node.of(cup, "koikoi")) == 1
    assert len(of_pages.of(cup, "koikoi")) == 2
    assert await queued(store, queue, of_node) == []
    over = await store.leagues.get("cup")
    assert len((await league.table_of(store, over, of_pages)).divisions[0].standings) == 4
    assert not of_node.of(cup, "koikoi")
    assert not of_pages.of(cup, "koikoi")


async def test_the_same_results_always_give_the_same_tables(store: Store) -> None:
    await begin(store, '[[divisions]]\nvariant = "koikoi"\nrounds = 1\nboards = 1\n', bots=5)
    queue = store.jobs()
    await play(queue, await queued(store, queue))
    tables = league.Tables(store)
    now = await store.leagues.get("cup")
    assert await tables.of(now) is await tables.of(now), "a table is made once"
    assert msgspec.json.encode(await league.table_of(store, now)) == msgspec.json.encode(await tables.of(now))


async def test_a_bot_that_connects_by_itself_enters_the_divisions_of_the_field_alone(store: Store) -> None:
    await store.bots.create("alice", owner="anna")
    text = '[[divisions]]\nvariant = "koikoi"\nboard_sets = "field"\n[[divisions]]\nvariant = "kyogi"\n'
    await begin(store, text, bots=4)
    now = await store.leagues.get("cup")
    for variants in ((), ("kyogi",), ("koikoi", "kyogi")):
        with pytest.raises(EntryError, match="'alice' names a bot that connects by itself"):
            await enter(store, now, RegisteredBot("alice"), "alice", variants=variants)
    entrant, new = await enter(store, now, RegisteredBot("alice"), "alice", variants=("koikoi",))
    assert new
    assert (entrant.owner, entrant.variants) == ("anna", ("koikoi",))
    assert set(await store.leagues.participations("cup", "kyogi")) == {f"bot-{number}" for number in range(1, 5)}


async def test_a_bot_that_connects_by_itself_has_one_entry_in_a_league(store: Store) -> None:
    await store.bots.create("alice")
    await begin(store, 'board_sets = "field"\n', bots=2)
    now = await store.leagues.get("cup")
    entrant, _ = await enter(store, now, RegisteredBot("alice"), "alice")
    assert entrant.owner == "alice", "a bot that is nobody's is its own owner"
    assert not (await enter(store, now, RegisteredBot("alice"), "alice"))[1], "the same entry may be given again"
    with pytest.raises(EntryError, match="bot alice has entered as 'alice': a bot that connects has one entry"):
        await enter(store, now, RegisteredBot("alice"), "alice-2")


def test_a_submitted_version_is_no_second_entry_of_the_bot_that_connects() -> None:
    version = EntryRecord("alice-1", payload=msgspec.msgpack.encode(Player("alice", "salt", version="0f" * 32)))
    check_once([version], RegisteredBot("alice"), "alice")
    connects = EntryRecord("alice-1", payload=msgspec.msgpack.encode(Player("alice", "salt")))
    with pytest.raises(EntryError, match="has entered as 'alice-1'"):
        check_once([version, connects], RegisteredBot("alice"), "alice")


COMMITMENTS = {"same": "5a" * 32, "other": "a5" * 32}


async def test_a_new_file_keeps_the_commitments_of_the_bots_that_it_enters_as_they_had_entered(store: Store) -> None:
    spec = parse_league('name = "cup"', "cup.toml", takes_entries=True)
    now = await league.create(store, spec, [])
    for name in ("same", "other"):
        await enter(store, now, HouseBot("random"), name, commitment=COMMITMENTS[name])
    entries = '[{ name = "same", bot = "house:random" }, { name = "other", bot = "house:greedy" }]'
    spec = parse_league(f'name = "cup"\nentries = {entries}', "cup.toml")
    await change(store, spec, await entrants_of(store, spec, check(spec, Path())))
    kept = {entrant.bot: entrant.commitment for entrant in await store.leagues.entrants("cup")}
    assert kept == {"same": COMMITMENTS["same"], "other": ""}


async def test_a_file_that_enters_a_connecting_bot_twice_is_refused_by_its_entry(store: Store) -> None:
    await store.bots.create("alice")
    entries = '["house:greedy", "alice", { bot = "alice", name = "again" }]'
    spec = parse_league(f'name = "cup"\nboard_sets = "field"\nentries = {entries}\n', "cup.toml")
    with pytest.raises(UnplayableError, match="bot alice has entered as 'alice'") as refused:
        await entrants_of(store, spec, check(spec, Path()))
    assert refused.value.path == ("entries", 2)


@pytest.mark.parametrize(
    ("keys", "rounds_open", "words"),
    [
        ('pairing = "round-robin"\nrounds = 3\n', 0, "the round-robin of koikoi in league 'cup' before it starts"),
        ('pairing = "knock-out"\nbracket = 2\nrounds = 3\n', 1, "league 'cup' before round 2 is paired"),
    ],
)
async def test_a_bot_enters_late_only_while_the_pairing_has_a_place_for_it(
    store: Store, keys: str, rounds_open: int, words: str
) -> None:
    await begin(store, f"boards = 1\n{keys}", bots=4)
    queue = store.jobs()
    await play(queue, await queued(store, queue))
    for number in range(rounds_open):
        await enter(store, await store.leagues.get("cup"), HouseBot("random"), f"late-{number}")
        await play(queue, await queued(store, queue))
    with pytest.raises(EntryError, match=words):
        await enter(store, await store.leagues.get("cup"), HouseBot("random"), "too-late")
    assert len(await store.leagues.entrants("cup")) == 4 + rounds_open
    again, is_new = await enter(store, await store.leagues.get("cup"), HouseBot("random"), "bot-1", variants=["koikoi"])
    assert (again.bot, is_new) == ("bot-1", False), "who is there may say so again"


async def test_a_league_with_more_bots_than_its_pairing_can_take_stays_open(store: Store) -> None:
    spec = parse_league('name = "cup"\npairing = "round-robin"\nrounds = 3', "cup.toml", takes_entries=True)
    await league.create(store, spec, [])
    for number in range(5):
        await enter(store, await store.leagues.get("cup"), HouseBot("random"), f"bot-{number}")
    with pytest.raises(FieldError, match="koikoi: a round robin of 5 bots takes 5 rounds, not 3"):
        await league.start(store, "cup")
    assert (await store.leagues.get("cup")).state == "open"
    await store.leagues.withdraw("cup", "bot-0")
    await league.start(store, "cup")
    assert (await store.leagues.get("cup")).state == "running"


async def test_an_owner_has_no_more_bots_in_a_league_than_its_file_allows(store: Store) -> None:
    await store.owners.create("ann")
    await store.owners.create("bob")
    for name, owner in (("crane", "ann"), ("deer", "ann"), ("boar", "bob")):
        await store.bots.create(name, owner=owner)
    rules = 'name = "cup"\nboard_sets = "field"\nbots_per_owner = 1\n'
    both = parse_league(f'{rules}entries = ["boar", "crane", "deer"]\n', "cup.toml")
    with pytest.raises(UnplayableError, match="ann has one bot in league 'cup', which takes no more") as refused:
        await entrants_of(store, both, check(both, Path()))
    assert refused.value.path == ("entries", 2)

    now = await league.create(store, parse_league(rules, "cup.toml", takes_entries=True), [])
    await enter(store, now, RegisteredBot("crane"), "crane")
    with pytest.raises(OwnersBotsError, match="takes no more of one owner"):
        await enter(store, now, RegisteredBot("deer"), "deer")
    _, is_new = await enter(store, now, RegisteredBot("crane"), "crane")
    assert not is_new, "who is there may say so again"
    await enter(store, now, RegisteredBot("boar"), "boar")
    await enter(store, now, HouseBot("random"), "random-1")
    await enter(store, now, HouseBot("random"), "random-2")
    await store.leagues.withdraw("cup", "crane")
    await enter(store, now, RegisteredBot("deer"), "deer")
    assert {entrant.bot for entrant in await store.leagues.entrants("cup")} >= {"boar", "deer", "random-1", "random-2"}


@pytest.mark.parametrize("divisions", [("field",), ("mirror", "field")])
def test_a_submitted_bot_plays_on_mirrored_boards_alone(divisions: tuple[str, ...]) -> None:
    variants = ("koikoi", "kyogi")
    parts = "".join(
        f'[[divisions]]\nvariant = "{variant}"\nboard_sets = "{boards}"\n'
        for variant, boards in zip(variants, divisions, strict=False)
    )
    spec = parse_league(f'name = "cup"\n{parts}', "cup.toml", takes_entries=True)
    version = SubmittedBot("alice", "0f" * 32)
    where = "league cup" if len(divisions) == 1 else "the division of kyogi"
    with pytest.raises(EntryError, match=f"'alice' is sent in and played in a cage, and {where} has field boards"):
        check_source(spec, version, spec.variants)
    check_source(spec, version, spec.variants[:-1])
    check_source(spec, RegisteredBot("bob"), spec.variants[-1:])
