"""Everything that a process counts, in one table: docs/operations.md explains what to watch of it."""

from arena.metrics.instruments import Counter, Histogram, Instrument

_FAST = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_SLOW = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_DECISIONS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0)

matches = Counter("arena_matches", "Matches whose results this node has committed.", ("kind", "variant", "end"))
decisions = Histogram(
    "arena_decision_seconds",
    "Time from one action of a match to the next, by whose it is: the bot's thinking as its clock counts it, the "
    "store's writing of the journal, and the arena's, which is all the rest.",
    ("variant", "share"),
    bounds=_DECISIONS,
)
jobs_not_committed = Counter(
    "arena_jobs_not_committed",
    "Jobs that this node took and did not commit: failed, given_back, left_to_lease, lease_lost, seat_taken.",
    ("outcome",),
)
jobs_parked = Counter("arena_jobs_parked", "Jobs that this node reported as failed for the last time.")
jobs_taken_over = Counter("arena_jobs_taken_over", "Jobs that this node took over as their lease had run out.")
leases_lost = Counter("arena_leases_lost", "Leases that this node found to be lost.")

store_exchanges = Histogram(
    "arena_store_exchange_seconds", "Time of one exchange with the store, of one command or a batch.", bounds=_FAST
)
store_commands = Counter("arena_store_commands", "Commands and scripts sent to the store.")
store_retries = Counter("arena_store_retries", "Commands sent again, by why the store did not do them.", ("error",))

bot_connections = Counter(
    "arena_bot_connections", "Connections of registered bots that began (connected) or ended (left).", ("event",)
)
refused_calls = Counter("arena_refused_calls", "gRPC calls refused, by the reason that the caller got.", ("reason",))

cage_starts = Histogram(
    "arena_cage_start_seconds", "Time from the setting up of a cage to its bot's Hello.", ("runtime",), bounds=_SLOW
)
cage_ends = Counter("arena_cage_ends", "Bots in cages that ended, by how.", ("reason",))

pages = Histogram("arena_page_seconds", "Time to answer a request for a page.", ("route", "status"), bounds=_SLOW)

log_records = Counter("arena_log_records", "Lines that were logged, and those that were held back.", ("level",))

INSTRUMENTS: tuple[Instrument, ...] = tuple(value for value in globals().values() if isinstance(value, Instrument))
