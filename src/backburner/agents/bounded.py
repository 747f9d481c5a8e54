"""Run as a file: takes limits upon itself, then becomes another program.

``python bounded.py SECONDS BYTES PROGRAM ARGUMENT...``: so many seconds of each processor it may take, and
write files of so many bytes.
"""

import os
import resource
import sys

MEMORY_BYTES = 4 << 30


def _limit(what: int, most: int) -> None:
    hard = resource.getrlimit(what)[1]
    least = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(what, (least, least))


if __name__ == "__main__":
    seconds, most_bytes, *command = sys.argv[1:]
    _limit(resource.RLIMIT_CPU, int(seconds) * (os.cpu_count() or 1))
    _limit(resource.RLIMIT_FSIZE, int(most_bytes))
    _limit(resource.RLIMIT_DATA, MEMORY_BYTES)
    _limit(resource.RLIMIT_CORE, 0)
    try:
        os.execvp(command[0], command)  # noqa: S606
    except (OSError, ValueError) as error:
        sys.exit(f"{command[0]}: {error}")
