"""A person's line at a prompt as an answer: calls, then what is said, in one line."""

from __future__ import annotations

import re

from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.reading import FIELD, written
from backburner.worlds.collab_overcooked.game.state import Reply
from backburner.worlds.collab_overcooked.game.talking import NOTHING

HELP = (
    "Calls: pickup(egg, ingredient_dispenser); place_obj_on_counter(). To speak, put 'say:' and your words "
    "behind them, or alone; [END] in them ends the talk. To ask for a call: request('cut(chopping_board0)')."
)
SAY = re.compile(r"\bsay\s*:", re.IGNORECASE)
PLAN = re.compile(r"^\s*plan\s*:", re.IGNORECASE)


def answer_of(line: str) -> str:
    """The answer in three fields that a line stands for. Words alone go with a wait of one step.

    A line that begins with a field other than ``plan`` or ``say`` is an answer already.
    """
    first = FIELD.match(line)
    if first is not None and first[1].lower() not in ("plan", "say"):
        return line
    plan, *said = SAY.split(line, maxsplit=1)
    plan = PLAN.sub("", plan).strip().rstrip(";")
    words = said[0].strip() if said else ""
    return written(Reply(NOTHING, (plan or calls.wait().text,), words or NOTHING))
