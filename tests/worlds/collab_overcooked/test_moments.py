"""Between two answers the kitchen can be watched step by step, and nothing else changes."""

from __future__ import annotations

from backburner.kernel.play import play_now
from backburner.kernel.replay import decisions_in, shots_of, trajectory
from backburner.worlds.collab_overcooked.game.rule_set import NO_LIMITS, STANDARD
from backburner.worlds.collab_overcooked.game.scenarios import scenario_of
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked
from support.collab_overcooked import answer, world_of
from support.collab_overcooked_pairs import ReferencePair

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
