"""Games that are carried out on a server: agreed to, one at a time, put back; bots do all they are told."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from backburner.kernel.claims import check
from backburner.kernel.episode import Episode, read_episode
from backburner.kernel.errors import Refused
from backburner.live import host
from backburner.live.host import LiveHost, Place
from backburner.live.install import find
from backburner.serve import seating
from backburner.serve.catalogue import scenario_told
from backburner.serve.games import Games
from backburner.serve.protocol import End, GamePlan, Opened, Over, Replace, Told, Wanted, Welcome
from backburner.serve.seating import Unconfirmed
from support.live.bots import asked_of, bots_in
from support.serve.serving import Page, over, serving

FARM = "minecraft/level_1@instructor=yes,live=yes"
PERSON, GREEDY = Wanted("person"), Wanted("agent", "greedy")
INSTRUCTED = GamePlan(FARM, {"instructor": PERSON, "dispatcher": GREEDY}, agreed=True)
AGENTS = GamePlan("minecraft/level_1@live=yes", {"dispatcher": GREEDY}, agreed=True)
CHAT = Wanted("agent", "chat")
CHATTED = GamePlan(FARM, {"instructor": CHAT, "dispatcher": GREEDY}, agreed=True)
PLACE = "example.org:25565"
PATIENCE_SECONDS = 120.0
"""Of a busy machine, each of whose tests starts a few processes."""


def elsewhere(folder: Path, *, agreed: bool = False, persons: Sequence[str] = (), **script: Any) -> LiveHost:
    if not folder.exists():
        bots_in(folder, **script)
    return LiveHost(Place(find(folder), "example.org", 25565), agreed, lambda told: None, persons)


@asynccontextmanager
async def site(folder: Path, **options: Any) -> AsyncIterator[Games]:
    async with serving(folder / "site", remote_server=elsewhere(folder / "bots", **options)) as games:
        yield games


def run(playing: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            await playing()

    asyncio.run(bounded())


def did(folder: Path) -> list[str]:
    return [line["do"] for line in asked_of(folder / "bots")]


def record_of(folder: Path, opened: Opened) -> Episode:
    episode = read_episode(folder / "site" / "games" / f"{opened.game}.jsonl")
    assert check(episode) == len(episode.entries)
    return episode


async def ended(games: Games, opened: Opened) -> Over:
    """How a game ended, for one who looks on."""
    return await over(await Page(games, opened.watch).open())


def test_nothing_is_changed_before_somebody_has_agreed_to_it(tmp_path: Path) -> None:
    async def playing() -> None:
        async with site(tmp_path) as games:
            with pytest.raises(
                Unconfirmed, match=f"nobody has agreed to the 3 changes .* on {PLACE}"
            ) as told:
                await games.create(GamePlan(FARM, {"instructor": PERSON}))
            assert any(change.endswith("air -> furnace") for change in told.value.changes)
            assert not games.games()
            assert all(each["dry_run"] for each in asked_of(tmp_path / "bots", "prepare"))
            await games.create(INSTRUCTED)
        waited = ["join", "observe", "prepare", "observe", "prepare"]
        assert did(tmp_path)[: len(waited)] == waited  # bots were there when the answer came

    run(playing)


def test_bots_that_wait_in_vain_leave(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "SECONDS_TO_AGREE", 0.05)

    async def playing() -> None:
        async with site(tmp_path) as games:
            with pytest.raises(Unconfirmed):
                await games.create(GamePlan(FARM, {"instructor": PERSON}))
            while "leave" not in did(tmp_path):
                await asyncio.sleep(0.02)
            await games.create(INSTRUCTED)
            assert did(tmp_path).count("join") == 2

    run(playing)


def test_a_person_instructs_and_bots_do_what_the_agent_makes_of_it(tmp_path: Path) -> None:
    async def playing() -> None:
        async with site(tmp_path, agreed=True) as games:
            opened = await games.create(INSTRUCTED)
            assert list(opened.seats) == ["instructor"]
            page = await Page(games, opened.seats["instructor"], host=opened.host).open()
            told = {seat.seat: (seat.kind, seat.player) for seat in (await page.get(Welcome)).seats}
            assert told["server"] == ("agent", "live")
            for line in ("cook", "keep"):
                assert (await page.move(line=line)).status == "accepted"
            await page.turn(6)
            await page.say(Replace("server", PERSON))
            await page.until(lambda: page.all(Told)[-1].status == "refused" or None)
            with pytest.raises(Refused, match=f"a game is being played on {PLACE}, and only one can be"):
                await games.create(AGENTS)
            await page.say(End())
            assert (await over(page)).status == "interrupted"
            for name in ("restore", "leave"):
                while name not in did(tmp_path):
                    await asyncio.sleep(0.01)
            again = await games.create(AGENTS)  # now others may
            await games.forget(again.game)
        episode = record_of(tmp_path, opened)
        assert episode.header.players["server"].name == "live"
        assert [entry.answers["server"].decision["report"]["ticks"] for entry in episode.entries[2::3]] == [
            100,
            100,
        ]
        assert did(tmp_path).count("restore") == 2

    run(playing)


def said_in(episode: Episode) -> list[str | None]:
    """What the instructor of a game said, step for step; ``None``: nothing."""
    return [
        entry.answers["instructor"].decision.get("instruction")
        for entry in episode.entries
        if "instructor" in entry.answers
    ]


@pytest.mark.parametrize(
    ("persons", "heard"), [((), ["alex, go to the chest", None, "steve, wait"]), (("Steve",), [None])]
)
def test_chat_on_the_server_instructs(
    tmp_path: Path, persons: tuple[str, ...], heard: list[str | None]
) -> None:
    async def playing() -> None:
        chat = {1: ["alex, go to the chest"], 3: ["steve, wait"]}
        async with site(tmp_path, agreed=True, persons=persons, chat=chat) as games:
            opened = await games.create(CHATTED)
            assert not opened.seats
            page = await Page(games, opened.host).open()
            told = {seat.seat: (seat.kind, seat.player) for seat in (await page.get(Welcome)).seats}
            assert told["instructor"] == ("agent", "chat")
            await page.until(lambda: page.game.number >= 15 or None)
            await page.say(End())
            assert (await over(page)).status == "interrupted"
        episode = record_of(tmp_path, opened)
        player = episode.header.players["instructor"]
        assert player.name == "chat" and player.settings == ({"persons": list(persons)} if persons else {})
        assert said_in(episode)[: 1 + len(heard)] == [None, *heard]

    run(playing)


def test_a_person_and_the_chat_take_turns_at_the_seat(tmp_path: Path) -> None:
    """What was said while the person had the seat is no instruction afterwards."""

    async def playing() -> None:
        chat = {1: ["steve, wait"], 2: ["alex, go to the chest"]}
        async with site(tmp_path, agreed=True, chat=chat) as games:
            opened = await games.create(INSTRUCTED)
            page = await Page(games, opened.seats["instructor"], host=opened.host).open()
            await page.move(line="cook")
            await page.turn(3)
            host = await Page(games, opened.host).open()
            await host.say(Replace("instructor", CHAT))
            await host.until(lambda: host.game.number >= 9 or None)
            await host.say(Replace("instructor", PERSON))
            await host.until(lambda: host.game.seats["instructor"].is_person or None)
            await host.say(Replace("dispatcher", CHAT))
            await host.until(lambda: host.all(Told) or None)
            assert (host.last(Told).status, host.last(Told).why) == (
                "refused",
                "chat cannot play dispatcher: what is said there are words of instructor",
            )
            await host.say(End())
            await over(host)
        assert said_in(record_of(tmp_path, opened))[:3] == ["cook", None, "alex, go to the chest"]

    run(playing)


@pytest.mark.parametrize(
    ("scenario", "seat", "why"),
    [
        (
            "minecraft/level_1@instructor=yes",
            "instructor",
            "minecraft/level_1@instructor=yes is not played on a server; live=yes has it so",
        ),
        (
            "minecraft/level_1@live=yes",
            "dispatcher",
            "in minecraft/level_1@live=yes nobody instructs",
        ),
        (FARM, "dispatcher", "what is said there are words of instructor"),
        ("cuisineworld/level_1", "dispatcher", "cuisineworld/level_1 is not played on a server"),
    ],
)
def test_chat_has_no_other_seat_and_no_other_game(tmp_path: Path, scenario: str, seat: str, why: str) -> None:
    async def playing() -> None:
        async with site(tmp_path, agreed=True) as games:
            with pytest.raises(Refused) as refused:
                await games.create(GamePlan(scenario, {seat: CHAT}, agreed=True))
            assert str(refused.value) == f"chat cannot play {seat}: {why}"
        async with serving(tmp_path / "other") as games:
            with pytest.raises(Refused) as refused:
                await games.create(GamePlan(scenario, {seat: CHAT}))
            assert str(refused.value) == (f"chat cannot play {seat}: no game is carried out on a server here")
        assert not asked_of(tmp_path / "bots")

    run(playing)


def test_what_friendly_play_explains_is_asked_of_no_bot(tmp_path: Path) -> None:
    async def playing() -> None:
        async with site(tmp_path, agreed=True) as games:
            plan = GamePlan("minecraft/level_1@live=yes", {"dispatcher": PERSON}, agreed=True)
            page = await Page(games, (await games.create(plan)).seats["dispatcher"]).open()
            explained = await page.move(line="killMob(alex, sheep)")
            assert explained.status == "explained" and "no sheep near me" in explained.why
            assert not asked_of(tmp_path / "bots", "act")
            assert (await page.move(line="goto(alex, sheep)")).status == "accepted"
            await page.turn(2)
            assert len(asked_of(tmp_path / "bots", "act")) == 1

    run(playing)


def test_a_server_that_goes_ends_its_game_with_one_line_and_the_site_lives_on(tmp_path: Path) -> None:
    async def playing() -> None:
        async with site(tmp_path, agreed=True, gone_at=2) as games:
            opened = await games.create(AGENTS)
            told = await ended(games, opened)
            assert (told.status, told.reason) == ("failed", "server")
            assert told.why.startswith("no Minecraft server answers any more")
            ending = record_of(tmp_path, opened).ending
            assert ending and (ending.status, ending.error) == ("failed", told.why)
            assert (await ended(games, await games.create(AGENTS))).status == "failed"  # others are played

    run(playing)


def test_a_site_that_ends_puts_everything_back_and_its_game_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seating, "LOOK_SECONDS", 600.0)  # nobody waits for the next look at who is there
    opened: list[Opened] = []

    async def playing() -> None:
        async with site(tmp_path, agreed=True) as games:
            opened.append(await games.create(INSTRUCTED))
            page = await Page(games, opened[0].seats["instructor"]).open()
            await page.move(line="cook")
            await page.turn(3)
        assert did(tmp_path)[-2:] == ["restore", "leave"]
        async with site(tmp_path, agreed=True) as games:
            assert not games.games()
        ending = record_of(tmp_path, opened[0]).ending
        assert ending and ending.status == "interrupted" and ending.steps == 3

    run(playing)


@pytest.mark.parametrize("begun", [True, False])
def test_a_game_does_not_go_on_after_the_site_was_killed(tmp_path: Path, begun: bool) -> None:
    """What was built elsewhere is gone then."""

    async def playing() -> None:
        async with site(tmp_path, agreed=True) as games:
            opened = await games.create(INSTRUCTED)
            if begun:
                page = await Page(games, opened.seats["instructor"]).open()
                await page.move(line="cook")
                await page.turn(3)
            shutil.copytree(tmp_path / "site", tmp_path / "killed")
        asked = len(did(tmp_path))
        async with serving(tmp_path / "killed", remote_server=elsewhere(tmp_path / "bots")) as games:
            assert (await ended(games, opened)).status == "interrupted"
            assert not games.games()
        assert len(did(tmp_path)) == asked
        file = tmp_path / "killed" / "games" / f"{opened.game}.jsonl"
        assert check(read_episode(file)) == (3 if begun else 0)

    run(playing)


def test_a_game_that_nobody_looks_at_ends_so_that_others_may_play(tmp_path: Path) -> None:
    async def playing() -> None:
        async with site(tmp_path, agreed=True) as games:
            games.remote.idle_seconds = 0.1
            opened = await games.create(INSTRUCTED)
            while games.games():
                await asyncio.sleep(0.02)
            assert (await ended(games, opened)).status == "interrupted"

    run(playing)


def test_without_a_server_all_is_as_predicted_and_nobody_sits_at_the_seat(tmp_path: Path) -> None:
    async def playing() -> None:
        async with serving(tmp_path) as games:
            with pytest.raises(Refused, match="nobody is seated at server"):
                await games.create(GamePlan(FARM, {"server": PERSON}))
            opened = await games.create(AGENTS)
            assert (await ended(games, opened)).status == "ended"
            episode = read_episode(tmp_path / "games" / f"{opened.game}.jsonl")
            assert episode.header.players["server"].name == "as-predicted"

    run(playing)


def test_the_lobby_is_told_where_a_scenario_can_be_played() -> None:
    here, there = (
        scenario_told("minecraft/level_1@tau=1.5"),
        scenario_told("minecraft/level_1@live=yes,tau=1.5"),
    )
    assert (here.reported, here.other_place) == (False, there.id)
    assert (there.reported, there.other_place) == (True, here.id)
    assert here.seats == there.seats == ("dispatcher",)
    assert scenario_told("cuisineworld/level_1").other_place == ""


def test_chat_is_offered_where_somebody_instructs_on_a_server() -> None:
    assert scenario_told(FARM, remote=True).chat == "instructor"
    assert scenario_told(FARM).chat == ""
    for id in ("minecraft/level_1@instructor=yes", AGENTS.scenario, "cuisineworld/level_1"):
        assert scenario_told(id, remote=True).chat == ""


@pytest.mark.parametrize("again", [True, False])
def test_a_game_with_chat_is_over_after_the_site_was_killed_also_without_a_server(
    tmp_path: Path, again: bool
) -> None:
    async def playing() -> None:
        async with site(tmp_path, agreed=True) as games:
            opened = await games.create(CHATTED)
            page = await Page(games, opened.host).open()
            await page.until(lambda: page.game.number >= 3 or None)
            shutil.copytree(tmp_path / "site", tmp_path / "killed")
        options = {"remote_server": elsewhere(tmp_path / "bots")} if again else {}
        async with serving(tmp_path / "killed", **options) as games:
            assert (await ended(games, opened)).status == "interrupted"
        episode = read_episode(tmp_path / "killed" / "games" / f"{opened.game}.jsonl")
        assert check(episode) >= 3 and episode.header.players["instructor"].name == "chat"

    run(playing)
