"""The whole key schema: each key with its type in the server and what it holds.

A *scope* is a league, a division of a league, a single match or a version of a bot. All keys of a league, those of its
divisions too, share the hash tag `{league:NAME}`, those of a match `{match:ID}` and those of a bot's versions
`{version:BOT}`, so that every script finds its keys on one node of a cluster. Times are in microseconds, those of polls
and nodes by the server's clock; names that are only kept in their order have the score 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from arena.names import NAME_RULE, is_name, is_season
from arena.store.errors import InvalidNameError

SCHEMA = 3
GROUP = "nodes"

SCHEMA_KEY = "hfa:schema"  # string: number of this schema
MIGRATION_LOCK = "hfa:schema:lock"  # string: whoever brings the store to another schema; expires
MIGRATION_PROGRESS = "hfa:schema:progress"  # hash: of a migration, step -> the name up to which it is done
LEASE_KEY = "hfa:lease_ms"  # string: how long leases are of what is created from now on
FUEL_KEY = "hfa:fuel"  # string: instructions that a WebAssembly bot has for a message, where one was set
SIGNING_KEY = "hfa:signing_key"  # string: the secret bytes of the arena's Ed25519 key
WORK = "hfa:work"  # zset: divisions that may have jobs; score: time of the next poll
LADDER_WORK = "hfa:work:ladders"  # zset: the same, of seasons of ladders: they are played where nothing else is
VERSION_WORK = "hfa:work:versions"  # zset: the same as `hfa:work`, of versions that are to be qualified
LEAGUES = "hfa:leagues"  # zset: names of leagues
MATCHES = "hfa:matches"  # zset: ids of single matches by time of creation
MATCH_OWNERS = "hfa:{matches}:owners"  # zset: owners with open single matches; score: time of the next poll


class Registry(NamedTuple):
    """The keys of all who have a name and a token: of the bots, or of the owners."""

    names: str  # zset: their names
    folded: str  # hash: name in lower case, and `~` with what it looks like -> name
    records: str  # hash: name -> record
    tokens: str  # hash: SHA-256 of the token in hex -> name
    hashes: str  # hash: name -> SHA-256 of its token in hex


_PARTS = Registry._fields[1:]
BOTS = Registry("hfa:{bots}:names", *(f"hfa:{{bots}}:{part}" for part in _PARTS))
OWNERS = Registry("hfa:{bots}:owners", *(f"hfa:{{bots}}:owners:{part}" for part in _PARTS))

BOT_VARIANTS = "hfa:{bots}:variants"  # hash: bot -> the variants that it plays, as it said when it last connected
BOT_CHALLENGES = "hfa:{bots}:challenges"  # hash: bot -> from whom it takes challenges, where it has said so
REVOCATIONS = "hfa:{bots}:revocations"  # string: raised whenever a token of a bot or an owner was taken away

OWNERS_ENDED = "hfa:{bots}:owners:ended"  # hash: owner -> the time at which it was ended

LADDERS = "hfa:{ladders}:records"  # hash: ladder -> record

SCHEDULES = "hfa:{schedules}:records"  # hash: schedule -> record
SCHEDULES_DUE = "hfa:{schedules}:due"  # zset: schedules by the time at which something is to be done

NODES_ALIVE = "hfa:{nodes}:alive"  # zset: nodes that are alive; score: time until which they count so
NODES_ABOUT = "hfa:{nodes}:about"  # hash: node -> record
NODES_VERSION = "hfa:{nodes}:version"  # string: raised by every change of nodes and their bots
NODE_BOTS = "hfa:{nodes}:bots"  # hash: connected bot -> node
NODE_BOTS_ABOUT = "hfa:{nodes}:bots:about"  # hash: connected bot -> record
ANALYSES = "hfa:{analyses}"  # zset: analyses that are kept; by the time when they were made
CLUSTER_KEY = "hfa:{nodes}:key"  # string: the cluster key, where no file holds it
CLUSTER_KEY_PROOF = "hfa:{nodes}:key:proof"  # string: of the cluster key: by it a node with another key is refused
NODE_STATES = "hfa:{nodes}:states"  # set: nodes that say how they are
NODES_DRAINING = "hfa:{nodes}:draining"  # hash: nodes that were asked to end

SHOWN_REQUESTED = "hfa:{shown}:wanted"  # string: there while a page shows matches under way; expires
SHOWN_BY = "hfa:{shown}:by"  # set: nodes that show matches which may be watched


_SHOWN_OF_NAME = 80


def check_name(kind: str, name: str) -> str:
    """Return `name`; InvalidNameError when it cannot stand in a key, an id or a file name."""
    if not is_name(name):
        shown = name if len(name) <= _SHOWN_OF_NAME else f"{name[:_SHOWN_OF_NAME]}…"
        raise InvalidNameError(f"{kind} name {shown!r}: it must be {NAME_RULE}")
    return name


# A key for each name of a kind.
bots_of_owner = "hfa:{{bots}}:of:{}".format  # zset: names of an owner's bots
owner_versions = "hfa:{{bots}}:of:{}:versions".format  # hash: `bot version` -> bytes of its pack, or `BYTES failed`
owner_reservations = "hfa:{{bots}}:of:{}:reserved".format  # hash: submissions under way, with until when they hold
owner_submissions = "hfa:{{bots}}:of:{}:submissions".format  # zset: `bot version SHA-256` of the last hour, by time
bot_outputs = "hfa:{{output:{}}}".format  # stream: what versions of a bot wrote in matches; field `output`
matches_of = "hfa:matches:of:{}".format  # zset: ids of one bot's single matches by time of creation
open_matches_of_owner = "hfa:{{matches}}:open:owner:{}".format  # zset: open matches (scopes); score: next poll
open_matches_of_bot = "hfa:{{matches}}:open:bot:{}".format  # set: open matches (scopes) in which a bot has a place
made_by = "hfa:{{matches}}:made:{}".format  # zset: matches that an owner made within the hour, by time of creation
ladder_owner = "hfa:{{ladders}}:owner:{}".format  # string: the node that looks after a ladder; expires
pack_key = "hfa:{{pack:{}}}".format  # hash: of a pack that is whole: size, created_us; `:chunks` (list): its bytes
upload_key = "hfa:{{pack:{0}}}:upload:{1}".format  # hash: size, received, …; expires, as does its `:chunks` (list)
node_state = "hfa:{{nodes}}:state:{}".format  # string: what a node says of itself; expires
analysis_key = "hfa:{{analyses}}:{}".format  # string: an analysis, by value and replay
shown_matches_of = "hfa:{{shown}}:of:{}".format  # string: matches that a node shows, with their actions; expires


class KeyPart:
    """A key of a scope by its last part."""

    def __init__(self, part: str) -> None:
        self._part = part

    def __get__(self, scope: Scope, _: type[Scope]) -> str:
        return scope.key(self._part)


@dataclass(frozen=True, slots=True)
class Scope:
    """A league, one of its divisions, a single match, or a version of a bot. All but whole leagues have jobs."""

    kind: Literal["league", "match", "version"]
    name: str
    """Of a version, the bot's."""
    part: str = ""
    """The variant of a division, the digest of a version."""

    versions = KeyPart("versions")  # zset: a bot's versions by time of creation
    steps = KeyPart("steps")  # list: `fence step` of its qualification so far; expires after the last
    head = KeyPart("head")  # hash: state and counts, or what `leagues.py` and `versions.py` keep of a whole scope
    jobs = KeyPart("jobs")  # stream: jobs that are ready or leased; group `nodes`; the pending entry is the lease
    backlog = KeyPart("backlog")  # list: jobs of the round that are not in the stream yet
    stage = KeyPart("stage")  # list: jobs of a round that is not committed yet
    claims = KeyPart("claims")  # hash: job id -> its fence, raised by each claim; `job id:failures`, `job id:owner`
    done = KeyPart("done")  # hash: committed work -> the `job id:fence` that committed it
    parked = KeyPart("parked")  # stream: jobs that were given up, with the error
    boards = KeyPart("boards")  # hash: board -> matches on it still to be committed
    replays = KeyPart("replays")  # hash: match key -> replay
    replay_info = KeyPart("replay_info")  # hash: match key -> what a listing shows of the replay
    replay_index = KeyPart("replay_index")  # zset: match keys by time of commit
    entrants = KeyPart("entrants")  # hash: of a league: bot -> entry
    withdrawn = KeyPart("withdrawn")  # hash: of a league: bot -> the call that withdrew it
    participations = KeyPart("stays")  # hash: of a division: bot -> `first round:last round`, empty until it withdraws
    rounds = KeyPart("rounds")  # hash: round -> plan
    luck_owner = KeyPart("luck_owner")  # string: of a league: the node that works out luck; expires

    @staticmethod
    def league(name: str, variant: str = "") -> Scope:
        """Return the scope of a league, or of its division of a variant; InvalidNameError."""
        return Scope("league", check_name("league", name), variant and check_name("variant", variant))

    @staticmethod
    def match(match_id: str) -> Scope:
        """Return the scope of a single match; InvalidNameError."""
        return Scope("match", check_name("match", match_id))

    @staticmethod
    def version(bot: str, version: str = "") -> Scope:
        """Return the scope of a version of a bot, or the one that all its versions share; InvalidNameError."""
        return Scope("version", check_name("bot", bot), version and check_name("version", version))

    @staticmethod
    def parse(text: str) -> Scope:
        """Return the scope that `str()` wrote."""
        kind, *names = text.split(":")
        if kind == "match":
            return Scope.match(*names)
        return Scope.league(*names) if kind == "league" else Scope.version(*names)

    @property
    def whole(self) -> Scope:
        """The league of a division, the scope that a bot's versions share; otherwise the scope itself."""
        return Scope(self.kind, self.name)

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}:{self.part}" if self.part else f"{self.kind}:{self.name}"

    def key(self, part: str) -> str:
        """Return a key of the scope by its last part."""
        place = f"hfa:{{{self.kind}:{self.name}}}"
        return f"{place}:{self.part}:{part}" if self.part else f"{place}:{part}"

    @property
    def work(self) -> str:
        """The directory in which the scope is announced."""
        if self.is_of_ladder:
            return LADDER_WORK
        return VERSION_WORK if self.kind == "version" else WORK

    @property
    def is_of_ladder(self) -> bool:
        """Whether it is of a ladder's season, whose jobs nobody waits for."""
        return self.kind == "league" and is_season(self.name)

    def results(self, round_: int) -> str:
        """Return the hash match key -> result, of one round."""
        return self.key(f"results:{round_}")

    def luck(self, value: str) -> str:
        """Return the hash match key -> luck, by a value."""
        return self.key(f"luck:{value}")

    def journal(self, match: str) -> str:
        """Return the list of what was played of a match under way, by its match key."""
        return self.key(f"journal:{match}")

    def replay_index_of(self, bot: str) -> str:
        """Return the zset of the match keys of one bot's replays by time of commit."""
        return self.key(f"replay_index:{bot}")
