"""Single matches, and the jobs that matches are."""

import msgspec

from arena.league.values import MatchPlan
from arena.match.model import MatchSpec
from arena.store import Match, Store

_UNPUBLISHED = b""


class MatchJob(msgspec.Struct, frozen=True):
    """What a node needs to play one match: `bots` are as entries name them, `plan` is there for a league's match.

    `is_open` says that a league's match may be watched while it is played: nobody who plays its board can hear of it.
    """

    spec: MatchSpec
    bots: tuple[str, ...]
    plan: MatchPlan | None = None
    is_open: bool = False


async def queue_match(store: Store, spec: MatchSpec, commitment: bytes, *, announced: bool = True) -> Match:
    """Have a match of registered bots played. The seed is in the job alone; everybody may know its `commitment`.

    Without `announced` no node takes the job.
    """
    return await store.matches.create(
        spec.match_id,
        bots=spec.names,
        payload=msgspec.msgpack.encode(MatchJob(spec, spec.names)),
        commitment=commitment.hex(),
        about=msgspec.msgpack.encode(msgspec.structs.replace(spec, seed=_UNPUBLISHED)),
        announced=announced,
    )
