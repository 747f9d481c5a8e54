"""A page is shown its seat's view only: everything that goes over the wire is read."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator, Mapping
from json import dumps
from pathlib import Path
from typing import Any

import pytest

from backburner.kernel import registry
from backburner.kernel.contract import World
from backburner.kernel.text import Text, only
from backburner.kernel.turns import turn_of
from backburner.kernel.values import Seat
from backburner.kernel.view import View, events_known
from backburner.serve.audience import Views
from backburner.serve.players import reader_of, turn_told
from backburner.serve.protocol import (
    Frame,
    GamePlan,
    Over,
    Past,
    Turn,
    Wanted,
    Welcome,
    written,
)
from support.collab_overcooked import hiding as collab_overcooked_hiding
from support.cuisineworld import hiding as cuisineworld_hiding
from support.serve.serving import Page, serving

PERSON, GREEDY = Wanted("person"), Wanted("agent", "greedy")

ORDERS, COUNTERS = cuisineworld_hiding.hidden_variants, collab_overcooked_hiding.hidden_variants

HIDING: Mapping[str, Any] = {
    "cuisineworld/level_3@bodies=3,orders=hidden,seats=each": ORDERS,
    "cuisineworld/level_9@bodies=4,feedback=none,orders=hidden,seats=each": ORDERS,
    "collab_overcooked/boiled_egg": COUNTERS,
    "collab_overcooked/baked_potato_soup": COUNTERS,
}

EVERYWHERE = {
    "cuisineworld/level_3@bodies=2,head_chef=yes,orders=hidden": 12,
    "cuisineworld/level_0@bodies=2,decide=in_turn,seats=each": 12,
    "collab_overcooked/boiled_egg": 12,
    "robotouille/multi_agent/1@seed=42": 6,
    "timearena/cooking1": 6,
    "recipe2plan/Cobbler+Pancakes@knowledge=beliefs": 4,
}


def walk(world: World[Any, Any, Any], steps: int) -> Iterator[tuple[Any, dict[Seat, Any], Any]]:
    """(state, decisions, step) along a way that is drawn."""
    draw = random.Random(7)
    lists: Any = world
    state = world.start(0)
    for _ in range(steps):
        seats = world.deciders(state)
        if not seats:
            return
        decisions = {seat: draw.choice(lists.menu(state, seat).options).decision for seat in seats}
        step = world.step(state, decisions)
        yield state, decisions, step
        state = step.state


def sent(world: World[Any, Any, Any], state: Any, seat: Seat) -> str:
    """Frame and turn as a seat is sent them in a state."""
    views = Views(world, seed=0)
    views.moved(state, 0, ())
    frame = views.frame(seat, playing=True).text
    if seat not in world.deciders(state):
        return frame
    turn, reader = turn_of(world, state, seat, 0, 0), reader_of(world, strict=False)
    return frame + written(turn_told(world, turn, reader.options(turn), reader.keys, None))


@pytest.mark.parametrize("id", HIDING)
def test_what_is_sent_is_the_same_whatever_is_hidden(id: str) -> None:
    """In states, and after steps, that differ in nothing but what a seat may not know."""
    world, variants = registry.world(id), HIDING[id]
    compared = stepped = 0
    for state, decisions, step in walk(world, 60):
        for seat in world.seats:
            for variant in variants(world, state, seat):
                assert sent(world, variant, seat) == sent(world, state, seat)
                compared += 1
                other = world.step(variant, decisions)
                if world.observe(other.state, seat) == world.observe(step.state, seat):
                    mine = events_known(world, seat, state, step.events, step.state)
                    assert events_known(world, seat, variant, other.events, other.state) == mine
                    stepped += 1
    assert compared > 20 and stepped > 10


def told(tmp_path: Path, plan: GamePlan, moves: int, act: Callable[[int], dict[str, Any]]) -> dict[str, Page]:
    """The pages of all seats, the host and an onlooker after so many moves of people."""

    async def play() -> dict[str, Page]:
        async with serving(tmp_path) as games:
            opened = await games.create(plan)
            tokens = {**opened.seats, "host": opened.host, "watch": opened.watch}
            pages = {name: await Page(games, token).open() for name, token in tokens.items()}
            people = [pages[seat] for seat in opened.seats]
            for _ in range(moves):
                number = people[0].game.number
                asked = await people[0].until(
                    lambda: (
                        [p for p in people if p.all(Turn) and p.last(Turn).number == p.game.number]
                        or people[0].all(Over)
                        or None
                    )
                )
                if people[0].all(Over):
                    break
                for page in asked:
                    await page.move(page.game.number, **act(number))
                await people[0].until(
                    lambda n=number: people[0].game.number > n or people[0].all(Over) or None
                )
            late = {f"late {name}": await Page(games, token).open() for name, token in tokens.items()}
            for page in late.values():
                await page.get(Frame)
            await asyncio.sleep(0.05)
            return pages | late

    return asyncio.run(play())


@pytest.mark.parametrize("id", EVERYWHERE)
def test_every_message_to_a_seat_holds_its_view_alone(id: str, tmp_path: Path) -> None:
    world = registry.world(id)
    plan = GamePlan(id, dict.fromkeys(world.seats, PERSON))
    pages = told(tmp_path, plan, EVERYWHERE[id], lambda number: {"option": 0})
    game = pages["host"].game
    states, state, known = [], world.start(0), {seat: [] for seat in world.seats}
    for entry in game.entries:
        states.append(state)
        decisions = {
            seat: answer.decision if answer.unread is None else answer.unread
            for seat, answer in entry.answers.items()
        }
        after = world.step(state, decisions).state
        for seat in world.seats:
            known[seat] += events_known(world, seat, state, entry.events, after)
        state = after
    states.append(state)
    for seat in world.seats:
        for page in (pages[seat], pages[f"late {seat}"]):
            assert page.last(Frame).number == len(game.entries)
            for frame in page.all(Frame):
                if isinstance(world, View):
                    assert frame.scene == world.scene(states[frame.number], seat)
                elif isinstance(world, Text):
                    assert frame.text == world.describe(world.observe(states[frame.number], seat))
            events = [
                event
                for message in page.messages
                if isinstance(message, Past | Frame)
                for event in message.events
            ]
            assert events == known[seat]
            for turn in page.all(Turn):
                asked = turn_of(world, states[turn.number], seat, turn.number, 0)
                assert turn.text == asked.text
                assert [option.label for option in turn.options][: len(asked.menu.options)] == [
                    option.label for option in asked.menu.options
                ]
    everything = [event for entry in game.entries for event in entry.events]
    for name in ("host", "watch", "late host", "late watch"):
        page = pages[name]
        events = [
            event
            for message in page.messages
            if isinstance(message, Past | Frame)
            for event in message.events
        ]
        assert events == everything
        assert not page.all(Turn)


def test_an_assistant_is_never_sent_the_recipe(tmp_path: Path) -> None:
    id = "collab_overcooked/boiled_egg"
    world: Any = registry.world(id)
    recipe = only(world.briefing_parts("chef"), "recipes")
    lines = [line for line in recipe.splitlines() if line[:1].isdigit() or ": takes" in line]
    assert len(lines) == 3
    pages = told(tmp_path, GamePlan(id, dict.fromkeys(world.seats, PERSON)), 8, lambda number: {"option": 0})
    heard = {name: "".join(page.read) for name, page in pages.items()}
    assert all(dumps(line)[1:-1] in heard["chef"] for line in lines)
    for name in ("assistant", "late assistant"):
        assert not [line for line in lines if dumps(line)[1:-1] in heard[name]]


def test_what_somebody_thinks_or_types_in_vain_is_not_sent_to_others(tmp_path: Path) -> None:
    id = "collab_overcooked/boiled_egg"
    word = "xyzzy"

    async def play() -> None:
        async with serving(tmp_path) as games:
            opened = await games.create(GamePlan(id, {"chef": PERSON, "assistant": PERSON}))
            chef = await Page(games, opened.seats["chef"]).open()
            others = [await Page(games, token).open() for token in (opened.seats["assistant"], opened.watch)]
            slip = await chef.move(line=f"{word}()")
            assert slip.status == "explained"
            assert (await chef.move(line="wait(1)")).status == "accepted"
            await others[0].get(Turn)
            assert word in chef.game.record().decode()  # it stands in the record as a slip
            for page in others:
                assert not [message for message in page.read if word in message]

    asyncio.run(play())


@pytest.mark.parametrize(
    ("id", "is_told"),
    [
        ("timearena/cooking1", False),
        ("recipe2plan/Cobbler+Pancakes", False),
        ("robotouille/multi_agent/1@seed=42", False),
        ("cuisineworld/level_3@bodies=2", True),
    ],
)
def test_graphs_are_for_those_who_may_know_them(id: str, is_told: bool, tmp_path: Path) -> None:
    world = registry.world(id)
    pages = told(tmp_path, GamePlan(id, dict.fromkeys(world.seats, PERSON)), 0, lambda number: {})
    for seat in world.seats:
        assert bool(pages[seat].last(Welcome).graphs) == is_told
    for name in ("host", "watch"):
        graphs = pages[name].last(Welcome).graphs
        assert graphs
        for graph in graphs:
            at = {(node.column, node.y) for node in graph.nodes}
            assert len(at) == len(graph.nodes)
            assert all(edge[0] in at and edge[-1] in at for edge in graph.edges)
            assert all(0 <= node.y <= graph.height for node in graph.nodes)


def test_views_that_see_the_same_share_one_text() -> None:
    world = registry.world("cuisineworld/level_0@bodies=3,seats=each")
    views = Views(world, seed=0)
    frames = [views.frame(seat, playing=True) for seat in world.seats]
    assert all(frame is frames[0] for frame in frames)


def test_nobody_hears_that_an_order_ran_out_that_they_never_saw(tmp_path: Path) -> None:
    world: Any = registry.world("cuisineworld/level_3@bodies=2,orders=hidden,seats=each,tau=1.0")
    state, ran_out, heard = world.start(0), 0, 0
    for step_number in range(world.scenario.steps):
        verb = "goto_{}_storage0" if step_number == 0 else "noop_{}"
        decisions = {seat: world.parse(state, seat, verb.format(seat)) for seat in world.seats}
        step = world.step(state, decisions)
        for seat in world.seats:
            known = {order.number for order in world.sight.known_orders(state, seat)}
            for event in step.events:
                if event.what == "expired":
                    unseen = event.key not in {f"order {number}" for number in known}
                    told = event in events_known(world, seat, state, step.events, step.state)
                    assert told != unseen
                    ran_out, heard = ran_out + unseen, heard + told
        state = step.state
    assert ran_out and heard
