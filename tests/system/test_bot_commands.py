"""`arena bot new` and `arena bot check`: from nothing to a bot that plays, and to the decision at which it fails."""

from pathlib import Path

from arena_command import arena, done
from bots_in_tests import CHOOSES, write_bot


def test_a_new_bot_plays_passes_the_checks_and_comes_with_a_test_that_runs(tmp_path: Path) -> None:
    assert "arena match play my-bot/bot.py house:greedy" in done("bot", "new", "my-bot", cwd=tmp_path)
    played = done("match", "play", "my-bot/bot.py", "house:greedy", "--variant", "koikoi", "--seed", "7", cwd=tmp_path)
    assert "arena replay show" in played
    checked = done("bot", "check", "my-bot/bot.py", cwd=tmp_path)
    assert "FAILED" not in checked
    assert "comes back after its connection was lost" in checked
    assert "my-bot/bot.py keeps the protocol" in checked


def test_a_check_shows_the_exact_decision_that_broke_the_bot(tmp_path: Path) -> None:
    bot = write_bot(tmp_path, "bad", CHOOSES.format(choose="return decision.legal[0 if decision.number < 3 else 99]"))
    result = arena("bot", "check", bot)
    assert result.returncode == 1
    assert "FAILED  plays a match to its end" in result.stdout
    for words in ("IndexError", "decision 3 of match", "hand 0: ", "field: ", "legal: ", "the bot answered nothing"):
        assert words in result.stderr


def test_a_check_of_a_bot_that_does_not_connect_shows_what_it_wrote(tmp_path: Path) -> None:
    bot = write_bot(tmp_path, "bad", "import no_such_module\n")
    result = arena("bot", "check", bot)
    assert result.returncode == 1
    assert "FAILED  connects and says hello" in result.stdout
    assert "bot bad ended with status 1 before it connected" in result.stderr
    assert "No module named 'no_such_module'" in result.stderr
