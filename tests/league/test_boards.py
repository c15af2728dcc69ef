"""Boards nobody could choose: their seeds follow from the secret and all nonces, and every seat is played."""

import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.league.boards import board_seed, board_set, commitment, entropy, parse_secret
from arena.league.errors import BoardError

SECRET = bytes(range(32))
NONCES = {"bob": "7", "alice": "a random text", "Zoe": ""}


def test_the_commitment_is_the_sha256_of_the_secret() -> None:
    assert commitment(SECRET) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_entropy_is_the_sha256_of_the_nonces_by_name() -> None:
    assert entropy(NONCES) == hashlib.sha256(b"Zoe:\nalice:a random text\nbob:7").hexdigest()
    assert entropy(NONCES) == "a142423f090bf0a03df33c1966eb1589d8ca3ebcc171a3239da1a272c21938f1"
    assert entropy({}) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_a_board_seed_is_the_hmac_of_the_documented_lines() -> None:
    seed = board_seed(SECRET, "spring", "koikoi", 3, 12, entropy(NONCES))
    lines = f"hanafuda-arena/board/1\nspring\nkoikoi\n3\n12\n{entropy(NONCES)}"
    assert seed == hmac.new(SECRET, lines.encode(), hashlib.sha256).digest()
    assert seed.hex() == "e6bf6254ee84243144114fb4f54e134e65694cfb8e5f12296829b16c8f966c25"


@given(st.dictionaries(st.text("ab", min_size=1), st.text("ab:"), max_size=4), st.data())
def test_other_nonces_give_other_entropy(nonces: dict[str, str], data: st.DataObject) -> None:
    other = data.draw(st.dictionaries(st.text("ab", min_size=1), st.text("ab:"), max_size=4))
    assert (entropy(nonces) == entropy(other)) == (nonces == other)
    assert entropy(dict(reversed(nonces.items()))) == entropy(nonces)


def test_no_two_boards_share_a_seed() -> None:
    seeds = {
        board_seed(secret, league, variant, round_number, board, entropy_hex)
        for secret in (SECRET, SECRET[::-1])
        for league in ("a", "b")
        for variant in ("koikoi", "kyogi")
        for round_number in (1, 11)
        for board in (1, 11)
        for entropy_hex in (entropy({}), entropy(NONCES))
    }
    assert len(seeds) == 64


@pytest.mark.parametrize("text", ["", "00" * 31, "00" * 33, "0g" * 32, " " + "0" * 63, "٠" * 64])
def test_a_secret_of_another_form_is_refused(text: str) -> None:
    with pytest.raises(BoardError, match="64 hex digits"):
        parse_secret(text)


def test_a_secret_is_read_from_hex_digits_of_either_case() -> None:
    assert parse_secret(SECRET.hex()) == parse_secret(SECRET.hex().upper()) == SECRET


@pytest.mark.parametrize(("round_number", "board"), [(0, 1), (1, 0), (-1, 1)])
def test_rounds_and_boards_count_from_one(round_number: int, board: int) -> None:
    with pytest.raises(BoardError, match="from 1"):
        board_seed(SECRET, "spring", "koikoi", round_number, board, entropy({}))


def test_a_short_key_is_refused() -> None:
    with pytest.raises(BoardError, match="32 bytes"):
        board_seed(b"short", "spring", "koikoi", 1, 1, entropy({}))


def test_a_line_feed_cannot_move_the_parts_of_a_board() -> None:
    with pytest.raises(BoardError, match="line feed"):
        board_seed(SECRET, "spring\nkoikoi", "1", 1, 1, entropy({}))


@pytest.mark.parametrize("nonces", [{"a:b": "1"}, {"a": "1\nb:2"}, {"a\n": "1"}])
def test_a_nonce_cannot_pose_as_that_of_another_bot(nonces: dict[str, str]) -> None:
    with pytest.raises(BoardError, match="nonce"):
        entropy(nonces)


def test_two_bots_play_a_board_in_both_orders() -> None:
    assert board_set(("a", "b")) == (("a", "b"), ("b", "a"))


def test_three_bots_play_three_rotations() -> None:
    assert board_set(("a", "b", "c")) == (("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b"))


@pytest.mark.parametrize("bots", [("a",), ("a", "a"), ("a", "b", "c", "d", "e")])
def test_a_board_without_two_to_four_different_bots_is_refused(bots: tuple[str, ...]) -> None:
    with pytest.raises(BoardError, match="two to four"):
        board_set(bots)
