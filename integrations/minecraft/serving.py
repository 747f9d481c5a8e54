"""Our own server for tests, which may ask it what is true.

    python integrations/minecraft/serving.py --port 25565   # to try `backburner live` on, until Ctrl-C

Bots of the names that it uses may command there, and mobs drop what the game as text draws for levels.
"""

from __future__ import annotations

import argparse
import contextlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from backburner.live.install import install
from backburner.live.own_server import OwnServer
from backburner.worlds.minecraft.game.scenarios import BOTS
from backburner.worlds.minecraft.live.stage import told_drops

LEVEL_SEED = 123
"""That of levels; farms have others, whose drops the server is not told."""

CLOCK = 5.0
"""Both sides' time goes so much faster than ours."""

Playing = Callable[..., None]
"""Runs a coroutine with a worker whose bots have joined a server, if there is one."""


class Server(OwnServer):
    """The server, of which tests ask the truth."""

    def look(self) -> dict[str, Any]:
        """Everything as it is."""
        return self.tell("look")

    def chest(self) -> dict[str, int]:
        """What is in the first chest."""
        kinds = [each for each in self.look()["containers"] if each["kind"] == "chest"]
        found: dict[str, int] = kinds[0]["items"] if kinds else {}
        return found


def main() -> None:
    """A server until Ctrl-C."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--port", type=int, default=25565)
    named = os.environ.get("LIVE_NODE_FOLDER")
    parser.add_argument("--node-folder", type=Path, default=Path(named) if named else None)
    asked = parser.parse_args()
    with Server(install(asked.node_folder, server=True), 1.0, asked.port) as server:
        server.begin(BOTS[:2], told_drops(LEVEL_SEED))
        print(f"a Minecraft server for tests runs at localhost:{server.port}; Ctrl-C ends it", flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            server.process.wait()


if __name__ == "__main__":
    main()
