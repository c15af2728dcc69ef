"""What cannot be is refused in one line that names it, with exit status 2, before anything is touched."""

import socket
from pathlib import Path

import pytest
from arena_command import done, refused
from bots_in_tests import FIRST

MATCH = ("match", "play", "house:random", "house:greedy")
THERE = ("--server", "localhost:7777", "--token", "hfo_none")
HUGE = 30 * "9"
DIGITS = 5000 * "9"
"""More than Python makes a number of."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a bot, some things that are none of the arena's, and nothing else."""
    made = tmp_path_factory.mktemp("bad-input")
    (made / "bot.py").write_text(FIRST)
    (made / "notes.txt").write_text("Not a program.\n")
    (made / "binary").write_bytes(b"hello\n\xff\x00")
    (made / "folder").mkdir()
    (made / "mine").mkdir()
    (made / "mine" / "bot.py").touch()
    (made / "itself.py").symlink_to("itself.py")
    return made


def one_line(said: str) -> str:
    """The single line that was said."""
    lines = said.splitlines()
    assert len(lines) == 1, said
    assert lines[0].startswith("error: ")
    return lines[0]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((*MATCH, "--variant", "kyogo"), "there is no variant 'kyogo'; there are koikoi"),
        ((*MATCH, "--option", "mnths=3"), "koikoi has no option 'mnths'; did you mean 'months'?"),
        ((*MATCH, "--option", "months=0"), "option months: 0 is not allowed; it takes 1 to 120"),
        ((*MATCH, "--option", "months"), "--option takes NAME=VALUE, not 'months'"),
        ((*MATCH, "--seed", ""), "a seed must not be empty"),
        ((*MATCH, "--decision-ms", "0", "--bank-ms", "0"), "leaves no time at all"),
        (("match", "play", "house:random"), "koikoi has 2 seats, not 1"),
        (("match", "play", "house:gredy", "house:random"), "no house bot 'house:gredy'; there are house:random"),
        (("match", "play", "./bto.py", "house:random"), "bto.py"),
        (("match", "play", "./notes.txt", "house:random"), "neither a Python file, nor WebAssembly, nor executable"),
        (("match", "play", "alice", "house:random"), "there is no folder 'alice', and there is no store in arena-data"),
        (("match", "play", "greedy", "house:random"), "the arena's own bot is house:greedy"),
        (
            ("match", "challenge", "a", "./bot.py", *THERE),
            "./bot.py is on this machine, and opponents play at the arena",
        ),
        ((*MATCH, "--data", "bot.py/data"), "bot.py/data"),
        (("simulate", "--variant", "koikoi", "--bots", "greedy"), "koikoi has 2 seats, not 1"),
        (("simulate", "--variant", "koikoi", "--legal"), "--legal is for --transcript FILE"),
        (("simulate", "--variant", "koikoi", "--transcript", "bot.py/games"), "bot.py/games: Not a directory"),
        (("simulate", "--variant", "koikoi", "--bots", ""), "--bots takes names with a comma between each two, not ''"),
        (("simulate", "--variant", "koikoi", "--bots", "random,,greedy"), "--bots takes names with a comma"),
        (("simulate", "--variant", "koikoi", "--seats", "-1"), "koikoi has 2 seats, not -1"),
        (("simulate", "--variant", "koikoi", "--seats", HUGE), f"koikoi has 2 seats, not {HUGE}"),
        (("match", "challenge", "a", "b", *THERE, "--decision-ms", HUGE), "at most 3600000 ms for a decision"),
        (("match", "challenge", "house:greedy", "a", *THERE), "house:greedy cannot challenge anybody: name your own"),
        (("owner", "show", "ann", *THERE), "with --server, the owner is the one of the token: give no name"),
        (("owner", "token", "ann", *THERE), "with --server, the owner is the one of the token: give no name"),
        (("owner", "token"), "name an owner of the store, or give --server and the owner's token"),
        (("simulate", "--variant", "koikoi", "--option", "months=" + 999 * "9"), "is not allowed; it takes 1 to 120"),
        (("simulate", "--variant", "koikoi", "--option", "months=" + 900 * "["), "is not allowed; it takes 1 to 120"),
        (("simulate", "--variant", "koikoi", "--option", "months=" + DIGITS), "has a value of 5000 characters"),
        (("simulate", "--variant", "koikoi", "--seed", "\udcff"), "an argument is no UTF-8 text: b'\\xff'"),
        (("simulate", "--variant", "koi\x1b[31m"), r"there is no variant 'koi\x1b[31m'"),
        (("match", "test", "house:random", "house:greedy", "--model", ""), "normalized or logistic, not ''"),
        (("match", "test", "house:random", "house:greedy", "--margin", ","), "takes two numbers, LOW,HIGH, not ','"),
        (("match", "play", "./itself.py", "house:random"), "no bot at "),
        (("match", "play", "./folder", "house:random"), "/folder has no bot.toml"),
        (("match", "play", "./mine/", "house:random"), "/mine has no bot.toml: name its program, ./mine/bot.py"),
        (("match", "test", "mine", "house:random"), "/mine has no bot.toml: name its program, mine/bot.py"),
        (("tables", "koikoi", "--years", "3"), "koikoi has no years that differ from one another"),
        (("tables", "koikoi45", "--years", "3"), "koikoi45 has no years that differ from one another"),
        (("replay", "show", "folder"), "folder is a folder, not a replay"),
        (
            ("bot", "list", "--server", "here:1", "--token", "@/dev/null"),
            "/dev/null is a folder or a device, not a file",
        ),
        (("replay", "verify", "/dev/null"), "/dev/null is a device, not a replay"),
        (("league", "verify", "/dev/zero"), "/dev/zero is a device, not an exported league"),
        (("league", "verify", "folder"), "folder is a folder, not an exported league"),
        (("league", "run", "/dev/zero"), "/dev/zero is a device, not a league file"),
        (("serve", "--listen", f"localhost:{DIGITS}"), "is no address: it has to be unix:PATH or HOST:PORT"),
        (("bot", "list", "--server", f"localhost:{DIGITS}", "--token", "x"), "this is no address; it has the form"),
        (("serve", "--shared-port"), "--shared-port is for nodes that share a store: it goes with --redis URL"),
        (("serve", "--cluster-key", "key"), "--cluster-key is for nodes that share a store"),
        (("serve", "--advertise", "here:1"), "--advertise is for nodes that share a store"),
        (("serve", "--tls-ca", "ca.pem"), "--tls-ca is for nodes that share a store"),
        (("bot", "take-out", "mine", "3f9c"), "nothing was registered or played there; --data names another folder"),
        (("bot", "create", "mine", "--owner", "x\ny"), "an owner is one line of at most 128 printable characters"),
        (("bot", "create", "Greedy"), "the name 'Greedy' is a house bot's; choose another"),
        (("bot", "create", "mine", "--data", "bot.py"), "data folder bot.py: it is no folder"),
        (("bot", "check", "./bot.py", "--variant", "kyogo"), "there is no variant 'kyogo'"),
        (("league", "run", "folder"), "folder is a folder, not a league file"),
        (("league", "run", "binary"), "binary:2: this is no UTF-8 text, and so no league file"),
        (("bot", "new", "bot.py/mine"), "Not a directory"),
        (("bot", "check", "greedy"), "the arena's own bot is house:greedy"),
        (("bot", "run", "alice", *THERE), "submitted bots play at their arena by themselves: name a program"),
        (("bot", "token", "alice"), "--data names another folder, --server an arena elsewhere"),
        (("league", "run", "spring.toml"), "league file spring.toml: No such file or directory"),
        (("league", "show", "spring"), "there is no store in arena-data"),
        (
            ("replay", "show", "spring.koikoi.r1.t1.b1.a"),
            "there is no file spring.koikoi.r1.t1.b1.a, and no store in arena-data",
        ),
    ],
)
def test_a_command_that_cannot_be_is_refused_by_name(folder: Path, arguments: tuple[str, ...], words: str) -> None:
    before = sorted(folder.iterdir())
    assert words in one_line(refused(*arguments, cwd=folder))
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize(
    ("command", "option", "value"),
    [
        ("serve", "--lease", "nan"),
        ("serve", "--challenge-clock", "nan"),
        ("serve", "--processors", HUGE),
        ("serve", "--fuel", HUGE),
        ("serve", "--challenges-open", HUGE),
        ("serve", "--challenges-hourly", HUGE),
        *(("owner create ann", f"--{limit}", HUGE) for limit in ("bots", "versions", "packed", "submissions")),
    ],
)
def test_a_number_beyond_reason_is_refused_with_its_option(folder: Path, command: str, option: str, value: str) -> None:
    assert f"Invalid value for '{option}': " in refused(*command.split(), option, value, cwd=folder)
    assert not (folder / "arena-data").exists()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("rouds = 3", ":3: rouds: unknown key; did you mean 'rounds'?"),
        ('rounds = "three"', ":3: rounds: must be a whole number from 1 to 1000, not 'three'"),
        ("rounds = ", ":3: not TOML"),
        ("rounds = " + 5000 * "9", "a number has too many digits, or values are nested too deep"),
        ("rounds = " + 5000 * "[", "a number has too many digits, or values are nested too deep"),
        ('policy = "mild"', ":3: policy: must be 'strict' or 'lenient', not 'mild'"),
        ('"ro\\u001bunds" = 3', r":3: ro\x1bunds: unknown key"),
        ('variant = "hachihachi"', ":2: entries: the division of hachihachi needs at least 3 entries, found 2"),
        ('variant = "kyogo"', ":3: variant: unknown variant 'kyogo'; did you mean 'kyogi'?"),
        ('variant = "koi"', ":3: variant: unknown variant 'koi'; did you mean 'koikoi'?"),
        ('variant = ""', ":3: variant: unknown variant ''; known are hachihachi, "),
        (f'secret = "{"5a" * 31}zz"', ":3: secret: a secret is exactly 64 hex digits"),
        ("per_decision_ms = 0\nbank_ms = 0", ":3: per_decision_ms: "),
        ("options = { mnths = 3 }", ":3: options.mnths: koikoi has no option 'mnths'; did you mean 'months'?"),
        ("[options]\nmonths = 1\npoints.goko = -1", ":5: options.points.goko: "),
        ('entries = ["house:random"]', ":3: entries: the division of koikoi needs at least 2 entries, found 1"),
        (
            'entries = [\n"house:random",\n"house:random"]',
            ":5: entries[2]: a second entry with the name 'random'",
        ),
        ('entries = ["house:random",\n{ bot = "house:greedy", seed = "" }]', ":4: entries[2].seed: a seed must not"),
        ('entries = ["house:random",\n"house:gredy"]', ":4: entries[2]: no house bot 'house:gredy'"),
        ('entries = ["house:random",\n"no/such/bot.py"]', "no/such/bot.py"),
        (
            'entries = ["house:random",\n"./私の bot.py"]',
            ":4: entries[2]: '私の bot' is not a valid name: 1 to 64 letters, digits, '.', '_' or '-', the first a "
            'letter or digit; give it another: { name = "…", bot = "./私の bot.py" }',
        ),
        ('entries = ["house:random",\n"alice"]', ":4: entries[2]: 'alice' names a bot that connects by itself"),
    ],
)
def test_a_league_file_is_refused_with_its_line_and_key(tmp_path: Path, line: str, words: str) -> None:
    entries = "" if "entries" in line else 'entries = ["house:random", "house:greedy"]'
    file = tmp_path / "spring.toml"
    file.write_text(f'name = "spring"\n{entries}\n{line}\n')
    said = one_line(refused("league", "run", "spring.toml", cwd=tmp_path))
    assert said.startswith("error: spring.toml:")
    assert words in said
    assert sorted(tmp_path.iterdir()) == [file]


def test_a_league_file_without_a_name_is_refused(tmp_path: Path) -> None:
    (tmp_path / "spring.toml").write_text('entries = ["house:random", "house:greedy"]\n')
    assert one_line(refused("league", "run", "spring.toml", cwd=tmp_path)).endswith("name: this key is missing")


def test_what_a_store_does_not_have_is_refused_by_name_and_what_it_has_is_kept(tmp_path: Path) -> None:
    token = done("bot", "create", "alice", cwd=tmp_path)
    for arguments, reason in (
        (
            ("bot", "create", "alice"),
            "a bot named 'alice' exists already; `arena bot token alice` gives it a new token",
        ),
        (("bot", "create", "al ice"), "bot name 'al ice': it must be 1 to 64 letters"),
        (("bot", "token", "bob"), "no bot named 'bob'"),
        (("league", "show", "spring"), "no league named 'spring'"),
        (("replay", "verify", "spring.koikoi.r1.t1.b1.a"), "no replay 'spring.koikoi.r1.t1.b1.a'"),
    ):
        assert one_line(refused(*arguments, cwd=tmp_path)).startswith(f"error: {reason}")
    assert done("bot", "list", cwd=tmp_path) == "alice\n"
    assert done("bot", "token", "alice", cwd=tmp_path) != token


def test_a_league_file_may_begin_with_the_mark_that_some_editors_write(tmp_path: Path) -> None:
    (tmp_path / "spring.toml").write_text('name = "spring"\nentries = ["house:random"]\n', "utf-8-sig")
    assert "It is open, with 1 bot.\n" in done("league", "open", "spring.toml", cwd=tmp_path)


def test_a_schedule_is_refused_with_its_line_and_key(tmp_path: Path) -> None:
    head = 'name = "cup"\nentries = ["house:random", "house:greedy"]\n[schedule]\n'
    for line, words in (
        ('start = "every day 03:00"\nopen = "100000 hours"', ":5: schedule.open: '100000 hours' is too long"),
        ('start = "every 2 moons"', ":4: schedule.start: 'every 2 moons' is not a start"),
        ('start = "9999-12-31 23:00"\nzone = "America/New_York"', ":4: schedule.start: '9999-12-31 23:00' is not a"),
    ):
        (tmp_path / "cup.toml").write_text(head + line + "\n")
        assert words in one_line(refused("league", "schedule", "cup.toml", cwd=tmp_path))


def test_a_list_of_divisions_names_each_of_them_once(tmp_path: Path) -> None:
    (tmp_path / "spring.toml").write_text('name = "spring"\nentries = ["house:random"]\n')
    assert "It is open, with 1 bot.\n" in done("league", "open", "spring.toml", cwd=tmp_path)
    for variants, words in (
        ("", "--variants takes names with a comma between each two, not ''"),
        (",", "--variants takes names with a comma between each two, not ','"),
        ("koikoi,", "--variants takes names with a comma between each two, not 'koikoi,'"),
        ("koikoi, koikoi", "--variants names 'koikoi' twice"),
        ("kyogi", "league 'spring' has no division of 'kyogi'; it has koikoi"),
    ):
        said = refused("league", "enter", "spring", "house:greedy", "--variants", variants, cwd=tmp_path)
        assert words in one_line(said)


def test_a_person_does_not_wait_long_for_a_server_that_is_not_there(tmp_path: Path) -> None:
    with socket.socket() as probe:  # it is bound and does not listen: nobody else can
        probe.bind(("127.0.0.1", 0))
        url = f"redis://127.0.0.1:{probe.getsockname()[1]}/0"
        (tmp_path / "spring.toml").write_text('name = "spring"\nentries = ["house:random", "house:greedy"]\n')
        for command in (("bot", "create", "alice"), ("league", "open", "spring.toml"), ("league", "list")):
            said = refused(*command, "--redis", url, cwd=tmp_path)
            assert f"error: the store at {url} did not answer for 5 s" in said


def test_a_server_that_takes_the_connection_and_says_nothing_is_given_up_as_soon(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
        assert "did not answer for 5 s" in refused("bot", "create", "alice", "--redis", url, cwd=tmp_path)


def test_doctor_names_what_is_wrong_with_a_data_folder_and_leaves_none_behind(tmp_path: Path) -> None:
    assert "data folder none: nothing is stored there yet" in done("doctor", "--data", "none", cwd=tmp_path)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").touch()
    assert refused("doctor", "--data", "file", cwd=tmp_path, status=1) == "data folder file: it is no folder\n"
