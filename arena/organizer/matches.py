"""Single matches, and the jobs that matches are."""

from collections.abc import Collection, Mapping

import msgspec

from arena.league.values import MatchPlan
from arena.match.model import MatchSpec
from arena.organizer.limits import ChallengeLimits
from arena.store import Admission, Match, Store

_UNPUBLISHED = b""


class MatchJob(msgspec.Struct, frozen=True):
    """What a node needs to play one match: `bots` are as entries name them, `plan` is there for a league's match, and
    `owner` for a single one: the share of who asked for it.

    `is_open` says that a league's match may be watched while it is played: no bot that plays its board could learn of
    it.
    """

    spec: MatchSpec
    bots: tuple[str, ...]
    plan: MatchPlan | None = None
    is_open: bool = False
    owner: str = ""


async def queue_match(
    store: Store,
    spec: MatchSpec,
    commitment: bytes,
    *,
    bots: tuple[str, ...] = (),
    owner: str = "",
    limits: ChallengeLimits | None = None,
    places: Mapping[str, int] | None = None,
    runtimes: Collection[str] = (),
) -> Match:
    """Have a single match played. The seed is in the job alone, its `commitment` public.

    `bots` names them as entries do, by default by their names alone; those that are submitted need these `runtimes`.

    `owner` is the `share` of the identity that asks for it. With `limits`, OpenMatchesError and HourlyMatchesError are
    raised beyond them, and BotBusyError for a bot that has as many open single matches as `places` gives it.
    """
    admission = None if limits is None else Admission(limits.open, limits.hourly, places or {})
    return await store.matches.create(
        spec.match_id,
        bots=spec.names,
        payload=msgspec.msgpack.encode(MatchJob(spec, bots or spec.names, owner=owner)),
        commitment=commitment.hex(),
        about=_about(spec),
        owner=owner,
        admission=admission,
        runtimes=runtimes,
    )


async def store_played(store: Store, spec: MatchSpec, commitment: bytes, *, owner: str, commit_s: float) -> Match:
    """Store a match that has been played: the caller then claims its job (`JobQueue.claim_of`) and commits it.

    After `commit_s` a node finds the job and gives it up, so that a match whose result is lost can be deleted.
    """
    return await store.matches.create(
        spec.match_id,
        bots=spec.names,
        payload=b"",
        commitment=commitment.hex(),
        about=_about(spec),
        owner=owner,
        delay_s=commit_s,
    )


def _about(spec: MatchSpec) -> bytes:
    return msgspec.msgpack.encode(msgspec.structs.replace(spec, seed=_UNPUBLISHED))
