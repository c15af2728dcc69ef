"""What the variants of three and more seats share: who deals first, and who plays after whom."""

from reference_cards import month_of
from reference_table import Table


def earliest_draw(table: Table) -> int:
    """The seat that deals first: the earliest month; those that tie for it draw again while the deck lasts."""
    still_in = list(range(table.seats))
    while len(still_in) > 1 and table.undrawn >= len(still_in):
        months = {seat: month_of(table.draw(seat)) for seat in still_in}
        still_in = [seat for seat in still_in if months[seat] == min(months.values())]
    return still_in[0]


def round_from(seat: int, seats: int) -> list[int]:
    """Every seat once, by number, beginning with this one."""
    return [(seat + step) % seats for step in range(seats)]
