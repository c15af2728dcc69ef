"""The Lua scripts, one file each; every key a script touches is in its KEYS, described at its top."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Script:
    """One script as the server sees it; `sha` is the name it is called by."""

    name: str
    source: str
    sha: str


def _load(name: str) -> Script:
    folder = files(__name__)
    prelude = (folder / "prelude.lua").read_text("utf-8")
    source = prelude + (folder / f"{name}.lua").read_text("utf-8")
    return Script(name, source, hashlib.sha1(source.encode(), usedforsecurity=False).hexdigest())


# directory of work
LOOK = _load("look")
TOUCH = _load("touch")
DEFER = _load("defer")
# matches and leagues
CREATE_MATCH = _load("create_match")
CREATE_LEAGUE = _load("create_league")
START = _load("start")
TURN = _load("turn")
CANCEL = _load("cancel")
ENTER = _load("enter")
WITHDRAW = _load("withdraw")
SWAP_SCHEDULE = _load("swap_schedule")
# jobs
TAKE = _load("take")
RENEW = _load("renew")
END_LEASES = _load("end_leases")
COMMIT_MATCH = _load("commit_match")
STAGE_ROUND = _load("stage_round")
COMMIT_ROUND = _load("commit_round")
COMMIT_FINISH = _load("commit_finish")
FAIL = _load("fail")
GIVE_BACK = _load("give_back")
REQUEUE = _load("requeue")
READ_JOURNAL = _load("read_journal")
WRITE_JOURNALS = _load("write_journals")
TRANSFER = _load("transfer")
# nodes
BEAT = _load("beat")
FORGET_NODE = _load("forget_node")
PLACE_BOT = _load("place_bot")
LOSE_BOT = _load("lose_bot")
# bots
CREATE_BOT = _load("create_bot")
CHANGE_TOKEN = _load("change_token")
ADD_VERSION = _load("add_version")
