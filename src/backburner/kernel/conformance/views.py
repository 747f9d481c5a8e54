"""Demands on what a person at a screen is given: scenes, moments within a step, keys and clicks."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from backburner.kernel.conformance.expect import Expect
from backburner.kernel.conformance.walk import Point, Walk
from backburner.kernel.menu import Menus
from backburner.kernel.scene import Progress, Scene


def scenes_fit_their_grid(at: Point, expect: Expect) -> None:
    """Places and bodies are on the grid, each place on a cell of its own, each thing in one place."""
    for seat in (None, *at.world.seats):
        scene: Scene = at.world.scene(at.state, seat)
        expect.same(at.world.scene(at.restored, seat), scene, f"the scenes of equal states, for {seat}")
        standing = [place.at for place in scene.places]
        cells = {*standing, *(body.at for body in scene.bodies if body.at is not None)}
        outside = [cell for cell in cells if not (0 <= cell[0] < scene.width and 0 <= cell[1] < scene.height)]
        expect(not outside, f"not on a grid of {scene.width} by {scene.height}: {outside}")
        expect(len(set(standing)) == len(standing), f"two places on one cell: {sorted(standing)}")
        names = [place.name for place in scene.places] + [body.name for body in scene.bodies]
        names += [thing.name for thing in scene.things()]
        twice = sorted({name for name in names if names.count(name) > 1})
        expect(not twice, f"more than once in the scene: {', '.join(twice)}")
        for progress in _progress(scene):
            known = 0 <= progress.done <= progress.full and progress.full > 0
            expect(known, f"{progress.label} has come to {progress.done} of {progress.full}")


def moments_lie_within_the_step(at: Point, expect: Expect) -> None:
    """Times of moments rise or stay, from what came before to the end of the step; each has a scene."""
    step = at.step
    moments = at.world.between(at.state, dict(at.decisions))
    again = at.world.between(at.restored, dict(at.decisions))
    expect.same(tuple(again), tuple(moments), "moments, asked twice")
    ended = at.world.outcome(step.state).numbers.get(at.world.time_unit, -inf)
    last = max((ended, *(event.time for event in step.events)))
    now = max((event.time for _, before in at.walk.steps for event in before.events), default=-inf)
    for time, state in moments:
        expect(now <= time <= last, f"a moment at {time}, between {now} and the end at {last}")
        now = time
        expect(isinstance(at.world.scene(state), Scene), f"the moment at {time} has no scene")
    expect(True, "")


def controls_are_for_verbs(walk: Walk, expect: Expect) -> None:
    """Every key and click is for a verb of the world's menus, and a parameter of it."""
    verbs = walk.world.verbs if isinstance(walk.world, Menus) else {}
    for where, entry in walk.world.controls.entries():
        expect(entry.name in verbs, f"{where} is for {entry.name!r}, which is no verb of a menu")
        params = verbs.get(entry.name, ())
        expect(entry.param in (None, *params), f"{where}: {entry.name!r} has no parameter {entry.param!r}")


def _progress(scene: Scene) -> Iterator[Progress]:
    for place in scene.places:
        yield from place.progress
    for body in scene.bodies:
        yield from body.progress
    for thing in scene.things():
        yield from thing.progress
