"""What is seen of a state: by a seat, as values, and as a scene; keys and clicks for it."""

from __future__ import annotations

from msgspec.structs import replace

from backburner.kernel.reported import Ground
from backburner.kernel.values import Seat
from backburner.kernel.view import Body, Place, Progress, Scene, Thing
from backburner.worlds.dispatch.words import ThingNames, waiting
from backburner.worlds.minecraft.game.actions import label
from backburner.worlds.minecraft.game.compiled import Compiled
from backburner.worlds.minecraft.game.physics import (
    CHEST,
    FURNACE,
    SMELTING_TICKS,
    TICKS_A_SECOND,
    Cell,
    distance,
)
from backburner.worlds.minecraft.game.scenarios import INSTRUCTOR
from backburner.worlds.minecraft.game.state import (
    Items,
    Near,
    Observation,
    Order,
    Person,
    SeenBot,
    SeenFurnace,
    SeenOrder,
    SeenPerson,
    State,
)

AROUND = 32
"""Blocks and mobs are told within so many blocks."""

MARGIN = 1
BURNING = "burning"


class Sight:
    """What the seats of a scenario see, and how it looks from above: north is up."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        scenario = compiled.scenario
        cells = [*(site.at for site in compiled.sites), *scenario.spawns]
        self._west, self._north = (min(cell[axis] for cell in cells) - MARGIN for axis in (0, 1))
        self._width = max(x for x, _ in cells) - self._west + 1 + MARGIN
        self._height = max(z for _, z in cells) - self._north + 1 + MARGIN

    # --- as values ----------------------------------------------------------------------------------------

    def observe(self, state: State, seat: Seat) -> Observation:
        """What a seat perceives now: everything, as models are told it of every body."""
        compiled, furnace = self.compiled, state.furnace
        now = state.steps if compiled.unit == "steps" else state.ticks
        instruction = state.instruction
        refusals = state.feedback.refusals
        if seat == INSTRUCTOR:
            refusals = instruction.refusals if instruction else ()
        return Observation(
            level=compiled.scenario.level,
            step=state.steps,
            tick=state.ticks,
            unit=compiled.unit,
            own=tuple(compiled.names[body] for body in compiled.seating.bodies_of[seat]),
            bots=tuple(self._bot(state, body) for body in range(len(state.at))),
            furnace=SeenFurnace(furnace.input, furnace.fuel, furnace.output, furnace.burning > 0),
            chest=state.chest,
            orders=tuple(SeenOrder(compiled.dishes[o.dish], max(0, o.due - now)) for o in state.orders),
            served=tuple(compiled.dishes[dish] for dish in state.served),
            killed=state.feedback.killed,
            refusals=tuple(refusal for refusal in refusals if refusal.seat == seat),
            repeated=state.feedback.repeated,
            instruction=instruction.text if instruction else "",
            instructed=instruction.since if instruction else 0,
            said=instruction.said if instruction else (),
            persons=tuple(self._person(state, person) for person in state.persons),
            seat=seat,
            given=tuple(call for each in state.given for call in each.calls),
        )

    def _bot(self, state: State, body: int) -> SeenBot:
        compiled = self.compiled
        under_way = (label(each.verb, each.thing) for each in state.errands if each.body == body)
        return SeenBot(
            compiled.names[body],
            state.at[body],
            state.carried[body],
            self._near(state, body, compiled.block_kinds),
            self._near(state, body, compiled.mob_kinds),
            next(under_way, ""),
        )

    def _person(self, state: State, person: Person) -> SeenPerson:
        names = self.compiled.names
        away = (round(distance(person.at, at), 1) for at in state.at)
        return SeenPerson(person.name, person.at, person.carried, tuple(zip(names, away, strict=True)))

    def _near(self, state: State, body: int, kinds: tuple[str, ...]) -> tuple[Near, ...]:
        """The nearest of each kind that stands around a body."""
        here, gone, found = state.at[body], set(state.gone), list[Near]()
        for kind in kinds:
            standing = (number for number in self.compiled.of_kind[kind] if number not in gone)
            ways = [distance(here, self.compiled.sites[number].at) for number in standing]
            if ways and min(ways) <= AROUND:
                found.append((kind, min(ways)))
        return tuple(found)

    # --- as a scene ---------------------------------------------------------------------------------------

    def scene(self, state: State) -> Scene:
        """The farm from above, as far as anybody has come; nothing in it is hidden from anybody."""
        names = ThingNames(" stack")
        west, north, width, height = self._frame(state)
        gone = set(state.gone)
        places = [
            self._place(state, number, (site.at[0] - west, site.at[1] - north), names)
            for number, site in enumerate(self.compiled.sites)
            if number not in gone
        ]
        bodies = [
            Body(
                name,
                "agent",
                (state.at[body][0] - west, state.at[body][1] - north)
                if self._near_by(state.at[body])
                else None,
                holding=_stacks(names, state.carried[body]),
            )
            for body, name in enumerate(self.compiled.names)
        ]
        bodies += [
            Body(
                f"{person.name} (person)",
                "person",
                (person.at[0] - west, person.at[1] - north) if self._near_by(person.at) else None,
                holding=_stacks(names, person.carried or ()),
            )
            for person in state.persons
        ]
        if self.compiled.scenario.instructor:
            said = state.instruction.text if state.instruction else ""
            bodies.insert(0, Body(INSTRUCTOR, "agent", None, says=said))
        return Scene(
            width,
            height,
            tuple(places),
            tuple(bodies),
            tuple(self._order(state, order) for order in state.orders),
            f"step {state.steps}, {state.ticks / TICKS_A_SECOND:.1f} s · "
            f"{len(state.served)} served, {state.expired} failed",
            (west, north),
            _without(state.ground, state.persons),
        )

    def _frame(self, state: State) -> tuple[int, int, int, int]:
        """(west, north, width, height), with everybody in it who is not far away."""
        everybody = (*state.at, *(person.at for person in state.persons))
        near = [at for at in everybody if self._near_by(at)]
        west = min([self._west, *(x for x, _ in near)])
        north = min([self._north, *(z for _, z in near)])
        east = max([self._west + self._width - 1, *(x for x, _ in near)])
        south = max([self._north + self._height - 1, *(z for _, z in near)])
        return west, north, east - west + 1, south - north + 1

    def _near_by(self, cell: Cell) -> bool:
        """Whether this is on the farm, or close enough to be drawn with it."""
        right, down = cell[0] - self._west, cell[1] - self._north
        return -AROUND <= right < self._width + AROUND and -AROUND <= down < self._height + AROUND

    def _place(self, state: State, number: int, cell: Cell, names: ThingNames) -> Place:
        kind, furnace = self.compiled.sites[number].kind, state.furnace
        stack: tuple[Thing, ...] = ()
        progress: tuple[Progress, ...] = ()
        if kind == CHEST:
            stack = _stacks(names, state.chest)
        elif kind == FURNACE:
            slots = (furnace.fuel, furnace.input, furnace.output)
            stack = _stacks(names, tuple(slot for slot in slots if slot[1]))
            if furnace.progress:
                paused = not furnace.burning
                done = furnace.progress // TICKS_A_SECOND
                progress = (Progress(furnace.input[0], done, SMELTING_TICKS // TICKS_A_SECOND, paused),)
        marks = (BURNING,) if kind == FURNACE and furnace.burning else ()
        return Place(
            self.compiled.site_names[number], kind, cell, marks=marks, stack=stack, progress=progress
        )

    def _order(self, state: State, order: Order) -> Thing:
        full, by_step = self.compiled.lifetime, self.compiled.unit == "steps"
        left = min(full, max(0, order.due - (state.steps if by_step else state.ticks)))
        each = 1 if by_step else TICKS_A_SECOND
        return waiting(self.compiled.dishes[order.dish], order.number, left // each, full // each)


def _without(ground: Ground | None, persons: tuple[Person, ...]) -> Ground | None:
    """The ground without those who are shown with what they carry."""
    names = {person.name for person in persons}
    if ground is None or not names:
        return ground
    return replace(ground, others=tuple(other for other in ground.others if other.name not in names))


def _stacks(names: ThingNames, items: Items) -> tuple[Thing, ...]:
    """A thing for each stack, which says how many it holds."""
    return tuple(names.thing(item, (f"x {count}",) if count > 1 else ()) for item, count in items)
