"""How actions, times and lengths of Recipe2Plan are written."""

from __future__ import annotations

from collections.abc import Iterator

from backburner.worlds.recipe2plan.game.actions import Cook, Piece
from backburner.worlds.recipe2plan.game.beliefs import statement
from backburner.worlds.recipe2plan.game.rule_set import Rules

PLAN_FORM = """\
Write one line for each action, in the order of their starts, as "Action: Step(number, recipe, duration, \
start)". The whole plan is carried out until an action of it is not possible; the rest is not tried."""
"""How a whole plan is written."""


TYPING = """\
Step(number, recipe, duration, start): a later start than now means to wait until then; a step that may \
be split takes a shorter duration as well. finish: when everything is complete."""
"""How a person types an action."""


def words(decision: Cook, rules: Rules) -> str:
    """The text that is read as this decision."""
    return "\n".join((*map(statement, decision.beliefs), *_action_words(decision, rules)))


def _action_words(decision: Cook, rules: Rules) -> Iterator[str]:
    if decision.actions:
        finish = (" */" if rules.thoughts_are_read else ", Finish") if decision.finish else ""
        yield f"Action: {', '.join(map(piece_words, decision.actions))}{finish}"
    elif decision.finish:
        yield "Action: Finish"


def piece_words(piece: Piece) -> str:
    """An action as it is written."""
    return f"Step({piece.step}, {piece.recipe}, {clock(piece.seconds)}, {clock(piece.start)})"


def clock(seconds: int) -> str:
    """HH:MM:SS."""
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def length(seconds: int) -> str:
    """Such as ``1 h 30 min``."""
    parts = ((seconds // 3600, "h"), (seconds // 60 % 60, "min"), (seconds % 60, "s"))
    return " ".join(f"{count} {unit}" for count, unit in parts if count) or "0 s"
