"""What `bot.toml` says, and how it is told what is wrong with it."""

import pytest

from arena.packs.errors import ManifestError
from arena.packs.manifest import Manifest, read_manifest


def test_a_manifest_says_how_a_bot_starts_and_what_it_plays() -> None:
    text = b'[bot]\nname = "ann"\ncommand = ["python", "bot.py"]\nvariants = ["koikoi"]\nabout = "Plays for light."\n'
    manifest = Manifest("ann", ("python", "bot.py"), "python", ("koikoi",), "Plays for light.")
    assert read_manifest(text) == manifest
    assert read_manifest(b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n")) == manifest, "as Windows writes it"


@pytest.mark.parametrize(("line", "single_threaded"), [("", False), ("single_threaded = true", True)])
def test_a_manifest_says_whether_the_bot_is_single_threaded(line: str, single_threaded: bool) -> None:
    for command in ('["python", "bot.py"]', '["./bot"]\nruntime = "native"'):
        manifest = read_manifest(f'[bot]\nname = "ann"\ncommand = {command}\n{line}\n'.encode())
        assert manifest.single_threaded is single_threaded


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        ('name = "ann"', "command is missing"),
        ('name = "../ann"\ncommand = ["python"]', "the name '../ann' must be 1 to 64 letters"),
        ('name = "ann"\ncommand = []', "command has 0 words"),
        ('name = "ann"\ncommand = ["python", ""]', "each word of command must be 1 to 1000"),
        ('name = "ann"\ncommand = "python bot.py"', "command must be a list of strings, not 'python bot.py'"),
        ('name = "ann"\ncommand = ["./bot"]', "the runtime is python, and command begins with './bot'"),
        ('name = "ann"\ncommand = ["python"]\nruntime = "native"', "both say python, or neither"),
        ('name = "ann"\ncommand = ["python"]\nruntime = "java"', "there is no runtime 'java'; there are python"),
        ('name = "ann"\ncommand = ["python"]\nvariants = ["poker"]', "there is no variant 'poker'; there are koikoi"),
        ('name = "ann"\ncommand = ["python"]\nvariants = ["kyogi", "kyogi"]', "a variant is named twice"),
        ('name = "ann"\ncommand = ["python"]\nabout = "a\\nb"', "about must be one line"),
        (
            'name = "ann"\ncommand = ["python"]\nnetwork = true',
            "there is no key 'network'; there are name, command, runtime",
        ),
        ('name = "ann"\ncommand = ["python"]\nsingle_threaded = 1', "single_threaded must be true or false, not 1"),
        ('name = "ann"\ncommand = ["./a.wasm"]\nruntime = "wasm"\nsingle_threaded = true', "wasm has no threads"),
        ('name = 3\ncommand = ["python"]', "name must be a string, not 3"),
        ('name = "ann"\ncommand = ["python"]\nvariants = [1]', "variants must be a list of strings, not [1]"),
        ("name = ", "this is not TOML: Invalid value"),
        ("[more]", "everything has to stand in its table [bot], or in [parameters] and [run]"),
        ("name = " + "[" * 5_000, "values are nested too deep"),
        ("name = " + "9" * 5_000, "a number has too many digits"),
    ],
)
def test_a_manifest_that_cannot_be_used_is_refused_with_one_line_that_says_why(lines: str, fault: str) -> None:
    with pytest.raises(ManifestError) as refusal:
        read_manifest(f"[bot]\n{lines}\n".encode())
    assert str(refusal.value).startswith("bot.toml: ")
    assert fault in str(refusal.value)
    assert len(str(refusal.value).splitlines()) == 1


def test_a_manifest_that_is_no_text_is_refused() -> None:
    with pytest.raises(ManifestError, match=r"bot\.toml: this is no UTF-8 text"):
        read_manifest(b"[bot]\nname = '\xff'\n")
