"""`arena bot submit`, and what is done with versions, as a person runs them."""

import re
import signal
from pathlib import Path

import pytest
from arena_command import arena, document, done, refused, running
from bots_in_tests import BOT, MANIFEST

pytestmark = pytest.mark.usefixtures("bubblewrap")


@pytest.fixture
def ann(tmp_path: Path) -> Path:
    """The folder of a bot that plays well enough."""
    folder = tmp_path / "ann"
    folder.mkdir()
    (folder / "bot.toml").write_text(MANIFEST)
    (folder / "bot.py").write_text(BOT.format(answer="decision.legal[0]"))
    return folder


def versions(folder: Path) -> list[dict[str, object]]:
    """What the arena says of ann's versions."""
    listed: list[dict[str, object]] = document("bot", "versions", "ann", cwd=folder)["versions"]
    return listed


def test_a_submitted_bot_ends_in_a_version_that_can_be_activated_and_retired(tmp_path: Path, ann: Path) -> None:
    said = done("bot", "submit", ann, cwd=tmp_path)
    starts = "starts   to qualify; a bot that does not answer fails after 62 s (`arena bot check` finds it sooner)\n"
    assert f"{starts}ok       plays koikoi\n" in said
    assert "ok       plays koikoi\nok       answers a dealt hand of koikoi\n" in said
    [one] = versions(tmp_path)
    short = str(one["version"])[:12]
    assert said.endswith(f"ann@{short} is qualified\nlet it play: arena bot activate ann {short}\n")
    assert (one["status"], one["active"], one["reproducible"], one["parent"]) == ("qualified", False, True, None)
    assert one["about"] == "Plays the first legal action."
    (ann / "bot.py").write_text(BOT.format(answer="decision.legal[-1]"))
    assert done("bot", "submit", ann, "--activate", cwd=tmp_path).endswith(" is active\n")
    _, two = versions(tmp_path)
    assert (two["status"], two["active"], two["parent"]) == ("qualified", True, one["version"])
    done("bot", "activate", "ann", short[:6], cwd=tmp_path)
    assert [version["active"] for version in versions(tmp_path)] == [True, False]
    assert done("bot", "retire", "ann", short, cwd=tmp_path) == f"ann@{short} is retired\n"
    assert done("bot", "retire", "ann", short, cwd=tmp_path) == f"ann@{short} was retired already\n"
    assert [version["active"] for version in versions(tmp_path)] == [False, False]
    assert "active" not in done("bot", "versions", "ann", cwd=tmp_path)
    done("bot", "take-out", "ann", str(one["version"]), cwd=tmp_path)
    assert "is not qualified: taken out" in refused("bot", "activate", "ann", str(one["version"]), cwd=tmp_path)
    assert "no version" in refused("bot", "activate", "ann", "zz", cwd=tmp_path)


def test_a_version_that_fails_in_its_second_variant_is_not_called_reproducible(tmp_path: Path, ann: Path) -> None:
    (ann / "bot.toml").write_text(MANIFEST.replace('["koikoi"]', '["koikoi", "kyogi"]'))
    (ann / "bot.py").write_text(BOT.format(answer="decision.legal[0] if decision.match.variant == 'koikoi' else 1 / 0"))
    failed = arena("bot", "submit", ann, cwd=tmp_path)
    assert failed.returncode == 1
    assert "failed: plays kyogi: bot_error" in failed.stderr
    assert done("bot", "versions", "ann", cwd=tmp_path).split("  ")[-1].startswith("failed: bot_error: ")
    assert versions(tmp_path)[0]["reproducible"] is False


def test_the_same_folder_is_the_same_version_and_is_qualified_once(tmp_path: Path, ann: Path) -> None:
    done("bot", "submit", ann, cwd=tmp_path)
    said = done("bot", "submit", ann, cwd=tmp_path)
    assert "plays koikoi" not in said
    assert "\nknown    this content was submitted before, and is qualified\n" in said
    [version] = versions(tmp_path)
    done("bot", "retire", "ann", str(version["version"]), cwd=tmp_path)
    assert "submitted before, and is retired\n" in done("bot", "submit", ann, cwd=tmp_path)


def test_a_bot_that_fails_is_told_the_step_the_decision_and_its_last_output(tmp_path: Path, ann: Path) -> None:
    (ann / "bot.py").write_text(BOT.format(answer="1 / 0 if decision.number == 3 else decision.legal[0]"))
    result = arena("bot", "submit", ann, cwd=tmp_path)
    assert result.returncode == 1
    assert "failed: plays koikoi: bot_error" in result.stderr
    assert "ZeroDivisionError: division by zero" in result.stderr
    assert re.search(r"decision 3 of match \S+, seat [01]: bot_error", result.stderr)
    assert result.stderr.count(", line 5, in choose\n") == 1
    [version] = versions(tmp_path)
    assert version["status"] == "failed"
    assert ", line 5, in choose\n" in str(version["failure"])
    assert "is not qualified: failed" in refused("bot", "activate", "ann", str(version["version"]), cwd=tmp_path)


def test_a_bot_that_ends_at_once_is_listed_with_the_end_of_its_traceback(tmp_path: Path, ann: Path) -> None:
    (ann / "bot.py").write_text("import numpyy\n")
    assert arena("bot", "submit", ann, cwd=tmp_path).returncode == 1
    reason = "failed: bot ann ended with status 1 before its Hello: ModuleNotFoundError: No module named 'numpyy'\n"
    assert done("bot", "versions", "ann", cwd=tmp_path).endswith(reason)
    again = arena("bot", "submit", ann, cwd=tmp_path)
    assert again.returncode == 1
    assert again.stdout.endswith("known    this content was submitted before, and has failed\n")


def test_the_last_output_of_a_version_that_ended_is_told_once(tmp_path: Path, ann: Path) -> None:
    (ann / "bot.py").write_text(BOT.format(answer="print('a crane flew by') or __import__('os')._exit(3)"))
    said = refused("bot", "submit", ann, cwd=tmp_path, status=1)
    assert "bot ann ended with status 3:\na crane flew by\n" in said
    assert said.count("a crane flew by") == 1


@pytest.mark.parametrize(
    ("content", "mode", "fault"),
    [
        (b"#!/bin/sh\n", 0o755, "bot is no static program for 64-bit Linux: build it with -static, for example"),
        (Path("/bin/true").read_bytes(), 0o755, "bot is no static program for 64-bit Linux"),
        (b"\x7fELF\x02\x01" + bytes(100), 0o644, "bot is not executable: chmod +x bot"),
    ],
    ids=["a script", "with shared libraries", "not executable"],
)
def test_a_native_bot_that_no_cage_can_start_is_told_what_is_wrong_with_its_program(
    tmp_path: Path, ann: Path, content: bytes, mode: int, fault: str
) -> None:
    (ann / "bot.toml").write_text(MANIFEST.replace('["python", "bot.py"]', '["bot"]\nruntime = "native"'))
    (ann / "bot").write_bytes(content)
    (ann / "bot").chmod(mode)
    for command, status in (("submit", 1), ("check", 2)):
        assert fault in refused("bot", command, ann, cwd=tmp_path, status=status).splitlines()[0]
    [version] = versions(tmp_path)
    assert (version["status"], str(version["failure"]).startswith(fault)) == ("failed", True)


def test_a_submission_killed_in_the_middle_of_its_qualification_is_whole_when_it_is_sent_again(
    tmp_path: Path, ann: Path
) -> None:
    with running("bot", "submit", ann, cwd=tmp_path) as run:
        run.wait_for("packed")
        run.process.kill()
        run.process.wait()
    assert " is qualified\n" in done("bot", "submit", ann, cwd=tmp_path)
    assert [version["status"] for version in versions(tmp_path)] == ["qualified"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_submission_that_is_stopped_says_that_the_same_command_goes_on(
    tmp_path: Path, ann: Path, number: signal.Signals
) -> None:
    (ann / "bot.toml").write_text(MANIFEST.replace('["koikoi"]', '["koikoi", "kyogi"]'))
    answer = "decision.legal[0] if decision.match.variant == 'koikoi' else __import__('signal').pause()"
    (ann / "bot.py").write_text(BOT.format(answer=answer))
    with running("bot", "submit", ann, cwd=tmp_path) as run:
        label = run.wait_for(r"packed .*: (ann@\w+)")[1]
        run.wait_for("ok       plays koikoi")
        run.process.send_signal(number)
        assert run.end() == 128 + number
        assert run.lines[-1] == f"{label} has not qualified yet; the same command continues where it was"


def test_a_running_node_qualifies_what_is_left_to_it(tmp_path: Path, ann: Path) -> None:
    with running("bot", "submit", ann, cwd=tmp_path) as run:
        run.wait_for("packed")
        run.process.kill()
        run.process.wait()
    with running("serve", "--listen", "127.0.0.1:0", cwd=tmp_path) as node:
        node.wait_for("listening on")
        assert " is qualified\n" in done("bot", "submit", ann, cwd=tmp_path)
        assert [version["status"] for version in versions(tmp_path)] == ["qualified"]


def test_a_folder_that_is_no_bot_is_refused_with_one_line_and_leaves_nothing(tmp_path: Path, ann: Path) -> None:
    (ann / "bot.toml").write_text(MANIFEST.replace("koikoi", "poker"))
    said = refused("bot", "submit", ann, cwd=tmp_path)
    assert said.startswith("error: bot.toml: there is no variant 'poker'")
    assert len(said.splitlines()) == 1
    (ann / "bot.toml").unlink()
    assert f"{ann} has no bot.toml; `arena bot new` writes one" in refused("bot", "submit", ann, cwd=tmp_path)
    (ann / "bot.toml").write_text('[bot]\nname = "ann"\ncommand = ["./bot"]\nruntime = "native"\n')
    said = refused("bot", "submit", ann, cwd=tmp_path)
    assert said.endswith("'./bot', which is no file of the folder; build it first if it is compiled\n")
    assert not (tmp_path / "arena-data").exists()
