"""Menus of seats with several bodies list decisions for one body each; these make one decision for all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from backburner.kernel.contract import Option
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
    for command in turn.commands:
        if command.body:
            by_body.setdefault(command.body, []).append(command.option)
    mine = next((body for body, own in by_body.items() if _has(own, first)), None)
    if mine is None or len(by_body) == 1:
        return first.decision
    picked = {body: first if body == mine else pick(own) for body, own in by_body.items()}
    return turn.together([option.decision for option in picked.values()])


def _has(options: Sequence[Option[Any]], one: Option[Any]) -> bool:
    return any(option.decision == one.decision for option in options)
