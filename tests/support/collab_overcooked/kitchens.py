"""Collab-Overcooked for tests: small kitchens and moments, recorded states, cooks that follow a script."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from backburner.kernel.values import Refusal
from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.calls import Call
from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.layout import (
    ACTIONS,
    EAST,
    IDLE,
    NORTH,
    SHIPPED,
    SOUTH,
    WEST,
    Layout,
    Recipe,
    UtensilKind,
    shipped_layout,
)
from backburner.worlds.collab_overcooked.game.rule_set import NO_LIMITS, STANDARD, Limits, Rules
from backburner.worlds.collab_overcooked.game.scenarios import Scenario
from backburner.worlds.collab_overcooked.game.state import Body, Content, Kitchen, Lying, Move, State
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked

RETRIED = {
    "retry": None,
    "drop": (),
    "smart": ("pickup_not_on_reachable_counter", "pickup_utensil_cooking", "put_utensil_cooking"),
}
"""How a script takes refusals: the codes after which it tries again; ``None``: after all of them."""


def recorded_state(compiled: Compiled, kitchen: Kitchen) -> dict[str, Any]:
    """A kitchen as the recordings write it."""
    at, utensils = compiled.grid.at, compiled.grid.utensils
    return {
        "p": [[*at(one.cell), ACTIONS[one.facing], _held(one.held, one.plated)] for one in kitchen.bodies],
        "u": {
            utensils[one.utensil].name: [one.output or list(one.items), len(one.items), one.timer]
            for one in kitchen.contents
        },
        "c": {"{},{}".format(*at(one.cell)): _held(one.item, one.plated) for one in kitchen.lying},
    }


def _held(item: str, plated: bool) -> str | None:
    return f"plated:{item}" if plated else item or None


class ScriptedCook:
    """Follows a list of calls; what it is refused it tries again or drops, idle in that step."""

    def __init__(self, compiled: Compiled, cook: int, plan: Sequence[str], policy: str) -> None:
        self._compiled = compiled
        self._cook = cook
        self._plan = plan
        self._retried = RETRIED[policy]
        self._next = 0
        self.call: Call | None = None
        self._left = 0
        self.errors: list[list[Any]] = []
        self.schedule: list[list[Any]] = []

    def tick_off(self, kitchen: Kitchen) -> None:
        """Forget the call that is done, which the partner notices too."""
        if self.call is None:
            return
        waiting = self.call.verb == calls.WAIT
        if self._left == 0 if waiting else self._compiled.execution.done(kitchen, self._cook, self.call):
            self.call = None

    def decide(self, kitchen: Kitchen) -> Move:
        """What it does in the step from this kitchen."""
        self.tick_off(kitchen)
        if self.call is None and self._next < len(self._plan):
            self._take(kitchen, self._plan[self._next])
        if self.call is None:
            return IDLE
        self.schedule[-1][3] = kitchen.steps
        if self.call.verb == calls.WAIT:
            self._left -= 1
            return IDLE
        move = self._compiled.execution.move(kitchen, self._cook, self.call)
        assert move is not None, self.call
        return move

    def _take(self, kitchen: Kitchen, text: str) -> None:
        refusal = refusal_of(self._compiled, kitchen, self._cook, text)
        if refusal is None:
            found = self._compiled.reader.read(text)
            assert isinstance(found, Call)
            self.call, self._left = found, found.steps
            self.schedule.append([self._next, text, kitchen.steps, kitchen.steps])
            self._next += 1
            return
        self.errors.append([kitchen.steps, self._cook, text, refusal.code.upper()])
        if self._retried is not None and refusal.code not in self._retried:
            self._next += 1


def refusal_of(compiled: Compiled, kitchen: Kitchen, cook: int, text: str) -> Refusal | None:
    """Why this text is nothing that a cook can do now."""
    found = compiled.reader.read(text)
    return found if isinstance(found, Refusal) else compiled.legality.refusal(kitchen, cook, found)


def with_rule(name: str, value: bool) -> Rules:
    """Standard rules but for one field."""
    return replace(STANDARD, **{name: value})


def compiled_with(name: str, value: bool) -> Compiled:
    """The shipped kitchen under standard rules but for one field."""
    return Compiled(shipped_layout(SHIPPED), with_rule(name, value))


def world_of(
    *orders: str,
    rules: Rules = STANDARD,
    limits: Limits = NO_LIMITS,
    layout: Layout | str = SHIPPED,
    **more: Any,
) -> CollabOvercooked:
    """A world of these orders; by default in the shipped kitchen, without limits."""
    scenario = Scenario(orders, layout, **more)
    return CollabOvercooked("collab_overcooked/user/test", scenario, rules, limits)


def cell(x: int, y: int, width: int = 5) -> int:
    """The number of a cell."""
    return y * width + x


CHEF_AT_POT = Body(cell(3, 1), NORTH)
CHEF_AT_OVEN = Body(cell(3, 3), EAST)
CHEF_AT_SERVING = Body(cell(3, 3), SOUTH)
ASSISTANT_AT_BOARD = Body(cell(1, 2), WEST)
ASSISTANT_AT_BLENDER = Body(cell(1, 3), SOUTH)
POT, BOARD, OVEN, BLENDER = 0, 1, 2, 3
"""The utensils of the shipped kitchen, by index."""


def kitchen_with(
    chef: Body = CHEF_AT_POT,
    assistant: Body = ASSISTANT_AT_BOARD,
    *,
    orders: tuple[str, ...] = ("boiled_egg",),
    contents: tuple[Content, ...] = (),
    lying: tuple[Lying, ...] = (),
    ruined: tuple[int, ...] = (),
) -> Kitchen:
    """A moment in the shipped kitchen."""
    return Kitchen((chef, assistant), orders, contents, lying, ruined)


def holding(body: Body, item: str, plated: bool = False) -> Body:
    """The same cook with something in its hands."""
    return replace(body, held=item, plated=plated)


def answer(
    world: CollabOvercooked, state: State, plan: str, say: str = "[NOTHING]", *, refused: Sequence[str] = ()
) -> State:
    """The state after an answer of whoever is asked, written out and read; ``refused``: the codes."""
    seat = world.deciders(state)[0]
    role = seat.capitalize()
    text = f"{role} analysis: as it is\n{role} plan: {plan}\n{role} say: {say}"
    step = world.step(state, {seat: world.parse(state, seat, text)})
    assert [refusal.code for refusal in step.refusals] == list(refused), step.refusals
    return step.state


OPEN_KITCHEN = Layout(
    grid=("XPXPXXX", "I1   2S", "XXX XXX", "D     C", "XXXXOXX"),
    utensils={
        "pot": UtensilKind("P", "cook"),
        "chopping_board": UtensilKind("C", "cut"),
        "oven": UtensilKind("O", "bake"),
    },
    ingredients=("egg", "potato"),
    recipes=(
        Recipe("pot", "boiled_egg", ("egg",), 2),
        Recipe("chopping_board", "potato_slices", ("potato",), 1),
        Recipe("oven", "gratin", ("potato_slices", "boiled_egg"), 4),
    ),
    needs_dish={"boiled_egg": False, "gratin": True},
    capacity=2,
    delivery_reward=7,
)
"""One room with two pots and a corridor of one cell: the cooks can be in each other's way."""
