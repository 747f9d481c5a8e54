"""Demands on what a person at a screen is given."""

from __future__ import annotations

from collections.abc import Iterator

from backburner.kernel.conformance.expect import Expect
from backburner.kernel.conformance.walk import Point
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


def _progress(scene: Scene) -> Iterator[Progress]:
    for place in scene.places:
        yield from place.progress
    for body in scene.bodies:
        yield from body.progress
    for thing in scene.things():
        yield from thing.progress
