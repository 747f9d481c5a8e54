"""What was asked for and what was answered in a dialogue, read out of the plans of its turns.

Two readings, by name. ``released`` follows the published evaluation, oddities included: what is asked
twice counts twice, a request in double quotes is lost, and a plan to wait is an answer even if a better
one follows. ``required`` reads every kind of quotes, passes over plans to wait, and what is only said
again is asked once, so that talking longer costs nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct

from backburner.worlds.collab_overcooked.metrics.metrics_space import counted, word
from backburner.worlds.collab_overcooked.metrics.references import Calls

Reading = Literal["required", "released"]
"""Over required collaborations (the article's equations 5 and 6) or over dialogues (the release)."""

_REQUEST = "request("
_CALL = re.compile(r"\b\w+\([^()]*\)")


class Turn(Struct, frozen=True):
    """One cook's turn in a dialogue; ``plan`` is the text of its plan field."""

    cook: int
    plan: str


class Dialogue(Struct, frozen=True):
    """A dialogue that cook ``opener`` opened at this timestep (0-based), turn by turn."""

    timestep: int
    opener: int
    turns: tuple[Turn, ...]


class Exchange(Struct, frozen=True):
    """One dialogue as the metrics see it.

    ``history``: what the asked cook had done when the dialogue began; ``requested``: what it was asked
    to do; ``responded``: what it then planned. All as counted calls of that cook; ``asked_for`` holds
    also the requests that do not count.
    """

    history: Calls
    asked_for: Calls
    requested: Calls
    responded: Calls


def exchange(
    dialogue: Dialogue,
    asked: int,
    history: Iterable[tuple[int, str]],
    space: frozenset[str],
    reading: Reading,
) -> Exchange:
    """What a dialogue asked of cook ``asked``, by any other cook, and what that cook planned.

    ``history``: that cook's calls as (timestamp, call), of which those up to the dialogue's timestep
    are taken; the timestamp of a call is the index of its last step + 1. ``space``: its call space.
    """
    done = (call for timestamp, call in history if timestamp <= dialogue.timestep)
    asks = asked_for(dialogue, asked, reading)
    answers = responded(dialogue, asked, space, reading)
    return Exchange(counted(done, space), asks, counted(asks, space), answers)


def asked_for(dialogue: Dialogue, asked: int, reading: Reading) -> Calls:
    """What stands in the ``request(...)`` of all plans of the others, as words, calls or not.

    In the reading ``required`` a turn adds only what it asks for more often than was asked before.
    """
    plans = [turn.plan for turn in dialogue.turns if turn.cook != asked]
    if reading == "released":
        return tuple(call for plan in plans for call in _requests(plan, "'"))
    found: list[str] = []
    for plan in plans:
        before, now = Counter(found), Counter[str]()
        for call in _requests(plan, "'\"`"):
            now[call] += 1
            if now[call] > before[call]:
                found.append(call)
    return tuple(found)


def _requests(plan: str, quotes: str) -> Iterator[str]:
    """The text of each request up to the first closing parenthesis, without quotes."""
    start = plan.find(_REQUEST)
    while start >= 0:
        end = plan.find(")", start)
        if end < 0:
            return
        text = plan[start + len(_REQUEST) : end + 1]
        yield word(text.translate({ord(quote): None for quote in quotes}))
        start = plan.find(_REQUEST, end)


def responded(dialogue: Dialogue, asked: int, space: frozenset[str], reading: Reading) -> Calls:
    """The calls of the asked cook's first plan that has any, its own requests and waits left out.

    Requests and waits are calls too as released; in the reading ``required`` a plan of nothing else is
    passed over.
    """
    for turn in dialogue.turns:
        if turn.cook == asked and _CALL.search(turn.plan):
            calls = _own_calls(turn.plan)
            if calls or reading == "released":
                return counted(calls, space)
    return ()


def _own_calls(plan: str) -> Calls:
    pieces = (piece for piece in plan.split(";") if "request" not in piece)
    found = (call for piece in pieces for call in _CALL.findall(piece))
    return tuple(call for call in found if not call.startswith("wait("))
