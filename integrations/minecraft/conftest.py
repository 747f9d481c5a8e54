"""Node and npm's packages, in this part's environment; servers, and workers that play on them.

A folder named by LIVE_NODE_FOLDER that has them already is used as it is.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from serving import CLOCK, Playing, Server

from backburner.live.install import Setup, install
from backburner.live.messages import Join, Joined
from backburner.live.worker import Worker

BOTS = ("alex", "steve")


@pytest.fixture(scope="session")
def setup() -> Setup:
    """What `backburner live --demo` gets."""
    named = os.environ.get("LIVE_NODE_FOLDER")
    return install(Path(named) if named else Path(sys.prefix) / "live", server=True)


@pytest.fixture(scope="session")
def common(setup: Setup) -> Iterator[Server]:
    """One server for all tests but those that end it."""
    server = Server(setup, CLOCK)
    yield server
    server.stop()


@pytest.fixture
def server(common: Server) -> Server:
    """The common server, with nothing on its ground; alex is its operator."""
    common.begin()
    return common


@pytest.fixture
def play(setup: Setup) -> Playing:
    """Runs a coroutine with a worker whose bots have joined a server."""

    def run(
        server: Server | None,
        playing: Callable[[Worker], Awaitable[None]],
        bots: tuple[str, ...] = BOTS,
        clock: float = CLOCK,
    ) -> None:
        async def all_of_it() -> None:
            command = setup.command(clock)
            async with await Worker.start(command, setup.folder, setup.environment(clock)) as worker:
                if server:
                    await worker.ask(Join(host="127.0.0.1", port=server.port, bots=bots), Joined, 60)
                await playing(worker)

        asyncio.run(all_of_it())

    return run
