"""A farm on a server of the game itself, and the calls of a step as its bots take them.

A cell (x, z) of the scenario is the block at x, z on the server, moved so that the farm's lowest corner comes
to where it is asked for; all of it stands on one floor.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backburner.kernel.values import Seat
from backburner.live.messages import Act, Area, Call, Cell, PlacedBlock, PlacedMob, Prepare
from backburner.worlds.minecraft.game.facts import MOBS, WINDOW_TICKS, drops
from backburner.worlds.minecraft.game.reading import read_joint
from backburner.worlds.minecraft.game.state import State
from backburner.worlds.minecraft.game.transition import LEAD_TICKS, TRAIL_TICKS, WAIT_TICKS
from backburner.worlds.minecraft.game.world import Minecraft

MARGIN = 2
"""Cells around everything that belong to the area."""

HEIGHT = 3
MOST_KILLS = 200
RULES = {"doMobSpawning": "false"}
"""Game rules during play: no further mobs come."""


class MinecraftStage:
    """A scenario's farm, and its decisions under its rules."""

    def __init__(self, world: Minecraft) -> None:
        self.world = world
        self.bots = world.compiled.names
        self.kinds = (*world.compiled.block_kinds, *world.compiled.mob_kinds)
        scenario = world.scenario
        cells = [*(site.at for site in scenario.sites), *scenario.spawns]
        self.lowest = (min(x for x, _ in cells) - MARGIN, min(z for _, z in cells) - MARGIN)
        self.size = (
            max(x for x, _ in cells) + MARGIN - self.lowest[0],
            max(z for _, z in cells) + MARGIN - self.lowest[1],
        )

    def farm(self, corner: Cell) -> Prepare:
        """Furnace, chest, logs and mobs, and where bots begin."""
        x, y, z = corner

        def there(cell: tuple[int, int]) -> Cell:
            return cell[0] - self.lowest[0] + x, y, cell[1] - self.lowest[1] + z

        scenario = self.world.scenario
        return Prepare(
            area=Area(corner, (x + self.size[0], y + HEIGHT, z + self.size[1])),
            blocks=tuple(PlacedBlock(site.kind, there(site.at)) for site in scenario.blocks),
            mobs=tuple(PlacedMob(site.kind, there(site.at)) for site in scenario.mobs),
            starts={name: there(at) for name, at in zip(self.bots, scenario.spawns, strict=True)},
            rules=RULES,
        )

    def act(self, decisions: Mapping[Seat, Any]) -> Act | None:
        """The calls that can be tried, as the rules have them; what is no call is left out, as there."""
        world, rules = self.world, self.world.rules
        if not any(world.seating.bodies_of[seat] for seat in decisions):
            return None
        joint = read_joint(world.compiled, rules, world.call_reader, decisions)
        calls = tuple(
            Call(self.bots[call.body], call.verb, (call.thing,) if call.thing else ())
            for call, _, _ in joint.given
        )
        return Act(
            calls,
            before=LEAD_TICKS,
            after=TRAIL_TICKS,
            renew="during" if rules.late_renewal else "after",
            until="error" if rules.errors_end_step else "all",
            put_waits=WAIT_TICKS if rules.putting_waits else 0,
            hand_ticks=WINDOW_TICKS,
            stacks=1 if rules.one_drop_fetched else 16,
        )

    def chest(self, state: State) -> dict[str, int]:
        """What is in the chest."""
        return dict(state.chest)


def stage(world: Minecraft) -> MinecraftStage:
    """The stage of a scenario."""
    return MinecraftStage(world)


def told_drops(stream: int) -> dict[str, list[dict[str, int]]]:
    """What the first, the second ... mob of each kind drops that is killed in an episode with this stream:
    for a server that can be told."""
    return {kind: [dict(drops(stream, kind, number)) for number in range(MOST_KILLS)] for kind in MOBS}
