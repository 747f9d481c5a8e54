"""A prompting method: how a model is asked for a decision.

A method is a few calls written down as a function over an ``Exchange``, a folder of templates with the
words of each call, and the choices it leaves open. It knows worlds by their capabilities only.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from msgspec import Struct, field

from backburner.agents.models.exchange import Exchange
from backburner.agents.models.looking_back import Attempt
from backburner.agents.models.options import Option
from backburner.kernel.contract import World


def fits(world: World[Any, Any, Any], choices: Mapping[str, str]) -> str:
    """Nothing speaks against it."""
    return ""


def no_more(attempt: Attempt) -> None:
    """One attempt is all."""


class Method(Struct, frozen=True):
    """A prompting method.

    ``decide`` gives the answer to one turn. ``messages``: every message it sends, by the name of its
    template, with values for the names that the template knows beside ``briefing``, ``text``, ``first``
    and ``options``; templates are tried out with them. What else is usual in a world by its article, its
    pack says. ``informed``: whether it is told more than its seat may know, such as a critic's word.
    ``unfit`` says why method and choices make no sense in a world, and nothing if they do. ``again``: the
    notes with which another attempt begins after one that is over; ``None`` if there is to be none.
    """

    name: str
    summary: str
    source: str
    decide: Callable[[Exchange], Awaitable[Any]]
    messages: Mapping[str, Mapping[str, Any]]
    options: Mapping[str, Option] = field(default_factory=dict)
    informed: bool = False
    unfit: Callable[[World[Any, Any, Any], Mapping[str, str]], str] = fits
    again: Callable[[Attempt], Any] = no_more
