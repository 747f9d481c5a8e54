"""Minecraft for a policy that weighs what a body can do, option by option, in the same numbers on every farm.

An option is told by its action, how far away it leads, who else is at it, and by the dish that it is for:
whether orders still miss that dish, how many, how soon they run out. A context tells the same of the dish
that is missed most, of what the body carries, the furnace, the other bodies, the time.

It is made of what the seat is told, its observation and menu, and of two things that nobody is told: how many
steps there are between orders, and how much of the episode has passed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from backburner.arrays.entities import Outlook
from backburner.arrays.network import Numbers, reading_digest
from backburner.kernel.menu import Menu, Option
from backburner.worlds.minecraft.game.actions import (
    GOTO,
    KILL,
    MINE,
    PUT_FUEL,
    PUT_IN_CHEST,
    PUT_ITEM,
    TAKE_OUT,
    Calls,
    label,
)
from backburner.worlds.minecraft.game.physics import CHEST, COOKED, FUELS, FURNACE, MOBS, OAK_LOG, RAW
from backburner.worlds.minecraft.game.state import Observation, SeenBot, State, count_of
from backburner.worlds.minecraft.game.transition import NEAR_CHEST, REACH_DOUBLED
from backburner.worlds.minecraft.game.world import Minecraft

DEEDS = (
    *("wait", "go to the chest", "go to the furnace", "go to a log", "go to a mob", "kill", "dig"),
    *("put in fuel", "put in meat", "take out", "put into the chest"),
)
NEEDED = ("is missed", "orders that miss it", "urgency of the first that does", "spare")

CODE_NAMES = (
    *DEEDS,
    *(
        "distance",
        "others chose it",
        "others are at it",
        "is at it",
        "joins meat in the furnace",
        "something is cooked",
    ),
    *("is for a dish that is ordered here", *NEEDED, "orders of the dish", "urgency of its first order"),
)
"""What the numbers of an option tell. Urgencies are between 0, none, and 1, now."""

CONTEXT_NAMES = (
    *("open orders", "time passed", "urgency of the first order", "kinds of dishes", "interval", "bodies"),
    *("burning", "fuel", "meat in the furnace", "dishes in the furnace", "logs", "logs on their way"),
    *("carries logs", "carries meat", "how much meat", "carries a dish", "its meat fits"),
    *("to the furnace", "to the chest", "to a log", "at the furnace", "at the chest", "busy"),
    *("others with a dish", "others with meat", "others with logs", "another's way to the furnace"),
    *("another takes out", "another is after a mob", "another is after a log"),
    *(f"most missed dish: {name}" for name in NEEDED),
)
"""What the numbers of a context tell."""

READS = reading_digest(CONTEXT_NAMES, CODE_NAMES)

PATIENCE = 3000.0
"""Ticks: an order that has so many left is not urgent."""

FAR = 30.0
"""Blocks of a long way."""

UNSEEN = 50.0

MEAT, SMELTING, COOKED_ABROAD, IN_CHEST, LOG = 0.2, 0.4, 0.6, 0.8, 0.1
"""What is on its way to an order counts so much of it: raw meat that is carried, meat in the furnace, what is
cooked, what waits in the chest; a log, up to two of them."""

MEANT = {kind: COOKED[mob.drops[0][0]] for kind, mob in MOBS.items()}
"""The dish that a mob's meat becomes."""


class Deed(NamedTuple):
    """An option taken apart: its call, its action, what that is about."""

    call: str
    verb: str
    thing: str

    @property
    def label(self) -> str:
        """As the observation names what a body is at."""
        return label(self.verb, self.thing)


WAIT = Deed("", "wait", "")


def deed_of(option: Option[Calls]) -> Deed:
    """An option of one call."""
    (call,) = option.decision.calls
    _, comma, thing = call.rstrip(")").partition(", ")
    return Deed(call, option.verb, thing if comma else "")


class Step:
    """A ``Glance`` at what a seat is told."""

    def __init__(self, world: Minecraft, seen: Observation, menu: Menu[Calls]) -> None:
        self.seen = seen
        self.bots = {bot.name: bot for bot in seen.bots}
        self.dishes = world.compiled.dishes
        self.dues = {dish: [order.left for order in seen.orders if order.dish == dish] for dish in RAW}
        self.deeds: dict[str, list[Deed]] = {name: [WAIT] for name in seen.own}
        for option in menu.options:
            if option.body in self.deeds:
                self.deeds[option.body].append(deed_of(option))
        self.taken: dict[str, Deed] = {}
        self.logs = seen.furnace.fuel[1] + sum(count_of(bot.carried, OAK_LOG) for bot in seen.bots)
        self.logs_coming = 0
        self.coming = dict.fromkeys(RAW, 0)
        self.stock, worth = self._stock()
        self.progress = worth
        # Orders of released rules go by steps, of which one stands for a hundred ticks.
        self.patience = PATIENCE if seen.unit == "ticks" else PATIENCE / 100
        limits = world.limits
        passed = max(seen.tick / (limits.ticks or np.inf), seen.step / (limits.steps or np.inf))
        self.common = self._common(float(passed), world.scenario.interval)

    def _stock(self) -> tuple[dict[str, int], float]:
        """How many of each dish there are or will be of what has been fetched, and what that is worth for the
        orders that are open."""
        furnace, stock, worth = self.seen.furnace, dict.fromkeys(RAW, 0), 0.0
        carried = [stack for bot in self.seen.bots for stack in bot.carried]
        chest, served = self.seen.chest, self.seen.served
        stages = [
            (IN_CHEST, [(dish, count_of(chest, dish) - served.count(dish)) for dish in RAW]),
            (COOKED_ABROAD, [furnace.output, *carried]),
            (SMELTING, [(COOKED.get(furnace.input[0], ""), furnace.input[1])]),
            (MEAT, [(COOKED.get(item, ""), count) for item, count in carried]),
        ]
        for share, stacks in stages:
            for dish, count in stacks:
                if dish in stock:
                    wanted = len(self.dues[dish]) + (dish in self.dishes) - stock[dish]
                    worth += share * max(0, min(count, wanted))
                    stock[dish] += count
        return stock, worth + LOG * min(2, self.logs)

    def _common(self, passed: float, interval: int) -> list[float]:
        seen, furnace = self.seen, self.seen.furnace
        return [
            min(len(seen.orders), 6) / 6,
            min(1.0, passed),
            self._urgency(seen.orders[0].left) if seen.orders else 0.0,
            len(self.dishes) / 4,
            min(interval, 30) / 30,
            len(seen.bots) / 4,
            float(furnace.burning),
            min(furnace.fuel[1], 3) / 3,
            min(furnace.input[1], 3) / 3,
            min(furnace.output[1], 3) / 3,
        ]

    def _urgency(self, left: float) -> float:
        return max(0.0, 1 - left / self.patience)

    def look(self, body: int) -> tuple[Numbers, Numbers]:
        """The context of a body, and a row for each of its options; the first is to do nothing."""
        bot = self.bots[self.seen.own[body]]
        codes = np.array([self._code(bot, deed) for deed in self.deeds[bot.name]], np.float32)
        return np.array(self._context(bot), np.float32), codes

    def take(self, body: int, option: int) -> None:
        """The body takes an option: what it fetches is on its way."""
        name = self.seen.own[body]
        deed = self.taken[name] = self.deeds[name][option]
        if deed.verb in (GOTO, KILL) and deed.thing in MEANT:
            self.coming[MEANT[deed.thing]] += 1
        elif deed.verb in (GOTO, MINE) and deed.thing == OAK_LOG:
            self.logs += 1
            self.logs_coming += 1

    @property
    def decision(self) -> Calls:
        """The calls of all bodies that do something."""
        return Calls(tuple(deed.call for deed in self.taken.values() if deed.call))

    def _need(self, dish: str) -> list[float]:
        """The numbers of ``NEEDED``."""
        there, dues = self.stock[dish] + self.coming[dish], self.dues[dish]
        if there < len(dues):
            first = max(0, there)
            return [1.0, min(len(dues) - first, 3) / 3, self._urgency(dues[first]), 0.0]
        return [0.0, 0.0, 0.0, min(there - len(dues), 4) / 4]

    def _context(self, bot: SeenBot) -> list[float]:
        near, carried = dict(bot.blocks), dict(bot.carried)
        meats = [item for item in carried if item in COOKED]
        inside = self.seen.furnace.input
        furnace, chest, log = (near.get(kind, UNSEEN) for kind in (FURNACE, CHEST, OAK_LOG))
        return [
            *self.common,
            min(self.logs, 4) / 4,
            min(self.logs_coming, 3) / 3,
            min(carried.get(OAK_LOG, 0), 3) / 3,
            float(bool(meats)),
            min(sum(carried[item] for item in meats), 4) / 4,
            float(any(item in RAW for item in carried)),
            float(any(not inside[1] or item == inside[0] for item in meats)),
            furnace / FAR,
            chest / FAR,
            log / FAR,
            float(furnace <= REACH_DOUBLED / 2),
            float(chest <= NEAR_CHEST),
            float(bool(bot.under_way)),
            *self._others(bot),
            *max((self._need(dish) for dish in self.dishes), default=[0.0] * len(NEEDED)),
        ]

    def _others(self, bot: SeenBot) -> list[float]:
        others = [other for other in self.seen.bots if other is not bot]
        if not others:
            return [0.0] * 7
        items = [{item for item, _ in other.carried} for other in others]
        deeds = [self.taken[other.name] for other in others if other.name in self.taken]
        return [
            sum(bool(each & RAW.keys()) for each in items) / len(others),
            sum(bool(each & COOKED.keys()) for each in items) / len(others),
            sum(bool(each & FUELS.keys()) for each in items) / len(others),
            min(dict(other.blocks).get(FURNACE, UNSEEN) for other in others) / FAR,
            float(any(deed.verb == TAKE_OUT for deed in deeds)),
            float(any(deed.thing in MEANT for deed in deeds)),
            float(any(deed.thing == OAK_LOG and deed.verb in (GOTO, MINE) for deed in deeds)),
        ]

    def _code(self, bot: SeenBot, deed: Deed) -> list[float]:
        furnace = self.seen.furnace
        which, dish, away = self._told(bot, deed)
        done = [0.0] * len(DEEDS)
        done[which] = 1.0
        others = [other for other in self.seen.bots if other is not bot]
        chose = sum(self.taken[other.name][1:] == deed[1:] for other in others if other.name in self.taken)
        at_it = sum(other.under_way == deed.label for other in others if other.name not in self.taken)
        return [
            *done,
            away / FAR,
            min(chose, 2) / 2,
            min(at_it, 2) / 2,
            float(bot.under_way == deed.label),
            float(deed.verb == PUT_ITEM and furnace.input[1] > 0),
            float(deed.verb == TAKE_OUT and furnace.output[1] > 0),
            *self._for(dish),
        ]

    def _told(self, bot: SeenBot, deed: Deed) -> tuple[int, str, float]:
        """Which of ``DEEDS`` it is, the dish that it is for, and how far away it leads."""
        verb, thing, near = deed.verb, deed.thing, dict((*bot.blocks, *bot.mobs))
        if verb == GOTO:
            which = {CHEST: 1, FURNACE: 2, OAK_LOG: 3}.get(thing, 4)
            return which, MEANT.get(thing, ""), near.get(thing, UNSEEN)
        if verb == KILL:
            return 5, MEANT.get(thing, ""), near.get(thing, UNSEEN)
        if verb == MINE:
            return 6, "", near.get(thing, UNSEEN)
        dishes = {PUT_ITEM: COOKED.get(thing, ""), TAKE_OUT: self.seen.furnace.output[0], PUT_IN_CHEST: thing}
        which = {PUT_FUEL: 7, PUT_ITEM: 8, TAKE_OUT: 9, PUT_IN_CHEST: 10}.get(verb, 0)
        return which, dishes.get(verb, ""), 0.0

    def _for(self, dish: str) -> Sequence[float]:
        if dish not in self.stock:
            return [0.0] * (3 + len(NEEDED))
        dues = self.dues[dish]
        first = self._urgency(dues[0]) if dues else 0.0
        return [float(dish in self.dishes), *self._need(dish), min(len(dues), 4) / 4, first]


def outlook(world: Minecraft) -> Outlook:
    """What the only seat of a world weighs."""
    seat = world.seats[0]
    tau = world.scenario.tau or 0.0

    def glance(state: State) -> Step:
        return Step(world, world.observe(state, seat), world.menu(state, seat))

    def score(state: State) -> float:
        return float(len(state.served))

    def measures(state: State) -> Mapping[str, float]:
        return {"completed": float(len(state.served)), "failed": float(state.expired), "tau": tau}

    return Outlook(CONTEXT_NAMES, CODE_NAMES, world.scenario.bodies, glance, score, measures, "CoS")
