"""When play is cut off: after so many steps, and how long cooks may talk."""

from __future__ import annotations

import math

from msgspec import Struct

from backburner.kernel.errors import Refused
from backburner.worlds.collab_overcooked.game.rule_set import Rules
from backburner.worlds.collab_overcooked.game.scenarios import Scenario, order_file

ROUNDS = 10
"""The article limits the rounds of a talk and gives no number; this one is ours."""

ROUNDS_RELEASED = 50
"""The released program has no such limit; this one only keeps an episode from never ending."""

MOST = 100_000
"""What a limit may be: time passes by itself while both cooks are stuck, and somebody waits for it."""

HORIZON = 120
"""The released program's steps where no level says how many there are."""


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """``None`` is no limit.

    ``steps`` of the kitchen's time; ``rounds``: how often who began a talk may speak in it. Raises
    ``Refused`` for a limit that lets nobody begin.
    """

    steps: int | None = None
    rounds: int | None = None

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if value is not None and not 1 <= value <= MOST:
                raise Refused(f"limits: {name} is {value}; it is from 1 to {MOST}")


NO_LIMITS = Limits()


def limits_of(scenario: Scenario, rules: Rules, optimum_steps: int | None = None) -> Limits:
    """The limits of play under the article's rule: 1.5 times the least steps, rounded down.

    ``optimum_steps``: those of the shortest known plan of these very orders under these rules.
    What the scenario's author states comes before that. Under ``released`` rules, and where no optimum
    is known, the time recorded for the order's level takes its place, and where there is no level the
    released program's usual 120 steps count.
    """
    rounds = ROUNDS_RELEASED if rules.partner_cannot_end_talk else ROUNDS
    if scenario.step_limit is not None:
        return Limits(scenario.step_limit, rounds)
    if optimum_steps is not None and rules.name != "released":
        return Limits(math.floor(order_file().limit_factor * optimum_steps), rounds)
    return Limits(HORIZON if scenario.level is None else _recorded_limit(scenario.level), rounds)


def _recorded_limit(level: int) -> int:
    """1.5 times the time recorded for a level.

    That is the number of the last step counted from 0, and may be exceeded by half: an order of level 1
    (16) is in time if it is delivered in step 24, the 25th.
    """
    file = order_file()
    last = next(one.released_last_step for one in file.levels if one.level == level)
    return math.floor(file.limit_factor * last) + 1
