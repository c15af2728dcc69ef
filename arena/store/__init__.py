"""Everything that is kept: leagues, matches, jobs, replays and bots in Redis or Valkey."""

from arena.store.bots import Bots
from arena.store.client import Client
from arena.store.jobs import LEASE_MS, JobQueue
from arena.store.keys import Scope
from arena.store.matches import Admission, new_match_id
from arena.store.records import (
    Bot,
    BotVersion,
    DivisionState,
    EntryRecord,
    Job,
    LadderRecord,
    League,
    LeagueState,
    Match,
    MatchWork,
    Owner,
    OwnerLimits,
    OwnerUsage,
    Participation,
    ReplayInfo,
    ScheduleRecord,
    StepWork,
    Submission,
)
from arena.store.replays import replay_id
from arena.store.store import Store
