"""What a world says so that it can be played on a live server: its farm, its decisions as bots' calls, and
what was seen as the decision of the seat that reports it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from backburner.kernel import packs
from backburner.kernel.contract import World
from backburner.kernel.errors import Refused
from backburner.kernel.values import Seat
from backburner.live.messages import Act, Acted, Cell, Observation, Prepare, Surveyed


class Stage(Protocol):
    """A scenario on a server; the part ``live`` of a pack makes it of a world, with that seat or without it.

    ``world``: the one in which is played, with a ``seat`` that reports what was seen; ``text``: the same
    without it. ``speaker``: the seat whose words persons there may say in the chat; empty if there is none.
    ``as_predicted``: that seat's decision where nothing was seen. ``phases``: how many decision
    points a step has, that one included. ``bots``: the names of its bodies, the first of which commands.
    ``kinds``: of the blocks and mobs that are looked for.
    """

    @property
    def world(self) -> World[Any, Any, Any]: ...

    @property
    def text(self) -> World[Any, Any, Any]: ...

    @property
    def seat(self) -> Seat: ...

    @property
    def speaker(self) -> Seat: ...

    @property
    def as_predicted(self) -> Any: ...

    @property
    def phases(self) -> int: ...

    @property
    def bots(self) -> tuple[str, ...]: ...

    @property
    def kinds(self) -> tuple[str, ...]: ...

    def farm(self, corner: Cell) -> Prepare:
        """What is built, as a dry run; ``corner``: the lowest one of its area, at the height of the feet."""
        ...

    def act(self, state: Any) -> Act:
        """What bots do, in a state in which the seat has to report."""
        ...

    def report(
        self, state: Any, acted: Acted, seen: Observation, corner: Cell, surveyed: Surveyed | None = None
    ) -> Any:
        """The seat's decision: what bots did in that state, and what was seen after it, the ground with it if
        it was surveyed and is no longer as it was told."""
        ...

    def instruction(self, said: Sequence[tuple[str, str]]) -> Any:
        """The decision of ``speaker``, of the lines that persons have said, each with who said it."""
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
