"""Packs: the same to the byte for the same files, and nothing but what `pack` makes is taken."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import tarfile
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.packs.errors import ManifestError, PackError
from arena.packs.packing import LIMITS, Limits, check, pack, unpack
from arena.scratch import space_taken

MANIFEST = b'[bot]\nname = "ann"\ncommand = ["python", "bot.py"]\n'
NAMES = st.text("abcXYZ019._+@=,~ -", min_size=1, max_size=12).filter(
    lambda name: not name.startswith(".") and name not in {"__pycache__", "node_modules", "bot.toml"}
)
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)
FILES = st.dictionaries(PATHS, st.tuples(st.binary(max_size=2_000), st.booleans()), max_size=8).filter(
    lambda files: not any(other.startswith(f"{path}/") for path in files for other in files)
)


def write(folder: Path, files: dict[str, tuple[bytes, bool]]) -> Path:
    """A bot's folder with these files, each with whether it can be executed."""
    for path, (content, executable) in {**files, "bot.toml": (MANIFEST, False)}.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        file.chmod(0o755 if executable else 0o600)
    return folder


@given(FILES)
def test_what_is_packed_comes_out_again_and_packs_to_the_same_bytes(files: dict[str, tuple[bytes, bool]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        first = pack(write(Path(name) / "one", files))
        assert unpack(first.data, Path(name) / "two") == first
        for path, (content, executable) in files.items():
            file = Path(name) / "two" / path
            assert file.read_bytes() == content
            assert bool(file.stat().st_mode & 0o100) is executable
        again = Path(name) / "two"
        os.utime(again / "bot.toml", (1, 1))
        (again / ".git").mkdir()
        (again / "arena-data").mkdir()
        (again / "arena-data" / "store.log").write_bytes(b"of a match that was played here")
        (again / "__pycache__").mkdir()
        (again / "__pycache__" / "bot.pyc").write_bytes(b"of this machine")
        assert pack(again) == first
        assert first.version == hashlib.sha256(gzip.decompress(first.data)).hexdigest()


def test_a_pack_is_a_tar_that_any_tool_can_open(tmp_path: Path) -> None:
    packed = pack(write(tmp_path, {"bot.py": (b"pass\n", False), "data/weights": (b"1", True)}))
    with tarfile.open(fileobj=io.BytesIO(packed.data), mode="r:gz") as tar:
        assert tar.getnames() == ["bot.py", "bot.toml", "data/weights"]
        assert all((member.mtime, member.uid, member.uname) == (0, 0, "") for member in tar)


@given(st.integers(min_value=0), st.integers(min_value=0, max_value=7))
def test_a_pack_with_one_bit_changed_is_refused_or_another_version(at: int, bit: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        packed = pack(write(Path(name), {"bot.py": (b"print('a bot')\n" * 20, False)}))
    tar = bytearray(gzip.decompress(packed.data))
    tar[at % len(tar)] ^= 1 << bit
    try:
        changed = check(compressed(bytes(tar)))
    except (PackError, ManifestError):
        return
    assert changed.version != packed.version


def compressed(tar: bytes) -> bytes:
    """What a tar is in a pack."""
    deflater = zlib.compressobj(9, zlib.DEFLATED, 31)
    return deflater.compress(tar) + deflater.flush()


def archive(*members: tuple[tarfile.TarInfo, bytes], manifest: bool = True) -> bytes:
    """A pack of these members, after a manifest, without a look at what they are."""
    parts = []
    head = tarfile.TarInfo("bot.toml")
    for info, content in ((head, MANIFEST), *members) if manifest else members:
        info.size = info.size or len(content)
        parts += [info.tobuf(tarfile.USTAR_FORMAT), content, bytes(-len(content) % 512)]
    return compressed(b"".join(parts) + bytes(1024))


def member(name: str, **more: object) -> tarfile.TarInfo:
    """A member's header with some fields of its own."""
    info = tarfile.TarInfo(name)
    for field, value in more.items():
        setattr(info, field, value)
    return info


def nested(depth: int) -> bytes:
    """A pack in a pack in a pack."""
    data = archive()
    for _ in range(depth):
        data = compressed(data)
    return data


HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "a path that climbs out": (lambda: archive((member("c/../../etc/passwd"), b"x")), "the path 'c/../../etc/passwd'"),
    "an absolute path": (lambda: archive((member("/etc/passwd"), b"x")), "is not taken"),
    "a path with a NUL": (lambda: archive((member("c\0d"), b"x")), "is not as a pack has it"),
    "a path with a line feed": (lambda: archive((member("c\nd"), b"x")), "is not taken"),
    "a path with a backslash": (lambda: archive((member("c\\..\\d"), b"x")), "is not taken"),
    "an empty name": (lambda: archive((member("c//d"), b"x")), "is not taken"),
    "a path of 255 letters": (lambda: archive((member("c" * 100 + "/" + "d" * 100), b"x")), "at most 200 characters"),
    "a symbolic link": (
        lambda: archive((member("c", type=tarfile.SYMTYPE, linkname="/etc/passwd"), b"")),
        "a regular file",
    ),
    "a hard link": (lambda: archive((member("c", type=tarfile.LNKTYPE, linkname="bot.toml"), b"")), "a regular file"),
    "a device": (lambda: archive((member("c", type=tarfile.CHRTYPE, devmajor=1, devminor=3), b"")), "a regular file"),
    "a pipe": (lambda: archive((member("c", type=tarfile.FIFOTYPE), b"")), "a regular file"),
    "a folder": (lambda: archive((member("c", type=tarfile.DIRTYPE), b"")), "is not as a pack has it"),
    "a sparse file": (lambda: archive((member("c", type=tarfile.GNUTYPE_SPARSE), b"")), "a regular file"),
    "a setuid program": (lambda: archive((member("c", mode=0o4755), b"x")), "of mode 0644 or 0755"),
    "an owner": (lambda: archive((member("c", uid=1000), b"x")), "without owner and time"),
    "a time": (lambda: archive((member("c", mtime=1), b"x")), "without owner and time"),
    "a file twice": (lambda: archive((member("c"), b"1"), (member("c"), b"2")), "each file once"),
    "files out of order": (lambda: archive((member("d"), b"1"), (member("c"), b"2")), "in the order of their paths"),
    "a file that is a folder too": (
        lambda: archive((member("c"), b"1"), (member("c/d"), b"2")),
        "a file and a folder at once",
    ),
    "more content than there is": (lambda: archive((member("c", size=5000), b"x")), "ends too early"),
    "seven gigabytes that are not there": (
        lambda: archive((member("c", size=7 << 30), b"x")),
        "more than 128 MiB",
    ),
    "a gigabyte of zeros": (lambda: archive((member("c", size=1 << 30), bytes(1 << 20))), "more than 128 MiB"),
    "too many files": (
        lambda: archive(*((member(f"c{n:05}"), b"") for n in range(4_000))),
        "more than 4,000 files and folders",
    ),
    "a folder for each file, within one another": (
        lambda: archive(*((member(f"c{number:04}/" + "d/" * 15 + "e"), b"") for number in range(3_846))),
        "more than 4,000 files and folders",
    ),
    "folders that are nested too deeply": (lambda: archive((member("c/" * 17 + "d"), b"")), "17 deep, and at most 16"),
    "an archive in an archive in an archive": (lambda: nested(40), "is no tar"),
    "no end": (lambda: compressed(member("bot.toml", size=len(MANIFEST)).tobuf() + MANIFEST), "ends too early"),
    "something between two files": (
        lambda: compressed(gzip.decompress(archive()).replace(MANIFEST + b"\0", MANIFEST + b"x")),
        "followed by something else than zeros",
    ),
    "something behind its end": (lambda: archive() + b"more", "goes on behind its end"),
    "another pack behind its end": (lambda: archive() * 2, "goes on behind its end"),
    "a manifest of a key that takes seconds to read": (
        lambda: archive((member("bot.toml"), b"a." * 32_000 + b"a = 1"), manifest=False),
        "bot.toml has more than 8,192 bytes",
    ),
    "no manifest": (lambda: archive((member("c"), b"x"), manifest=False), "the pack has no bot.toml"),
    "nothing": (lambda: b"", "ends too early"),
    "no archive": (lambda: b"PK\x03\x04" * 100, "not compressed as gzip does"),
    "half of one": (lambda: archive()[:-20], "ends too early"),
}


@pytest.mark.parametrize(("make", "fault"), HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_archive_is_refused_and_nothing_is_written_outside_its_folder(
    tmp_path: Path, make: Callable[[], bytes], fault: str
) -> None:
    data = make()
    with pytest.raises((PackError, ManifestError)) as refusal:
        check(data)
    assert fault in str(refusal.value)
    with pytest.raises((PackError, ManifestError)) as again:
        unpack(data, tmp_path / "inside" / "bot")
    assert str(again.value) == str(refusal.value)
    assert {path.name for path in tmp_path.iterdir()} == {"inside"}
    assert all(path.is_dir() or path.is_file() for path in (tmp_path / "inside").rglob("*"))
    assert not any(path.is_symlink() for path in (tmp_path / "inside").rglob("*"))


def test_a_bomb_costs_no_more_memory_than_a_pack_may_have() -> None:
    bomb = compressed(bytes(512) * 2 + bytes(1 << 28))
    assert len(bomb) < 1 << 20
    with pytest.raises(PackError, match="goes on behind its end"):
        check(bomb)


@pytest.mark.parametrize(
    ("limits", "fault"),
    [
        (Limits(packed=100), "packed, and at most 9.54e-05 MiB is taken; most of it is 'data' with 0.00954 MiB"),
        (Limits(unpacked=20_000), "takes more than 0.0191 MiB on a disk; most of it is 'data' with 0.00954 MiB"),
        (Limits(entries=2), "has more than 2 files and folders"),
        (Limits(depth=0), "has folders within one another 1 deep, and at most 0 are taken: 'data/weights'"),
    ],
)
def test_a_folder_beyond_a_limit_is_refused_by_its_size(tmp_path: Path, limits: Limits, fault: str) -> None:
    with pytest.raises(PackError, match=fault):
        pack(write(tmp_path, {"bot.py": (os.urandom(4_000), False), "data/weights": (bytes(10_000), False)}), limits)
    pack(tmp_path, LIMITS)


def test_what_a_pack_is_said_to_take_of_the_disk_is_no_less_than_what_it_takes(tmp_path: Path) -> None:
    files = {f"{'d/' * (number % 16)}{number}": (bytes(number % 2), False) for number in range(200)}
    packed = pack(write(tmp_path / "one", {"bot.py": (os.urandom(9_000), False), **files}))
    unpack(packed.data, tmp_path / "two")
    taken = sum(512 * path.lstat().st_blocks for path in ((tmp_path / "two"), *(tmp_path / "two").rglob("*")))
    assert packed.unpacked >= taken
    assert packed.unpacked == space_taken(tmp_path / "two")


def test_links_are_followed_inside_the_folder_and_refused_out_of_it(tmp_path: Path) -> None:
    folder = write(tmp_path / "bot", {"bot.py": (b"pass", False)})
    (folder / "same.py").symlink_to("bot.py")
    assert pack(folder).files == 3
    (tmp_path / "secret").write_text("of mine")
    (folder / "out").symlink_to("../secret")
    with pytest.raises(PackError, match="a link to something outside"):
        pack(folder)


def test_a_pipe_or_a_link_that_leads_nowhere_is_refused_by_its_name(tmp_path: Path) -> None:
    folder = write(tmp_path / "bot", {"bot.py": (b"pass", False)})
    os.mkfifo(folder / "pipe")
    with pytest.raises(PackError, match="pipe is no file"):
        pack(folder)
    (folder / "pipe").unlink()
    for target, fault in (("gone", "is no file"), ("link", "leads to itself"), (".", "is a link to a folder")):
        (folder / "link").symlink_to(target)
        with pytest.raises(PackError, match=f"link (is a link that )?{fault}"):
            pack(folder)
        (folder / "link").unlink()
