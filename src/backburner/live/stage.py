"""What a world says so that it can be played on a live server: its farm, and its decisions as bots' calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from backburner.kernel import packs
from backburner.kernel.contract import World
from backburner.kernel.errors import Refused
from backburner.kernel.values import Seat
from backburner.live.messages import Act, Cell, Prepare


class Stage(Protocol):
    """A scenario on a server; the part ``live`` of a pack makes it of a world.

    ``bots``: the names of its bodies, the first of which commands. ``kinds``: of the blocks and mobs that are
    looked for.
    """

    @property
    def bots(self) -> tuple[str, ...]: ...

    @property
    def kinds(self) -> tuple[str, ...]: ...

    def farm(self, corner: Cell) -> Prepare:
        """What is built, as a dry run; ``corner``: the lowest one of its area, at the height of the feet."""
        ...

    def act(self, decisions: Mapping[Seat, Any]) -> Act | None:
        """What bots do in the step of these decisions; ``None`` where no time passes in it."""
        ...

    def chest(self, state: Any) -> dict[str, int]:
        """What is in the chest in a state of the world."""
        ...


def stage_of(world: World[Any, Any, Any]) -> Stage:
    """The stage of a world; raises ``Refused`` where its world cannot be played live."""
    offered = packs.pack_of(world)
    if not offered.live:
        raise Refused(f"{world.id} cannot be played on a live server: its world does not say how")
    made: Stage = packs.part(offered.name, offered.live)(world)
    return made
