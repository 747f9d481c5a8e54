"""What a listener is told, and what can be watched between two answers; neither changes play."""

from __future__ import annotations

from typing import Any

from backburner.kernel.play import play_now
from backburner.kernel.replay import decisions_in, shots_of, trajectory
from backburner.kernel.values import Refusal
from backburner.worlds.collab_overcooked.game.kitchen_step import Listener
from backburner.worlds.collab_overcooked.game.reading import reply_of
from backburner.worlds.collab_overcooked.game.rule_set import NO_LIMITS, STANDARD
from backburner.worlds.collab_overcooked.game.scenarios import scenario_of
from backburner.worlds.collab_overcooked.game.state import SEATS, Ask, Reply, State
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked
from support.collab_overcooked.kitchens import answer, world_of
from support.collab_overcooked.pairs import ReferencePair

SOUP = "baked_bell_pepper_soup"


def test_a_walk_is_shown_step_by_step() -> None:
    """The assistant stands on (1,2) and fetches an egg at (0,1): north, turn west, take."""
    world = world_of("boiled_egg")
    state = answer(world, world.start(), "wait(20)")
    decided = {"assistant": world.parse(state, "assistant", "pickup(egg,ingredient_dispenser)")}
    passed = world.between(state, decided)
    assert [time for time, _ in passed] == [1, 2]
    bodies = [moment.kitchen.bodies[1] for _, moment in passed]
    assert [world.compiled.grid.at(body.cell) for body in bodies] == [(1, 1), (1, 1)]
    assert [body.facing for body in bodies] == [0, 3]
    after = world.step(state, decided).state
    assert after.kitchen.steps == 3 and after.kitchen.bodies[1].held == "egg"


def test_a_record_has_a_shot_for_every_step_of_the_kitchen() -> None:
    world = CollabOvercooked(f"collab_overcooked/{SOUP}", scenario_of(SOUP, {}), STANDARD, NO_LIMITS)
    episode = play_now(world, ReferencePair(SOUP))
    shots = shots_of(episode, world)
    times = [shot.time for shot in shots]
    assert times == sorted(times) and set(times) == set(range(37))
    assert episode.ending is not None and episode.ending.numbers["steps"] == 36
    assert shots[0].step == -1 and shots[-1].step == len(episode.entries) - 1
    assert shots[-1].scene.caption == "step 36 · orders: none · delivered: 1"
    assert all(shot.scene.caption.startswith(f"step {shot.time} ") for shot in shots)


def test_a_step_that_lasts_shows_all_but_its_last_moment() -> None:
    world = world_of("boiled_egg")
    episode = play_now(world, ReferencePair("boiled_egg", talking=False))
    for state, entry, step in trajectory(episode, world):
        passed = world.between(state, decisions_in(world, entry))
        assert len(passed) == max(0, step.state.kitchen.steps - state.kitchen.steps - 1)


class Recorder(Listener):
    """Writes down what it is told, in its order."""

    def __init__(self) -> None:
        self.told: list[tuple[Any, ...]] = []

    def planned(self, cook: int, now: int, ask: Ask, reply: Reply, requests: tuple[str, ...]) -> None:
        self.told.append(("planned", cook, now, ask, reply.plan, requests))

    def said(self, cook: int, now: int, reply: Reply, opens: bool) -> None:
        self.told.append(("said", cook, now, reply.say, opens))

    def refused(self, cook: int, now: int, call: str, refusal: Refusal) -> None:
        self.told.append(("refused", cook, now, call, refusal.code))

    def acted(self, cook: int, now: int, call: str) -> None:
        self.told.append(("acted", cook, now, call))

    def passed(self, state: State) -> None:
        self.told.append(("passed", state.kitchen.steps))


def test_a_listener_is_told_of_plans_words_refusals_and_deeds() -> None:
    """The chef asks for an egg and waits; the assistant agrees, then fetches it in three steps."""
    egg = "pickup(egg,ingredient_dispenser)"
    world, recorder = world_of("boiled_egg"), Recorder()
    rules = world.rulebook.with_listener(recorder)
    state = rules.start(0)
    for reply in (
        reply_of(f"request('{egg}')", "wait(3)", say="An egg. [END]"),
        reply_of(egg, say="At once."),
        reply_of("cut(chopping_board0)"),
    ):
        state = rules.step(state, {SEATS[state.asked]: reply}).state
    asked = (f"request('{egg}')", "wait(3)")
    assert recorder.told[:5] == [
        ("planned", 0, 0, "plan", asked, ()),
        ("said", 0, 0, "An egg. [END]", True),
        ("planned", 1, 0, "answer", (egg,), (egg,)),
        ("said", 1, 0, "At once.", False),
        ("passed", 1),
    ]
    assert recorder.told[5:9] == [
        ("passed", 2),
        ("acted", 1, 3, egg),
        ("passed", 3),
        ("planned", 0, 3, "plan", ("cut(chopping_board0)",), ()),
    ]
    assert recorder.told[9] == ("refused", 0, 3, "cut(chopping_board0)", "operate_unreachable")


def test_play_is_the_same_with_a_listener() -> None:
    world = world_of("boiled_egg")
    episode = play_now(world, ReferencePair("boiled_egg"))
    rules = world.rulebook.with_listener(Recorder())
    for state, entry, step in trajectory(episode, world):
        assert rules.step(state, decisions_in(world, entry)) == step
