"""What is told when a game is over, games that begin as another one did, and boards."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from backburner.evaluation.transcripts.lesson import Lesson
from backburner.kernel import registry
from backburner.kernel.claims import verify
from backburner.kernel.episode import Episode, episode_in
from backburner.kernel.errors import Refused
from backburner.kernel.packs import names
from backburner.serve.after import Again, OpenedAgain, following, scenario_of
from backburner.serve.games import Games
from backburner.serve.lessons import Lessons
from backburner.serve.protocol import GamePlan, Opened, Over, Wanted, Welcome
from support.serve.serving import Page, over, serving

PERSON, GREEDY, MODEL = Wanted("person"), Wanted("agent", "greedy"), Wanted("model", model="stand-in:skill=1")
TEA = GamePlan("timearena/household1", {"agent": PERSON}, limits="none")
LATE = (
    "wait",
    "activate kettle",
    "wash teapot",
    "wash cup",
    "pour kettle into teapot",
    "brew tea with teapot",
)
POURED = ("wait", "wait", "pour teapot into cup")


async def played(games: Games, opened: Opened | OpenedAgain, *lines: str, name: str = "Ann") -> Page:
    """A game that a person plays with these lines to its end."""
    tokens = opened.seats if isinstance(opened, Opened) else opened.opened.seats
    page = await Page(games, next(iter(tokens.values())), name).open()
    for line in lines:
        assert (await page.move(line=line)).status == "accepted"
    await over(page)
    return page


async def pass_time(page: Page) -> None:
    step, turn = page.game.step, await page.turn(page.game.step)
    option = next(index for index, option in enumerate(turn.options) if option.passes)
    assert (await page.move(turn.number, option=option)).status == "accepted"
    await page.until(lambda: page.game.step > step or None)


async def record_of(games: Games, token: str) -> Episode:
    return episode_in((await games.record(token))[1], "the game")


def test_whoever_has_played_is_told_how_good_it_was_and_what_cost_the_most(tmp_path: Path) -> None:
    """The kettle could boil a minute earlier: 13 minutes are enough."""

    async def told() -> None:
        async with serving(tmp_path) as games:
            opened = await games.create(TEA)
            with pytest.raises(Refused, match="that are over"):
                await games.lesson(opened.seats["agent"])
            page = await played(games, opened, *LATE, *POURED)
            assert page.last(Over).lesson
            found = await games.lesson(opened.seats["agent"])
            assert found.headline == "You finished in 14 minutes; 13 were enough; greedy takes 13."
            assert found.lesson.costliest is not None and found.lesson.costliest.step == 0
            assert (found.again, found.next) == (True, "timearena/household2")
            looked = await games.lesson(opened.watch)
            assert looked.headline.startswith("They finished") and not looked.again

    asyncio.run(told())


def test_a_game_is_played_again_from_a_moment_and_its_record_says_so_and_verifies(tmp_path: Path) -> None:
    async def records() -> tuple[Episode, Episode]:
        async with serving(tmp_path) as games:
            first = await games.create(TEA)
            await played(games, first, "activate kettle", "wait", *LATE[2:], *POURED)
            again = await games.again(first.seats["agent"], Again(step=1))
            assert again.seat == "agent" and not again.plan.strict
            page = await played(games, again, *LATE[2:], *POURED)
            assert page.game.id != first.game
            token = again.opened.seats["agent"]
            twice = await games.again(token, Again(step=2))
            assert twice.opened.seats.keys() == {"agent"}
            return await record_of(games, first.seats["agent"]), await record_of(games, token)

    first, second = asyncio.run(records())
    assert verify(second).finished
    assert second.entries[0].digest == first.entries[0].digest
    assert second.header.players["agent"].settings == {"play": "friendly", "replayed": 1}
    purposes = [[thought.purpose for thought in entry.answers["agent"].thoughts] for entry in second.entries]
    assert purposes == [["replayed"], *[[]] * (len(second.entries) - 1)]
    assert second.entries[0].usage == {} and first.entries[0].usage
    assert second.ending is not None and second.ending.numbers["minutes"] == 13


def test_agents_and_models_go_on_from_the_moment_also_after_a_restart(tmp_path: Path) -> None:
    """One that was killed behind the moment goes on there, and models are not asked for what is replayed."""
    kitchen = "cuisineworld/level_0@bodies=2,seats=each"

    async def first() -> str:
        async with serving(tmp_path) as games:
            opened = await games.create(GamePlan(kitchen, {"agent0": PERSON, "agent1": MODEL}))
            page = await Page(games, opened.seats["agent0"]).open()
            for _ in range(4):
                await pass_time(page)
            page.game.end()
            await over(page)
            again = await games.again(opened.seats["agent0"], Again(step=3))
            page = await Page(games, again.opened.seats["agent0"]).open()
            await pass_time(page)
            return again.opened.seats["agent0"]

    async def second(token: str) -> Episode:
        async with serving(tmp_path) as games:
            page = await Page(games, token).open()
            await pass_time(page)
            page.game.end()
            await over(page)
            return await record_of(games, token)

    episode = asyncio.run(second(asyncio.run(first())))
    assert verify(episode) and len(episode.entries) >= 5
    replayed = [entry.index for entry in episode.entries if entry.answers["agent1"].thoughts[-1:] and
                entry.answers["agent1"].thoughts[-1].purpose == "replayed"]  # fmt: skip
    assert replayed == [0, 1, 2]


def test_studies_tell_no_lesson_unless_they_say_so_and_never_open_games(tmp_path: Path) -> None:
    async def tried() -> None:
        async with serving(tmp_path) as games:
            for after in ("nothing", "lesson"):
                opened = await games.create(replace(TEA, after=after))
                page = await played(games, opened, *LATE, *POURED)
                assert page.last(Over).lesson == (after == "lesson")
                with pytest.raises(Refused, match="studies"):
                    await games.again(opened.seats["agent"], Again())
            assert games.board(TEA.scenario, time.time()).best == ()

    asyncio.run(tried())


def test_ghosts_are_earlier_plays_and_the_best_in_friendly_games_alone(tmp_path: Path) -> None:
    """Nothing that was said is told of them."""

    async def tried() -> None:
        async with serving(tmp_path) as games:
            first = await games.create(TEA)
            await played(games, first, *LATE, *POURED)
            second = await games.create(TEA)
            page = await Page(games, second.seats["agent"]).open()
            await page.turn()
            assert page.last(Welcome).ghosts
            ghosts = await games.ghosts(second.seats["agent"])
            names = ["The best play here: Ann, 14 minutes", "The best that is known", "The greedy agent"]
            assert [ghost.name for ghost in ghosts] == names
            assert [max(event.time for event in ghost.events) for ghost in ghosts] == [14, 13, 13]
            for other in (replace(TEA, strict=True), replace(TEA, after="lesson")):
                opened = await games.create(other)
                page = await Page(games, opened.seats["agent"]).open()
                await page.turn()
                assert not page.last(Welcome).ghosts
                with pytest.raises(Refused, match="no ghosts"):
                    await games.ghosts(opened.seats["agent"])

    asyncio.run(tried())


def test_steps_that_a_game_did_not_have_and_onlookers_begin_nothing(tmp_path: Path) -> None:
    async def tried() -> None:
        async with serving(tmp_path) as games:
            opened = await games.create(TEA)
            await played(games, opened, *LATE, *POURED)
            with pytest.raises(Refused, match="no step 100"):
                await games.again(opened.host, Again(step=100))
            with pytest.raises(Refused, match="whoever has played"):
                await games.again(opened.watch, Again())
            other = await games.again(opened.host, Again(scenario="timearena/cooking1"))
            assert other.seat == "agent" and other.plan.scenario == "timearena/cooking1"

    asyncio.run(tried())


def test_a_board_has_the_best_games_first_with_the_names_that_were_typed(tmp_path: Path) -> None:
    """Games that begin as another did have no place; a game that is forgotten leaves none."""

    async def board() -> None:
        async with serving(tmp_path) as games:
            plan = replace(TEA, limits="article")
            slow = await games.create(plan)
            await played(games, slow, *LATE, *POURED, name="<b>Ann</b>")
            quick = await games.create(plan)
            await played(games, quick, *LATE[1:], *POURED, name="Bert")
            left = await games.again(quick.host, Again(step=6))
            await played(games, left, *POURED[1:], name="Cleo")
            told = games.board(TEA.scenario, time.time())
            assert [(row.names, row.told) for row in told.best] == [
                (("Bert",), "13 minutes"),
                (("<b>Ann</b>",), "14 minutes"),
            ]
            assert told.today == told.best and told.title == registry.title(TEA.scenario)
            assert games.board(TEA.scenario, time.time() + 2 * 86_400).today == ()
            await games.forget(quick.game)
            assert [row.told for row in games.board(TEA.scenario, time.time()).best] == ["14 minutes"]

    asyncio.run(board())


def test_the_scenario_of_a_day_is_the_same_everywhere_and_another_on_most_days() -> None:
    days = [f"2026-11-{day:02}" for day in range(1, 29)]
    found = [scenario_of(day) for day in days]
    assert found == [scenario_of(day) for day in days]
    assert len({id.partition("/")[0] for id in found}) > len(names()) // 2
    assert all(registry.world(id).id for id in found[:3])


def test_the_next_scenario_keeps_the_options_and_suites_grow_harder() -> None:
    assert following("timearena/household1") == ("timearena/household2", "timearena/cooking1+cooking2")
    assert following("cuisineworld/level_3@bodies=3,seats=each")[0].endswith("@bodies=3,seats=each")
    assert following("timearena/nowhere")[1] == ""


def test_who_waits_for_a_lesson_when_the_server_stops_is_told_so_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server gives lessons up before it waits for open requests; this one would never be worked out."""

    async def for_ever(self: Lessons, name: str, record: bytes) -> Lesson:
        return await asyncio.Future[Lesson]()

    async def stopped() -> None:
        async with serving(tmp_path) as games:
            opened = await games.create(TEA)
            await played(games, opened, "activate kettle", "wait", *LATE[2:], *POURED)
            waiting = asyncio.create_task(games.lesson(opened.seats["agent"]))
            await asyncio.sleep(0)
            games.stopping()
            with pytest.raises(Refused, match="not worked out any more"):
                await waiting

    monkeypatch.setattr(Lessons, "_make", for_ever)
    asyncio.run(stopped())
