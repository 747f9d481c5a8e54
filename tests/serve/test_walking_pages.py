"""Pages show one's own step before the server tells of it: their rule of walking is held to the world's.

``web/test/walks.json`` is what the clocked kitchen does with random steps; ``web/test/walk.test.ts`` walks it
again by the page's rule. Here the file is compared with what the kitchen does now.

    python tests/serve/test_walking_pages.py    write the file anew
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import backburner
from backburner.worlds.clocked_kitchen.game.state import Input

FILE = Path(__file__).parents[2] / "web" / "test" / "walks.json"
KITCHENS = ("level_0@asks=always,bodies=2", "level_3@asks=always,bodies=4", "level_9@asks=always,bodies=6")
TICKS = 160


def steps_in(world: Any, chance: random.Random) -> Iterator[dict[str, Any]]:
    """The steps that the first body takes among others who walk about too: where from, where to, and after
    how many ticks it is free."""
    state = world.start(0)
    for _ in range(TICKS):
        ways = {seat: chance.choice(("up", "right", "down", "left")) for seat in world.seats}
        free = not world.free_from(state).get("agent0")
        told = {seat: Input((f"move_{seat}_{way}",)) for seat, way in ways.items() if chance.random() < 0.7}
        before, state = state, world.step(state, told).state
        if not free or "agent0" not in told:
            continue
        (own, *others), (after, *_) = world.scene(before).bodies, world.scene(state).bodies
        yield {
            "way": ways["agent0"],
            "others": [body.at for body in others],
            "from": {"at": own.at, "facing": own.facing},
            "to": {"at": after.at, "facing": after.facing},
            "ticks": world.free_from(state).get("agent0", state.tick) - before.tick,
        }


def written() -> str:
    """What the file holds: for each kitchen what its pages are told of walking, and steps."""
    lines = []
    for number, id in enumerate(KITCHENS):
        world: Any = backburner.world(f"clocked_kitchen/{id}")
        told = {"floor": world.walking.floor, "step_ticks": world.walking.step_ticks}
        steps = [json.dumps(step) for step in steps_in(world, random.Random(number))]
        lines.append(f'{{"walking": {json.dumps(told)}, "steps": [\n' + ",\n".join(steps) + "\n]}")
    return "[" + ",\n".join(lines) + "]\n"


def test_the_steps_that_pages_are_held_to_are_the_kitchens() -> None:
    assert FILE.read_text() == written(), "run this file to write them anew, then `make web`"
    steps = [step for kitchen in json.loads(FILE.read_text()) for step in kitchen["steps"]]
    ticks = {step["ticks"] for step in steps}
    assert ticks == {
        1,
        2,
        6,
    }  # against something; to the next cell; past somebody, whom the page does not know
    assert len(steps) > 100


if __name__ == "__main__":
    FILE.write_text(written())
