"""Demands on what a person at a screen is given: scenes, and actions for keys and clicks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from backburner.kernel.conformance.expect import Expect
from backburner.kernel.conformance.walk import Point
from backburner.kernel.digest import canonical_json
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


def commands_are_on_the_menu(at: Point, expect: Expect) -> None:
    """Each command is an option of the menu, and an action of ``verbs`` with all its parameters."""
    world = at.world
    for seat in at.seats:
        commands = world.commands(at.state, seat)
        for command in commands:
            params = world.verbs.get(command.verb)
            expect(params is not None and set(params) == set(command.things), f"{command} is not in verbs")
        if at.menus:
            missing = _written(c.option.decision for c in commands) - _written(
                option.decision for option in at.menus[seat].options
            )
            expect(not missing, f"commands that are not on the menu of {seat}: {sorted(missing)[:3]}")


def _written(decisions: Iterable[object]) -> set[bytes]:
    return {canonical_json(decision) for decision in decisions}
