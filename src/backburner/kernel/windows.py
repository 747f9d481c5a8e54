"""Windows of time: something has to happen from then to then, and did or did not.

A world in which being late matters tells its windows for a record; timelines draw them.
"""

from __future__ import annotations

from typing import Any, Literal, Protocol, runtime_checkable

from msgspec import Struct

from backburner.kernel.contract import World
from backburner.kernel.episode import Episode
from backburner.kernel.replay import world_of

State = Literal["kept", "missed", "open"]
"""In time; too late, or never before it closed; neither, as play stopped before."""


class Window(Struct, frozen=True, omit_defaults=True):
    """``label`` had to happen from ``opens`` to ``closes``, in the world's unit of time.

    ``lane``: of the body, appliance or place concerned. ``met``: when what was wanted happened, if it
    did.
    """

    lane: str
    label: str
    opens: int | float
    closes: int | float
    state: State
    met: int | float | None = None


@runtime_checkable
class Windowed(Protocol):
    """The world sets windows of time."""

    def windows(self, episode: Episode) -> tuple[Window, ...]:
        """The windows of a record, finished or not, by when they open."""


def windows_of(episode: Episode, world: World[Any, Any, Any] | None = None) -> tuple[Window, ...]:
    """The windows of a record; none in a world that sets none. Raises ``BadFile`` as ``world_of`` does."""
    world = world_of(episode) if world is None else world
    return world.windows(episode) if isinstance(world, Windowed) else ()
