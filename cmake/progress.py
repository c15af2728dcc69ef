"""Show a build's progress: of its output on standard input, Ninja's steps, on a terminal one over the other."""

import re
import sys

end = "\r\x1b[2K" if sys.stdout.isatty() else "\n"
for line in sys.stdin:
    step = re.match(r"\s*(\[\d+/\d+\] .*)", line)
    if step:
        print(step[1][:100], end=end, flush=True)  # noqa: T201
