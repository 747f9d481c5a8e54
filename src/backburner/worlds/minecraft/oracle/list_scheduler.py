"""List scheduling: who does what in the next step, the first thing that is to be done and that nobody does
yet.

It looks at what a seat is told: what bodies carry and have near them, the furnace, the chest, the orders.
What is wanted, and in which order, is told to it, so that whoever knows what will be ordered may say so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from backburner.worlds.minecraft.game.actions import (
    GOTO,
    KILL,
    MINE,
    PUT_FUEL,
    PUT_IN_CHEST,
    PUT_ITEM,
    TAKE_OUT,
    spelt,
)
from backburner.worlds.minecraft.game.physics import CHEST, COOKED, FUELS, FURNACE, MEAT_OF, OAK_LOG, RAW
from backburner.worlds.minecraft.game.state import Observation, SeenBot, count_of
from backburner.worlds.minecraft.game.transition import NEAR_CHEST, REACH_DOUBLED, WORK

LOGS = 2
"""Logs that should be in the furnace, or on their way there."""

FAR = 1000.0


class StepPlan:
    """Who does what in the next step.

    ``wanted``: dishes, the most urgent first, of which the first ``urgent`` are ordered; ``logs``: how many
    should be in the furnace or on their way there. ``before``: what each body was fetching when the last step
    was planned, which it goes on with as long as it is wanted; ``after``: what each is fetching now.
    """

    def __init__(
        self,
        seen: Observation,
        wanted: Sequence[str],
        urgent: int,
        before: Mapping[str, str],
        logs: int = LOGS,
    ) -> None:
        self.seen = seen
        self.wanted = wanted
        self.urgent = urgent
        self.most_logs = logs
        self.before = before
        self.after: dict[str, str] = {}
        self.furnace = seen.furnace
        served = Counter(seen.served)
        self.stock = Counter({dish: count_of(seen.chest, dish) - served[dish] for dish in RAW})
        for item, count in (
            self.furnace.output,
            (COOKED.get(self.furnace.input[0], ""), self.furnace.input[1]),
        ):
            self.stock[item] += count
        self.logs = self.furnace.fuel[1]
        for bot in seen.bots:
            for item, count in bot.carried:
                self.stock[COOKED.get(item, item)] += count
                self.logs += count if item in FUELS else 0
        self.input = self.furnace.input[0]
        self.taken = False

    def calls(self) -> dict[str, str]:
        """A call for each body that has something to do, by its name."""
        found: dict[str, str] = {}
        for bot in sorted(self.seen.bots, key=self._precedence):
            call = next(self._tasks(bot), "")
            if call:
                found[bot.name] = call
        return found

    def _precedence(self, bot: SeenBot) -> tuple[bool, bool, bool, float]:
        """Who carries a dish comes first, then who carries raw meat, then who is fetching something; of
        these, who is nearest to the furnace."""
        cooked = any(item in RAW for item, _ in bot.carried)
        raw = any(item in COOKED for item, _ in bot.carried)
        fetching = not cooked and not raw and bot.name in self.before
        return not cooked, not raw, not fetching, _away(bot, FURNACE)

    def _tasks(self, bot: SeenBot) -> Iterator[str]:
        """What this body could do, the best first."""
        yield from self._serve(bot)
        yield from self._take(bot)
        yield from self._stoke(bot)
        yield from self._cook(bot)
        if self.before.get(bot.name, OAK_LOG) != OAK_LOG:
            yield from self._fetch_meat(bot)
        yield from self._fetch_fuel(bot)
        yield from self._fetch_meat(bot)
        if _away(bot, FURNACE) > REACH_DOUBLED / 2:
            yield spelt(GOTO, bot.name, FURNACE)

    def _serve(self, bot: SeenBot) -> Iterator[str]:
        """A dish into the chest: the one that is wanted first."""
        dishes = [item for item, _ in bot.carried if item in RAW]
        if dishes:
            dish = min(dishes, key=self._rank)
            near = _away(bot, CHEST) <= NEAR_CHEST
            yield spelt(PUT_IN_CHEST, bot.name, dish) if near else spelt(GOTO, bot.name, CHEST)

    def _take(self, bot: SeenBot) -> Iterator[str]:
        """What is cooked out of the furnace."""
        if self.furnace.output[1] and not self.taken:
            self.taken = True
            yield spelt(TAKE_OUT, bot.name)

    def _stoke(self, bot: SeenBot) -> Iterator[str]:
        """A log into the furnace, where none is in it."""
        if count_of(bot.carried, OAK_LOG) and not self.furnace.fuel[1]:
            yield self._at_furnace(bot, PUT_FUEL, OAK_LOG)

    def _cook(self, bot: SeenBot) -> Iterator[str]:
        """Meat into the furnace: the one whose dish is wanted first, of those that fit."""
        meats = [item for item, _ in bot.carried if item in COOKED and self.input in ("", item)]
        if meats:
            meat = min(meats, key=lambda item: self._rank(COOKED[item]))
            self.input = meat
            yield self._at_furnace(bot, PUT_ITEM, meat)

    def _at_furnace(self, bot: SeenBot, verb: str, item: str) -> str:
        near = _away(bot, FURNACE) <= REACH_DOUBLED / 2
        return spelt(verb, bot.name, item) if near else spelt(GOTO, bot.name, FURNACE)

    def _fetch_fuel(self, bot: SeenBot) -> Iterator[str]:
        away = _away(bot, OAK_LOG)
        if self.logs < self.most_logs and away < FAR:
            self.logs += 1
            self.after[bot.name] = OAK_LOG
            yield spelt(MINE if away <= WORK else GOTO, bot.name, OAK_LOG)

    def _fetch_meat(self, bot: SeenBot) -> Iterator[str]:
        """The meat of the first dish that is wanted and of which there is not enough under way; rather what
        the body is after already."""
        missing = list(self._missing())
        missing.sort(key=lambda one: (not one[1], MEAT_OF[RAW[one[0]]] != self.before.get(bot.name)))
        for dish, _ in missing:
            mob = MEAT_OF[RAW[dish]]
            away = dict(bot.mobs).get(mob, FAR)
            if away < FAR:
                self.stock[dish] += 1
                self.after[bot.name] = mob
                yield spelt(KILL if away <= WORK else GOTO, bot.name, mob)
                return

    def _missing(self) -> Iterator[tuple[str, bool]]:
        """(dish, whether it is ordered) of what there is not enough of."""
        covered = Counter(self.stock)
        for number, dish in enumerate(self.wanted):
            if covered[dish] > 0:
                covered[dish] -= 1
            else:
                yield dish, number < self.urgent

    def _rank(self, dish: str) -> int:
        """How soon a dish is wanted."""
        return self.wanted.index(dish) if dish in self.wanted else len(self.wanted)


def _away(bot: SeenBot, block: str) -> float:
    return dict(bot.blocks).get(block, FAR)
