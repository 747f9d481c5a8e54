"""What the generators give."""

from __future__ import annotations

from msgspec import Struct

from backburner.worlds.robotouille.game.schema import ProblemFile


class Generated(Struct, frozen=True):
    """A level drawn from a problem; the same arguments give the same level.

    ``effective_seed`` is the seed that drew it. The released generator counts the seed up when it
    gets stuck; ours keeps the one it is given.
    """

    problem: ProblemFile
    seed: int
    effective_seed: int
