"""A worker that is none: it speaks the lines of ``backburner.live.messages``, and fails as it is told to.

It is run as a program; its argument says what it does. ``game`` and what follows it plays: two bots stand
where they are, do what they are asked, and carry nothing; in their third step happens what it says.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from support.live.node_folder import node_folder

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


# --- a game ----------------------------------------------------------------------------------------------

FAULT_AT = 3
BOTS = ("alex", "steve")
AIR = {"kind": "block", "at": [0, 5, 0], "was": "air", "becomes": "chest"}


def worker_in(folder: Path, fault: str) -> Path:
    """A folder in which Node and its packages are, or so it seems: Node is this worker."""
    return node_folder(folder, "support.live.worker", f"game {fault}", str(folder / "note"))


class Game:
    """What the worker says in a game with this fault; what it is asked for is noted."""

    def __init__(self, fault: str, note: str) -> None:
        self.fault, self.note = fault, Path(note)
        self.acts, self.tick = 0, 0
        self.gone = ""

    def answer(self, request: dict[str, Any]) -> None:
        do = request["do"]
        wish = "dry run" if request.get("dry_run") else do
        with self.note.open("a", encoding="utf-8") as file:
            file.write(f"{wish}\n")
        if self.gone and do != "leave":
            self.fail(request, "gone", "no Minecraft server answers at localhost:1")
        elif do == "act":
            self.acts += 1
            self.act(request)
        elif do == "restore" and self.fault == "restore":
            self.fail(request, "gone", "alex lost the server: socketClosed")
        else:
            say({"id": request["id"], "ok": True, **self.said(do)})

    def said(self, do: str) -> dict[str, Any]:
        seen = {"at": [4.5, 5.0, 4.5], "inventory": {}, "blocks": {}, "mobs": {}}
        return {
            "join": {"version": "1.16.5", "bots": {bot: [0.5, 5.0, 0.5] for bot in BOTS}},
            "prepare": {"changes": [AIR]},
            "restore": {"left": []},
            "survey": {
                "tick": self.tick,
                "version": "1.16.5",
                "from": [0, 0],
                "size": [1, 1],
                "floor": 5,
                "kinds": ["grass_block"],
                "runs": [[1, 0, -1]],
            },
            "observe": {
                "tick": self.tick,
                "bots": dict.fromkeys(BOTS, seen),
                "persons": {},
                "furnace": None,
                "chest": {},
                "standing": [],
            },
        }.get(do, {})

    def act(self, request: dict[str, Any]) -> None:
        self.tick += 100
        calls = [self.came(call) for call in request["calls"]]
        done = {"tick": self.tick - 100, "ended": self.tick, "calls": calls, "late": []}
        if self.acts != FAULT_AT:
            time.sleep(0.1)
        elif self.fault == "dies":
            print("Error: the heap is full", file=sys.stderr, flush=True)
            os._exit(7)
        elif self.fault == "garbage":
            say("oh no \x1b[31m")
        elif self.fault == "hangs":
            time.sleep(600)
        elif self.fault == "gone":
            self.gone = "gone"
            self.fail(request, "gone", "alex lost the server: socketClosed")
            return
        say({"id": request["id"], "ok": True, **done})

    def came(self, call: dict[str, Any]) -> dict[str, Any]:
        told: dict[str, Any] = {"bot": call["bot"], "verb": call["verb"], "ok": True, "lines": []}
        told |= {"error": None, "kind": None, "code": None, "ticks": 40, "running": False}
        said = {
            "kicked": "the server sent steve away: no bots here",
            "stuck": "steve is stuck at 1 5 1 on its way to chest",
            "timeout": "goto of steve took longer than 1200 ticks",
        }.get(self.fault)
        if said and self.acts == FAULT_AT and call["bot"] == "steve":
            told |= {"ok": False, "error": said, "kind": self.fault}
        return told

    def fail(self, request: dict[str, Any], kind: str, error: str) -> None:
        say({"id": request["id"], "ok": False, "error": error, "kind": kind})


def play(fault: str, note: str) -> None:
    game = Game(fault, note)
    with game.note.open("a", encoding="utf-8") as file:
        file.write(f"process {os.getpid()}\n")
    for line in sys.stdin:
        game.answer(json.loads(line))


def main(how: str, note: str) -> None:
    if how.startswith("game "):
        play(how.removeprefix("game "), note)
        return
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
