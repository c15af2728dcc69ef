"""Whose replay it is: the arena's signature in the file."""

from hashlib import sha256

import pytest
from replay_cases import random_record

from arena.replays import AlteredReplayError, decode, encode, signer
from arena.signatures import Signature, SignatureError, Signed, SigningKey, key_text, parse_key
from hanafuda.arena.v1 import replay_pb2

KEY = SigningKey(bytes(range(32)))
RECORD = random_record("signed")


def test_a_replay_names_the_key_that_signed_it() -> None:
    assert signer(encode(RECORD, KEY)) == KEY.public
    assert decode(encode(RECORD, KEY)) == RECORD


def test_a_replay_that_nobody_signed_says_so() -> None:
    assert signer(encode(RECORD)) is None


def test_a_replay_that_was_altered_and_given_a_new_digest_is_found_out_by_its_signature() -> None:
    replay = replay_pb2.Replay.FromString(encode(RECORD, KEY))
    body = replay_pb2.ReplayBody.FromString(replay.body)
    body.seats[0].bot = "somebody-else"
    replay.body = body.SerializeToString(deterministic=True)
    replay.sha256 = sha256(replay.body).digest()
    with pytest.raises(AlteredReplayError, match="its signature does not match the key that it names"):
        decode(replay.SerializeToString())


def test_nobody_signs_in_the_name_of_another_key() -> None:
    replay = replay_pb2.Replay.FromString(encode(RECORD, KEY))
    replay.signature.key = SigningKey(bytes(32)).public
    with pytest.raises(AlteredReplayError, match="signature"):
        signer(replay.SerializeToString())


@pytest.mark.parametrize(("key", "value"), [(b"", b""), (b"\xff" * 32, bytes(64)), (KEY.public, bytes(63))])
def test_bytes_that_are_no_key_or_no_signature_are_refused(key: bytes, value: bytes) -> None:
    replay = replay_pb2.Replay.FromString(encode(RECORD, KEY))
    replay.signature.key, replay.signature.value = key, value
    with pytest.raises(AlteredReplayError, match="signature"):
        signer(replay.SerializeToString())


def test_a_signature_of_one_thing_is_none_of_another() -> None:
    signature = KEY.sign(Signed.TABLE, b"payload")
    assert signature.holds(Signed.TABLE, b"payload")
    assert not signature.holds(Signed.REPLAY, b"payload")
    assert not signature.holds(Signed.TABLE, b"payloae")
    assert not Signature(signature.key, signature.value[:-1]).holds(Signed.TABLE, b"payload")


def test_a_key_is_passed_on_as_text() -> None:
    assert parse_key(key_text(KEY.public)) == KEY.public
    for text in ("", "hfk_", KEY.public.hex(), key_text(KEY.public)[:-1], key_text(KEY.public).upper()):
        with pytest.raises(SignatureError, match="is not a signing key"):
            parse_key(text)


def test_the_signature_is_ed25519_over_three_lines() -> None:
    """The vector of docs/fairness.md, for verifiers in other languages."""
    signature = KEY.sign(Signed.REPLAY, b"hanafuda")
    assert KEY.public.hex() == "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8"
    assert signature.value.hex() == (
        "22986cd03ffde328bc6f248e0dde4153898bc5606782e7c418389718655f640e"
        "84bc2b4528ce494654814434758cc08eecb4a93f425ba63d834f032454adac0f"
    )
