"""What a seat sees of a state."""

from __future__ import annotations

from backburner.kernel.values import Refusal, Seat
from backburner.worlds.cuisineworld.game.actions import ACTIVATE, NOOP, SILENT, VERBS
from backburner.worlds.cuisineworld.game.kitchen import Kitchen
from backburner.worlds.cuisineworld.game.rule_set import Rules
from backburner.worlds.cuisineworld.game.scenarios import Scenario
from backburner.worlds.cuisineworld.game.seats import Seating, body_name
from backburner.worlds.cuisineworld.game.state import (
    NOTHING,
    Act,
    Observation,
    Order,
    SeenAct,
    SeenBody,
    SeenOrder,
    SeenPlace,
    State,
)

Deeds = tuple[SeenAct, ...]
Made = tuple[tuple[str, str], ...]


class Sight:
    """The eyes of a scenario's seats."""

    def __init__(self, scenario: Scenario, rules: Rules, kitchen: Kitchen, seating: Seating) -> None:
        self.scenario = scenario
        self.rules = rules
        self.kitchen = kitchen
        self.seating = seating

    def known_orders(self, state: State, seat: Seat) -> tuple[Order, ...]:
        """The open orders that one of the seat's bodies has seen; all of them where none is hidden."""
        if not self.scenario.hidden_orders:
            return state.orders
        seen = 0
        for body in self.seating.bodies_of[seat]:
            seen |= state.seen[body]
        return tuple(order for order in state.orders if seen >> order.number & 1)

    def observe(self, state: State, seat: Seat) -> Observation:
        """What a seat perceives now."""
        kitchen = self.kitchen
        return Observation(
            self.scenario.level,
            state.steps,
            self.scenario.steps,
            tuple(body_name(body) for body in self.seating.bodies_of[seat]),
            tuple(self._body(state, body) for body in range(len(state.at))),
            tuple(
                SeenPlace(name, tuple(kitchen.things[thing] for thing in inside), busy > 0)
                for name, inside, busy in zip(kitchen.places, state.inside, state.busy, strict=True)
            ),
            tuple(SeenOrder(kitchen.dishes[o.dish], o.left) for o in self.known_orders(state, seat)),
            tuple(kitchen.dishes[dish] for dish in state.served),
            *self._successes(state),
            *self._failures(state, seat),
        )

    def _successes(self, state: State) -> tuple[Deeds, Made, tuple[str, ...]]:
        """What was done, finished and served: the half of feedback that the release leaves out."""
        if self.scenario.feedback != "full":
            return (), (), ()
        kitchen, feedback = self.kitchen, state.feedback
        return (
            tuple(self._deed(deed) for deed in feedback.done if deed.verb != NOOP),
            tuple((kitchen.places[place], self._made(state, place)) for place in feedback.finished),
            tuple(kitchen.dishes[dish] for dish in state.served[len(state.served) - feedback.served :]),
        )

    def _made(self, state: State, place: int) -> str:
        """What was finished there with the last step; if it took no time, it may be gone again."""
        begun = (deed.thing for deed in state.feedback.done if (deed.verb, deed.place) == (ACTIVATE, place))
        made = next(begun, NOTHING)
        return self.kitchen.things[state.inside[place][0] if made == NOTHING else made]

    def _failures(self, state: State, seat: Seat) -> tuple[tuple[Refusal, ...], bool]:
        if self.scenario.feedback == "none":
            return (), False
        feedback = state.feedback
        refusals = tuple(r for r in feedback.refusals if r.seat == seat and SILENT not in r.detail)
        return refusals, feedback.idle and self.rules.idling_complaint

    def _body(self, state: State, body: int) -> SeenBody:
        kitchen, held = self.kitchen, state.held[body]
        return SeenBody(
            body_name(body),
            kitchen.places[state.at[body]],
            "" if held == NOTHING else kitchen.things[held],
            state.hands_busy[body] > 0,
        )

    def _deed(self, deed: Act) -> SeenAct:
        thing = "" if deed.thing == NOTHING else self.kitchen.things[deed.thing]
        return SeenAct(body_name(deed.body), VERBS[deed.verb], self.kitchen.places[deed.place], thing)
