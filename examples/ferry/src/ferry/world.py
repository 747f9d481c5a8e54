"""Carts of ice are packed on one bank, by hand, and brought across by a boat that comes back by itself.

Packed ice melts. A cart that is not on its way soon enough has to be packed again. All are to be across as
early as can be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from backburner.kernel.catalogue import Catalogue
from backburner.kernel.clock import PassingIsSilence
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.menu import Menu, Menus, Option
from backburner.kernel.text import Part, Text
from backburner.kernel.values import Event, Fault, Outcome, Refusal, Seat, Step

YOU, BOAT = "packer", "boat"
Minutes = Annotated[int, Meta(ge=1, le=99)]


class Cart(Struct, frozen=True):
    """Minutes to pack it, which are yours, to cross, which are the boat's, and until packed ice melts."""

    name: str
    packing: Minutes
    crossing: Minutes
    keeps: Minutes


class Rules(Struct, frozen=True):
    """There is one rule set."""

    name: str


class Limits(Struct, frozen=True):
    """Play ends after so many minutes; ``None`` for never."""

    minutes: int | None = None


class State(Struct, frozen=True):
    """``packed``: until when the ice of each cart keeps, 0 if it is not packed; ``left``: those that are
    still on this bank; ``boat``: when the last crossing is over."""

    minute: int
    packed: tuple[int, ...]
    left: tuple[bool, ...]
    boat: int = 0


class Ferry(Menus[State, str], Text[State, str, State], PassingIsSilence):
    """Decisions are their words: ``pack CART``, ``send CART``, ``wait`` for a minute."""

    version, time_unit, tick_microseconds, beat_ticks = 1, "minutes", 60_000_000, 3
    seats: tuple[Seat, ...] = (YOU,)
    state_type: ClassVar[Any] = State
    decision_type: ClassVar[Any] = str

    def __init__(self, id: str, scenario: tuple[Cart, ...], rules: Rules, limits: Limits) -> None:
        self.id, self.scenario, self.rules, self.limits = id, scenario, rules, limits
        self.numbers = {cart.name: number for number, cart in enumerate(scenario)}

    def start(self, seed: int = 0) -> State:
        """All carts are empty."""
        return State(0, (0,) * len(self.scenario), (True,) * len(self.scenario))

    def now(self, state: State) -> int:
        """The minute."""
        return state.minute

    def deciders(self, state: State) -> tuple[Seat, ...]:
        """You, until all are across or the day is over."""
        return () if self._over(state) or self._across(state) else self.seats

    def _over(self, state: State) -> bool:
        return self.limits.minutes is not None and state.minute >= self.limits.minutes

    def _across(self, state: State) -> bool:
        return not any(state.left) and state.boat <= state.minute

    def _possible(self, state: State) -> list[str]:
        waiting = [cart for cart, left in zip(self.scenario, state.left, strict=True) if left]
        packed = [cart.name for cart in waiting if state.packed[self.numbers[cart.name]]]
        sent = [f"send {name}" for name in packed] if state.boat <= state.minute else []
        return [*sent, *(f"pack {cart.name}" for cart in waiting if cart.name not in packed), "wait"]

    def step(self, state: State, decisions: Mapping[Seat, str | Refusal]) -> Step[State]:
        """To send a cart takes no time. What is refused costs a minute."""
        if not self.deciders(state):
            return Step(state)
        said, now, limit = decisions.get(YOU), state.minute, self.limits.minutes
        if not isinstance(said, str) or said not in self._possible(state):
            fault = Fault.MISMATCH if isinstance(said, str) else Fault.UNREADABLE
            refusal = said if isinstance(said, Refusal) else Refusal("impossible", fault)
            after, events = self._passed(state, now + 1)
            return Step(after, events, (refusal.at(YOU),))
        verb, _, name = said.partition(" ")
        if verb == "wait":
            return Step(*self._passed(state, now + 1))
        number = self.numbers[name]
        cart = self.scenario[number]
        if verb == "send":
            boat = now + cart.crossing
            left, packed = _with(state.left, number, False), _with(state.packed, number, 0)
            begun = Event(now, "start", BOAT, "cross", f"until {boat}")
            return Step(replace(state, left=left, packed=packed, boat=boat), (begun,))
        until = now + cart.packing
        after, events = self._passed(state, until)
        begun = Event(now, "start", YOU, said, f"{said} {now}")
        if limit is not None and until > limit:
            return Step(after, (begun, *events))
        packed = _with(after.packed, number, until + cart.keeps)
        return Step(replace(after, packed=packed), (begun, *events, replace(begun, time=until, what="end")))

    def _passed(self, state: State, until: int) -> tuple[State, tuple[Event, ...]]:
        """Time passes, as far as the day goes: a crossing ends, packed ice melts."""
        limit, boat = self.limits.minutes, state.boat
        now = until if limit is None else min(until, limit)
        packed = tuple(keeps if keeps > now else 0 for keeps in state.packed)
        ended = (Event(boat, "end", BOAT, "cross", f"until {boat}"),) if state.minute < boat <= now else ()
        return replace(state, minute=now, packed=packed), ended

    def observe(self, state: State, seat: Seat) -> State:
        """Everything."""
        return state

    def outcome(self, state: State) -> Outcome:
        """``minutes``: when all were across, or the time that has passed."""
        across = self._across(state)
        numbers: dict[str, int | float] = {
            "completed": int(across),
            "minutes": state.minute,
            "left": sum(state.left),
        }
        return Outcome("ended" if across else "cut off" if self._over(state) else "running", "", numbers)

    def menu(self, state: State, seat: Seat) -> Menu[str]:
        """Every decision there is."""
        options = (Option(said, said, passes=said == "wait") for said in self._possible(state))
        return Menu(tuple(options), complete=True, under_way=("cross",) * (state.boat > state.minute))

    def briefing_parts(self, seat: Seat) -> Sequence[Part]:
        """The carts, and how to answer."""
        carts = "\n".join(
            f"- {cart.name}: packing {cart.packing}, crossing and back {cart.crossing}, keeps {cart.keeps}"
            for cart in self.scenario
        )
        task = f"Bring all carts of ice across the river as early as you can. Minutes of each:\n{carts}"
        rules = "You pack, the boat crosses by itself with one cart. Ice that is not sent in time has melted."
        answers = "Answer with: pack CART, send CART, or wait (for a minute)."
        return (Part("task", task), Part("instructions", f"\n\n{rules}"), Part("answering", f"\n\n{answers}"))

    def description_parts(self, observation: State) -> Sequence[Part]:
        """The clock, the boat, and each cart on this bank."""
        boat = f"is back in minute {observation.boat}" if observation.boat > observation.minute else "is here"
        carts = [
            f"- {name}: {f'packed, keeps until minute {keeps}' if keeps else 'empty'}"
            for name, keeps, left in zip(self.numbers, observation.packed, observation.left, strict=True)
            if left
        ]
        return (Part("state", "\n".join([f"Minute {observation.minute}. The boat {boat}.", *carts])),)

    def parse(self, state: State, seat: Seat, answer: str) -> str | Refusal:
        """Reads what a menu may say, whether it is possible now or not."""
        said = answer[:200].strip().rstrip(".")
        known = {"wait", *(f"{verb} {name}" for verb in ("pack", "send") for name in self.numbers)}
        return said if said in known else Refusal("not understood", Fault.UNREADABLE)

    def words(self, decision: str, seat: Seat = "") -> str:
        """Itself."""
        return decision


def _with(values: tuple[Any, ...], number: int, value: Any) -> tuple[Any, ...]:
    return (*values[:number], value, *values[number + 1 :])


CARTS = {
    cart.name: cart
    for cart in (
        Cart("north", packing=3, crossing=6, keeps=9),
        Cart("east", packing=5, crossing=2, keeps=4),
        Cart("south", packing=1, crossing=5, keeps=6),
        Cart("west", packing=4, crossing=4, keeps=3),
    )
}


class FerryCatalogue(Catalogue[Ferry]):
    """Days of carts, named by them: ``ferry/north+east``."""

    name, world = "ferry", Ferry
    scenario_type, rules_type, limits_type = tuple[Cart, ...], Rules, Limits
    rules = dict.fromkeys(("standard", "released"), Rules("standard"))
    no_limits = Limits()

    def suites(self) -> Mapping[str, Sequence[str]]:
        """Two days of a few carts, and all."""
        return {"quick": ("north+east",), "all": ("north+east", "east+south+west", "north+east+south+west")}

    def scenario(self, path: str, options: Mapping[str, str]) -> tuple[Cart, ...]:
        """The carts of a path."""
        for name in path.split("+"):
            if name not in CARTS:
                raise UnknownName("cart", name, CARTS)
        if options:
            raise Refused(f"{self.name}: its days have no options")
        return tuple(CARTS[name] for name in dict.fromkeys(path.split("+")))

    def article_limits(self, id: str, scenario: tuple[Cart, ...], rules: Rules) -> Limits:
        """As long as one cart after the other takes."""
        return Limits(sum(cart.packing + cart.crossing for cart in scenario))


CATALOGUE = FerryCatalogue()
