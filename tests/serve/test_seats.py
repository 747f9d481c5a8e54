"""Who decides for a seat: people who come, go and come back, stand-ins, and what the host may do."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from backburner.kernel.claims import verify
from backburner.kernel.episode import episode_in
from backburner.kernel.errors import Refused
from backburner.serve.games import Games
from backburner.serve.protocol import (
    Back,
    Begin,
    Closed,
    End,
    Frame,
    GamePlan,
    Leave,
    LinkTold,
    Lobby,
    Move,
    Past,
    People,
    Ping,
    Pong,
    Renew,
    Replace,
    Told,
    Turn,
    Wanted,
    Welcome,
)
from support.serve.serving import Page, over, serving

PERSON, GREEDY = Wanted("person"), Wanted("agent", "greedy")
KITCHEN = "cuisineworld/level_0@bodies=2,seats=each"
TWO = {"agent0": PERSON, "agent1": PERSON}
ONE = {"agent0": PERSON, "agent1": GREEDY}

Story = Callable[[Games], Awaitable[Any]]


@pytest.fixture
def told(tmp_path: Path) -> Callable[..., Any]:
    """Runs a story about the games of a server."""

    def tell(story: Story, **options: Any) -> Any:
        async def run() -> Any:
            async with serving(tmp_path, **options) as games, asyncio.timeout(120):
                return await story(games)

        return asyncio.run(run())

    return tell


def thoughts(page: Page, step: int, seat: str) -> list[str]:
    episode = episode_in(page.game.record(), "the game")
    return [thought.text for thought in episode.entries[step].answers[seat].thoughts]


# --- the lobby ------------------------------------------------------------------------------------------


def test_play_begins_when_all_are_there(told: Any) -> None:
    async def story(games: Games) -> None:
        opened = await games.create(GamePlan(KITCHEN, TWO))
        first = await Page(games, opened.seats["agent0"], "Ann").open()
        lobby = await first.get(Lobby)
        assert (lobby.waiting, lobby.needed, lobby.seconds_left) == (("agent1",), 1, None)
        assert not first.all(Frame)
        second = await Page(games, opened.seats["agent1"], "Bob").open()
        assert (await first.get(Turn)).number == (await second.get(Turn)).number == 0
        await first.until(
            lambda: (
                [p for p in first.all(People) if all(s.thinking_seconds is not None for s in p.seats)] or None
            )
        )
        seats = first.last(People).seats
        assert [(seat.player, seat.present) for seat in seats] == [("Ann", True), ("Bob", True)]

    told(story)


def test_whoever_waits_does_not_wait_for_ever(told: Any) -> None:
    async def story(games: Games) -> None:
        opened = await games.create(GamePlan(KITCHEN, TWO, lobby_seconds=0.05))
        await asyncio.sleep(0.1)
        assert not games.games()[0].steps and games.games()[0].status == "lobby"  # nobody waits yet
        page = await Page(games, opened.seats["agent0"]).open()
        assert (await page.get(Lobby)).seconds_left is not None
        turn = await page.get(Turn)
        assert (await page.move(turn.number, option=0)).status == "accepted"
        await page.turn(1)
        assert thoughts(page, 0, "agent1") == ["greedy: away"]
        assert [seat.stands_in for seat in page.last(People).seats] == ["", "greedy"]

    told(story)


def test_a_quorum_and_the_host_begin_a_game(told: Any) -> None:
    async def story(games: Games) -> None:
        opened = await games.create(GamePlan(KITCHEN, TWO, quorum=1))
        page = await Page(games, opened.seats["agent1"]).open()
        assert (await page.get(Turn)).number == 0
        opened = await games.create(GamePlan(KITCHEN, TWO))
        host = await Page(games, opened.host).open()
        welcome = await host.get(Welcome)
        assert (welcome.role, welcome.hosts, welcome.seat) == ("host", True, "")
        await host.say(Begin())
        await host.until(lambda: host.game.number > 3 or None)  # the stand-ins play

    told(story)


# --- people who go and come back ------------------------------------------------------------------------


def test_the_stand_in_plays_while_somebody_is_away_and_gives_the_seat_back(told: Any) -> None:
    async def story(games: Games) -> None:
        opened = await games.create(GamePlan(KITCHEN, TWO, away_seconds=0.05))
        one = await Page(games, opened.seats["agent0"]).open()
        two = await Page(games, opened.seats["agent1"], "Bob").open()
        await two.get(Turn)
        two.close()
        for number in range(3):
            assert (await one.move(number, option=0)).status == "accepted"
            await one.turn(number + 1)
        assert thoughts(one, 1, "agent1") == ["greedy: away"]
        assert [seat.present for seat in one.last(People).seats] == [True, False]
        again = await Page(games, opened.seats["agent1"], seen=1).open()
        assert (await again.get(Welcome)).seats[1].player == "Bob"  # the name is kept
        assert {past.number for past in again.all(Past)} <= {2}
        assert (await again.get(Frame)).number == 3
        await one.move(3, option=0)
        while not [turn for turn in again.all(Turn) if turn.number == again.game.number]:
            await asyncio.sleep(0.01)
        assert (await again.move(option=0)).status == "accepted"
        await one.turn(4)

    told(story)


def test_somebody_who_is_back_soon_loses_nothing(told: Any) -> None:
    async def story(games: Games) -> None:
        opened = await games.create(GamePlan(KITCHEN, ONE, away_seconds=30))
        page = await Page(games, opened.seats["agent0"]).open()
        await page.move(0, option=0)
        await page.turn(1)
        page.close()
        await asyncio.sleep(0.05)
        again = await Page(games, opened.seats["agent0"], seen=page.last(Frame).number).open()
        assert (await again.turn(1)).options == page.last(Turn).options
        frame = await again.get(Frame)
        assert (frame.number, frame.events) == (1, ())  # it has seen them
        fresh = await Page(games, opened.seats["agent0"]).open()
        assert (await fresh.get(Frame)).events == page.last(Frame).events
        closed = await again.get(Closed)
        assert "another window" in closed.why and not closed.again

    told(story)


def test_a_person_leaves_the_seat_and_takes_it_again(told: Any) -> None:
    async def story(games: Games) -> None:
        opened = await games.create(GamePlan(KITCHEN, ONE))
        page = await Page(games, opened.seats["agent0"]).open()
        await page.get(Turn)
        await page.say(Leave())
        await page.until(lambda: page.game.number > 2 or None)
        await page.say(Back())
        number = (await page.turn()).number
        assert (await page.move(number, option=0)).status == "accepted"
        await page.turn(number + 1)
        assert not thoughts(page, number, "agent0")
        assert thoughts(page, 1, "agent0") == ["greedy: away"]

    told(story)


# --- moves ----------------------------------------------------------------------------------------------


def test_a_move_is_taken_once_and_only_in_its_turn(told: Any) -> None:
    async def story(games: Games) -> None:
        opened = await games.create(GamePlan(KITCHEN, ONE))
        page = await Page(games, opened.seats["agent0"]).open()
        assert (await page.move(0, option=0)).status == "accepted"
        await page.turn(1)
        assert (await page.move(0, option=0)).status == "late"  # of a turn that is over
        assert (await page.move(1, id=1, option=0)).status == "late"  # sent again
        assert page.game.number == 1
        assert (await page.move(1, id=9)).status == "refused"
        assert (await page.move(1, id=10, option=999)).status == "refused"
        assert (await page.move(1, id=11, option=0, line="noop_agent0")).status == "refused"
        assert (await page.move(1, id=12, line="\t")).status == "refused"
        assert (await page.move(7, id=13, option=0)).status == "late"
        again = await Page(games, opened.seats["agent0"]).open()
        assert (await again.get(Welcome)).last_id == 13

    told(story)


def test_slips_are_explained_in_friendly_play_and_cost_in_strict_play(told: Any) -> None:
    async def story(games: Games) -> None:
        opened = await games.create(GamePlan(KITCHEN, ONE))
        page = await Page(games, opened.seats["agent0"]).open()
        slip = await page.move(0, line="juggle")
        assert slip.status == "explained" and slip.why
        assert (await page.move(0, line="noop")).status == "accepted"
        await page.turn(1)
        assert "juggle" in thoughts(page, 0, "agent0")[0]
        opened = await games.create(GamePlan(KITCHEN, ONE, strict=True))
        page = await Page(games, opened.seats["agent0"]).open()
        assert (await page.move(0, line="juggle")).status == "accepted"
        assert (await page.turn(1)).refused

    told(story)


def test_giving_up_is_asked_twice(told: Any) -> None:
    async def story(games: Games) -> None:
        opened = await games.create(GamePlan("robotouille/multi_agent/1@seed=42", {"robot1": PERSON}))
        page = await Page(games, opened.seats["robot1"]).open()
        turn = await page.turn()
        assert (await page.move(turn.number, line="finish")).status == "confirm"
        assert page.game.number == turn.number
        assert (await page.confirm()).status == "accepted"
        ended = await over(page)
        assert ended.status == "ended"

    told(story)


def test_keys_and_clicks_act(told: Any) -> None:
    async def story(games: Games) -> None:
        opened = await games.create(GamePlan(KITCHEN, ONE))
        page = await Page(games, opened.seats["agent0"]).open()
        place = (await page.get(Frame)).scene.places[0].name
        assert (await page.move(0, press={"place": place})).status == "accepted"
        await page.turn(1)
        assert (await page.move(1, press={"place": "nowhere"})).status == "explained"
        assert (await page.move(1, press={"key": "no such key"})).status == "explained"
        assert (await page.move(1, press={})).status == "refused"

    told(story)


# --- pace -----------------------------------------------------------------------------------------------


def test_a_step_does_not_wait_longer_than_its_pace(told: Any) -> None:
    async def story(games: Games) -> None:
        opened = await games.create(GamePlan(KITCHEN, TWO, pace_seconds=0.5))
        one = await Page(games, opened.seats["agent0"]).open()
        two = await Page(games, opened.seats["agent1"]).open()
        deadline = (await two.get(Turn)).deadline_seconds
        assert deadline is not None and 0 < deadline <= 0.5
        assert (await one.move(0, option=0)).status == "accepted"
        await two.turn(1)
        assert thoughts(one, 0, "agent1") == ["nobody: the time of the step was up"]
        assert not thoughts(one, 0, "agent0")
        late = Move(5, 0, option=0)
        await two.say(late)
        assert (await two.get(Told)).status == "late"

    told(story)


# --- the host -------------------------------------------------------------------------------------------


def test_the_host_replaces_players_and_renews_links(told: Any) -> None:
    async def story(games: Games) -> None:
        opened = await games.create(GamePlan(KITCHEN, ONE))
        page = await Page(games, opened.seats["agent0"], host=opened.host).open()
        assert (await page.get(Welcome)).hosts
        await page.say(Replace("agent1", PERSON))
        link = await page.get(LinkTold)
        friend = await Page(games, link.token).open()
        await friend.get(Turn)
        await page.say(Renew("agent1"))
        renewed = await page.get(LinkTold, 1)
        assert "holds no more" in (await friend.get(Closed)).why
        with pytest.raises(Refused, match="no game"):
            await games.admit(link.token)
        friend = await Page(games, renewed.token).open()
        await friend.move(0, option=0)
        await page.move(0, option=0)
        await friend.turn(1)
        await page.say(Replace("agent1", Wanted("agent", "random")))
        assert "somebody else" in (await friend.get(Closed)).why
        await page.move(1, option=0)
        await page.turn(2)
        await page.say(Replace("agent1", Wanted("agent", "nobody")))
        await page.say(Replace("agent9", GREEDY))
        await page.until(lambda: len([t for t in page.all(Told) if t.status == "refused"]) == 2 or None)

    told(story)


def test_the_host_ends_a_game_at_any_time(told: Any) -> None:
    async def story(games: Games) -> None:
        for begun in (False, True):
            opened = await games.create(GamePlan(KITCHEN, ONE))
            host = await Page(games, opened.host).open()
            if begun:
                page = await Page(games, opened.seats["agent0"]).open()
                await page.move(0, option=0)
                await page.turn(1)
            await host.say(End())
            assert (await over(host)).status == "interrupted"
            _, record = await games.record(opened.host)
            assert verify(episode_in(record, "the game")).steps == int(begun)
            late = await Page(games, opened.seats["agent0"]).open()
            assert (await over(late)).record
            assert (await late.get(Frame)).deciding == ()

    told(story)


def test_only_the_host_may_do_what_is_the_hosts(told: Any) -> None:
    async def story(games: Games) -> None:
        opened = await games.create(GamePlan(KITCHEN, TWO))
        other = await games.create(GamePlan(KITCHEN, TWO))
        pages = [
            await Page(games, opened.seats["agent0"]).open(),
            await Page(games, opened.seats["agent1"], host=other.host).open(),  # of another game
            await Page(games, opened.watch).open(),
        ]
        for page in pages:
            for message in (End(), Begin(), Renew("agent1"), Replace("agent1", GREEDY)):
                await page.say(message)
            await page.until(lambda p=page: len(p.all(Told)) == 4 or None)
            assert {answer.status for answer in page.all(Told)} == {"refused"}
            await page.say(Ping(3))
            assert (await page.get(Pong)).id == 3
            with pytest.raises(Refused, match="record"):
                await games.record(page.hello.token)
        onlooker = pages[2]
        await onlooker.say(Move(1, 0, option=0))
        await onlooker.say(Leave())
        await onlooker.until(lambda: len(onlooker.all(Told)) == 6 or None)
        assert {answer.status for answer in onlooker.all(Told)} == {"refused"}

    told(story)


def test_only_what_the_server_offers_can_be_opened(told: Any, tmp_path: Path) -> None:
    async def story(games: Games) -> None:
        file = tmp_path / "mine.json"
        file.write_text("{}")
        for plan in (
            GamePlan("nowhere/at_all"),
            GamePlan(str(file)),
            GamePlan(str(tmp_path)),
            GamePlan("../../etc/passwd"),
            GamePlan("timearena/singles"),
            GamePlan(KITCHEN, {"agent7": PERSON}),
            GamePlan(KITCHEN, {"agent0": Wanted("agent", "os:system")}),
            GamePlan(KITCHEN, {"agent0": Wanted("agent", f"replay:{file}")}),
            GamePlan(KITCHEN, {"agent0": Wanted("agent", "greedy+greedy")}),
            GamePlan(KITCHEN, {"agent0": Wanted("agent", "human")}),
            GamePlan(KITCHEN, {"agent0": Wanted("model", "act", "gpt-of-somebody")}),
            GamePlan(KITCHEN, {"agent0": Wanted("model", "no-method", "stand-in:skill=1")}),
            GamePlan(KITCHEN, ONE, stand_in="replay:x.jsonl"),
            GamePlan(KITCHEN, ONE, rules="no such rules"),
        ):
            with pytest.raises(Exception) as caught:
                await games.create(plan)
            assert (
                isinstance(caught.value, Exception)
                and type(caught.value).__module__ == "backburner.kernel.errors"
            )
            assert "\n" not in str(caught.value)
        assert not games.games()

    told(story)


def test_there_is_an_end_to_how_many_games_are_open(told: Any) -> None:
    async def story(games: Games) -> None:
        for _ in range(2):
            await games.create(GamePlan(KITCHEN, ONE))
        with pytest.raises(Refused, match="2 games are open"):
            await games.create(GamePlan(KITCHEN, ONE))

    told(story, most_games=2)


def test_whoever_was_there_has_time_to_find_the_server_again(tmp_path: Path) -> None:
    async def story() -> None:
        plan = GamePlan(KITCHEN, TWO, quorum=1, away_seconds=0.0, lobby_seconds=0.0)
        async with serving(tmp_path) as games:
            opened = await games.create(plan)
            page = await Page(games, opened.seats["agent0"]).open()
            assert (await page.move(option=0)).status == "accepted"
            await page.turn(1)
        async with serving(tmp_path) as games:
            await asyncio.sleep(0.3)
            page = await Page(games, opened.seats["agent0"]).open()
            assert (await page.turn()).number == 1
            assert (await page.move(option=0)).status == "accepted"
            await page.turn(2)
            assert thoughts(page, 1, "agent0") == []
            assert thoughts(page, 1, "agent1") == ["greedy: away"]  # whoever never came is not waited for

    asyncio.run(story())
