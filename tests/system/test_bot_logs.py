"""What a submitted bot writes is there for its author: in the store, and over the wire."""

import urllib.parse
import urllib.request
from pathlib import Path

import pytest
from arena_command import document, done, refused, running
from bots_in_tests import MANIFEST
from operators_port import asked

WRITES = """\
import sys

from arena.sdk import Bot, run


class MyBot(Bot):
    def choose(self, decision):
        print(f"decision {decision.number} \\x1b[31m", file=sys.stderr, flush=True)
        return decision.legal[0]


run(MyBot())
"""


def sent(page: str, token: str, origin: str = "") -> tuple[int, str]:
    """What a page answers to its form with a token, as a browser sends it."""
    headers = {"Origin": origin or page.partition("/bots/")[0]}
    return asked(urllib.request.Request(page, urllib.parse.urlencode({"token": token}).encode(), headers))


@pytest.mark.usefixtures("bubblewrap")
def test_an_author_reads_what_a_version_wrote_in_which_match(tmp_path: Path) -> None:
    bot = tmp_path / "ann"
    bot.mkdir()
    (bot / "bot.toml").write_text(MANIFEST)
    (bot / "bot.py").write_text(WRITES)
    where = ("--data", tmp_path / "data")
    token = done("owner", "create", "me", *where).strip()
    with running("serve", "--listen", "127.0.0.1:0", *where) as node:
        address = node.wait_for(r"listening on (127\.0\.0\.1:\d+)")[1]
        arena = ("--server", address, "--token", token)
        done("bot", "submit", bot, "--activate", *arena)
        [version] = document("bot", "versions", "ann", *arena)["versions"]
        file = tmp_path / "spring.toml"
        file.write_text(
            'name = "spring"\nvariant = "koikoi"\nrounds = 1\nboards = 1\ncover_ms = 0\n'
            'entries = ["ann", "house:random"]\noptions = { months = 1 }\n'
        )
        done("league", "open", file, *where)
        done("league", "start", "spring", *where)
        node.wait_for("spring.*over after 1 round")
        told = document("bot", "logs", "ann", *arena)["outputs"]
        assert {output["match"] for output in told} == {
            None,
            "spring.koikoi.r1.t1.b1.a",
            "spring.koikoi.r1.t1.b1.b",
        }
        assert {output["version"] for output in told} == {version["version"]}
        assert told == document("bot", "logs", "ann", *where)["outputs"]
        match = "spring.koikoi.r1.t1.b1.b"
        [output] = document("bot", "logs", "ann", "--match", match, *arena)["outputs"]
        assert output["lines"][0]["text"].startswith("decision 1 \x1b[31m\n")
        shown = done("bot", "logs", "ann", "--match", match, *where)
        assert f"ann@{version['version'][:12]}, match {match}:" in shown
        assert "decision 1 [31m" in shown
        assert "\x1b" not in shown
        with running("web", "--listen", "127.0.0.1:0", *where) as web:
            page = f"{web.wait_for(r'pages at (http://127.0.0.1:[0-9]+)/')[1]}/bots/ann/output"
            assert "decision 1" not in asked(page)[1]
            for refused_token, says in (
                (done("owner", "create", "third", *where).strip(), "no token of the bot"),
                (token[:-1], "no token of the bot"),
            ):
                status, text = sent(page, refused_token)
                assert (status, says in text, "decision 1" in text) == (403, True, False)
            assert sent(page, token, origin="http://elsewhere.example")[0] == 403
            status, text = sent(page, token)
            assert (status, text.count("<details")) == (200, len(told))
            assert "decision 1 [31m" in text
            assert f"{version['version'][:12]}</code>" in text
        other = done("owner", "create", "other", *where).strip()
        assert "is not yours" in refused("bot", "logs", "ann", "--server", address, "--token", other)
    assert document("prune", "--logs", "1d", *where)["logs"] == 0
    assert document("bot", "logs", "ann", *where)["outputs"] == told
