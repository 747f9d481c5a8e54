"""Methods that ask for a whole plan.

I/O carries it out one decision at a turn; for Plan-and-Solve the whole plan is one decision.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any

from msgspec import Struct, structs

from backburner.agents.models.method import AIM, USED_UP, Exchange, Method, Option
from backburner.agents.models.methods.stepwise import EXAMPLES, example_of, without_example
from backburner.kernel import registry
from backburner.kernel.contract import World
from backburner.kernel.errors import PolicyStops, Refused
from backburner.kernel.text import Examples, Text, WorkedPlan, answers_on_lines
from backburner.kernel.turns import read

# --- I/O and I/O CoT: carried out without asking again, as it is or with every change predicted ------------


class Planning(Struct, frozen=True):
    """One decision of a plan: the answer, and the changes predicted of it, if any were asked for."""

    answer: str
    predicted: str | None = None


Plan = tuple[Planning, ...]


def plain_plan(world: World[Any, Any, Any], text: str) -> Plan:
    """The plan in an answer. An answer without one is the only decision, for the world to judge."""
    answers = _answers_in(world, text) or (text,)
    return tuple(Planning(answer) for answer in answers)


def predicted_plan(world: World[Any, Any, Any], text: str) -> Plan:
    """The plan in an answer that tells what changes after each decision.

    Changes stand on lines with ``+`` or ``-`` under a label that ends in ``changes:``; they belong to
    the decision before them. An answer without a plan is the only decision.
    """
    plan: list[Planning] = []
    for predicting, lines in groupby(_marked(text), key=itemgetter(0)):
        texts = [line for _, line in lines]
        if not predicting:
            plan += [Planning(answer, "") for answer in _answers_in(world, "\n".join(texts))]
        elif plan:
            plan[-1] = Planning(plan[-1].answer, "\n".join(filter(None, texts)))
    return tuple(plan) or (Planning(text, ""),)


def _answers_in(world: World[Any, Any, Any], text: str) -> tuple[str, ...]:
    return world.answers_in(text) if isinstance(world, Text) else answers_on_lines(text)


def obstacle(world: World[Any, Any, Any], seed: int, plan: Plan) -> str:
    """The first line of a plan that cannot be carried out from the beginning; empty if all can.

    It is tried out in a world with one seat. What follows the end of the episode counts as possible.
    """
    state = world.start(seed)
    for number, planned in enumerate(plan, 1):
        seats = world.deciders(state)
        if not seats:
            break
        step = world.step(state, {seat: read(world, state, seat, planned.answer) for seat in seats})
        if step.refusals:
            return f"line {number} of the plan is not possible: {planned.answer.strip()[:80]!r}"
        state = step.state
    return ""


def _marked(text: str) -> Iterator[tuple[bool, str]]:
    """Each line, and whether it predicts a change (then it has its sign), or is the label of such."""
    inside = False
    for line in text.splitlines():
        label = _LABEL.match(line)
        if label is not None:
            inside = True
            line = line[label.end() :]
            yield True, _change(line) or ""
        elif inside and (change := _change(line)) is not None:
            yield True, change
        elif line.strip():
            inside = False
            yield False, line
        elif not inside:
            yield False, line


def _change(line: str) -> str | None:
    """A change as it is written, ``+ line`` or ``- line``; empty for a sign alone, ``None`` for no change."""
    sign = _SIGN.match(line)
    if sign is None:
        return None
    said = line[sign.end() :].strip()
    return f"{'+' if sign[1] == '+' else '-'} {said}" if said else ""


_LABEL = re.compile(r"[\s*_#>-]{0,20}(?:\w{1,20} ){0,3}changes[\s*_]{0,9}:[*_]{0,3}", re.IGNORECASE)
_SIGN = re.compile(r"\s*[`*]{0,3}([+\-−])")


Read = Callable[[World[Any, Any, Any], str], Plan]

PREDICTION = "prediction"
"""The purpose of the thought with what was predicted; ``evaluation.comparing.methods`` scores it."""

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
    """``io`` with what changes after each action, which is kept as a thought of the step."""
    return await _next(exchange, predicted_plan)


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
    if planned.predicted is not None:
        exchange.note(PREDICTION, planned.predicted)
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


def _no_io(world: World[Any, Any, Any], choices: Mapping[str, str]) -> str:
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
    answers={"plan": "plan"},
    check=_no_io,
)

IO_COT = structs.replace(
    IO,
    name="io-cot",
    summary="I/O CoT: the whole plan in one answer, with what changes after each action",
    decide=io_cot,
    answers={"plan": "plan with changes"},
)


# --- Plan-and-Solve (Wang et al., 2023): one decision, open loop -------------------------------------------


SAMPLE: Mapping[str, Any] = {"example": WorkedPlan("task", "outline", "plan")}


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


def _no_plan_and_solve(world: World[Any, Any, Any], choices: Mapping[str, str]) -> str:
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
    answers={"outline": "thoughts", "plan": "whole plan"},
    options={
        "aim": AIM,
        "examples": Option("0", "worked examples of whole plans in the prompt", ("0", "1")),
        "calls": Option(
            "together", "outline and plan in one answer (together), or in two (apart)", ("together", "apart")
        ),
    },
    check=_no_plan_and_solve,
)
