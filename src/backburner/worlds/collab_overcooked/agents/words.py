"""Asking and being asked: requests in plans and in what is said, and answers to them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from backburner.worlds.collab_overcooked.agents.goals import ONE_WAIT, Job
from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.call_reading import CallReader
from backburner.worlds.collab_overcooked.game.calls import Call
from backburner.worlds.collab_overcooked.game.sight import Observation
from backburner.worlds.collab_overcooked.game.state import Reply
from backburner.worlds.collab_overcooked.game.talking import END, NOTHING

_CALL = re.compile(r"[a-z_]+\([^()]*\)", re.IGNORECASE)


def quiet(*plan: str) -> Reply:
    """A plan without a word; one step of waiting if there is none."""
    return Reply(NOTHING, plan or (ONE_WAIT,), NOTHING)


def request(call: str) -> str:
    """The entry of a plan that puts a call before the partner."""
    return f"{calls.REQUEST}('{call}')"


def asking(own: Job, wanted: Job) -> Reply:
    """To ask the partner for something, in the plan and aloud, and to do something oneself."""
    plan = (*map(request, wanted), *(own or (ONE_WAIT,)))
    return Reply("My partner has to do something.", plan, f"Please do {_listed(wanted)}. {END}")


def inquiring() -> Reply:
    """To ask the partner what to do."""
    return Reply("I have no recipe.", (ONE_WAIT,), "What shall I do next?")


def ordering(wanted: Job) -> Reply:
    """To answer with what the partner has to do; what one is at oneself goes on.

    The talk is left open, so that the partner can plan it.
    """
    plan = tuple(map(request, wanted or (ONE_WAIT,)))
    return Reply("My partner does not know what is needed.", plan, f"Please do {_listed(wanted)}.")


def agreeing(plan: Job, reason: str) -> Reply:
    """To do what was asked for."""
    return Reply(reason, plan or (ONE_WAIT,), f"I do {_listed(plan)}. {END}")


def _listed(plan: Job) -> str:
    return ", then ".join(plan) or "nothing"


def asked_for(seen: Observation, reader: CallReader) -> Job:
    """The calls that the partner asks for: by its plan, or if that asks for nothing, by what it said last.

    What is no call is passed over.
    """
    told: Iterable[str] = seen.requests
    if not seen.requests:
        said = [words for role, words in seen.talk if role == seen.partner.role]
        told = _CALL.findall(said[-1]) if said else ()
    read = (reader.read(text) for text in told)
    return tuple(call.text for call in read if isinstance(call, Call))
