"""The `arena` command as a version of the key schema before: it makes stores of that, and knows of no other."""

import sys

from arena.cli import main
from arena.node import node, presence
from arena.store import keys, schema, store

for module in (keys, schema, store, node, presence):
    module.SCHEMA -= 1
del schema.MIGRATIONS[max(schema.MIGRATIONS)]

sys.argv[0] = "arena"
main()
