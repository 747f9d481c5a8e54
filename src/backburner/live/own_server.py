"""Our own Minecraft server as a process on this machine, for demos and tests: started, told things, stopped.

It is flying-squid in memory with plugins of ours (``node/server``), and ends by itself when whoever started
it is gone.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from backburner.kernel.errors import Refused, one_line
from backburner.live.install import SOURCES, TOLD, Setup
from backburner.live.messages import VERSION

SECONDS = 60.0
"""So long an answer may take."""

Drops = Mapping[str, Sequence[Mapping[str, int]]]
"""Of each kind of mob, what the first, the second ... that is killed drops: items with their numbers."""


class OwnServer:
    """A running server, at ``port`` of this machine alone.

    ``clock``: how much faster than ours its time goes, or ``TOLD``. ``port`` 0: any that is free.
    ``version``: of the game. ``folder``: is removed where whoever has started it was killed. Raises
    ``Refused`` where it does not start.
    """

    def __init__(
        self,
        setup: Setup,
        clock: float = 1.0,
        port: int = 0,
        *,
        version: str = VERSION,
        folder: Path | None = None,
    ) -> None:
        name = "told_clock.mjs" if clock == TOLD else "clock.mjs"
        options = {"port": port, "version": version, "folder": folder and str(folder.absolute())}
        command = [setup.node, "--import", SOURCES / name, SOURCES / "server" / "server.mjs"]
        self.process = subprocess.Popen(  # noqa: S603
            [*map(str, command), json.dumps(options)],
            cwd=setup.folder,
            env={**os.environ, **setup.environment(clock)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,  # Ctrl-C is for whoever has started it: bots leave first
        )
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()
        self.port = self._ready(port)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _ready(self, port: int) -> int:
        try:
            said = self._next()
        except BaseException:
            self.stop()
            raise
        if "error" in said:
            self.stop()
            where = f" at port {port}" if port else ""
            raise Refused(f"our server does not start{where}: {one_line(str(said['error']))}")
        return int(said["ready"])

    def _listen(self) -> None:
        assert self.process.stdout  # noqa: S101 -- it was asked for
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(json.dumps({"error": "its process has ended"}))

    def _next(self) -> dict[str, Any]:
        try:
            found: dict[str, Any] = json.loads(self._lines.get(timeout=SECONDS))
        except queue.Empty:
            raise Refused(f"our server does not answer within {SECONDS:g} s") from None
        return found

    def tell(self, do: str, **more: Any) -> dict[str, Any]:
        """Tell it something; its answer. Raises ``Refused`` where that is none of what it can do."""
        assert self.process.stdin  # noqa: S101
        try:
            self.process.stdin.write(json.dumps({"do": do, **more}) + "\n")
            self.process.stdin.flush()
        except OSError:
            raise Refused("our server: its process has ended") from None
        answer = self._next()
        if "error" in answer:
            raise Refused(f"our server: {one_line(str(answer['error']))}")
        return answer

    def begin(self, operators: Sequence[str] = ("alex",), drops: Drops | None = None) -> None:
        """Nothing lies or stands about; who may command, and what mobs drop, is this."""
        self.tell("begin", operators=list(operators), drops=drops or {})

    def stop(self) -> None:
        """End it at once."""
        self.process.kill()
        self.process.wait()
