"""What is changed on a server is put back at whatever moment play is stopped."""

from __future__ import annotations

import asyncio

from farms import act, build, farm, until
from serving import SECONDS, Playing, Server

from backburner.live.messages import Prepared, Restore, Restored, Wait, Waited
from backburner.live.worker import Worker


def kinds(server: Server) -> set[str]:
    return {mob["name"] for mob in server.look()["mobs"]}


async def assert_clean(worker: Worker, server: Server) -> None:
    """Also a little later."""
    await worker.ask(Wait(ticks=60), Waited, SECONDS)
    seen = server.look()
    assert seen["mobs"] == [] and seen["containers"] == []


def test_what_was_killed_does_not_stand_again_once_all_is_put_back(server: Server, play: Playing) -> None:
    """One bot's call has ended, the other's has not: the step would have mobs stand again at its end."""

    async def playing(worker: Worker) -> None:
        await build(worker)
        acting = asyncio.create_task(act(worker, "killMob(alex, chicken)", "killMob(steve, sheep)", before=0))
        await until(lambda: kinds(server) == {"sheep"})
        assert await worker.ask(Restore(), Restored, SECONDS) == Restored(())
        await asyncio.gather(acting, return_exceptions=True)
        await assert_clean(worker, server)

    play(server, playing)


def test_a_step_that_has_not_begun_does_not_begin_any_more(server: Server, play: Playing) -> None:
    async def playing(worker: Worker) -> None:
        wanted = await build(worker)
        acting = asyncio.create_task(act(worker, "goto(alex, chest)", before=100))
        await asyncio.sleep(0.1)
        assert await worker.ask(Restore(), Restored, SECONDS) == Restored(())
        (done,) = await asyncio.gather(acting, return_exceptions=True)
        assert isinstance(done, Exception) and "the episode is over" in str(done)
        assert wanted

    play(server, playing)


def test_a_farm_that_is_being_built_is_put_back_whole(server: Server, play: Playing) -> None:
    async def playing(worker: Worker) -> None:
        wanted = await farm(worker, dry_run=False)
        building = asyncio.create_task(worker.ask(wanted, Prepared, SECONDS))
        await asyncio.sleep(0)  # the request is out
        assert await worker.ask(Restore(), Restored, SECONDS) == Restored(())
        await asyncio.gather(building, return_exceptions=True)
        await assert_clean(worker, server)

    play(server, playing)


def test_whoever_leaves_puts_back_first(server: Server, play: Playing) -> None:
    async def playing(worker: Worker) -> None:
        await build(worker)

    play(server, playing)
    seen = server.look()
    assert seen["mobs"] == [] and seen["containers"] == [] and seen["players"] == {}
