"""What is seen of a state: by a seat, as values, and as a scene; keys and clicks for it."""

from __future__ import annotations

from backburner.kernel.values import Seat
from backburner.kernel.view import WALL, Body, Place, Progress, Scene, Thing
from backburner.worlds.clocked_kitchen.game.compiled import Compiled
from backburner.worlds.clocked_kitchen.game.floor import DIRECTIONS
from backburner.worlds.clocked_kitchen.game.scenarios import TICKS_A_SECOND, seconds
from backburner.worlds.clocked_kitchen.game.state import (
    NOTHING,
    VERBS,
    WAIT,
    Deed,
    Observation,
    Order,
    SeenBody,
    SeenDeed,
    SeenOrder,
    SeenPlace,
    State,
)
from backburner.worlds.dispatch.words import ThingNames

OCCUPIED = "occupied"


class Sight:
    """What the seats of a scenario see, and how it looks."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.kitchen = compiled.kitchen
        names = ThingNames()
        things = self.kitchen.things
        floor = compiled.floor
        self._walls = tuple(
            Place(f"wall {number}", WALL, floor.cell(cell)) for number, cell in enumerate(floor.walls, 1)
        )
        self._empty = tuple(
            Place(
                name,
                self.kitchen.kinds[spot.place].name,
                floor.cell(spot.cell),
                stack=() if spot.item == NOTHING else (names.thing(things[spot.item]),),
            )
            for spot, name in zip(floor.spots, compiled.spot_names, strict=True)
        )
        self._shelved = names.count
        self._seen: tuple[State | None, Scene] = None, Scene(floor.width, floor.height)
        self._spot = tuple(
            next(number for number, spot in enumerate(floor.spots) if spot.place == place)
            for place in range(len(self.kitchen.places))
        )

    # --- as values ----------------------------------------------------------------------------------------

    def observe(self, state: State, seat: Seat) -> Observation:
        """What a seat perceives now."""
        compiled, kitchen = self.compiled, self.kitchen
        own = compiled.seating.bodies_of[seat]
        return Observation(
            level=compiled.scenario.kitchen.level,
            second=seconds(state.tick),
            seconds=seconds(compiled.scenario.ticks),
            own=tuple(compiled.names[body] for body in own),
            under_way=tuple(
                (compiled.names[body], label) for body in own if (label := self._doing(state, body))
            ),
            bodies=tuple(self._body_seen(state, body) for body in range(len(state.at))),
            places=tuple(
                SeenPlace(
                    name,
                    tuple([kitchen.things[thing] for thing in inside]),
                    seconds(max(0, until - state.tick)),
                )
                for name, inside, until in zip(kitchen.places, state.inside, state.until, strict=True)
            ),
            orders=tuple(
                SeenOrder(kitchen.dishes[order.dish], seconds(order.due - state.tick))
                for order in state.orders
            ),
            served=tuple(kitchen.dishes[dish] for dish in state.served),
            deeds=tuple(self._deed(deed) for deed in state.deeds),
            refusals=tuple(refusal for refusal in (*state.feedback, *state.untold) if refusal.seat == seat),
        )

    def _doing(self, state: State, body: int) -> str:
        errand = state.errands[body]
        if errand is None or errand.verb == WAIT:
            return ""
        return self.compiled.label(errand.verb, errand.target, errand.item)

    def _body_seen(self, state: State, body: int) -> SeenBody:
        place, held = self.compiled.faced(state.at[body], state.facing[body]), state.held[body]
        return SeenBody(
            self.compiled.names[body],
            "" if place == NOTHING else self.kitchen.places[place],
            self.compiled.floor.cell(state.at[body]),
            "" if held == NOTHING else self.kitchen.things[held],
            self._occupied(state, body, place),
        )

    def _occupied(self, state: State, body: int, place: int) -> bool:
        """Whether a tool keeps a body busy."""
        if place == NOTHING or not self.kitchen.holds_body[place]:
            return False
        return state.tick < state.until[place] <= state.free_at[body]

    def _deed(self, deed: Deed) -> SeenDeed:
        return SeenDeed(
            self.compiled.names[deed.body],
            VERBS[deed.verb],
            self.kitchen.places[deed.place],
            "" if deed.thing == NOTHING else self.kitchen.things[deed.thing],
            seconds(deed.tick),
        )

    # --- as a scene ---------------------------------------------------------------------------------------

    def scene(self, state: State) -> Scene:
        """The kitchen from above, one scene for all who look: nothing in it is hidden from anybody."""
        if self._seen[0] is not state:
            self._seen = state, self._drawn(state)
        return self._seen[1]

    def _drawn(self, state: State) -> Scene:
        names = ThingNames(count=self._shelved)
        places = list(self._empty)
        for place, inside in enumerate(state.inside):
            if inside:
                spot = self._spot[place]
                places[spot] = self._place(state, place, self._empty[spot], names)
        floor = self.compiled.floor
        return Scene(
            floor.width,
            floor.height,
            (*self._walls, *places),
            tuple([self._body(state, body, names) for body in range(len(state.at))]),
            tuple([self._order(state, order) for order in state.orders]),
            f"{seconds(state.tick):.1f} of {seconds(self.compiled.scenario.ticks):g} s: "
            f"{len(state.served)} served, {state.expired} failed",
        )

    def _place(self, state: State, place: int, empty: Place, names: ThingNames) -> Place:
        kitchen, left = self.kitchen, state.until[place] - state.tick
        things = state.inside[place]
        progress: tuple[Progress, ...] = ()
        if left > 0:
            progress = (_clock(kitchen.things[things[0]], left, self.compiled.work_ticks[place]),)
        return Place(
            empty.name,
            empty.kind,
            empty.at,
            marks=(OCCUPIED,) if left > 0 else (),
            stack=tuple([names.thing(kitchen.things[thing]) for thing in things]),
            progress=progress,
        )

    def _body(self, state: State, body: int, names: ThingNames) -> Body:
        cell, facing, held = state.at[body], state.facing[body], state.held[body]
        spot = self.compiled.floor.faced[cell][facing]
        place = NOTHING if spot < 0 else self.compiled.floor.spots[spot].place
        return Body(
            self.compiled.names[body],
            "agent",
            self.compiled.floor.cell(cell),
            DIRECTIONS[facing],
            "" if spot < 0 else self.compiled.spot_names[spot],
            () if held == NOTHING else (names.thing(self.kitchen.things[held]),),
            marks=(OCCUPIED,) if self._occupied(state, body, place) else (),
        )

    def _order(self, state: State, order: Order) -> Thing:
        dish = self.kitchen.dishes[order.dish]
        waits = _clock("waiting", order.due - state.tick, self.compiled.lifetimes[order.dish])
        return Thing(f"{dish}, order {order.number}", dish, progress=(waits,))


def _clock(label: str, left: int, full: int) -> Progress:
    """Ticks that are left of ``full``, in seconds: those left are rounded up, so that none are left when
    time has run out, and not before."""
    seconds_left, seconds_full = -(-left // TICKS_A_SECOND), -(-full // TICKS_A_SECOND)
    return Progress(label, seconds_full - min(seconds_left, seconds_full), seconds_full)
