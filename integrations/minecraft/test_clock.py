"""A clock that is told: server and bots take the same ticks on any machine, and none while nobody asks."""

from __future__ import annotations

import time

from farms import DROPS, act, build, good
from serving import Playing, Server

from backburner.live.install import TOLD, Setup
from backburner.live.messages import Observation, Observe, Wait, Waited
from backburner.live.worker import Worker


def test_ticks_are_exact_and_stand_still_between_requests(setup: Setup, play: Playing) -> None:
    server = Server(setup, TOLD)
    server.begin(drops=DROPS)

    async def playing(worker: Worker) -> None:
        await build(worker)
        first = await worker.ask(Wait(ticks=100), Waited, 30)
        began = server.look()["tick"]
        time.sleep(0.3)
        seen = await worker.ask(Observe(), Observation, 30)
        assert server.look()["tick"] == began and seen.tick == first.tick
        second = await worker.ask(Wait(ticks=1000), Waited, 30)
        assert second.tick == first.tick + 1000 and server.look()["tick"] - began in (999, 1000, 1001)
        good(await act(worker, "goto(alex, chicken)", "goto(steve, oak_log)"))
        # 4 hits, one in ten ticks, the first after ten; what drops can be picked up after ten more
        killed = good(await act(worker, "killMob(alex, chicken)", hand_ticks=10))[0]
        assert 49 <= killed.ticks <= 52
        # 3 seconds of digging, and what drops
        mined = good(await act(worker, "mineBlock(steve, oak_log)"))[0]
        assert 69 <= mined.ticks <= 72
        # A step lasts as the rules say where bots are done ten ticks sooner or later, and else as it does.
        for lasts, ticks in {95: 95, 81: 81, 60: 90, 140: 90}.items():
            acted = await act(worker, "killMob(alex, chicken)", hand_ticks=10, lasts=lasts)
            assert abs(acted.ended - acted.tick - ticks) <= (0 if lasts == ticks else 2)

    try:
        play(server, playing, clock=TOLD)
    finally:
        server.stop()
