"""The Lua scripts, one file each; every key a script touches is in its KEYS, described at its top.

redis-py's `register_script` would ask the server before each pipeline which scripts it knows, a round trip more for
every batch, and its cluster pipelines take no registered scripts; so the client calls a script by its SHA-1 and sends
the source only where the server answers that it does not know it.
"""

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
POLL = _load("poll")
ANNOUNCE = _load("announce")
# matches and leagues
ADMIT_MATCH = _load("admit_match")
CREATE_MATCH = _load("create_match")
REST_OWNER = _load("rest_owner")
CLOSE_MATCH = _load("close_match")
DELETE_MATCH = _load("delete_match")
CREATE_LEAGUE = _load("create_league")
START_LEAGUE = _load("start_league")
CHANGE_STATE = _load("change_state")
CANCEL_LEAGUE = _load("cancel_league")
ENTER = _load("enter")
WITHDRAW = _load("withdraw")
SWAP_SCHEDULE = _load("swap_schedule")
# jobs
CLAIM = _load("claim")
RENEW = _load("renew")
EXPIRE_LEASES = _load("expire_leases")
TRANSFER = _load("transfer")
COMMIT_MATCH = _load("commit_match")
STAGE_ROUND = _load("stage_round")
COMMIT_STEP = _load("commit_step")
FAIL = _load("fail")
RELEASE = _load("release")
REQUEUE = _load("requeue")
WAITS_FOR = _load("waits_for")
WRITE_JOURNALS = _load("write_journals")
# nodes
HEARTBEAT = _load("heartbeat")
FORGET_NODE = _load("forget_node")
LOCATE_BOT = _load("locate_bot")
# bots and owners
REGISTER = _load("register")
CHANGE_TOKEN = _load("change_token")
END_OWNER = _load("end_owner")
ADMIT_SUBMISSION = _load("admit_submission")
# submissions
BEGIN_UPLOAD = _load("begin_upload")
APPEND_UPLOAD = _load("append_upload")
COMMIT_UPLOAD = _load("commit_upload")
CREATE_VERSION = _load("create_version")
COMMIT_VERSION = _load("commit_version")
CHANGE_VERSION = _load("change_version")
