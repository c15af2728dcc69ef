from core_ext.state import State

class DecisionColumns:
    """The decisions of matches as columns of numbers, one item a decision, for files that hold them so."""

    rows: int

    def add(self, state: State, packed: bytes, decisions: int) -> None:
        """Add the decisions that follow a state, which plays them: their choices as ``State.pack_choices`` packs them.

        Raises what ``State.apply_packed`` raises; what was added then is undefined.
        """

    def take(self) -> dict[str, bytes]:
        """The columns, little-endian numbers one after the other, and begin with none.

        ``month`` uint16; ``attempt``, ``dealer``, ``seat`` uint8; ``phase`` uint8, of PHASES; ``action`` uint16.
        Lists are two columns, of which the ``…_at`` (int32, one more than there are lists) says where in the other each
        begins: ``zones_at`` in ``zone_kind`` (uint8, of ZONE_KINDS), ``zone_seat`` (int8) and ``zone_count`` (uint8);
        ``cards_at``, of each zone, in ``cards`` (uint8); ``counters_at`` in ``counter_name`` (uint8, of COUNTER_NAMES),
        ``counter_seat`` (int8) and ``counter_value`` (int64); ``legal_at`` in ``legal`` (uint16).
        """
