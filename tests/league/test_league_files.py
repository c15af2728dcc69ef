import msgspec
import pytest

from arena.league.errors import LeagueFileError
from arena.league.spec import Division, Entry, LeagueSpec, canonical, digest, parse_league

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
        parse_league(text, "league.toml", ("koikoi", "kyogi"))
    return caught.value


def edited(old: str, new: str) -> str:
    assert FILE.count(old) == 1, f"{old!r} must stand once in the file"
    return FILE.replace(old, new)


def test_a_league_file_is_read_with_its_defaults_written_out() -> None:
    assert parse_league(FILE, "league.toml") == LeagueSpec(
        name="spring",
        entries=(
            Entry("greedy", "house:greedy", "greedy"),
            Entry("alice", "./alice.py", "alice"),
            Entry("bob", "bots/bob.py", "bob"),
            Entry("other", "house:greedy", "7"),
            Entry("carol", "carol", "carol"),
        ),
        divisions=(Division("koikoi", 3, 2, "mirror", {"birth_months": (1, 0), "points.goko": 10}),),
        lot="spring",
        secret=None,
        per_decision_ms=2_000,
        bank_ms=60_000,
        policy="strict",
    )


def test_two_names_are_enough_for_a_league() -> None:
    spec = parse_league('name = "small"\nentries = ["house:random", "house:greedy"]', "small.toml")
    assert spec.division() == spec.division("koikoi") == Division("koikoi", 5, 4, "mirror", {})
    assert not spec.is_test


def test_a_division_that_the_league_does_not_have_is_not_found() -> None:
    with pytest.raises(KeyError):
        parse_league(FILE, "league.toml").division("kyogi")


@pytest.mark.parametrize(
    ("old", "new", "line", "key", "reason"),
    [
        ("rounds = 3", "roundz = 3", 3, "roundz", "unknown key; did you mean 'rounds'?"),
        ("rounds = 3", "zzz = 3", 3, "zzz", "unknown key; known are"),
        ("rounds = 3", 'rounds = "3"', 3, "rounds", "Expected `int`"),
        ("rounds = 3", "rounds = true", 3, "rounds", "Expected `int`, got `bool`"),
        ("rounds = 3", "rounds = 0", 3, "rounds", ">= 1"),
        ("boards = 2", "boards = -2", 4, "boards", ">= 1"),
        ("boards = 2", "bank_ms = -1", 4, "bank_ms", ">= 0"),
        ("boards = 2", 'policy = "mild"', 4, "policy", "mild"),
        ("boards = 2", 'variant = "koikoj"', 4, "variant", "unknown variant 'koikoj'; did you mean 'koikoi'?"),
        ("boards = 2", 'board_sets = "field"', 4, "board_sets", 'only "mirror" is played'),
        ("boards = 2", 'board_sets = "both"', 4, "board_sets", "both"),
        ("boards = 2", 'secret = "00"', 4, "secret", "exactly 64 hex digits"),
        ("boards = 2", f'secret = "{SECRET[:-1]}g"', 4, "secret", "exactly 64 hex digits"),
        ("boards = 2", f'secret = "{SECRET}\\n"', 4, "secret", "exactly 64 hex digits"),
        ("boards = 2", 'lot = "a\\nb"', 4, "lot", "one line"),
        ('"spring"', '"spring time"', 2, "name", "'spring time' is no name"),
        ('"spring"', '"{spring}"', 2, "name", "is no name"),
        ('"spring"', '""', 2, "name", "is no name"),
        ('"bots/bob.py"', '"house:greedy"', 8, "entries[3]", "a second entry with the name 'greedy'"),
        ('"bots/bob.py"', '"bots/b b.py"', 8, "entries[3]", "'b b' is no name"),
        ('"bots/bob.py"', "7", 8, "entries[3]", "Expected `str | object`"),
        ('"bots/bob.py"', '""', 8, "entries[3]", "an entry needs a bot"),
        ('"bots/bob.py"', '{ name = "bob" }', 8, "entries[3]", "an entry needs a bot"),
        ('seed = "7"', 'seed = ""', 9, "entries[4].seed", "must not be empty"),
        ('name = "alice"', 'nam = "alice"', 7, "entries[2].nam", "did you mean 'name'?"),
        ('name = "alice"', "name = 1", 7, "entries[2].name", "Expected `str`, got `int`"),
        ('name = "alice"', 'name = "a:b"', 7, "entries[2].name", "'a:b' is no name"),
        ("points.goko = 10", "points.goko = 1979-05-27", 15, "options.points.goko", "got `date`"),
        ("points.goko = 10", '"points.goko" = 1\npoints.goko = 10', 16, "options.points.goko", "twice"),
        ("[options]", "[optoins]", 13, "optoins", "did you mean 'options'?"),
    ],
)
def test_a_fault_is_named_with_file_line_and_key(old: str, new: str, line: int, key: str, reason: str) -> None:
    error = refused(edited(old, new))
    assert (error.source, error.line, error.key) == ("league.toml", line, key)
    assert reason in error.reason
    assert str(error) == f"league.toml:{line}: {key}: {error.reason}"


@pytest.mark.parametrize(
    ("text", "line"),
    [("name = \n", 1), ('name = "a"\nrounds 3\n', 2), ('name = "a"\nname = "b"\n', 2), ('a = "1"\nb = [1,\n', 3)],
)
def test_a_file_that_is_not_toml_is_refused_at_its_line(text: str, line: int) -> None:
    error = refused(text)
    assert (error.line, error.key) == (line, None)
    assert error.reason.startswith("not TOML: ")


@pytest.mark.parametrize("key", ["name", "entries"])
def test_a_missing_key_is_named(key: str) -> None:
    text = {"name": 'entries = ["a", "b"]', "entries": 'name = "spring"'}[key]
    assert str(refused(text)) == f"league.toml: {key}: this key is missing"


@pytest.mark.parametrize(("entries", "count"), [("[]", 0), ('["house:greedy"]', 1)])
def test_a_league_of_fewer_than_two_bots_is_refused(entries: str, count: int) -> None:
    error = refused(f'name = "spring"\nentries = {entries}\n')
    assert (error.line, error.key, error.reason) == (
        2,
        "entries",
        f"a league needs at least two entries, found {count}",
    )


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
