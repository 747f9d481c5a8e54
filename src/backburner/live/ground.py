"""What a survey of a server has seen, as ground of a world: moved into its own cells, names made harmless."""

from __future__ import annotations

from collections.abc import Callable

from backburner.kernel.errors import one_line
from backburner.kernel.reported import LONGEST_NAME, LONGEST_SOURCE, Ground, Other
from backburner.live.messages import Being, Surveyed


def ground_of(
    seen: Surveyed, shift: tuple[int, int], *, known: Callable[[str, tuple[int, int]], bool]
) -> Ground | None:
    """The ground; ``None`` where what was seen is none.

    ``shift``: what is taken from the server's x and z to come to the world's. ``known`` tells of a mob of a
    kind on a cell of the world whether the world has it there itself; bots it has anyhow.
    """
    west, north = shift

    def other(being: Being) -> Other:
        at = (round(being.at[0] - west, 2), round(being.at[2] - north, 2))
        return Other(one_line(being.kind)[:LONGEST_NAME], at, one_line(being.name)[:LONGEST_NAME])

    try:
        others = (other(being) for being in seen.beings if not being.bot)
        return Ground(
            (seen.corner[0] - west, seen.corner[1] - north),
            *seen.size,
            tuple(one_line(kind)[:LONGEST_NAME] for kind in seen.kinds),
            seen.runs,
            tuple(each for each in others if each.name or not known(each.kind, _cell(each.at))),
            one_line(", ".join(filter(None, (seen.server, f"Minecraft {seen.version}"))))[:LONGEST_SOURCE],
        )
    except ValueError:
        return None


def _cell(at: tuple[float, float]) -> tuple[int, int]:
    return int(at[0] // 1), int(at[1] // 1)
