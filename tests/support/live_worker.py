"""A worker that is none: it speaks the lines of ``backburner.live.messages``, and fails as it is told to.

It is run as a program; its argument says what it does.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import Any

VERSIONS = {"node": "24.0.0", "mineflayer": "4.39.0", "pathfinder": "2.4.5"}


def say(message: object) -> None:
    print(message if isinstance(message, str) else json.dumps(message), flush=True)


def answer(request: dict[str, Any], how: str) -> None:
    done: dict[str, Any] = {"id": request["id"], "ok": True}
    if request["do"] == "leave":
        if how != "never ends":
            say(done)
    elif how == "dies":
        print("Error: the heap is full", file=sys.stderr, flush=True)
        sys.exit(7)
    elif how == "hangs" or (how == "hangs once" and request["id"] == 1):
        time.sleep(600 if how == "hangs" else 0.3)
        if how == "hangs once":
            say({**done, **VERSIONS})
    elif how == "garbage":
        say("oh no \x1b[31m")
    elif how == "no object":
        say("[1, 2]")
    elif how == "too long":
        say({**done, "node": "n" * (2 << 20)})
    elif how == "stranger":
        say({**done, "id": 99})
    elif how == "lacks":
        say({**done, "node": "24.0.0"})
    elif how == "refuses":
        say({"id": request["id"], "ok": False, "error": "alex is not an operator", "kind": "refused"})
    elif how == "talks":
        for number in range(5000):
            say({"event": "chat", "from": "Maya", "text": f"{number}"})
        print("x" * 500_000, file=sys.stderr, flush=True)
        say({**done, **VERSIONS})
    else:
        say({**done, **VERSIONS, "echo": request})


def main(how: str, note: str) -> None:
    nothing = subprocess.DEVNULL
    waiting = [sys.executable, "-c", "import time; time.sleep(600)"]
    child = subprocess.Popen(waiting, stdin=nothing, stdout=nothing, stderr=nothing)
    with open(note, "w", encoding="utf-8") as file:  # noqa: PTH123
        file.write(f"{os.getpid()} {child.pid}")
    for line in sys.stdin:
        answer(json.loads(line), how)
    if how == "never ends":
        time.sleep(600)
    child.kill()


if __name__ == "__main__":
    main(*sys.argv[1:])
