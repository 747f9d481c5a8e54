"""Plain prompting: tell how things stand, take the answer as the decision."""

from __future__ import annotations

from backburner.agents.models.exchange import Exchange
from backburner.agents.models.method import Method


async def act(exchange: Exchange) -> str:
    """One call for each decision, in one growing conversation."""
    return await exchange.ask("act")


ACT = Method(
    name="act",
    summary="plain prompting: one call for each decision",
    source="TimeArena, section 4.1",
    decide=act,
    messages={"act": {}},
)
