"""How an hour's run is judged and drawn; `python tests/system/soak.py` is the run itself."""

import xml.etree.ElementTree

from soak import Soak, judged
from soak_curve import drawn


def a_soak(memory: float, threads: int) -> Soak:
    """An hour in which a node's memory grows by so many MiB, and its threads by so many, in its second half."""
    soak = Soak()
    for minute in range(61):
        later = minute >= 30
        soak.curves["node-1"]["MiB"].append((minute, 80 + later * memory))
        soak.curves["node-1"]["descriptors"].append((minute, 40))
        soak.curves["node-1"]["threads"].append((minute, 6 + later * threads))
        soak.curves["arena"]["finished leagues"].append((minute, minute // 2))
        soak.curves["arena"]["keys"].append((minute, 100 + 7 * (minute // 2)))
    return soak


def test_what_has_grown_is_named_and_what_a_league_leaves_is_counted() -> None:
    lines, grown = judged(a_soak(1, 0))
    assert not grown
    assert "| MiB | node-1 | 80 | 81 |" in lines
    assert "| keys a finished league | arena | | 7 |" in lines
    assert judged(a_soak(9, 0))[1] == ["MiB of node-1 have grown from 80 to 89"]
    assert judged(a_soak(0, 2))[1] == ["threads of node-1 have grown from 6 to 8"]


def test_the_curve_is_a_picture_with_a_line_for_each_process() -> None:
    picture = xml.etree.ElementTree.fromstring(drawn(a_soak(1, 0).curves))
    lines = [part for part in picture if part.tag.endswith("polyline")]
    assert len(lines) == 4
    assert all(len(line.attrib["points"].split()) == 61 for line in lines)
