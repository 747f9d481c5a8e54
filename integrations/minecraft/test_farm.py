"""Somebody else's server is safe: changes are listed first, stay inside the area, and are put back."""

from __future__ import annotations

import pytest
from farms import DROPS, act, build, farm, good
from serving import Playing, Server

from backburner.live.messages import (
    Act,
    Acted,
    Area,
    Call,
    Change,
    LiveError,
    Observation,
    Observe,
    PlacedBlock,
    Prepare,
    Prepared,
    Restore,
    Restored,
    Wait,
    Waited,
)
from backburner.live.worker import Worker


def test_a_dry_run_lists_everything_and_changes_nothing(server: Server, play: Playing) -> None:
    async def playing(worker: Worker) -> None:
        wanted = await farm(worker)
        told = await worker.ask(wanted, Prepared, 60)
        assert [change.kind for change in told.changes] == [
            *["block"] * 3,
            *["mob"] * 2,
            "rule",
            *["move"] * 2,
        ]
        furnace = told.changes[0]
        assert (furnace.was, furnace.becomes, furnace.at) == ("air", "furnace", wanted.blocks[0].at)
        assert (told.changes[5].rule, told.changes[5].was) == ("doMobSpawning", "true")
        assert not server.look()["mobs"] and not server.look()["containers"]
        dig = await worker.ask(Act((Call("alex", "mineBlock", ("grass_block",)),)), Acted, 30)
        assert dig.calls[0].lines == (
            "No grass_block nearby, please go there first",
        )  # nothing may be touched

    play(server, playing)


def test_all_is_put_back_even_in_the_middle_of_an_action(server: Server, play: Playing) -> None:
    server.begin(drops=DROPS)

    async def playing(worker: Worker) -> None:
        before = server.look()["players"]
        wanted = await build(worker)
        assert len(server.look()["mobs"]) == 2
        good(await act(worker, "goto(alex, oak_log)", "goto(steve, sheep)"))
        good(await act(worker, "mineBlock(alex, oak_log)"))
        await worker.ask(Act((Call("steve", "killMob", ("sheep",)),), timeout_ticks=30, after=0), Acted, 30)
        restored = await worker.ask(Restore(), Restored, 60)
        assert restored.left == ()
        await worker.ask(Wait(ticks=10), Waited, 30)
        now = server.look()
        assert now["mobs"] == []
        for name in before:
            assert now["players"][name]["items"] == {}
            assert now["players"][name]["at"] == pytest.approx(before[name]["at"], abs=0.1)
        again = await worker.ask(wanted_dry(wanted), Prepared, 60)
        assert {change.was for change in again.changes if change.kind == "block"} == {"air"}
        assert [change.was for change in again.changes if change.kind == "rule"] == ["true"]

    play(server, playing)


def wanted_dry(wanted: Prepare) -> Prepare:
    return Prepare(
        area=wanted.area, blocks=wanted.blocks, mobs=wanted.mobs, starts=wanted.starts, rules=wanted.rules
    )


def test_another_worker_puts_back_what_a_list_says(server: Server, play: Playing) -> None:
    changes: list[Change] = []

    async def build_only(worker: Worker) -> None:
        wanted = await farm(worker, mobs=(), dry_run=False)
        changes.extend((await worker.ask(wanted, Prepared, 60)).changes)
        worker._kill()

    async def put_back(worker: Worker) -> None:
        restored = await worker.ask(Restore(tuple(changes)), Restored, 60)
        assert restored.left == ()
        area = Area(changes[0].at, changes[0].at)  # type: ignore[arg-type]
        again = Prepare(area=area, blocks=(PlacedBlock("furnace", changes[0].at),))  # type: ignore[arg-type]
        assert (await worker.ask(again, Prepared, 60)).changes[0].was == "air"

    play(server, build_only)
    play(server, put_back)


def test_what_may_not_be_changed_is_refused(server: Server, play: Playing) -> None:
    async def playing(worker: Worker) -> None:
        wanted = await farm(worker)
        x, y, z = wanted.starts["alex"]
        tried = {
            "99 4 2 lies outside of the area": {"blocks": (PlacedBlock("chest", (99, 4, 2)),)},
            "has no block stove": {"blocks": (PlacedBlock("stove", (x, y, z + 2)),)},
            "less than 128 blocks a side": {"area": Area((0, 0, 0), (500, 5, 5))},
        }
        for part, more in tried.items():
            with pytest.raises(LiveError, match=part):
                await worker.ask(await farm(worker, **more), Prepared, 60)
        await build(worker, blocks=(PlacedBlock("chest", (x, y, z + 2)),), mobs=(), starts={}, rules={})
        with pytest.raises(LiveError, match=r"a chest stands at .* could not be put back") as refused:
            await worker.ask(
                await farm(worker, blocks=(PlacedBlock("furnace", (x, y, z + 2)),)), Prepared, 60
            )
        assert refused.value.kind == "refused"
        await worker.ask(Restore(), Restored, 60)
        server.tell("give", name="alex", item="feather", count=3)
        await worker.ask(Wait(ticks=5), Waited, 30)
        with pytest.raises(LiveError, match="alex carries 3 feather; an episode begins with empty hands"):
            await worker.ask(await farm(worker), Prepared, 60)

    play(server, playing)


def test_bots_that_are_no_operators_are_told_so(server: Server, play: Playing) -> None:
    server.begin(operators=())

    async def playing(worker: Worker) -> None:
        with pytest.raises(
            LiveError, match=r"did not carry out .*permission.*make alex an operator"
        ) as refused:
            await build(worker, rules={})
        assert refused.value.kind == "refused"
        seen = await worker.ask(Observe(), Observation, 30)
        assert seen.chest is None and not server.look()["mobs"]

    play(server, playing)


def test_a_furnace_and_a_chest_are_never_dug(server: Server, play: Playing) -> None:
    async def playing(worker: Worker) -> None:
        await build(worker)
        good(await act(worker, "goto(alex, furnace)", "goto(steve, chest)"))
        vain = await act(worker, "mineBlock(alex, furnace)", "mineBlock(steve, chest)")
        assert [(call.ok, call.code) for call in vain.calls] == [(False, "no_block")] * 2
        seen = await worker.ask(Observe(("furnace", "chest")), Observation, 30)
        assert all(each.there for each in seen.standing) and seen.chest == {}

    play(server, playing)
