"""ReAct (Yao et al., 2023): thoughts first, then a decision in keeping with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backburner.agents.models.examples import no_demonstration
from backburner.agents.models.exchange import Exchange
from backburner.agents.models.method import Method
from backburner.agents.models.reasoning import CHOICES, think_and_decide
from backburner.kernel.contract import World

SAMPLES: Mapping[str, Mapping[str, Any]] = {
    "opening": {"example": ()},
    "think": {"opening": "opening", "observation": "text"},
    "together": {"opening": "opening", "observation": "text"},
    "act": {},
    "prior": {},
    "left-out": {},
}
"""The messages of ReAct and what their templates know."""


async def react(exchange: Exchange) -> str:
    """Thoughts and a decision, in two calls or in one; what earlier turns left is told as chosen."""
    exchange.notes = await think_and_decide(exchange, exchange.notes)
    return str(exchange.notes.decision)


def without_example(world: World[Any, Any, Any], choices: Mapping[str, str]) -> str:
    """Why the choices make no sense in a world; empty if they do."""
    return no_demonstration(world, "examples=0") if choices["examples"] != "0" else ""


REACT = Method(
    name="react",
    summary="ReAct: thinks first, then acts",
    source="TimeArena, section 4.1; Recipe2Plan, appendix C.4; Robotouille, sections 4.1 and A.8",
    decide=react,
    messages=SAMPLES,
    options=CHOICES,
    check=without_example,
)
