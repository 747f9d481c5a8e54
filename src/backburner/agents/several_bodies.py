"""Menus of seats with several bodies list decisions for one body each; these make one decision for all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from backburner.kernel.menu import Option
from backburner.kernel.policy import Turn

Pick = Callable[[Sequence[Option[Any]]], Option[Any]]
"""Takes one of some options."""


def decision_for_all(turn: Turn, pick: Pick) -> Any:
    """What ``pick`` takes off the menu; if that is for one body, with what it takes for each other body.

    Bodies come in the order of the menu. A menu that is complete has no decisions for several bodies, and
    of one whose world does not tell which body a decision is for, the first pick stands alone.
    """
    menu = turn.menu
    first = pick(menu.options)
    if menu.complete:
        return first.decision
    by_body: dict[str, list[Option[Any]]] = {}
    for option in menu.options:
        if option.body:
            by_body.setdefault(option.body, []).append(option)
    if not first.body or len(by_body) == 1:
        return first.decision
    picked = [first if body == first.body else pick(own) for body, own in by_body.items()]
    return turn.together([option.decision for option in picked])
