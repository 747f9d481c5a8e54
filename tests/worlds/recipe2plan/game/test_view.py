"""Recipe2Plan as a board: steps that are done, under way, and those that may not wait for long."""

from __future__ import annotations

from backburner.kernel import registry
from backburner.kernel.view import Place, Progress, Scene, Thing
from backburner.worlds.recipe2plan.game.state import Cook, Piece, State

WORLD = registry.world("recipe2plan/Cobbler+Pancakes")


def cooked(*pieces: tuple[int, str, int, int]) -> State:
    """After these actions: step, recipe, seconds, start."""
    state: State = WORLD.start()
    for piece in pieces:
        step = WORLD.step(state, {"cook": Cook((Piece(*piece),))})
        assert not step.refusals
        state = step.state
    return state


def on(scene: Scene, name: str) -> Place:
    return next(place for place in scene.places if place.name == name)


def steps(state: State, recipe: str) -> dict[int, Thing]:
    return dict(enumerate(on(WORLD.scene(state, "cook"), recipe).stack))


def test_steps_are_done_under_way_or_open() -> None:
    # The oven heats from 0 to 600 by itself; butter is measured from 0 to 120.
    state = cooked((0, "Cobbler", 600, 0), (1, "Cobbler", 120, 0))
    scene, of = WORLD.scene(state, "cook"), steps(state, "Cobbler")
    assert on(scene, "oven").marks == ("in use", "350 °F") and on(scene, "stove").marks == ("free",)
    assert on(scene, "Cobbler").marks == ("1 of 8 done",)
    assert of[0].progress == (Progress("under way", 120, 600),)
    assert of[1].marks == ("done",) and of[2].marks == of[2].progress == ()
    assert of[1].traits[1:] == ("2 min", "may be split")


def test_a_step_that_must_not_wait_says_how_much_of_its_time_is_gone() -> None:
    # Butter melts from 120 to 180; step 3 must begin within 120 seconds of that. Stirring takes 180 seconds:
    # a piece of 90, from 180 to 270, leaves 30 of them, and is half of its own step.
    melted = ((1, "Cobbler", 120, 0), (2, "Cobbler", 60, 120))
    of = steps(cooked(*melted, (4, "Cobbler", 90, 180)), "Cobbler")
    assert of[3].progress == (Progress("to begin after step 2", 90, 120, runs_out=True),)
    assert of[4].progress == (Progress("done in part", 90, 180, paused=True),)
    # Up to the end of melting nothing runs out.
    assert steps(cooked(*melted), "Cobbler")[3].progress == ()


def test_what_came_too_late_says_so() -> None:
    state = cooked((1, "Cobbler", 120, 0), (2, "Cobbler", 60, 120), (5, "Pancakes", 300, 120))
    # Carrots hold the cook from 120 to 420; step 3 had to begin until 180 + 120 = 300. Play ends there.
    assert state.ended == "time_constraint"
    assert steps(state, "Cobbler")[3].marks == ("too late",)
