"""The steps from each key schema to the next.

A migration first *expands*: it adds what nodes of the new version need, while those of the version before play on. When
none of those is left it *contracts*: it removes what only they needed, and the store's schema is the new one. Both may
be interrupted at any command and begun again; how far they are is kept by `Walk`.
"""

from arena.store.migrations.schema_2 import TO_2
from arena.store.migrations.schema_3 import TO_3
from arena.store.migrations.steps import Migration

MIGRATIONS: dict[int, Migration] = {migration.to: migration for migration in (TO_2, TO_3)}
"""Each migration by the schema that it ends with."""
