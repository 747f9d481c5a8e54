"""A worker for tests that needs neither Node nor a server: a farm on which every call is carried out, until
something goes wrong as it is told. It stands in a folder in the place of Node and its packages."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from support.live.node_folder import node_folder

TICKS = 100
"""Each step lasts so long."""


def farm_in(folder: Path, how: str = "well") -> Path:
    """A folder for ``--node-folder`` whose Node is this worker. What it is asked is noted in ``asked``.

    ``how``: ``well``; ``slow``, a fifth of a second for a step; ``slow end``, a second until all is put back;
    ``thinks``, the server goes on for 50 ticks before each step;
    ``stuck``, nobody comes anywhere; ``left``, a block cannot be put back; ``kicked 3``, ``dies 3``,
    ``mute 3``: in the third step a bot is sent away, the worker ends, or it says what is no message.
    """
    return node_folder(
        folder, "support.live.farm", str(folder / "asked"), *how.rsplit(" ", how[-1].isdigit())
    )


def asked(folder: Path) -> list[str]:
    """The names of the requests."""
    return [line.split()[1] for line in (folder / "asked").read_text().splitlines()]


def processes(folder: Path) -> set[int]:
    """The workers that were started."""
    return {int(line.split()[0]) for line in (folder / "asked").read_text().splitlines()}


class _Farm:
    def __init__(self, how: str, step: int) -> None:
        self.how, self.step = how, step
        self.acts = self.tick = 0
        self.bots: list[str] = []

    def answer(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        match request["do"]:
            case "join":
                self.bots = request["bots"]
                return {"version": "1.16.5", "bots": dict.fromkeys(self.bots, (0, 64, 0))}
            case "prepare":
                change = {"kind": "block", "was": "air", "becomes": "chest", "at": (1, 64, 2)}
                return {"changes": [change], "tick": self.tick}
            case "observe":
                bot = {"at": (1.5, 64, 2.5), "inventory": {"feather": 1}, "blocks": {}, "mobs": {}}
                seen = {"bots": dict.fromkeys(self.bots, bot), "furnace": None, "standing": []}
                return {"tick": self.tick, "chest": {"dirt": self.acts}, **seen}
            case "survey":
                return {"ok": False, "error": "too large", "kind": "refused"}
            case "act":
                return self.act(request["calls"])
            case "restore":
                time.sleep(1 if self.how == "slow end" else 0)
                change = {"kind": "block", "was": "air", "becomes": "chest", "at": (1, 64, 2)}
                return {"left": [change] if self.how == "left" else []}
        return {}

    def act(self, calls: list[Mapping[str, Any]]) -> Mapping[str, Any]:
        self.acts += 1
        bad = self.acts == self.step
        if bad and self.how == "dies":
            sys.exit(7)
        if bad and self.how == "mute":
            print("what is no message", flush=True)
        if self.how == "slow":
            time.sleep(0.2)
        began = self.tick + 50 * (self.how == "thinks")
        self.tick = began + TICKS
        return {"tick": began, "ended": self.tick, "calls": [self.called(call, bad) for call in calls]}

    def called(self, call: Mapping[str, Any], bad: bool) -> Mapping[str, Any]:
        told = {"bot": call["bot"], "verb": call["verb"], "lines": [], "ticks": 40, "running": False}
        if bad and self.how == "kicked" and call["bot"] == "steve":
            return {
                **told,
                "ok": False,
                "error": "the server sent steve away: no bots here",
                "kind": "kicked",
            }
        if self.how == "stuck":
            return {**told, "ok": False, "error": f"{call['bot']} is stuck at 1 64 2", "kind": "stuck"}
        return {**told, "ok": True, "error": None, "kind": None}


def _main(note: Path, how: str, step: str = "0") -> None:
    farm = _Farm(how, int(step))
    for line in sys.stdin:
        request = json.loads(line)
        with note.open("a") as file:
            file.write(f"{os.getpid()} {request['do']}\n")
        print(json.dumps({"id": request["id"], "ok": True, **farm.answer(request)}), flush=True)


if __name__ == "__main__":
    _main(Path(sys.argv[1]), *sys.argv[2:])
