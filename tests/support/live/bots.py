"""A folder as ``backburner live --demo`` makes it, whose Node is none: bots that do all they are told.

Everything that is asked of them is kept, a line each, in the folder's ``asked.jsonl``. A chest has what was
put into it; bots carry nothing and stay where they are put. ``chat``: by the number of an ``act`` what Maya
says in it. ``gone_at``: the ``act`` at which the server is gone.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from support.live.node_folder import node_folder

ASKED, SCRIPT = "asked.jsonl", "script.json"


def bots_in(
    folder: Path, *, chat: Mapping[int, Sequence[str]] | None = None, gone_at: int | None = None
) -> Path:
    """The folder, for ``--node-folder``."""
    node_folder(folder, "support.live.bots", str(folder))
    (folder / SCRIPT).write_text(json.dumps({"chat": dict(chat or {}), "gone_at": gone_at}))
    return folder


def asked_of(folder: Path, do: str = "") -> list[dict[str, Any]]:
    """What was asked of the bots, or all requests of a name."""
    file = folder / ASKED
    lines = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    return [line for line in lines if do in ("", line["do"])]


class Bots:
    """The process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.script = json.loads((folder / SCRIPT).read_text())
        self.bots: list[str] = []
        self.starts: dict[str, Any] = {}
        self.chest: dict[str, int] = {}
        self.tick = self.acts = 0

    def answers(self, request: dict[str, Any]) -> Iterator[dict[str, Any]]:
        with (self.folder / ASKED).open("a") as file:
            file.write(json.dumps(request) + "\n")
        found: Any = getattr(self, request["do"], lambda request: {})(request)
        yield from ({"event": "chat", "from": "Maya", "text": text} for text in found.pop("said", ()))
        yield {"id": request["id"], "ok": "error" not in found, **found}

    def join(self, request: dict[str, Any]) -> dict[str, Any]:
        self.bots = request["bots"]
        return {"version": "1.16.5", "bots": {bot: [0.5, 64, 0.5] for bot in self.bots}}

    def prepare(self, request: dict[str, Any]) -> dict[str, Any]:
        self.starts = request["starts"]
        blocks = [
            {"kind": "block", "at": each["at"], "was": "air", "becomes": each["block"]}
            for each in request["blocks"]
        ]
        return {"changes": blocks}

    def observe(self, request: dict[str, Any]) -> dict[str, Any]:
        at = {bot: [0.5 + n for n in self.starts.get(bot, (0, 64, 0))] for bot in self.bots}
        bots = {bot: {"at": at[bot], "inventory": {}, "blocks": {}, "mobs": {}} for bot in self.bots}
        persons = {"Maya": {"at": at[self.bots[0]], "inventory": {"beef": 1}}}
        seen = {"tick": self.tick, "bots": bots, "persons": persons, "standing": [], "furnace": None}
        return {**seen, "chest": self.chest}

    def act(self, request: dict[str, Any]) -> dict[str, Any]:
        self.acts += 1
        if self.acts == self.script["gone_at"]:
            return {"error": "no Minecraft server answers any more", "kind": "gone"}
        began, self.tick = self.tick, self.tick + 100
        done = {"ok": True, "lines": [], "error": None, "kind": None, "ticks": 50, "running": False}
        for call in request["calls"]:
            if call["verb"] == "putInChest":
                self.chest[call["things"][0]] = self.chest.get(call["things"][0], 0) + 1
        calls = [{**done, "bot": call["bot"], "verb": call["verb"]} for call in request["calls"]]
        said = self.script["chat"].get(str(self.acts), [])
        return {"tick": began, "ended": self.tick, "calls": calls, "late": [], "said": said}

    def survey(self, request: dict[str, Any]) -> dict[str, Any]:
        return {"error": "nothing is seen from above", "kind": "refused"}

    def restore(self, request: dict[str, Any]) -> dict[str, Any]:
        return {"left": []}


def main(folder: str) -> None:
    bots = Bots(Path(folder))
    for line in sys.stdin:
        for answer in bots.answers(json.loads(line)):
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
