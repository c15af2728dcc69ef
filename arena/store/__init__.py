"""Everything that is kept: leagues, matches, jobs, replays and bots in Redis or Valkey."""

from arena.store.bots import Bots
from arena.store.client import Client, ServerInfo
from arena.store.embedded import EmbeddedServer
from arena.store.jobs import LEASE_MS, MAX_CLAIMS, MAX_FAILURES, JobQueue
from arena.store.keys import Scope
from arena.store.leagues import Leagues
from arena.store.matches import Admission, Matches, new_match_id
from arena.store.owners import Owners
from arena.store.records import (
    Bot,
    BotVersion,
    Committed,
    DivisionState,
    EntryRecord,
    Job,
    League,
    LeagueState,
    Match,
    MatchWork,
    Owner,
    OwnerLimits,
    OwnerUsage,
    Page,
    ParkedJob,
    Participation,
    QualifyWork,
    ReplayInfo,
    ScheduleRecord,
    StepWork,
    Submission,
)
from arena.store.replays import Replays, replay_id
from arena.store.schedules import Schedules
from arena.store.store import Store
