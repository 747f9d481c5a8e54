"""The model writes the problem, a solver schedules it, the world plays it, and what goes wrong is told back.

After "Formalise, then schedule" (arXiv 2606.00981), for every world whose scenario is one scheduling problem.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from backburner.agents.models.formalisation import (
    Believed,
    Constraint,
    Formalisation,
    begun_by,
    free,
    from_now,
    grid_of,
    in_conflict,
    problem_in,
    read_formalisation,
    scheduled,
    stated,
    without,
)
from backburner.agents.models.method import Exchange, Method, Option
from backburner.kernel.contract import World
from backburner.kernel.errors import MissingExtra, PolicyFailure, Refused
from backburner.kernel.menu import Menus
from backburner.kernel.schedule import Problem, Schedulable
from backburner.kernel.text import speaking
from backburner.kernel.turns import read
from backburner.kernel.values import Refusal
from backburner.scheduling.model import cp_sat
from backburner.scheduling.preemption import Block, in_order

FORMALISATION = "formalisation"
"""The purpose of a thought that holds the problem as JSON, each time that it is accepted."""

SCHEDULE = "schedule"
"""The purpose of a thought that holds when everything would be done, by the problem as it stands."""


class Formalised(Struct, frozen=True):
    """What the method remembers. ``parts``: what is left to be started, in order; ``begun``: the starts of
    activities; ``last``: the part that was decided last; ``ends``: when all is done; ``repairs`` that are
    left; ``over``: the model decides by itself from now on."""

    problem: Formalisation | None = None
    left_out: tuple[Constraint, ...] = ()
    parts: tuple[Block, ...] = ()
    begun: Mapping[str, int] = {}
    last: Block | None = None
    ends: int = 0
    repairs: int = 0
    over: bool = False


async def formalise(exchange: Exchange) -> Any:
    """Thoughts: ``think``, ``formalisation``, ``schedule`` at first and after each repair; then a decision a
    turn without any call, but for those that the problem says can only be written in time (``ask``).

    Where the repairs are used up, or no problem could be read, every further decision is the model's.
    """
    notes: Formalised = exchange.notes or await _begun(exchange)
    if not notes.over:
        notes = await _gone_on(exchange, notes)
    if not notes.over and (decision := await _next(exchange, notes)) is not None:
        return decision
    exchange.notes = replace(exchange.notes if isinstance(exchange.notes, Formalised) else notes, last=None)
    return await exchange.ask("act")


# --- the problem, and repairs ------------------------------------------------------------------------------


async def _begun(exchange: Exchange) -> Formalised:
    """The problem that the model writes at first, scheduled."""
    await exchange.think("think")
    example = EXAMPLE if exchange.choices["examples"] == "1" else ""
    text = await exchange.ask("formulate", example=example, unit=exchange.world.time_unit)
    return await _adopted(exchange, Formalised(repairs=int(exchange.choices["repairs"])), text)


async def _adopted(exchange: Exchange, notes: Formalised, text: str) -> Formalised:
    """The notes with the problem in the answer; mended as long as there are repairs, if it cannot be read."""
    while True:
        try:
            found = read_formalisation(text, notes.problem)
        except Refused as error:
            if not notes.repairs:
                return replace(notes, over=True)
            notes = replace(notes, repairs=notes.repairs - 1)
            text = await exchange.ask("mend", why=str(error))
        else:
            return await _scheduled(exchange, replace(notes, problem=found, left_out=()))


async def _scheduled(exchange: Exchange, notes: Formalised) -> Formalised:
    """The notes with a schedule of what is left. What contradicts itself is told, and then left out."""
    assert notes.problem is not None  # noqa: S101  # it was adopted
    exchange.note(FORMALISATION, notes.problem.written)
    begun = {name: start for name, start in notes.begun.items() if name in _names(notes.problem)}
    left = without(_left(exchange, notes.problem, begun), notes.left_out)
    solution = scheduled(left)
    if solution.starts is None:
        conflict = in_conflict(left)
        if notes.repairs and not notes.left_out and conflict:
            words = [each.words for each in conflict]
            text = await exchange.ask("contradiction", constraints=words)
            return await _adopted(exchange, replace(notes, repairs=notes.repairs - 1), text)
        left = without(left, conflict)
        solution = scheduled(left)
        if not conflict or solution.starts is None:
            return replace(notes, over=True)
        notes = replace(notes, left_out=(*notes.left_out, *conflict))
    exchange.note(SCHEDULE, f"{solution.objective} {solution.unit}")
    ends = int(solution.objective or 0)
    parts = tuple(each for each in in_order(left, solution.starts) if each.name not in begun)
    return replace(notes, begun=begun, parts=parts, ends=ends, last=None)


def _names(problem: Formalisation) -> set[str]:
    return {each.name for each in problem.activities}


def _left(exchange: Exchange, problem: Formalisation, begun: Mapping[str, int]) -> Problem:
    grid = 1 if begun else grid_of(problem)
    return from_now(problem_in(problem, exchange.world.time_unit, grid), begun, _now(exchange))


def _now(exchange: Exchange) -> int:
    return int(exchange.turn.time or 0)


async def _gone_on(exchange: Exchange, notes: Formalised) -> Formalised:
    """The notes after what came of the last decision: with what is begun, or a repair."""
    last, refused = notes.last, exchange.turn.refused
    if last is not None and refused:
        begun = {name: start for name, start in notes.begun.items() if name != last.name}
        return await _repaired(exchange, replace(notes, begun=begun, last=None), refused=last.name)
    if exchange.choices["resolve"] == "change" and (told := _difference(exchange, notes)):
        return await _repaired(exchange, notes, difference=told)
    return notes


async def _repaired(exchange: Exchange, notes: Formalised, **told: str) -> Formalised:
    """The notes with the problem mended by the model; without repairs, it decides by itself."""
    if not notes.repairs or notes.problem is None:
        return replace(notes, over=True)
    begun = [f"{name} ({start})" for name, start in notes.begun.items()]
    fields = {"refused": "", "difference": "", **told}
    text = await exchange.ask("repair", begun=begun, problem=notes.problem.written, **fields)
    return await _adopted(exchange, replace(notes, repairs=notes.repairs - 1), text)


def _difference(exchange: Exchange, notes: Formalised) -> str:
    """What should be over and runs, or should run and is over, if the world tells what runs."""
    world, turn = exchange.world, exchange.turn
    if not isinstance(world, Menus) or notes.problem is None:
        return ""
    runs = {each for label in turn.menu.under_way for each in _told(exchange, label)}
    now, found = _now(exchange), []
    for each in problem_in(notes.problem, world.time_unit).activities:
        start = notes.begun.get(each.name)
        if start is None or not (names := _told(exchange, _by_name(notes.problem, each.name).start)):
            continue
        is_running, should = bool(runs & names), start + each.duration > now
        if is_running and not should:
            found.append(f"{each.name} should be over, and is not")
        if should and not is_running and each.operator_time < each.duration:
            found.append(f"{each.name} should run until {start + each.duration}, and is over")
    return "; ".join(found)


def _told(exchange: Exchange, words: str) -> set[str]:
    """The decision in words as the world reads it, whatever activity it begins."""
    world = exchange.world
    return set(begun_by(world, world.start(exchange.turn.seed), exchange.turn.seat, words))


def _by_name(problem: Formalisation, name: str) -> Believed:
    return next(each for each in problem.activities if each.name == name)


# --- play --------------------------------------------------------------------------------------------------


async def _next(exchange: Exchange, notes: Formalised) -> Any:
    """The decision for this moment: the next part, or a wait until it is time; ``None`` if there is none."""
    world, now = _schedulable(exchange.world), _now(exchange)
    start = notes.parts[0].start if notes.parts else notes.ends
    wait = world.waiting(start - now) if start > now else None
    if wait is not None:
        exchange.notes = replace(notes, last=None)
        return speaking(exchange.world).words(wait, exchange.turn.seat)
    if not notes.parts or notes.problem is None:
        return None
    part, *others = notes.parts
    begun = {**notes.begun, part.name: notes.begun.get(part.name, max(start, now))}
    exchange.notes = replace(notes, parts=tuple(others), begun=begun, last=part)
    believed = _by_name(notes.problem, part.name)
    if believed.ask:
        return await exchange.ask("begin", name=part.name, start=believed.start)
    first = exchange.world.start(exchange.turn.seed)  # the present state is not the method's to know
    decision = read(exchange.world, first, exchange.turn.seat, believed.start)
    if isinstance(decision, Refusal):
        return believed.start
    decision = world.at(free(world, exchange.turn, decision), max(start, now), part.duration, ends=part.last)
    return speaking(exchange.world).words(decision, exchange.turn.seat)


def _schedulable(world: World[Any, Any, Any]) -> Schedulable[Any]:
    if not isinstance(world, Schedulable):
        raise PolicyFailure("world", f"{world.id}: {UNSTATED}")
    return world


UNSTATED = "this world does not state its scenario as a scheduling problem"


def _check(world: World[Any, Any, Any], choices: Mapping[str, str]) -> str:
    try:
        stated(world)
        cp_sat()
    except Refused:
        return UNSTATED
    except MissingExtra as error:
        return str(error)
    return "" if len(world.seats) == 1 else "it plays one seat, and this world has several"


EXAMPLE = Formalisation(
    (
        Believed("fill kettle", "fill kettle", 1, uses=("kettle",)),
        Believed("boil water", "boil kettle", 4, 1, ("fill kettle",), ("kettle",)),
        Believed("slice lemon", "slice lemon", 2),
        Believed("make tea", "make tea", 2, after=("slice lemon",), within={"boil water": 3}),
    )
).written
"""Four activities, of which one runs by itself."""

FORMALISE = Method(
    name="formalise",
    summary="writes the problem; a solver schedules it, and refusals are told back to mend it",
    source="Formalise, then schedule (arXiv 2606.00981)",
    decide=formalise,
    messages={
        "think": {},
        "formulate": {"example": EXAMPLE, "unit": "minutes"},
        "mend": {"why": "activities[0].duration: a number"},
        "contradiction": {"constraints": ["a within 2 minutes of b"]},
        "repair": {"refused": "a", "difference": "", "begun": ["b (3)"], "problem": EXAMPLE},
        "begin": {"name": "a", "start": "begin a"},
        "act": {},
    },
    answers={
        "think": "thoughts",
        **dict.fromkeys(("formulate", "mend", "contradiction", "repair"), "problem"),
    },
    options={
        "repairs": Option("3", "how often a problem that is unreadable or does not hold is mended", most=20),
        "examples": Option("1", "whether a worked example stands in the prompt", ("0", "1")),
        "resolve": Option(
            "refusal", "a repair after a refusal, or after any unexpected change too", ("refusal", "change")
        ),
    },
    check=_check,
)  # fmt: skip
