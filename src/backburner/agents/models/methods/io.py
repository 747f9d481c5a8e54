"""A whole plan in one answer, carried out without asking again; as it is, or with every change foretold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct, structs

from backburner.agents.models.exchange import Exchange
from backburner.agents.models.method import Method
from backburner.agents.models.methods.react import without_example
from backburner.agents.models.options import Option
from backburner.agents.models.plans import Plan, foretold_plan, obstacle, plain_plan
from backburner.agents.models.reasoning import EXAMPLES, example_of
from backburner.kernel.contract import World
from backburner.kernel.errors import PolicyStops
from backburner.kernel.text import Text

Read = Callable[[World[Any, Any, Any], str], Plan]

PREDICTION = "prediction"
"""The purpose of the thought with what was foretold of a step; ``evaluation.predictions`` scores it."""

OPTIONS: Mapping[str, Option] = {
    "then": Option(
        "stop", "when the plan is used up: the episode stops, or a plan is asked for again", ("stop", "again")
    ),
    "invalid": Option(
        "world",
        "an impossible line: the world judges it alone, or none of the plan is carried out, as released",
        ("world", "none"),
    ),
    "examples": EXAMPLES,
}


class Left(Struct, frozen=True):
    """A plan, and how much of it was given."""

    plan: Plan
    given: int


async def io(exchange: Exchange) -> str:
    """One call before the first decision; its answer is the plan, given one decision at a turn.

    The plan is kept as a thought. Stops the episode (``PolicyStops``) when it is used up.
    """
    return await _next(exchange, plain_plan)


async def io_cot(exchange: Exchange) -> str:
    """The same with what changes after each action; that is kept as a thought of the step."""
    return await _next(exchange, foretold_plan)


async def _next(exchange: Exchange, read: Read) -> str:
    left: Left | None = exchange.notes
    if left is not None and left.given == len(left.plan):
        if exchange.choices["then"] == "stop":
            raise PolicyStops("plan used up")
        left = None
    if left is None:
        left = Left(await _asked(exchange, read), 0)
    planned = left.plan[left.given]
    exchange.notes = Left(left.plan, left.given + 1)
    if planned.foretold is not None:
        exchange.note(PREDICTION, planned.foretold)
    return planned.answer


async def _asked(exchange: Exchange, read: Read) -> Plan:
    world: Any = exchange.world
    text = await exchange.ask_alone("plan", form=world.plan_form, example=await example_of(exchange))
    exchange.note("plan", text)
    plan = read(exchange.world, text)
    if exchange.choices["invalid"] == "none" and exchange.turn.index == 0:
        why = obstacle(exchange.world, exchange.turn.seed, plan)
        if why:
            raise PolicyStops(f"none of the plan is carried out: {why}")
    return plan


def unfit(world: World[Any, Any, Any], choices: Mapping[str, str]) -> str:
    """Why whole plans make no sense in a world; empty if they do."""
    if choices["invalid"] == "none" and len(world.seats) > 1:
        return "invalid=none tries out a whole plan, and here others act as well"
    if choices["invalid"] == "none" and choices["then"] == "again":
        return "invalid=none tries out a plan from the beginning, and then=again asks for others later"
    return _without_plans(world) or without_example(world, choices)


def _without_plans(world: World[Any, Any, Any]) -> str:
    if isinstance(world, Text) and world.plan_form:
        return ""
    return "its answers have several parts, and it does not say how a whole plan of them is written"


PLAN_SAMPLE: Mapping[str, Mapping[str, Any]] = {"plan": {"form": "form", "example": ()}}

IO = Method(
    name="io",
    summary="I/O: the whole plan in one answer",
    source="Robotouille, section 4.1",
    decide=io,
    messages=PLAN_SAMPLE,
    options=OPTIONS,
    unfit=unfit,
)

IO_COT = structs.replace(
    IO,
    name="io-cot",
    summary="I/O CoT: the whole plan in one answer, with what changes after each action",
    decide=io_cot,
)
