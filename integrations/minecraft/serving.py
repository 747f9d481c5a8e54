"""The server for tests as a process: started on a free port, told things, asked what is true, stopped.

    python integrations/minecraft/serving.py --port 25565   # to try `backburner live` on, until Ctrl-C

Bots of the names that it uses may command there, and mobs drop what the game as text draws for levels.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import queue
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from backburner.live.install import SOURCES, TOLD, Setup, install
from backburner.worlds.minecraft.game.scenarios import BOTS
from backburner.worlds.minecraft.live.stage import told_drops

HERE = Path(__file__).parent / "server"
SECONDS = 60.0
LEVEL_SEED = 123
"""That of levels; farms have others, whose drops the server is not told."""

CLOCK = 5.0
"""Both sides' time goes so much faster than ours."""

Playing = Callable[..., None]
"""Runs a coroutine with a worker whose bots have joined a server, if there is one."""

Drops = dict[str, list[dict[str, int]]]
"""Of each kind of mob, what the first, the second ... that is killed drops: items with their numbers."""


class Server:
    """A running server; ``clock``: how much faster than ours its time goes, or ``TOLD``."""

    def __init__(self, setup: Setup, clock: float, port: int = 0) -> None:
        name = "told_clock.mjs" if clock == TOLD else "clock.mjs"
        options = json.dumps({"port": port})
        command = [setup.node, "--import", SOURCES / name, HERE / "server.mjs", options]
        self.process = subprocess.Popen(
            [str(part) for part in command],
            cwd=setup.folder,
            env={**os.environ, **setup.environment(clock)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()
        self.port = self._ready()

    def _ready(self) -> int:
        """The port; raises ``SystemExit`` where it cannot be had."""
        said = self._next()
        if "error" in said:
            self.stop()
            raise SystemExit(f"the server does not start: {said['error']}")
        return int(said["ready"])

    def _listen(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._lines.put(line)

    def _next(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._lines.get(timeout=SECONDS))
        return found

    def tell(self, do: str, **more: Any) -> dict[str, Any]:
        """Tell it something; its answer."""
        assert self.process.stdin
        self.process.stdin.write(json.dumps({"do": do, **more}) + "\n")
        self.process.stdin.flush()
        answer = self._next()
        assert "error" not in answer, answer
        return answer

    def begin(self, operators: tuple[str, ...] = ("alex",), drops: Drops | None = None) -> None:
        """Nothing lies or stands about; who may command, and what mobs drop, is this."""
        self.tell("begin", operators=list(operators), drops=drops or {})

    def look(self) -> dict[str, Any]:
        """Everything as it is."""
        return self.tell("look")

    def chest(self) -> dict[str, int]:
        """What is in the first chest."""
        kinds = [each for each in self.look()["containers"] if each["kind"] == "chest"]
        found: dict[str, int] = kinds[0]["items"] if kinds else {}
        return found

    def stop(self) -> None:
        """End it at once."""
        self.process.kill()
        self.process.wait()


def packages(folder: Path | None) -> Setup:
    """Node with what both sides need, put in place where it is missing."""
    setup = install(folder)
    wanted = json.loads((HERE / "package.json").read_text())["dependencies"]["flying-squid"]
    file = setup.folder / "node_modules" / "flying-squid" / "package.json"
    if not (file.is_file() and json.loads(file.read_text())["version"] == wanted):
        command = ["npm", "install", "--no-package-lock", "--no-audit", "--no-fund", f"flying-squid@{wanted}"]
        subprocess.run(command, cwd=setup.folder, check=True, capture_output=True)
    return setup


def main() -> None:
    """A server until Ctrl-C."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--port", type=int, default=25565)
    named = os.environ.get("LIVE_NODE_FOLDER")
    parser.add_argument("--node-folder", type=Path, default=Path(named) if named else None)
    asked = parser.parse_args()
    server = Server(packages(asked.node_folder), 1.0, asked.port)
    try:
        server.begin(BOTS[:2], told_drops(LEVEL_SEED))
        print(f"a Minecraft server for tests runs at localhost:{server.port}; Ctrl-C ends it", flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            server.process.wait()
    finally:
        server.stop()


if __name__ == "__main__":
    main()
