"""What scripted cooks say: requests in plans and in words, answers to them, and reading those of others."""

from __future__ import annotations

import re
from collections.abc import Iterable

from backburner.worlds.collab_overcooked.agents.task_allocation import ONE_WAIT, Plan
from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.calls import Call, CallReader
from backburner.worlds.collab_overcooked.game.reading import END, NOTHING
from backburner.worlds.collab_overcooked.game.state import Observation, Reply

_CALL = re.compile(r"(?<![a-z_])[a-z_]+\([^()]*\)", re.IGNORECASE)


def quiet(*plan: str) -> Reply:
    """An answer that plans and says nothing; an empty plan is a wait of one step."""
    return Reply(NOTHING, plan or (ONE_WAIT,), NOTHING)


def request(call: str) -> str:
    """The entry of a plan that asks the partner for a call."""
    return f"{calls.REQUEST}('{call}')"


def asking(own: Plan, wanted: Plan) -> Reply:
    """An answer that asks the partner for something, in its plan and its words, and plans own calls."""
    plan = (*map(request, wanted), *(own or (ONE_WAIT,)))
    return Reply("My partner has to do something.", plan, f"Please do {_listed(wanted)}. {END}")


def inquiring() -> Reply:
    """An answer that asks the partner what to do."""
    return Reply("I have no recipe.", (ONE_WAIT,), "What shall I do next?")


def ordering(wanted: Plan) -> Reply:
    """An answer that tells the partner what to do. The talk stays open, so that the partner can plan it."""
    plan = tuple(map(request, wanted or (ONE_WAIT,)))
    return Reply("My partner does not know what is needed.", plan, f"Please do {_listed(wanted)}.")


def agreeing(plan: Plan, reason: str) -> Reply:
    """An answer that plans what was asked for."""
    return Reply(reason, plan or (ONE_WAIT,), f"I do {_listed(plan)}. {END}")


def _listed(plan: Plan) -> str:
    return ", then ".join(plan) or "nothing"


def asked_for(seen: Observation, reader: CallReader) -> Plan:
    """The calls that the partner asks for in its plan, or if there are none, in what it said last.

    Anything that is not a call is passed over.
    """
    texts: Iterable[str] = seen.requests
    if not seen.requests:
        said = [spoken for role, spoken in seen.talk if role == seen.partner.role]
        texts = _CALL.findall(said[-1]) if said else ()
    read = (reader.read(text) for text in texts)
    return tuple(call.text for call in read if isinstance(call, Call))
