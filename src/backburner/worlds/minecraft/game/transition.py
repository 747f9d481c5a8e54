"""What bodies do in a step, tick by tick where anything happens.

All calls begin at the same time, after ``LEAD_TICKS``; the step ends ``TRAIL_TICKS`` after the last action.
What an action is after it looks for when it begins, body by body in the order of the calls: a mob falls to
the first that is after it, and the next takes another. What it does happens at one tick, and at the same tick
the body with the lower number is first.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from msgspec.structs import replace

from backburner.kernel.values import Event
from backburner.worlds.minecraft.game.actions import (
    ERRORS,
    KILL,
    PUT_FUEL,
    PUT_IN_CHEST,
    PUT_ITEM,
    Call,
    label,
)
from backburner.worlds.minecraft.game.compiled import Compiled
from backburner.worlds.minecraft.game.order_book import OrderBook
from backburner.worlds.minecraft.game.physics import (
    BEGUN,
    COLLECTING_TICKS,
    COOKED,
    FUELS,
    FURNACE,
    MINEABLE,
    MINING_TICKS,
    MOBS,
    NO_STACK,
    WINDOW_TICKS,
    Cell,
    Stack,
    advance,
    drops,
    fits,
    killing_ticks,
    more,
    on_the_way,
    squared,
    stand_at,
    way_ticks,
)
from backburner.worlds.minecraft.game.state import (
    NO_SITE,
    Errand,
    Killed,
    State,
    count_of,
    seconds,
    with_items,
)

LEAD_TICKS, TRAIL_TICKS = 20, 20
WAIT_TICKS = 300
"""For so long stands there who has put something into the furnace, where the rules have it so."""

SIGHT, WORK, NEAR_CHEST, TAKING = 48, 6, 8, 32
"""How far away, in blocks, one may be of what one goes to; hits or digs; puts into; takes out of."""

REACH_DOUBLED = 9
"""Twice the 4.5 blocks from which a block can be opened."""

MOST_FAILURES = 10
"""After so many vain searches in a row the next is an error."""


class Failure(NamedTuple):
    """A call that came to nothing, when it began, and why."""

    call: Call
    began: int
    code: str


class Transition:
    """A step under way. ``tick`` is how far it has come; ``events`` what happened, in any order."""

    def __init__(self, compiled: Compiled, state: State, book: OrderBook) -> None:
        self.compiled, self.rules = compiled, compiled.rules
        self.state, self.book = state, book
        self.at = list(state.at)
        self.carried = list(state.carried)
        self.failed = list(state.failed)
        self.errands = {errand.body: errand for errand in state.errands}
        self.calls: dict[int, Call] = {}
        self.furnace, self.chest, self.kills = state.furnace, state.chest, state.kills
        self.tick, self.smelting = state.ticks, state.smelting
        self.absent = set(state.gone)
        self.wanted = {errand.site for errand in state.errands if errand.site != NO_SITE}
        self.fallen: list[int] = []
        self.killed: list[Killed] = []
        self.failures: list[Failure] = []
        self.events: list[Event] = []

    # --- the step -----------------------------------------------------------------------------------------

    def play(self, calls: list[Call]) -> None:
        """Carry out these calls, one for a body at the most, until the step is over."""
        begin = self.state.ticks + LEAD_TICKS
        self._until(begin)
        self._pass(begin)
        for call in calls:
            self._begin(call)
        while self.errands and not (self.rules.errors_end_step and self._error):
            self._proceed(self._next())
        end = self.tick + TRAIL_TICKS
        self.rest(end)
        for failure in self.failures:
            self._tell(failure, end)

    def rest(self, end: int) -> None:
        """Time passes, and bodies go on with what they are at, if anything."""
        self._until(end)
        self._pass(end)
        for errand in self.errands.values():
            self.at[errand.body] = _reached(errand, end)

    @property
    def _error(self) -> bool:
        """Whether a call of this step has ended with an error."""
        return any(failure.code in ERRORS for failure in self.failures)

    @property
    def gone(self) -> tuple[int, ...]:
        """The sites that do not stand after the step."""
        return tuple(sorted(self.fallen)) if self.rules.late_renewal else ()

    def _next(self) -> Errand:
        return min(self.errands.values(), key=lambda errand: (_due(errand), errand.body))

    def _until(self, tick: int) -> None:
        """Everything that happens with errands until then."""
        while self.errands and _due(errand := self._next()) <= tick:
            self._proceed(errand)

    def _proceed(self, errand: Errand) -> None:
        """The next thing that happens with an errand: it acts, or it is over."""
        body = errand.body
        if not errand.done:
            self._pass(errand.acts)
            if code := self._effect(errand):
                self.at[body] = errand.goal
                self._over(errand)
                if body in self.calls:
                    self.failures.append(Failure(self.calls[body], errand.began, code))
                return
            errand = self.errands[body] = replace(errand, done=True)
            if errand.ends > errand.acts:
                return
        self._pass(errand.ends)
        self.at[body] = errand.goal
        self._over(errand)

    def _over(self, errand: Errand) -> None:
        """An errand ends, well or not, or is given up."""
        del self.errands[errand.body]
        self.wanted.discard(errand.site)
        name, said = self.compiled.names[errand.body], label(errand.verb, errand.thing)
        self._event("end", self.tick, name, said, errand.began)

    def _pass(self, tick: int) -> None:
        """The furnace and the orders come to this tick."""
        self.furnace, changes = advance(self.furnace, tick - self.tick)
        for after, what, item in changes:
            now = self.tick + after
            if what == BEGUN:
                self.smelting = now
            self._event("start" if what == BEGUN else "end", now, FURNACE, item, self.smelting)
        self.tick = tick
        self.book.advance(tick)

    def _event(self, what: Literal["start", "end"], tick: int, lane: str, said: str, since: int) -> None:
        self.events.append(Event(seconds(tick), what, lane, said, f"{lane} {since}"))

    def _tell(self, failure: Failure, end: int) -> None:
        """A call that came to nothing is no work: it lasts until that was known, or else until the step
        ends."""
        name = self.compiled.names[failure.call.body]
        key = f"{name} {failure.began}"
        mine = [number for number, event in enumerate(self.events) if event.key == key]
        for number in mine:
            self.events[number] = replace(self.events[number], kind="refused")
        if not mine:
            said = label(failure.call.verb, failure.call.thing)
            self.events += [
                Event(seconds(failure.began), "start", name, said, key, "refused"),
                Event(seconds(end), "end", name, said, key, "refused"),
            ]

    # --- beginning ----------------------------------------------------------------------------------------

    def _begin(self, call: Call) -> None:
        """A body turns to something else, whatever it was at."""
        body = call.body
        if old := self.errands.get(body):
            self.at[body] = _reached(old, self.tick)
            self._over(old)
        begun = self.errand(call)
        if isinstance(begun, str):
            self.failures.append(Failure(call, self.tick, begun))
            return
        self.calls[body] = call
        self.errands[body] = begun
        if begun.site != NO_SITE:
            self.wanted.add(begun.site)
        self._event("start", self.tick, self.compiled.names[body], label(begun.verb, begun.thing), self.tick)

    def errand(self, call: Call) -> Errand | str:
        """What a body sets out for, or why it cannot."""
        match call.verb:
            case "goto":
                return self._going(call)
            case "killMob" | "mineBlock":
                return self._hunting(call)
            case "putFuelFurnace" | "putItemFurnace":
                return self._putting(call)
            case "takeOutFurnace":
                away = not self._within(call.body, self.compiled.furnace, TAKING)
                return "no_furnace" if away else self._walk(call, self.compiled.furnace, WINDOW_TICKS)
        return self._storing(call)

    def _walk(self, call: Call, thing: Cell, acting: int, waiting: int = 0, site: int = NO_SITE) -> Errand:
        """To a thing, and ``acting`` and ``waiting`` there."""
        body, source = call.body, self.at[call.body]
        goal = stand_at(source, thing, self.compiled.taken) or source
        arrives = self.tick + way_ticks(source, goal)
        acts = arrives + acting
        times = (self.tick, source, goal, arrives, acts, acts + waiting)
        return Errand(body, call.verb, call.thing, *times, site)

    def _within(self, body: int, thing: Cell, blocks: int) -> bool:
        return squared(self.at[body], thing) <= blocks * blocks

    def _opens(self, body: int, thing: Cell) -> bool:
        return 4 * squared(self.at[body], thing) <= REACH_DOUBLED * REACH_DOUBLED

    def _nearest(self, body: int, kind: str, blocks: int, *, free: bool) -> int:
        """The nearest site of a kind that stands within so many blocks; ``free``: that nobody is after."""
        out = self.absent | self.wanted if free else self.absent
        found = self.compiled.nearest(self.at[body], kind, blocks, out)
        return NO_SITE if found is None else found[1]

    def _going(self, call: Call) -> Errand | str:
        if self.rules.no_way_to_cows and call.thing == "cow":
            return "no_way"
        site = self._nearest(call.body, call.thing, SIGHT, free=False)
        return "none_around" if site == NO_SITE else self._walk(call, self.compiled.sites[site].at, 0)

    def _hunting(self, call: Call) -> Errand | str:
        body, mob = call.body, call.verb == KILL
        known = call.thing in (MOBS if mob else MINEABLE)
        site = self._nearest(body, call.thing, WORK, free=True) if known else NO_SITE
        if site == NO_SITE:
            self.failed[body] = 1 if self.rules.failures_forgotten else self.failed[body] + 1
            if self.failed[body] > MOST_FAILURES:
                return "gave_up"
            return "no_mob" if mob else "no_block"
        self.failed[body] = 0
        acting = killing_ticks(call.thing) if mob else MINING_TICKS + COLLECTING_TICKS
        return self._walk(call, self.compiled.sites[site].at, acting, site=site)

    def _putting(self, call: Call) -> Errand | str:
        body, item = call.body, call.thing
        if not count_of(self.carried[body], item):
            return "not_carried"
        if call.verb == PUT_FUEL and item not in FUELS:
            return "no_fuel"
        if call.verb == PUT_ITEM and item not in COOKED and not self.rules.furnace_takes_anything:
            return "not_smelted"
        if not self._opens(body, self.compiled.furnace):
            return "no_furnace"
        return self._here(call)

    def _here(self, call: Call) -> Errand:
        """Something that is done from where the body stands."""
        source, acts = self.at[call.body], self.tick + WINDOW_TICKS
        waits = WAIT_TICKS if self.rules.putting_waits and call.verb != PUT_IN_CHEST else 0
        times = (self.tick, source, source, self.tick, acts, acts + waits)
        return Errand(call.body, call.verb, call.thing, *times)

    def _storing(self, call: Call) -> Errand | str:
        body, chest = call.body, self.compiled.chest
        if not count_of(self.carried[body], call.thing):
            return "not_carried"
        if not self._within(body, chest, NEAR_CHEST):
            return "no_chest"
        return self._here(call) if self._opens(body, chest) else self._walk(call, chest, WINDOW_TICKS)

    # --- acting -------------------------------------------------------------------------------------------

    def _effect(self, errand: Errand) -> str:
        """What comes of an errand when it acts; why nothing does, if so."""
        body, item = errand.body, errand.thing
        match errand.verb:
            case "killMob":
                self._kill(errand)
            case "mineBlock":
                self.fallen.append(errand.site)
                self.absent.add(errand.site)
                self._carry(body, (item, 1))
            case "putFuelFurnace":
                if not fits(self.furnace.fuel, item):
                    return "slot_taken"
                self.furnace = replace(self.furnace, fuel=more(self.furnace.fuel, item))
                self._carry(body, (item, -1))
            case "putItemFurnace":
                if not fits(self.furnace.input, item):
                    return "slot_taken"
                self.furnace = replace(self.furnace, input=more(self.furnace.input, item))
                self._carry(body, (item, -1))
            case "takeOutFurnace":
                if not self.furnace.output[1]:
                    return "no_output"
                self._carry(body, self.furnace.output)
                self.furnace = replace(self.furnace, output=NO_STACK)
            case "putInChest":
                self._carry(body, (item, -1))
                self.chest = with_items(self.chest, ((item, 1),))
                self.book.add(item, self.tick)
        return ""

    def _kill(self, errand: Errand) -> None:
        kind = errand.thing
        dropped = drops(self.state.stream, kind, count_of(self.kills, kind))
        self.kills = with_items(self.kills, ((kind, 1),))
        self.fallen.append(errand.site)
        self.absent.add(errand.site)
        self._carry(errand.body, *(dropped[:1] if self.rules.one_drop_fetched else dropped))
        self.killed.append(Killed(self.compiled.names[errand.body], kind))

    def _carry(self, body: int, *stacks: Stack) -> None:
        self.carried[body] = with_items(self.carried[body], stacks)


def _due(errand: Errand) -> int:
    """When something happens with an errand next."""
    return errand.ends if errand.done else errand.acts


def _reached(errand: Errand, tick: int) -> Cell:
    """Where a body on an errand is."""
    if tick >= errand.arrives:
        return errand.goal
    return on_the_way(errand.source, errand.goal, tick - errand.began)
