"""What a cook decides in a step, reading it, and which actions it may take.

A decision is a direction, to stay, or to interact with what the cook faces. ``interact`` does what can be
done there: take, put down, put in, take out, fill a dish, deliver. A dispenser of ingredients is told which
one (``interact(egg)``), a utensil is started by ``interact(start)``.

A cook may take the actions that change something, and those that may, as the partner acts first.

What comes to nothing is refused, and costs the step like staying. The chef acts before the assistant within
a step. So the assistant may do anything at a tile that the chef faces as well: what lies there when it acts
depends on the chef.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, get_args

from msgspec import Struct

from backburner.kernel.errors import shorten
from backburner.kernel.menu import Menu, Option
from backburner.kernel.text import answers_on_lines
from backburner.kernel.values import Detail, Fault, Refusal
from backburner.worlds.collab_grid.game.state import State
from backburner.worlds.collab_overcooked.game import layout
from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.layout import START
from backburner.worlds.collab_overcooked.game.state import SEATS, Body, Kitchen, Move
from backburner.worlds.collab_overcooked.game.view import under_way

Verb = Literal["north", "south", "east", "west", "stay", "interact"]
VERBS: tuple[Verb, ...] = get_args(Verb)
"""In the order of ``layout.ACTIONS``."""

STAY, INTERACT = VERBS[layout.STAY], VERBS[layout.INTERACT]
DIRECTIONS = VERBS[: layout.STAY]


LONGEST_SILENCE = 1000
"""Steps of one silence, more than any published limit; a longer one is made of several."""

SILENT = "(silent)"
"""How a silence is told; nobody can say it."""


class Action(Struct, frozen=True, omit_defaults=True, gc=False):
    """What a cook does in a step. ``parameter``: of ``interact``, an ingredient or ``start``; else empty.

    ``silent``: the cook stays and has not decided yet, for so many steps.
    """

    verb: Verb
    parameter: str = ""
    silent: int = 0

    @property
    def text(self) -> str:
        """As it is written; of a silence, what cannot be read."""
        if self.silent:
            return SILENT
        return f"{self.verb}({self.parameter})" if self.parameter else self.verb

    @property
    def move(self) -> Move:
        """As the kitchen steps."""
        return VERBS.index(self.verb), self.parameter


IDLE, SILENCE = Action("stay"), Action("stay", silent=1)


def silence(steps: int) -> Action:
    """To stay for so many steps, and say nothing."""
    return Action("stay", silent=min(steps, LONGEST_SILENCE))


def planned(move: str) -> Action:
    """A move of a search's plan, such as ``N``, ``STAY`` or ``INTERACT(start)``."""
    name, _, parameter = move.rstrip(")").partition("(")
    return Action(VERBS[layout.ACTIONS.index(name)], parameter)


FAULTS: Mapping[str, Fault] = {
    "unreadable": Fault.UNREADABLE,
    "several_actions": Fault.UNREADABLE,
    "unknown_ingredient": Fault.UNKNOWN_THING,
    "names_no_ingredient": Fault.MISMATCH,
    "takes_no_parameter": Fault.MISMATCH,
    "nothing_to_turn": Fault.REACH,
    "faces_nothing": Fault.REACH,
    "hands_full": Fault.CAPACITY,
    "hands_empty": Fault.MISSING_PREREQUISITE,
    "counter_taken": Fault.OCCUPIED,
    "counter_empty": Fault.MISSING_PREREQUISITE,
    "utensil_empty": Fault.MISSING_PREREQUISITE,
    "utensil_at_work": Fault.OCCUPIED,
    "utensil_ready": Fault.OCCUPIED,
    "utensil_full": Fault.CAPACITY,
    "not_started": Fault.TIMING,
    "deliver_not_food": Fault.MISMATCH,
    "deliver_not_ordered": Fault.MISMATCH,
    "deliver_dish_missing": Fault.MISSING_PREREQUISITE,
    "deliver_dish_not_wanted": Fault.MISMATCH,
}
"""The family of each reason why an action is refused."""


def refused(code: str, **detail: Detail) -> Refusal:
    """The refusal of this code with these facts."""
    return Refusal(code, FAULTS[code], tuple(detail.items()))


LONGEST_ACTION = 200
"""Characters of an action that are looked at."""

_ACTION = re.compile(r"(?:move |go )?([a-z]+)(?: ?\( ?([a-z0-9_]*) ?\)| ([a-z0-9_]+))?", re.IGNORECASE)
_SHORT: Mapping[str, Verb] = {
    **{verb: verb for verb in VERBS},
    **{"n": "north", "s": "south", "e": "east", "w": "west", "wait": "stay", "act": "interact"},
    **{"up": "north", "down": "south", "right": "east", "left": "west"},
}


def read(answer: str) -> Action | Refusal:
    """The action in an answer, which stands alone on its line; lines that are none are passed over.

    Directions may be shortened (``n``, ``up``), and the parameter may stand without parentheses.
    """
    found = {action for line in answers_on_lines(answer) if (action := _read_line(line)) is not None}
    if len(found) == 1:
        return found.pop()
    if not found:
        return refused("unreadable", said=shorten(answer.strip()))
    return refused("several_actions", said=", ".join(sorted(action.text for action in found)[:3]))


def _read_line(line: str) -> Action | None:
    if len(line) > LONGEST_ACTION:
        return None
    match = _ACTION.fullmatch(line.strip().rstrip(".;").strip())
    word = match[1].lower() if match else ""
    if match is None or (word != "start" and word not in _SHORT):
        return None
    parameter = (match[2] or match[3] or "").lower()
    if word == "start":
        return None if parameter else Action(INTERACT, word)
    if parameter and _SHORT[word] != INTERACT:
        return None
    return Action(_SHORT[word], parameter)


# --- what may be done -----------------------------------------------------------------------------------


FETCH = "fetch"
"""Taking an ingredient from a dispenser names it among many, so it has a verb of its own on menus."""

PARAMETERS: Mapping[str, Sequence[str]] = {
    **dict.fromkeys(DIRECTIONS, ()),
    "stay": (),
    INTERACT: ("place",),
    FETCH: ("item", "place"),
    START: ("place",),
}
"""Every verb of menus with its parameters."""

WORDING: Mapping[str, str] = {
    **{direction: f"one step {direction}" for direction in DIRECTIONS},
    INTERACT: "use {place}",
    FETCH: "take {item} from {place}",
    START: "start {place}",
}
"""How they are said to people."""


class Legality:
    """What the cooks of one kitchen may do. ``places``: what each tile is called, as scenes call it."""

    def __init__(self, compiled: Compiled, places: Mapping[int, str]) -> None:
        self._compiled = compiled
        self._grid = compiled.grid
        self._foods = frozenset(compiled.layout.ingredients)
        self._options = tuple(self._made(cook, places) for cook in (0, 1))

    def refusal(self, kitchen: Kitchen, cook: int, action: Any) -> Refusal | None:
        """Why a cook may not do this now; ``None`` if it may. Of what is no action: that it is unreadable."""
        if isinstance(action, Refusal):
            return action
        if (
            not isinstance(action, Action)
            or action.verb not in VERBS
            or not isinstance(action.parameter, str)
        ):
            return refused("unreadable", said="nothing")
        if action.silent:
            stays = action == silence(action.silent) and action.silent > 0
            return None if stays else refused("unreadable", said="nothing")
        if action.verb == INTERACT:
            return self._interaction(kitchen, cook, action.parameter)
        if action.parameter:
            return refused("takes_no_parameter", said=action.text)
        direction = VERBS.index(action.verb)
        body = kitchen.bodies[cook]
        if direction == layout.STAY or direction != body.facing or self._grid.is_floor[self._faced(body)]:
            return None
        return refused("nothing_to_turn", said=action.verb)

    def _faced(self, body: Body) -> int:
        return body.cell + self._grid.deltas[body.facing]

    def _interaction(self, kitchen: Kitchen, cook: int, parameter: str) -> Refusal | None:
        body = kitchen.bodies[cook]
        cell = self._faced(body)
        tile = self._grid.tiles[cell]
        if tile == layout.FLOOR:
            return refused("faces_nothing")
        if tile == layout.INGREDIENTS:
            return self._fetching(body, parameter)
        utensil = self._grid.utensil_at.get(cell)
        if parameter and (utensil is None or parameter != START):
            return refused("takes_no_parameter", said=parameter)
        if tile == layout.DISHES:
            return refused("hands_full", held=body.held) if body.held else None
        if cook == 1 and self._faced(kitchen.bodies[0]) == cell:
            return None
        if utensil is not None:
            return self._at_utensil(kitchen, body, utensil, parameter)
        if tile == layout.COUNTER:
            return self._at_counter(kitchen, body, cell)
        return self._serving(kitchen, body)

    def _fetching(self, body: Body, item: str) -> Refusal | None:
        if not item:
            return refused("names_no_ingredient")
        if item not in self._foods:
            return refused("unknown_ingredient", item=item)
        return refused("hands_full", held=body.held) if body.held else None

    def _at_counter(self, kitchen: Kitchen, body: Body, cell: int) -> Refusal | None:
        lying = kitchen.on_counter(cell)
        if lying is None:
            return None if body.held else refused("counter_empty")
        return refused("counter_taken", item=lying.item) if body.held else None

    def _at_utensil(self, kitchen: Kitchen, body: Body, utensil: int, parameter: str) -> Refusal | None:
        content, place = kitchen.content(utensil), self._grid.utensils[utensil].name
        if parameter:
            if content is None:
                return refused("utensil_empty", place=place)
            return refused("utensil_at_work", place=place) if content.timer else None
        if not body.held or body.holds_dish:
            if content is None:
                return refused("utensil_empty", place=place)
            if content.ready:
                return None
            return refused("utensil_at_work" if content.timer else "not_started", place=place)
        if content is None:
            return None
        if content.timer:
            return refused("utensil_ready" if content.ready else "utensil_at_work", place=place)
        full = len(content.items) >= self._compiled.cookbook.capacity
        return refused("utensil_full", place=place) if full else None

    def _serving(self, kitchen: Kitchen, body: Body) -> Refusal | None:
        rules, needs_dish = self._compiled.rules, self._compiled.cookbook.needs_dish
        if not body.held:
            return refused("hands_empty")
        if body.holds_dish:
            return refused("deliver_not_food", held=body.held)
        wanted = kitchen.orders[:1] if rules.first_order_only else kitchen.orders
        if rules.food_is_lost:
            return None
        if body.held not in wanted:
            return refused("deliver_not_ordered", held=body.held)
        if needs_dish[body.held] == body.plated:
            return None
        return refused("deliver_dish_not_wanted" if body.plated else "deliver_dish_missing", held=body.held)

    # --- menus --------------------------------------------------------------------------------------------

    def menu(self, state: State, cook: int) -> Menu[Action]:
        """Everything that the cook may do now."""
        kitchen = state.kitchen
        faced = self._faced(kitchen.bodies[cook])
        options = [
            option
            for option in self._options[cook][faced]
            if self.refusal(kitchen, cook, option.decision) is None
        ]
        working = under_way(self._compiled, state.operations)
        return Menu(tuple(options), complete=True, under_way=working)

    def _made(self, cook: int, places: Mapping[int, str]) -> Sequence[Sequence[Option[Action]]]:
        """For each tile that a cook may face: every option that it may ever have there."""
        seat = SEATS[cook]
        always = [Option(IDLE, IDLE.text, passes=True, body=seat, verb=IDLE.verb)]
        for verb in DIRECTIONS:
            always.append(Option(Action(verb), verb, body=seat, verb=verb))
        return [
            (*always, *self._with_hands(seat, cell, places[cell])) if cell in places else always
            for cell in range(len(self._grid.tiles))
        ]

    def _with_hands(self, seat: str, cell: int, place: str) -> Iterator[Option[Action]]:
        if self._grid.tiles[cell] == layout.INGREDIENTS:
            for item in self._compiled.layout.ingredients:
                action = Action("interact", item)
                yield Option(action, action.text, body=seat, verb=FETCH, things=(item, place))
            return
        action = Action("interact")
        yield Option(action, action.text, body=seat, verb=INTERACT, things=(place,), gloss=place)
        if cell in self._grid.utensil_at:
            action = Action("interact", START)
            yield Option(action, action.text, body=seat, verb=START, things=(place,), gloss=place)
