"""Plan-and-Solve (Wang et al., 2023): the task is thought through, then planned from beginning to end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backburner.agents.models.exchange import Exchange
from backburner.agents.models.method import AIM, Method, Option
from backburner.kernel import registry
from backburner.kernel.contract import World
from backburner.kernel.errors import PolicyStops, Refused
from backburner.kernel.text import Examples, WorkedPlan

SAMPLE: Mapping[str, Any] = {"example": WorkedPlan("task", "outline", "plan")}

USED_UP = "the plan is used up"


async def plan_and_solve(exchange: Exchange) -> str:
    """The whole plan as one decision, in one call or in two; then the episode is over (open loop).

    What goes wrong with it is never heard of: raises ``PolicyStops`` when a second decision is asked for.
    """
    if exchange.conversation:
        raise PolicyStops(USED_UP)
    example = _example(exchange)
    if exchange.choices["calls"] == "apart":
        await exchange.think("outline", example=example)
    return await exchange.ask("plan", example=example)


def _example(exchange: Exchange) -> WorkedPlan | None:
    """With feasibility first, an example in which nothing is done in between, as in Table 14."""
    if exchange.choices["examples"] == "0":
        return None
    return _worked_plan(exchange.world, single=exchange.choices["aim"] == "feasibility")


def _worked_plan(world: World[Any, Any, Any], single: bool = False) -> WorkedPlan | None:
    try:
        return world.worked_plan(single) if isinstance(world, Examples) else None
    except Refused:
        return None


def _check(world: World[Any, Any, Any], choices: Mapping[str, str]) -> str:
    if registry.assessment(world).critics is None:
        return "a whole plan is no decision in this world; see io"
    if choices["examples"] == "1" and _worked_plan(world) is None:
        return "examples=1 needs a world with a worked example of a whole plan"
    return ""


PLAN_AND_SOLVE = Method(
    name="plan-and-solve",
    summary="Plan-and-Solve: thinks the task through, then answers with the whole plan",
    source="Recipe2Plan, appendix C.4 and Table 12",
    decide=plan_and_solve,
    messages={"outline": SAMPLE, "plan": SAMPLE},
    options={
        "aim": AIM,
        "examples": Option("0", "worked examples of whole plans in the prompt", ("0", "1")),
        "calls": Option(
            "together", "outline and plan in one answer (together), or in two (apart)", ("together", "apart")
        ),
    },
    check=_check,
)
