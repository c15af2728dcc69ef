"""`arena replay view`: one file in the browser, without any store."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest
from viewer_cases import GOLDEN

ARENA = Path(sys.executable).parent / "arena"


def hear_ctrl_c() -> None:
    """A shell that runs the tests in the background has Ctrl-C ignored, and its children inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("told", [signal.SIGINT, signal.SIGTERM])
def test_a_file_is_shown_until_ctrl_c(tmp_path: Path, told: signal.Signals) -> None:
    command = [ARENA, "replay", "view", GOLDEN / "koikoi-clock.hreplay", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=tmp_path, text=True, preexec_fn=hear_ctrl_c) as shown:
        address = shown.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:")
        with urlopen(address) as answer:
            assert b'id="viewer"' in answer.read()
        shown.send_signal(told)
        assert shown.wait(60) == 0
    assert not list(tmp_path.iterdir()), "looking at a file leaves nothing behind"


def test_the_browser_is_opened_at_the_address(tmp_path: Path) -> None:
    (tmp_path / "browser").write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/opened\n')
    (tmp_path / "browser").chmod(0o755)
    environment = {**os.environ, "BROWSER": f"{tmp_path}/browser %s"}
    command = [ARENA, "replay", "view", GOLDEN / "koikoi.hreplay"]
    os.mkfifo(tmp_path / "opened")
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True, preexec_fn=hear_ctrl_c) as shown:
        opened = (tmp_path / "opened").read_text().strip()
        assert opened == shown.stdout.readline().strip()
        shown.send_signal(signal.SIGINT)
        assert shown.wait(60) == 0


def test_what_is_no_replay_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello")
    done = subprocess.run([ARENA, "replay", "view", tmp_path / "text"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == f"error: {tmp_path}/text: this is not a replay: its first bytes are those of another format\n"
