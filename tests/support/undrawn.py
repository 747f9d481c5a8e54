"""TimeArena as a world that cannot be drawn: all of it but its scenes."""

from __future__ import annotations

from typing import Any

import pytest

from backburner.kernel.view import View
from backburner.worlds.timearena.game.catalogue import TimeArenaCatalogue
from backburner.worlds.timearena.game.world import TimeArena

OWN = {
    name: value for name, value in vars(TimeArena).items() if name not in ("scene", "__dict__", "__weakref__")
}
UNDRAWN: Any = type("Undrawn", tuple(base for base in TimeArena.__bases__ if base is not View), OWN)


def undraw(patch: pytest.MonkeyPatch) -> None:
    """The catalogue makes such worlds."""
    patch.setattr(TimeArenaCatalogue, "world", UNDRAWN)
