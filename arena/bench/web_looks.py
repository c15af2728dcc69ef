"""Visitors who look at every kind of page of a large arena, as a program: until its standard input ends."""

import http.client
import json
import random
import sys
import threading
import time
from collections.abc import Iterator

PAUSE_S = 0.02
"""Between an answer and the next look."""


def addresses(bots: int, rounds: int, match: str, league: str, dice: random.Random) -> Iterator[str]:
    """Each kind of page in turn, one of it by chance, every fourth in Japanese."""
    while True:
        bot, number = f"a-bot-of-number-{dice.randrange(bots):05}", dice.randrange(rounds) + 1
        pages = (
            *("/", "/leagues", "/bots", "/matches", "/live", f"/live/{match}", "/rules/koikoi", "/learn"),
            *("/leagues/many", "/leagues/many?sort=-margin", "/leagues/many/koikoi/rounds/1", "/matches?league=many"),
            *("/leagues/long", f"/leagues/long/koikoi/rounds/{number}", f"/replays/long.koikoi.r{number}.t1.b1.a"),
            *(
                f"/leagues/{league}",
                f"/bots/{bot}",
                f"/matches?bot={bot}",
                f"/search?q={bot[:-2]}",
                "/bots?name=number-01",
            ),
        )
        for page in pages:
            yield f"/ja{page}" if dice.randrange(4) == 0 else page


def _look(
    port: int, bots: int, rounds: int, match: str, league: str, end: threading.Event
) -> list[tuple[float, int, str]]:
    """Look until the end, also at the league under way: each answer's seconds, status and address."""
    looks: list[tuple[float, int, str]] = []
    for address in addresses(bots, rounds, match, league, random.Random("looks")):
        visitor = (f"127.2.0.{len(looks) % 250 + 1}", 0)
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60, source_address=visitor)
        began = time.perf_counter()
        connection.request("GET", address, headers={"accept-encoding": "gzip"})
        answer = connection.getresponse()
        answer.read()
        looks.append((time.perf_counter() - began, answer.status, address))
        connection.close()
        if end.wait(PAUSE_S):
            break
    return looks


def _until_told(over: threading.Event) -> None:
    sys.stdin.read()
    over.set()


if __name__ == "__main__":
    over = threading.Event()
    threading.Thread(target=_until_told, args=(over,), daemon=True).start()
    print("begun", flush=True)
    json.dump(_look(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], sys.argv[5], over), sys.stdout)
