"""Matches as tables of data: rows of matches, of decisions and of deals, and the files that they are written to."""

from arena.export.columns import TABLES, Table
from arena.export.filters import MatchFilter, moment
from arena.export.job import Exported, UnknownNameError, admitted, check_name, export
from arena.export.played import PlayedMatch, played_match
from arena.export.writers import FORMATS, MissingPartError, Writer, replacing
