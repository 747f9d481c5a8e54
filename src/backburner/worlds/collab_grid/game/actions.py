"""What a cook decides in a step: a direction, to stay, or to interact with what it faces; reading it.

``interact`` does what can be done there: take, put down, put in, take out, fill a dish, deliver. A dispenser
of ingredients is told which one (``interact(egg)``), a utensil is started by ``interact(start)``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, get_args

from msgspec import Struct

from backburner.kernel.errors import shorten
from backburner.kernel.text import answers_on_lines
from backburner.kernel.values import Detail, Fault, Refusal
from backburner.worlds.collab_overcooked.game import layout
from backburner.worlds.collab_overcooked.game.state import Move

Verb = Literal["north", "south", "east", "west", "stay", "interact"]
VERBS: tuple[Verb, ...] = get_args(Verb)
"""In the order of ``grid.ACTIONS``."""

STAY, INTERACT = VERBS[layout.STAY], VERBS[layout.INTERACT]
DIRECTIONS = VERBS[: layout.STAY]


class Action(Struct, frozen=True, omit_defaults=True, gc=False):
    """What a cook does in a step. ``parameter``: of ``interact``, an ingredient or ``start``; else empty."""

    verb: Verb
    parameter: str = ""

    @property
    def text(self) -> str:
        """As it is written."""
        return f"{self.verb}({self.parameter})" if self.parameter else self.verb

    @property
    def move(self) -> Move:
        """As the kitchen steps."""
        return VERBS.index(self.verb), self.parameter


IDLE = Action("stay")


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
