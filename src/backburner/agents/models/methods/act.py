"""Plain prompting: one call for each decision; with self-plan, after a timed plan of the whole task."""

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


async def self_plan(exchange: Exchange) -> str:
    """Two calls before the first decision, one for each decision after that, in one conversation.

    The plan is the model's own affair: nobody reads it but the model.
    """
    opening = not exchange.conversation
    if opening:
        await exchange.think("estimates")
        await exchange.think("plan")
    return await exchange.ask("act", opening=opening)


SELF_PLAN = Method(
    name="self-plan",
    summary="estimates durations and makes a timed plan first, then one call for each decision",
    source="TimeArena, section 4.3 and appendix B.5",
    decide=self_plan,
    messages={"estimates": {}, "plan": {}, "act": {"opening": True}},
)
