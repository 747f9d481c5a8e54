"""People play in real browsers, with each other and with a model, to the end, in every world."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from playwright.sync_api import expect
from served import Site, Somebody, offered, play

import backburner
from backburner.agents.roster import make_policies
from backburner.agents.spec import AgentSpec
from backburner.kernel.claims import verify
from backburner.kernel.episode import Episode, episode_in
from backburner.kernel.play import play_now
from backburner.kernel.replay import trajectory

PEPPER = "collab_overcooked/baked_bell_pepper"


def named(name: str) -> dict[str, str]:
    return {"kind": "person", "name": name}


def model(site: Site) -> dict[str, str]:
    return {"kind": "model", "name": "act", "model": site.model}


def greedy_moves(id: str) -> dict[str, list[str]]:
    """What the greedy agent does in every seat, as menus call it."""
    world = backburner.world(id)
    policies = make_policies(AgentSpec("greedy"), world)
    with ThreadPoolExecutor(1) as aside:  # the browser's driver has this thread's loop
        episode = aside.submit(play_now, world, policies, 0).result()
    found: dict[str, list[str]] = {seat: [] for seat in world.seats}
    before = world.start(0)
    for _, entry, step in trajectory(episode, world):
        for seat, answer in entry.answers.items():
            menu = world.menu(before, seat).options  # type: ignore[attr-defined]
            wanted = world.parse(before, seat, answer.text) if answer.decision is None else answer.decision  # type: ignore[attr-defined]
            label = next((o.label for o in menu if o.decision == wanted), "")
            found[seat].append(label)
        before = step.state
    return found


def replayed(content: bytes) -> Episode:
    """The record of a game: an ordinary one, that plays again to the same end."""
    episode = episode_in(content, "the game")
    assert verify(episode).finished
    return episode


def shows_end(somebody: Somebody, episode: Episode) -> None:
    """The page tells the numbers that the record has."""
    assert episode.ending is not None
    shown = somebody.numbers()
    assert len(shown) == len(episode.ending.numbers)
    assert sorted(shown.values()) == pytest.approx(
        sorted(map(float, episode.ending.numbers.values())), abs=0.01
    )


def types_first(somebody: Somebody, *wanted: str) -> str:
    """Type the first of these moves that can be made now."""
    labels = offered(somebody)
    move = next(
        (label for beginning in wanted for label in labels if label.startswith(beginning)), wanted[-1]
    )
    somebody.types(move)
    return move


def test_two_people_and_a_model_cook_together(site: Site, sitting: Any) -> None:
    """CuisineWorld: one clicks, one types; both are asked at once, and so is the model."""
    id = "cuisineworld/level_0@bodies=3,seats=each,tau=1.5"
    opened = site.opens(id, {"agent0": named("Ann"), "agent1": named("Bob"), "agent2": model(site)})
    people = {seat: sitting(site, opened["seats"][seat]) for seat in ("agent0", "agent1")}
    plans = greedy_moves(id)

    def moves(seat: str, somebody: Somebody) -> None:
        number = somebody.messages("turn")[-1]["number"]
        label = plans[seat][number] if number < len(plans[seat]) else ""
        label = label if label in offered(somebody) else f"noop_{seat}"
        if seat == "agent1":
            somebody.types(label)
        else:
            somebody.page.locator(".moves button.option").nth(offered(somebody).index(label)).click()

    play(people, moves)
    episode = replayed(site.record(opened["seats"]["agent0"]))
    players = episode.header.players
    assert [players[seat].name for seat in ("agent0", "agent1")] == ["human", "human"]
    assert "stand-in" in players["agent2"].name
    assert episode.ending is not None and episode.ending.numbers["completed"] >= 1
    for somebody in people.values():
        shows_end(somebody, episode)


def test_two_people_talk_and_deliver(site: Site, sitting: Any) -> None:
    """Collab-Overcooked: the chef alone knows the recipe, and asks in words."""
    opened = site.opens(
        "collab_overcooked/baked_bell_pepper", {"chef": named("Ann"), "assistant": named("Bob")}
    )
    people = {seat: sitting(site, opened["seats"][seat]) for seat in ("chef", "assistant")}
    cook(people)
    episode = replayed(site.record(opened["host"]))
    assert episode.ending is not None and episode.ending.reason == "completed"
    for somebody in people.values():
        shows_end(somebody, episode)
        expect(somebody.page.get_by_text("A bell pepper, please").first).to_be_visible()


def cook(people: dict[str, Somebody]) -> None:
    """A baked bell pepper; the assistant is played by whoever sits there."""
    asked = []

    def moves(seat: str, somebody: Somebody) -> None:
        if seat == "assistant":
            types_first(somebody, "place_obj", "pickup(bell_pepper" if len(asked) == 1 else "wait(3)")
            asked.append(seat)
        elif not asked:
            asked.append(seat)
            somebody.types(
                "request('pickup(bell_pepper,ingredient_dispenser)'); request('place_obj_on_counter()') "
                "say: A bell pepper, please, on a counter. [END]"
            )
        else:
            wanted = ("deliver", "pickup(baked", "bake", "put_obj_in_utensil(oven", "pickup(bell", "wait(1)")
            types_first(somebody, *wanted)

    play(people, moves)


def test_a_person_and_a_model_talk_and_deliver(site: Site, sitting: Any) -> None:
    opened = site.opens(PEPPER, {"chef": named("Ann"), "assistant": model(site)})
    chef = sitting(site, opened["seats"]["chef"])
    cook({"chef": chef})
    episode = replayed(site.record(opened["host"]))
    assert episode.ending is not None
    shows_end(chef, episode)


def test_two_people_move_two_robots(site: Site, sitting: Any) -> None:
    """Robotouille: a kitchen for two robots, each of which somebody moves."""
    id = "robotouille/multi_agent/1@seed=42"
    plans = greedy_moves(id)
    opened = site.opens(id, {"robot1": named("Ann"), "robot2": named("Bob")})
    people = {seat: sitting(site, opened["seats"][seat]) for seat in plans}
    play(people, lambda seat, somebody: somebody.types(plans[seat].pop(0)))
    episode = replayed(site.record(opened["seats"]["robot2"]))
    assert episode.ending is not None and episode.ending.reason == "completed"
    for somebody in people.values():
        shows_end(somebody, episode)


def test_somebody_alone_does_several_things_at_once(site: Site, sitting: Any) -> None:
    """TimeArena, a board of things; each move by the number in front of it."""
    id = "timearena/household1"
    (plan,) = greedy_moves(id).values()
    opened = site.opens(id, {"agent": named("Ann")})
    ann = sitting(site, opened["seats"]["agent"])
    play(
        {"agent": ann},
        lambda _, somebody: somebody.page.keyboard.press(str(offered(somebody).index(plan.pop(0)) + 1)),
    )
    episode = replayed(site.record(opened["seats"]["agent"]))
    assert episode.ending is not None and episode.ending.reason == "completed"
    shows_end(ann, episode)


def test_somebody_alone_cooks_two_recipes(site: Site, sitting: Any) -> None:
    """Recipe2Plan: whatever can be done first."""
    opened = site.opens("recipe2plan/Cobbler+Pancakes@lags=off", {"cook": named("Ann")})
    ann = sitting(site, opened["seats"]["cook"])
    play({"cook": ann}, lambda _, somebody: somebody.page.locator(".moves button.option").first.click())
    episode = replayed(site.record(opened["seats"]["cook"]))
    assert episode.ending is not None and episode.ending.reason == "completed"
    shows_end(ann, episode)
