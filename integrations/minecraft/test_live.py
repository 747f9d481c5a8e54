"""Real bots on a server: the seven actions, both bots at once, and what they say in vain."""

from __future__ import annotations

from farms import DROPS, KINDS, act, build, good
from serving import Playing, Server

from backburner.live.messages import Observation, Observe, PlacedBlock, PlacedMob, Wait, Waited
from backburner.live.worker import Worker


def test_a_chicken_goes_from_where_it_stands_into_the_chest(server: Server, play: Playing) -> None:
    server.begin(drops=DROPS)

    async def playing(worker: Worker) -> None:
        await build(worker)
        good(await act(worker, "goto(alex, chicken)", "goto(steve, oak_log)"))
        killed, mined = good(await act(worker, "killMob(alex, chicken)", "mineBlock(steve, oak_log)"))
        assert killed.lines == ("Killed chicken!",) and mined.lines == ()
        seen = await worker.ask(Observe(KINDS), Observation, 30)
        assert seen.bots["alex"].inventory == {"chicken": 1, "feather": 2}
        assert seen.bots["steve"].inventory == {"oak_log": 1}
        # renewed at the end of the step
        assert [standing.kind for standing in seen.standing if not standing.there] == []
        good(await act(worker, "goto(alex, furnace)", "goto(steve, furnace)"))
        good(await act(worker, "putFuelFurnace(steve, oak_log)"))
        put = await act(worker, "putItemFurnace(alex, chicken)", put_waits=300)
        # alex stands there for 300 ticks; the chicken takes 200 of them
        assert 300 <= good(put)[0].ticks <= 500
        seen = await worker.ask(Observe(KINDS), Observation, 30)
        assert seen.furnace is not None
        assert (seen.furnace.input, seen.furnace.fuel, seen.furnace.output) == (
            None,
            None,
            ("cooked_chicken", 1),
        )
        good(await act(worker, "takeOutFurnace(alex)"))
        good(await act(worker, "goto(alex, chest)"))
        good(await act(worker, "putInChest(alex, cooked_chicken)"))
        seen = await worker.ask(Observe(KINDS), Observation, 30)
        assert seen.chest == {"cooked_chicken": 1} == server.chest()
        assert seen.bots["alex"].inventory == {"feather": 2}
        assert seen.bots["alex"].blocks["chest"] == 1.0 and seen.bots["alex"].mobs["sheep"] < 8

    play(server, playing)


def test_two_bots_are_after_two_mobs_and_what_was_killed_drops_what_was_told(
    server: Server, play: Playing
) -> None:
    server.begin(drops=DROPS)

    async def playing(worker: Worker) -> None:
        seen = await worker.ask(Observe(), Observation, 30)
        x, y, z = (int(n // 1) for n in seen.bots["alex"].at)
        mobs = (PlacedMob("chicken", (x + 2, y, z)), PlacedMob("chicken", (x + 4, y, z)))
        await build(worker, mobs=mobs, starts={"alex": (x, y, z), "steve": (x + 1, y, z)})
        good(await act(worker, "killMob(alex, chicken)", "killMob(steve, chicken)", renew="never"))
        seen = await worker.ask(Observe(("chicken",)), Observation, 30)
        both = [seen.bots[bot].inventory for bot in ("alex", "steve")]
        assert sum(each.get("chicken", 0) for each in both) == 2
        assert sum(each.get("feather", 0) for each in both) == 2
        assert [s.there for s in seen.standing if s.kind == "chicken"] == [False, False]
        assert not seen.bots["alex"].mobs  # none stands until it is renewed
        vain = await act(worker, "killMob(alex, chicken)", renew="during")
        assert vain.calls[0].lines == ("No chicken nearby, please explore first",) and not vain.calls[0].ok
        good(await act(worker, "killMob(alex, chicken)"))

    play(server, playing)


def test_a_log_is_found_across_the_corner_of_a_chunk(server: Server, play: Playing) -> None:
    """mineflayer's own search leaves it out."""

    async def playing(worker: Worker) -> None:
        seen = await worker.ask(Observe(), Observation, 30)
        x, y, z = (int(n // 1) for n in seen.bots["alex"].at)
        x, z = -(-x // 16) * 16, -(-z // 16) * 16
        log = PlacedBlock("oak_log", (x - 2, y, z - 2))
        await build(worker, blocks=(log,), mobs=(), starts={"alex": (x, y, z)})
        seen = await worker.ask(Observe(("oak_log",)), Observation, 30)
        assert seen.bots["alex"].blocks == {"oak_log": 2.8}
        good(await act(worker, "mineBlock(alex, oak_log)"))

    play(server, playing)


def test_of_two_as_near_it_is_the_one_that_was_placed_first(server: Server, play: Playing) -> None:
    async def playing(worker: Worker) -> None:
        seen = await worker.ask(Observe(), Observation, 30)
        x, y, z = (int(n // 1) for n in seen.bots["alex"].at)
        mobs = (PlacedMob("chicken", (x + 4, y, z)), PlacedMob("chicken", (x - 4, y, z)))
        logs = (PlacedBlock("oak_log", (x, y, z + 4)), PlacedBlock("oak_log", (x, y, z - 4)))
        await build(worker, blocks=logs, mobs=mobs, starts={"alex": (x, y, z), "steve": (x, y, z)})
        good(await act(worker, "goto(alex, chicken)", "goto(steve, oak_log)"))
        seen = await worker.ask(Observe(), Observation, 30)
        assert seen.bots["alex"].at[0] > x + 2 and seen.bots["steve"].at[2] > z + 2
        # one goes to what the other is after
        good(await act(worker, "mineBlock(steve, oak_log)", "goto(alex, oak_log)"))
        seen = await worker.ask(Observe(), Observation, 30)
        assert seen.bots["alex"].at[2] > z + 2

    play(server, playing)


SAID = {
    "killMob(alex, cow)": "No cow nearby, please explore first",
    "mineBlock(alex, chest)": "No chest nearby, please go there first",
    "putFuelFurnace(alex, oak_log)": "No oak_log as fuel in inventory",
    "putItemFurnace(alex, chicken)": "No chicken to smelt in inventory",
}


def test_what_comes_to_nothing_is_said_or_is_an_error(server: Server, play: Playing) -> None:
    async def playing(worker: Worker) -> None:
        await build(worker)
        for spelt, line in SAID.items():
            call = (await act(worker, spelt, before=0, after=0)).calls[0]
            assert (call.lines, call.error, call.ok) == ((line,), None, False)
        for spelt, part in {
            "goto(alex, cow)": "no cow within 48 blocks of alex",
            "takeOutFurnace(alex)": "nothing lies in the furnace's output",
        }.items():
            call = (await act(worker, spelt, before=0, after=0)).calls[0]
            assert call.error and part in call.error and call.kind == "refused"
        way = (await act(worker, "goto(steve, chest)", before=0, after=0, no_way=("chest",))).calls[0]
        assert (way.code, way.error) == ("no_way", "there is no way to chest for steve")
        server.tell("give", name="alex", item="feather")
        await worker.ask(Wait(ticks=5), Waited, 30)
        call = (await act(worker, "putFuelFurnace(alex, feather)", before=0, after=0)).calls[0]
        assert call.error == "feather is no fuel" and call.kind == "refused"
        seen = await worker.ask(Observe(), Observation, 30)
        assert seen.bots["alex"].inventory == {"feather": 1} and seen.furnace and seen.furnace.fuel is None

    play(server, playing)


def test_of_two_that_put_into_the_furnace_at_once_the_second_sees_what_the_first_has_put(
    server: Server, play: Playing
) -> None:
    """Else its click would swap the two, and the first item be lost."""

    async def playing(worker: Worker) -> None:
        await build(worker)
        server.tell("give", name="alex", item="chicken")
        server.tell("give", name="steve", item="beef", count=3)
        good(await act(worker, "goto(alex, furnace)", "goto(steve, furnace)"))
        both = ("putItemFurnace(alex, chicken)", "putItemFurnace(steve, beef)")
        first, second = (await act(worker, *both, hand_ticks=10)).calls
        assert (first.ok, second.code) == (True, "slot_taken")
        seen = await worker.ask(Observe(), Observation, 30)
        assert seen.furnace and seen.furnace.input == ("chicken", 1)
        assert [seen.bots[bot].inventory for bot in ("alex", "steve")] == [{}, {"beef": 3}]

    play(server, playing)
