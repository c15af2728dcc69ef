"""A league's file: what may be left out, and each fault named with its line and key."""

import msgspec
import pytest

from arena.league.errors import LeagueFileError
from arena.league.reader import _FILE, fault, parse_league
from arena.league.schedule import Schedule
from arena.league.spec import Division, Entry, LeagueSpec, canonical, digest

FILE = """\
# the first league of the year
name = "spring"
rounds = 3
boards = 2
entries = [
  "house:greedy",
  { name = "alice", bot = "./alice.py" },
  "bots/bob.py",
  { name = "other", bot = "house:greedy", seed = "7" },
  "carol",
]

[options]
birth_months = [1, 0]
points.goko = 10
"""
SECRET = "00112233445566778899aabbccddeeffFFEEDDCCBBAA99887766554433221100"


def refused(text: str) -> LeagueFileError:
    with pytest.raises(LeagueFileError) as caught:
        parse_league(text, "league.toml")
    return caught.value


def edited(old: str, new: str) -> str:
    assert FILE.count(old) == 1, f"{old!r} must stand once in the file"
    return FILE.replace(old, new)


def test_a_league_file_is_read_with_its_defaults_written_out() -> None:
    assert parse_league(FILE, "league.toml") == LeagueSpec(
        name="spring",
        entries=(
            Entry("greedy", "house:greedy", "greedy", ("koikoi",)),
            Entry("alice", "./alice.py", "alice", ("koikoi",)),
            Entry("bob", "bots/bob.py", "bob", ("koikoi",)),
            Entry("other", "house:greedy", "7", ("koikoi",)),
            Entry("carol", "carol", "carol", ("koikoi",)),
        ),
        divisions=(Division("koikoi", 2, 3, 2, "mirror", {"birth_months": (1, 0), "points.goko": 10}),),
        lot="spring",
        secret=None,
        per_decision_ms=2_000,
        bank_ms=60_000,
        reconnect_ms=10_000,
        cover_ms=300,
        policy="strict",
    )


def test_two_names_are_enough_for_a_league() -> None:
    spec = parse_league('name = "small"\nentries = ["house:random", "house:greedy"]', "small.toml")
    assert spec.division() == spec.division("koikoi") == Division("koikoi", 2, 5, 4, "mirror", {})
    assert not spec.is_test


def test_a_division_that_the_league_does_not_have_is_not_found() -> None:
    with pytest.raises(KeyError):
        parse_league(FILE, "league.toml").division("kyogi")


@pytest.mark.parametrize(
    ("old", "new", "line", "key", "reason"),
    [
        ("rounds = 3", "roundz = 3", 3, "roundz", "unknown key; did you mean 'rounds'?"),
        ("rounds = 3", "zzz = 3", 3, "zzz", "unknown key; known are"),
        ("rounds = 3", 'rounds = "3"', 3, "rounds", "must be a whole number from 1 to 1000, not '3'"),
        ("rounds = 3", "rounds = true", 3, "rounds", "must be a whole number from 1 to 1000, not True"),
        ("rounds = 3", "rounds = 0", 3, "rounds", "must be a whole number from 1 to 1000, not 0"),
        ("boards = 2", "boards = -2", 4, "boards", "from 1 to 1000, not -2"),
        ("boards = 2", "bank_ms = -1", 4, "bank_ms", "from 0 to 3600000, not -1"),
        ("boards = 2", 'policy = "mild"', 4, "policy", "must be 'strict' or 'lenient', not 'mild'"),
        ("boards = 2", 'variant = "koikoj"', 4, "variant", "unknown variant 'koikoj'; did you mean 'koikoi'?"),
        ("boards = 2", 'board_sets = "field"\nboards = 3', 5, "boards", "must be a multiple of 2, not 3"),
        ("boards = 2", "seats = 3", 4, "seats", "koikoi is played by 2, not 3"),
        ("boards = 2", 'variant = "oicho"', 4, "variant", "unknown variant 'oicho'; known are hachihachi, koikoi,"),
        ("boards = 2", "divisions = []", 4, "divisions", "at least one division"),
        ('"carol"', '{ bot = "carol", variants = [] }', 10, "entries[5].variants", "at least one variant"),
        ('"carol"', '{ bot = "carol", variants = ["kyogi"] }', 10, "entries[5].variants", "no division of 'kyogi'"),
        ('"carol"', '{ bot = "carol", variants = "koikoi" }', 10, "entries[5].variants", "must be a list of strings"),
        ("boards = 2", 'board_sets = "both"', 4, "board_sets", "must be 'mirror' or 'field', not 'both'"),
        ("boards = 2", 'secret = "00"', 4, "secret", "exactly 64 hex digits"),
        ("boards = 2", f'secret = "{SECRET[:-1]}g"', 4, "secret", "exactly 64 hex digits"),
        ("boards = 2", f'secret = "{SECRET}\\n"', 4, "secret", "exactly 64 hex digits"),
        ("boards = 2", 'lot = "a\\nb"', 4, "lot", "one line"),
        ('"spring"', '"spring time"', 2, "name", "'spring time' is not a valid name"),
        ('"spring"', '"{spring}"', 2, "name", "is not a valid name"),
        ('"spring"', '""', 2, "name", "is not a valid name"),
        ('"bots/bob.py"', '"house:greedy"', 8, "entries[3]", "a second entry with the name 'greedy'"),
        ('"bots/bob.py"', '"bots/b b.py"', 8, "entries[3]", 'give it another: { name = "…", bot = "bots/b b.py" }'),
        ('"bots/bob.py"', "7", 8, "entries[3]", "must be a string or a table, not 7"),
        ('"bots/bob.py"', '""', 8, "entries[3]", "an entry needs a bot"),
        ('"bots/bob.py"', '{ name = "bob" }', 8, "entries[3]", "an entry needs a bot"),
        ('seed = "7"', 'seed = ""', 9, "entries[4].seed", "must not be empty"),
        ('name = "alice"', 'nam = "alice"', 7, "entries[2].nam", "did you mean 'name'?"),
        ('name = "alice"', "name = 1", 7, "entries[2].name", "must be a string, not 1"),
        ('name = "alice"', 'name = "a:b"', 7, "entries[2].name", "'a:b' is not a valid name"),
        ("points.goko = 10", "points.goko = 1979-05-27", 15, "options.points.goko", "must be true or false, a number,"),
        ("points.goko = 10", '"points.goko" = 1\npoints.goko = 10', 16, "options.points.goko", "twice"),
        ("[options]", "[optoins]", 13, "optoins", "did you mean 'options'?"),
    ],
)
def test_a_fault_is_named_with_file_line_and_key(old: str, new: str, line: int, key: str, reason: str) -> None:
    error = refused(edited(old, new))
    assert (error.source, error.line, error.key) == ("league.toml", line, key)
    assert reason in error.reason
    assert str(error) == f"league.toml:{line}: {key}: {error.reason}"


@pytest.mark.parametrize("key", _FILE)
def test_every_key_says_what_its_value_must_be(key: str) -> None:
    values = {"name": '"spring"', key: "1979-05-27"}
    error = refused("\n".join(f"{name} = {value}" for name, value in values.items()))
    assert (error.key, error.reason[:8]) == (key, "must be ")
    assert error.reason.endswith(", not datetime.date(1979, 5, 27)")


@pytest.mark.parametrize(
    ("text", "line"),
    [("name = \n", 1), ('name = "a"\nrounds 3\n', 2), ('name = "a"\nname = "b"\n', 2), ('a = "1"\nb = [1,\n', 3)],
)
def test_a_file_that_is_not_toml_is_refused_at_its_line(text: str, line: int) -> None:
    error = refused(text)
    assert (error.line, error.key) == (line, None)
    assert error.reason.startswith("not TOML: ")


def test_a_missing_name_is_named() -> None:
    assert str(refused('entries = ["a", "b"]')) == "league.toml: name: this key is missing"


@pytest.mark.parametrize(("entries", "count"), [("[]", 0), ('["house:greedy"]', 1)])
def test_a_league_of_too_few_bots_is_refused_unless_more_may_enter(entries: str, count: int) -> None:
    text = f'name = "spring"\nentries = {entries}\n'
    error = refused(text)
    reason = f"the division of koikoi needs at least 2 entries, found {count}"
    assert (error.line, error.key, error.reason) == (2, "entries", reason)
    assert len(parse_league(text, "league.toml", takes_entries=True).entries) == count
    assert parse_league('name = "spring"', "league.toml", takes_entries=True).entries == ()


GRAND = """\
name = "grand"
rounds = 7
entries = [
  "house:greedy",
  "house:random",
  { name = "x", bot = "house:random", variants = ["sangohana", "koikoi"] },
]

[[divisions]]
variant = "sangohana"
boards = 3
board_sets = "field"

[[divisions]]
rounds = 3
options.points.goko = 10
"""


def test_a_league_has_several_divisions_in_the_order_of_the_variants() -> None:
    spec = parse_league(GRAND, "grand.toml")
    assert spec.divisions == (
        Division("koikoi", 2, 3, 4, "mirror", {"points.goko": 10}),
        Division("sangohana", 3, 7, 3, "field", {}),
    )
    assert spec.variants == ("koikoi", "sangohana")
    assert {entry.name: entry.variants for entry in spec.entries} == dict.fromkeys(
        ("greedy", "random", "x"), ("koikoi", "sangohana")
    )
    assert spec.division("sangohana").rounds == 7
    with pytest.raises(KeyError):
        spec.division()
    assert msgspec.json.decode(canonical(spec), type=LeagueSpec) == spec


@pytest.mark.parametrize(
    ("old", "new", "line", "key", "reason"),
    [
        ("rounds = 7", 'variant = "koikoi"', 2, "variant", "in each of them"),
        ("rounds = 7", "seats = 2", 2, "seats", "in each of them"),
        ("rounds = 7", "options = {}", 2, "options", "in each of them"),
        ("rounds = 3", "round = 3", 15, "divisions[2].round", "did you mean 'rounds'?"),
        ("rounds = 3", "rounds = 0", 15, "divisions[2].rounds", "from 1 to 1000, not 0"),
        ("rounds = 3", 'variant = "sangohana"', 15, "divisions[2].variant", "a second division of sangohana"),
        ("rounds = 3", "policy = 'strict'", 15, "divisions[2].policy", "unknown key"),
        ("boards = 3", "boards = 4", 11, "divisions[1].boards", "must be a multiple of 3, not 4"),
        ("boards = 3", "boards = 3\nseats = 5", 12, "divisions[1].seats", "sangohana is played by 2 to 4, not 5"),
        ("boards = 3\n", "", 11, "divisions[1].board_sets", "must be a multiple of 3, not 4"),
        ("goko = 10", "goko = 1979-05-27", 16, "divisions[2].options.points.goko", "must be true or"),
        ('["sangohana", "koikoi"]', '["koikoi"]', 3, "entries", "sangohana needs at least 3 entries, found 2"),
    ],
)
def test_a_fault_in_a_division_is_named_with_its_line(old: str, new: str, line: int, key: str, reason: str) -> None:
    assert GRAND.count(old) == 1
    error = refused(GRAND.replace(old, new))
    assert (error.line, error.key) == (line, key)
    assert reason in error.reason


def test_a_fault_found_later_is_told_by_variant_and_option() -> None:
    error = fault(GRAND, "grand.toml", ("divisions", "koikoi", "options", "points.goko"), "too much")
    assert str(error) == "grand.toml:16: divisions[2].options.points.goko: too much"
    error = fault(FILE, "league.toml", ("divisions", "koikoi", "options", "points.goko"), "too much")
    assert str(error) == "league.toml:15: options.points.goko: too much"
    assert str(fault(FILE, "league.toml", ("entries", 1), "gone")) == "league.toml:7: entries[2]: gone"


@pytest.mark.parametrize(
    ("variant", "keys", "sizes"),
    [
        ("koikoi", "", (2,)),
        ("hachihachi", "", (3,)),
        ("sangohana", "", (3, 4)),
        ("sangohana", "seats = 2", (2,)),
        ("sangohana", "seats = 4", (4, 3)),
        ("sangohana", 'seats = 4\nboard_sets = "field"', (4,)),
    ],
)
def test_a_division_has_the_tables_that_its_variant_seats(variant: str, keys: str, sizes: tuple[int, ...]) -> None:
    text = f'name = "s"\nvariant = "{variant}"\n{keys}\nentries = ["a", "b", "c", "d"]'
    division = parse_league(text, "s.toml").division()
    assert (division.sizes, division.seats) == (sizes, sizes[0])


def test_a_schedule_is_part_of_a_league_file_and_its_leagues_are_numbered() -> None:
    text = GRAND + '[schedule]\nstart = "every monday 20:00"\ntimes = 12\n'
    spec = parse_league(text, "grand.toml")
    assert spec.schedule == Schedule("every monday 20:00", times=12)
    league = spec.occurrence(3)
    assert (league.name, league.lot, league.schedule) == ("grand.3", "grand.3", None)
    assert league.divisions == spec.divisions
    assert msgspec.json.decode(canonical(spec), type=LeagueSpec) == spec


@pytest.mark.parametrize(
    ("schedule", "line", "key", "reason"),
    [
        ("times = 3", 17, "schedule", "needs a start"),
        ('start = "now"', 18, "schedule.start", "'now' is not a start"),
        ("start = 3", 18, "schedule.start", "must be a string, not 3"),
        ('start = "every day 03:00"\ntimes = true', 19, "schedule.times", "must be a whole number, not True"),
        ('start = "every day 03:00"\ntimes = 0', 19, "schedule.times", "a season has 1 to 100000 leagues, not 0"),
        ('start = "every day 03:00"\nopens = "1 day"', 19, "schedule.opens", "unknown key; did you mean 'open'?"),
        ('start = "every day 03:00"\nzone = "Asia/Edo"', 19, "schedule.zone", "unknown time zone 'Asia/Edo'"),
    ],
)
def test_a_fault_in_a_schedule_is_named_with_its_line(schedule: str, line: int, key: str, reason: str) -> None:
    error = refused(f"{GRAND}[schedule]\n{schedule}\n")
    assert (error.line, error.key) == (line, key)
    assert reason in error.reason


def test_the_name_of_a_scheduled_league_leaves_room_for_numbers() -> None:
    text = f'name = "{"a" * 57}"\n[schedule]\nstart = "every day 03:00"'
    with pytest.raises(LeagueFileError, match="at most 56 characters"):
        parse_league(text, "league.toml")


def test_a_fixed_secret_marks_the_league_as_a_test() -> None:
    spec = parse_league(edited("boards = 2", f'secret = "{SECRET}"'), "league.toml")
    assert spec.is_test
    assert spec.secret == SECRET.lower()


def test_files_that_mean_the_same_have_the_same_digest() -> None:
    same = edited("# the first league of the year\n", 'policy = "strict"\n\n').replace(
        "[options]\nbirth_months = [1, 0]\npoints.goko = 10", "[options]\n'points.goko' = 0xA\nbirth_months = [1, 0]"
    )
    assert digest(parse_league(same, "other.toml")) == digest(parse_league(FILE, "league.toml"))


@pytest.mark.parametrize(
    ("old", "new"),
    [("rounds = 3", "rounds = 4"), ("goko = 10", "goko = 9"), ('"carol"', '"dora"'), ('seed = "7"', 'seed = "8"')],
)
def test_a_changed_file_has_another_digest(old: str, new: str) -> None:
    assert digest(parse_league(edited(old, new), "l")) != digest(parse_league(FILE, "l"))


def test_the_canonical_form_gives_the_league_back() -> None:
    spec = parse_league(FILE, "league.toml")
    assert msgspec.json.decode(canonical(spec), type=LeagueSpec) == spec
