"""What was surveyed, as ground in the world's own cells."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from backburner.kernel.reported import Ground, Other
from backburner.live.messages import Being, Surveyed
from backburner.live.stage import ground_of

SEEN = Surveyed(
    tick=7,
    version="1.16.5",
    corner=(96, -24),
    size=(3, 2),
    floor=64,
    kinds=("grass_block", "water"),
    runs=((4, 0, -1), (2, 1, -2)),
    beings=(
        Being("player", (97.5, 64.0, -22.5), "alex", bot=True),
        Being("player", (98.2, 64.0, -22.9), "Maya"),
        Being("cow", (97.5, 64.0, -23.5)),
        Being("pig", (97.5, 64.0, -23.5)),
    ),
    server="a server",
)


def ground(seen: Surveyed = SEEN, **more: Any) -> Ground | None:
    cows = {("cow", (-3, 0))}  # 97.5 - 100 and -23.5 + 24, down to whole cells
    return ground_of(seen, (100, -24), known=lambda kind, cell: (kind, cell) in cows, **more)


def test_it_is_moved_into_the_worlds_cells_without_whom_the_world_has_itself() -> None:
    assert ground() == Ground(
        (-4, 0),
        3,
        2,
        ("grass_block", "water"),
        ((4, 0, -1), (2, 1, -2)),
        (Other("player", (-1.8, 1.1), "Maya"), Other("pig", (-2.5, 0.5))),
        "a server, Minecraft 1.16.5",
    )


def test_foreign_names_are_cut_and_what_nobody_sees_is_seen() -> None:
    odd = (Being("pig\u200b", (0.0, 0.0, 0.0)), Being("player", (0.0, 0.0, 0.0), "M" * 500))
    made = ground(replace(SEEN, server="\u202ea\nserver" + "x" * 500, beings=odd))
    assert made is not None and made.source.startswith("\\u202ea serverx") and len(made.source) == 200
    assert [(other.kind, len(other.name)) for other in made.others] == [("pig\\u200b", 0), ("player", 80)]


def test_what_is_no_ground_is_none() -> None:
    assert ground(replace(SEEN, size=(3, 3))) is None
    assert ground(replace(SEEN, runs=((6, 2, 0),))) is None
    assert ground(replace(SEEN, beings=(Being("pig", (float("inf"), 0.0, 0.0)),))) is None
