"""A crawl of a site, as a program: so many connections that ask for what they find until its standard input ends."""

import http.client
import random
import re
import sys
import threading

START_PATHS = [
    *("/", "/leagues", "/bots", "/matches", "/live", "/feed.atom", "/style.css", "/cards.svg", "/cards/1L.svg"),
    *("/leagues/bench", "/leagues/bench?rows=all", "/api/v1/live", "/bots/nobody", "/live/nothing", "/nowhere"),
    *(f"{prefix}/leagues/bench/koikoi/rounds/{number}" for prefix in ("", "/api/v1") for number in (1, 2, 3)),
    "/matches?" + "&".join(f"after{number}=1" for number in range(1_000)),
]
"""What a crawl begins with; then what the pages link to."""
_MAX_FOUND = 5_000
_LINK = re.compile(rb'href="(/[^"#]*)"')


class Crawl:
    """What is found, and how much was answered."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._paths = dict.fromkeys(START_PATHS)
        self._list = list(START_PATHS)
        self.answers = 0

    def run(self, seed: int) -> None:
        """One connection, for ever."""
        dice = random.Random(seed)
        while True:
            connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
            try:
                while True:
                    self._ask(connection, dice.choice(self._list))
            except (http.client.HTTPException, OSError):
                connection.close()  # it was closed after an answer; the next one goes on

    def _ask(self, connection: http.client.HTTPConnection, path: str) -> None:
        connection.request("GET", path)
        answer = connection.getresponse()
        body = answer.read()
        self.answers += 1
        for link in _LINK.findall(body) if answer.status == 200 else ():
            target = link.decode().replace("&amp;", "&")
            # It may be found twice at the same moment, which does no harm.
            if target not in self._paths and len(self._list) < _MAX_FOUND:
                self._paths[target] = None
                self._list += [target, f"/api/v1{target}", f"/embed{target}"] if "/replays/" in target else [target]


def _crawl(port: int, count: int) -> None:
    """Be a crawl until the end; one line when it begins, another one that says how many answers there were."""
    crawl = Crawl(port)
    for seed in range(count):
        threading.Thread(target=crawl.run, args=(seed,), daemon=True).start()
    print("begun", flush=True)
    sys.stdin.read()
    print(crawl.answers)


if __name__ == "__main__":
    _crawl(int(sys.argv[1]), int(sys.argv[2]))
