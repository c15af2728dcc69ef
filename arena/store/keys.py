"""The whole key schema. A *scope* is a league, a division of a league or a single match. All keys of a league, those
of its divisions too, share the hash tag `{league:NAME}`, those of a match `{match:ID}`, so that every script finds its
keys on one node of a cluster. `{SCOPE}` below is that hash tag, for a division with `:VARIANT` after it.

| key                        | type   | holds                                                                      |
| -------------------------- | ------ | -------------------------------------------------------------------------- |
| `hfa:schema`               | string | number of this schema                                                      |
| `hfa:signing_key`          | string | the secret bytes of the arena's Ed25519 key                                |
| `hfa:lease_ms`             | string | how long leases are of what is created from now on                         |
| `hfa:fuel`                 | string | instructions that a WebAssembly bot has for a message, where one was set  |
| `hfa:work`                 | zset   | divisions that may have jobs; score: server time (us) of the next poll     |
| `hfa:leagues`              | zset   | names of leagues, score 0                                                  |
| `hfa:matches`              | zset   | ids of single matches by time of creation (us)                             |
| `hfa:matches:of:BOT`       | zset   | the same, of one bot                                                       |
| `hfa:{matches}:owners`     | zset   | owners with open single matches; score: server time (us) of the next poll  |
| `hfa:{matches}:open:owner:OWNER` | zset | the open matches (scopes) that an owner made; score: of the next poll  |
| `hfa:{matches}:open:bot:BOT` | set  | the open matches (scopes) in which a bot was given a place                 |
| `hfa:{matches}:made:OWNER` | zset   | the matches that an owner made within the hour by time of creation (us)    |
| `hfa:{bots}:names`         | zset   | names of bots, score 0                                                     |
| `hfa:{bots}:records`       | hash   | bot -> record                                                              |
| `hfa:{bots}:tokens`        | hash   | SHA-256 of the token in hex -> bot                                         |
| `hfa:{bots}:hashes`        | hash   | bot -> SHA-256 of its token in hex                                         |
| `hfa:{bots}:variants`      | hash   | bot -> the variants that it plays, as it said when it last connected       |
| `hfa:{bots}:of:OWNER`      | zset   | names of an owner's bots, score 0                                          |
| `hfa:{bots}:revocations`   | string | raised whenever a token of a bot or an owner was taken away                |
| `hfa:{bots}:of:OWNER:versions` | hash | `bot version` of an owner -> bytes of its pack, `BYTES failed` if it failed |
| `hfa:{bots}:of:OWNER:reserved` | hash | the same of a submission under way, and the time (us) until which that holds |
| `hfa:{bots}:of:OWNER:submissions` | zset | `bot version SHA-256 of the pack` by time (us), of the last hour         |
| `hfa:{bots}:owners`        | zset   | names of owners, score 0                                                   |
| `hfa:{bots}:owners:records` | hash  | owner -> record                                                            |
| `hfa:{bots}:owners:tokens` | hash   | SHA-256 of the token in hex -> owner                                       |
| `hfa:{bots}:owners:hashes` | hash   | owner -> SHA-256 of its token in hex                                       |
| `hfa:{bots}:owners:ended`  | hash   | owner -> the time (us) at which it was ended                               |
| `hfa:{bots}:challenges`    | hash   | bot -> from whom it takes challenges, where it has said so                 |
| `hfa:work:versions`        | zset   | the same as `hfa:work`, of versions that are to be qualified               |
| `hfa:{pack:VERSION}`       | hash   | of a packed bot that is whole: size, created_us                            |
| `hfa:{pack:VERSION}:chunks` | list  | its bytes                                                                  |
| `hfa:{pack:VERSION}:upload:ID` | hash | an upload under way: size, received; expires, as does its `:chunks` (list) |
| `hfa:{version:BOT}:versions` | zset | a bot's versions by time of creation (us)                                  |
| `hfa:{version:BOT}:head`   | hash   | its active version                                                         |
| `hfa:{version:BOT}:VERSION:head` | hash | a version; `jobs`, `claims`, `done` and `parked` as of other scopes      |
| `hfa:{version:BOT}:VERSION:steps` | list | `fence step` of its qualification so far; expires after the last        |
| `hfa:{schedules}:records`  | hash   | schedule -> record                                                         |
| `hfa:{schedules}:due`      | zset   | schedules by the time (us) at which something is to be done                |
| `hfa:{nodes}:alive`        | zset   | nodes that are alive; score: server time (us) until which they count so    |
| `hfa:{nodes}:about`        | hash   | node -> record                                                             |
| `hfa:{nodes}:bots`         | hash   | connected bot -> node                                                      |
| `hfa:{nodes}:bots:about`   | hash   | connected bot -> record                                                    |
| `hfa:{nodes}:bots:of:NODE` | set    | bots that connected to a node                                              |
| `hfa:{nodes}:version`      | string | raised by every change of nodes and their bots                             |
| `hfa:{nodes}:key`          | string | the cluster key, where no file holds it                                    |
| `hfa:{nodes}:key:proof`    | string | of the cluster key: by it a node with another key is refused               |
| `hfa:{shown}:wanted`       | string | there while somebody wants to watch matches; expires                       |
| `hfa:{shown}:by`           | set    | nodes that show matches which may be watched                               |
| `hfa:{shown}:of:NODE`      | string | the matches that a node shows, with their actions so far; expires          |
| `hfa:{SCOPE}:head`         | hash   | the scope's state and counts (fields: `leagues.py`, `matches.py`)          |
| `hfa:{SCOPE}:jobs`         | stream | jobs that are ready or leased; group `nodes`; the pending entry is the lease |
| `hfa:{SCOPE}:backlog`      | list   | jobs of the round that are not in the stream yet                           |
| `hfa:{SCOPE}:stage`        | list   | jobs of a round that is not committed yet                                  |
| `hfa:{SCOPE}:claims`       | hash   | job id -> its fence, raised by each claim; `job id:failures`, `job id:owner` |
| `hfa:{SCOPE}:done`         | hash   | committed work -> the `job id:fence` that committed it                     |
| `hfa:{SCOPE}:parked`       | stream | jobs that were given up, with the error                                    |
| `hfa:{SCOPE}:results:R`    | hash   | match key -> result, of round R                                            |
| `hfa:{SCOPE}:journal:MATCH` | list | what was played of a match under way, by its match key                 |
| `hfa:{SCOPE}:boards`       | hash   | board -> matches on it still to be committed                               |
| `hfa:{SCOPE}:replays`      | hash   | match key -> replay                                                        |
| `hfa:{SCOPE}:replay_info`  | hash   | match key -> what a listing shows of the replay                            |
| `hfa:{SCOPE}:replay_index` | zset   | match keys in the order of their commits                                   |
| `hfa:{SCOPE}:replay_index:BOT` | zset | the same, of one bot                                                     |
| `hfa:{SCOPE}:rounds`       | hash   | round -> plan                                                              |
| `hfa:{SCOPE}:stays`        | hash   | of a division: bot -> `first round:last round`, empty until it withdraws |
| `hfa:{SCOPE}:entrants`     | hash   | of a league: bot -> entry                                                  |
| `hfa:{SCOPE}:withdrawn`    | hash   | of a league: bot -> the call that withdrew it                              |
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from arena.store.errors import InvalidNameError

SCHEMA = 2
GROUP = "nodes"

SCHEMA_KEY = "hfa:schema"
LEASE_KEY = "hfa:lease_ms"
FUEL_KEY = "hfa:fuel"
SIGNING_KEY = "hfa:signing_key"
WORK = "hfa:work"
VERSION_WORK = "hfa:work:versions"
LEAGUES = "hfa:leagues"
MATCHES = "hfa:matches"
MATCH_OWNERS = "hfa:{matches}:owners"

BOT_NAMES = "hfa:{bots}:names"
BOT_RECORDS = "hfa:{bots}:records"
BOT_TOKENS = "hfa:{bots}:tokens"
BOT_HASHES = "hfa:{bots}:hashes"
BOT_VARIANTS = "hfa:{bots}:variants"
BOT_CHALLENGES = "hfa:{bots}:challenges"
REVOCATIONS = "hfa:{bots}:revocations"

OWNER_NAMES = "hfa:{bots}:owners"
OWNER_RECORDS = "hfa:{bots}:owners:records"
OWNER_TOKENS = "hfa:{bots}:owners:tokens"
OWNER_HASHES = "hfa:{bots}:owners:hashes"
OWNERS_ENDED = "hfa:{bots}:owners:ended"

SCHEDULES = "hfa:{schedules}:records"
SCHEDULES_DUE = "hfa:{schedules}:due"

NODES_ALIVE = "hfa:{nodes}:alive"
NODES_ABOUT = "hfa:{nodes}:about"
NODES_VERSION = "hfa:{nodes}:version"
NODE_BOTS = "hfa:{nodes}:bots"
NODE_BOTS_ABOUT = "hfa:{nodes}:bots:about"
CLUSTER_KEY = "hfa:{nodes}:key"
CLUSTER_KEY_PROOF = "hfa:{nodes}:key:proof"

SHOWN_WANTED = "hfa:{shown}:wanted"
SHOWN_BY = "hfa:{shown}:by"

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)


def check_name(kind: str, name: str) -> str:
    """Return `name`; InvalidNameError when it cannot stand in a key, an id or a file name."""
    if _NAME.fullmatch(name) is None:
        raise InvalidNameError(kind, name)
    return name


def bots_of_owner(owner: str) -> str:
    """Return the index of one owner's bots."""
    return f"hfa:{{bots}}:of:{owner}"


def owner_versions(owner: str) -> str:
    """Return the versions that count against an owner's limits."""
    return f"{bots_of_owner(owner)}:versions"


def owner_reservations(owner: str) -> str:
    """Return the submissions of an owner that are under way."""
    return f"{bots_of_owner(owner)}:reserved"


def owner_submissions(owner: str) -> str:
    """Return the submissions of an owner in the last hour."""
    return f"{bots_of_owner(owner)}:submissions"


def matches_of(bot: str) -> str:
    """Return the index of one bot's single matches."""
    return f"{MATCHES}:of:{bot}"


def open_matches_of_owner(owner: str) -> str:
    """Return the directory of the open single matches that an owner made."""
    return f"hfa:{{matches}}:open:owner:{owner}"


def open_matches_of_bot(bot: str) -> str:
    """Return the open single matches in which a bot was given a place."""
    return f"hfa:{{matches}}:open:bot:{bot}"


def made_by(owner: str) -> str:
    """Return the single matches that an owner made within the last hour."""
    return f"hfa:{{matches}}:made:{owner}"


def pack_key(version: str) -> str:
    """Return the head of a pack."""
    return f"hfa:{{pack:{version}}}"


def upload_key(version: str, upload: str) -> str:
    """Return the head of an upload of a pack."""
    return f"{pack_key(version)}:upload:{upload}"


def bots_of_node(node: str) -> str:
    """Return the set of the bots that connected to one node."""
    return f"hfa:{{nodes}}:bots:of:{node}"


def shown_boards_of(node: str) -> str:
    """Return the key of the matches that one node shows."""
    return f"hfa:{{shown}}:of:{node}"


class KeyPart:
    """A key of a scope by its last part; the table above says what lies there."""

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

    versions = KeyPart("versions")
    steps = KeyPart("steps")
    head = KeyPart("head")
    jobs = KeyPart("jobs")
    backlog = KeyPart("backlog")
    stage = KeyPart("stage")
    claims = KeyPart("claims")
    done = KeyPart("done")
    parked = KeyPart("parked")
    boards = KeyPart("boards")
    replays = KeyPart("replays")
    replay_info = KeyPart("replay_info")
    replay_index = KeyPart("replay_index")
    entrants = KeyPart("entrants")
    withdrawn = KeyPart("withdrawn")
    participations = KeyPart("stays")
    rounds = KeyPart("rounds")

    @staticmethod
    def league(name: str, variant: str = "") -> Scope:
        """Return the scope of a league, or of its division of a variant; InvalidNameError."""
        return Scope("league", check_name("league", name), variant and check_name("variant", variant))

    @staticmethod
    def match(match_id: str) -> Scope:
        """Return the scope of a single match; InvalidNameError."""
        return Scope("match", check_name("match", match_id))

    @staticmethod
    def version(bot: str, version: str) -> Scope:
        """Return the scope of a version of a bot; InvalidNameError."""
        return Scope("version", check_name("bot", bot), check_name("version", version))

    @staticmethod
    def versions_of(bot: str) -> Scope:
        """Return what the versions of a bot have in common; InvalidNameError."""
        return Scope("version", check_name("bot", bot))

    @staticmethod
    def parse(text: str) -> Scope:
        """Return the scope that `str()` wrote."""
        kind, _, name = text.partition(":")
        if kind == "version":
            bot, _, version = name.partition(":")
            return Scope.version(bot, version) if version else Scope.versions_of(bot)
        return Scope.league(*name.split(":")) if kind == "league" else Scope.match(name)

    @property
    def whole(self) -> Scope:
        """The league of a division, what the versions of a bot have in common; the scope itself otherwise."""
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
        return VERSION_WORK if self.kind == "version" else WORK

    def results(self, round_: int) -> str:
        """Results of one round."""
        return self.key(f"results:{round_}")

    def journal(self, match: str) -> str:
        """What was played of one match under way."""
        return self.key(f"journal:{match}")

    def replay_index_of(self, bot: str) -> str:
        """One bot's replays in the order of their commits."""
        return self.key(f"replay_index:{bot}")
