"""ReAct (Yao et al., 2023): thoughts first, then a decision in keeping with them."""

from __future__ import annotations

from backburner.agents.models.exchange import Exchange
from backburner.agents.models.method import Method


async def react(exchange: Exchange) -> str:
    """Two calls for each decision; the thoughts stay in the conversation."""
    await exchange.think("think")
    return await exchange.ask("act")


REACT = Method(
    name="react",
    summary="ReAct: thinks first, then acts",
    source="TimeArena, section 4.1",
    decide=react,
    messages={"think": {}, "act": {}},
)
