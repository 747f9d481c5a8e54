"""The model writes the problem, a solver schedules it, the world plays it, and what goes wrong is told back.

After "Formalise, then schedule" (arXiv 2606.00981), for every world whose scenario is one scheduling problem.
It is written as data, which our solver schedules, or as a program of MiniZinc (``solver_code``).
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from backburner.agents.in_play import InPlay, decided
from backburner.agents.models.formalisation import (
    Believed,
    Constraint,
    Formalisation,
    begun_by,
    grid_of,
    in_conflict,
    problem_in,
    read_formalisation,
    scheduled,
    stated,
    without,
)
from backburner.agents.models.method import Exchange, Method, Option
from backburner.agents.models.solver_code import CONSENT, INCLUDES, missing, program_in, run
from backburner.kernel.contract import World
from backburner.kernel.errors import MissingExtra, PolicyFailure, Refused
from backburner.kernel.menu import Menus
from backburner.kernel.schedule import Schedulable
from backburner.kernel.text import speaking
from backburner.kernel.turns import read
from backburner.kernel.values import Refusal
from backburner.scheduling.model import cp_sat

FORMALISATION = "formalisation"
"""The purpose of a thought that holds the problem as JSON, each time that it is accepted."""

SCHEDULE = "schedule"
"""The purpose of a thought that holds when everything would be done, by the problem as it stands."""

PROGRAM = "program"
"""The purpose of a thought that holds the program that was run; all that it declares is a formalisation."""

TARGET, MINIZINC = "target", "minizinc"


class Formalised(Struct, frozen=True):
    """What the method remembers: the ``problem``, and the ``program`` that declares it, if one does; what
    of it is ``left_out``; ``play``: its schedule, and what is begun; ``repairs`` that are left; ``over``: the
    model decides by itself from now on."""

    problem: Formalisation | None = None
    program: str = ""
    left_out: tuple[Constraint, ...] = ()
    play: InPlay = InPlay()
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
    notes = exchange.notes if isinstance(exchange.notes, Formalised) else notes
    exchange.notes = replace(notes, play=notes.play.beginning((), _now(exchange)))
    return await exchange.ask("act")


# --- the problem, and repairs ------------------------------------------------------------------------------


async def _begun(exchange: Exchange) -> Formalised:
    """The problem that the model writes at first, scheduled."""
    await exchange.think("think")
    shown, unit = exchange.choices["examples"] == "1", exchange.world.time_unit
    if _is_program(exchange):
        text = await exchange.ask("program", example=shown, unit=unit, includes=INCLUDES)
    else:
        text = await exchange.ask("formulate", example=EXAMPLE if shown else "", unit=unit)
    return await _adopted(exchange, Formalised(repairs=int(exchange.choices["repairs"])), text)


def _is_program(exchange: Exchange) -> bool:
    return exchange.choices.get(TARGET) == MINIZINC


async def _adopted(exchange: Exchange, notes: Formalised, text: str) -> Formalised:
    """The notes with the problem in the answer; mended as long as there are repairs, if it cannot be read."""
    is_program = _is_program(exchange)
    while True:
        try:
            if is_program:
                return await asyncio.to_thread(_solved, exchange, notes, program_in(text))
            found = read_formalisation(text, notes.problem)
        except Refused as error:
            if not notes.repairs:
                return replace(notes, over=True)
            notes = replace(notes, repairs=notes.repairs - 1)
            text = await exchange.ask("correct" if is_program else "mend", why=str(error))
        else:
            return await _scheduled(exchange, replace(notes, problem=found, left_out=()))


def _solved(exchange: Exchange, notes: Formalised, program: str) -> Formalised:
    """The notes with the schedule that the installed solver finds; raises ``Refused``."""
    now, unit = _now(exchange), exchange.world.time_unit
    found = run(program, notes.problem, notes.play.begun, now)
    play = notes.play.following(notes.play.left(problem_in(found.problem, unit), now), found.starts)
    exchange.note(PROGRAM, program)
    exchange.note(FORMALISATION, found.problem.written)
    exchange.note(SCHEDULE, f"{play.ends} {unit}")
    return replace(notes, problem=found.problem, program=program, play=play)


async def _scheduled(exchange: Exchange, notes: Formalised) -> Formalised:
    """The notes with a schedule of what is left. What contradicts itself is told, and then left out."""
    assert notes.problem is not None  # noqa: S101  # it was adopted
    exchange.note(FORMALISATION, notes.problem.written)
    whole = problem_in(notes.problem, exchange.world.time_unit, grid_of(notes.problem))
    left = without(notes.play.left(whole, _now(exchange)), notes.left_out)
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
    return replace(notes, play=notes.play.following(left, solution.starts))


def _now(exchange: Exchange) -> int:
    return int(exchange.turn.time or 0)


async def _gone_on(exchange: Exchange, notes: Formalised) -> Formalised:
    """The notes after what came of the last decision: with what is begun, or a repair."""
    last = notes.play.last
    if last is not None and exchange.turn.refused:
        return await _repaired(exchange, replace(notes, play=notes.play.refused()), refused=last.name)
    if exchange.choices["resolve"] == "change" and (told := _difference(exchange, notes)):
        return await _repaired(exchange, notes, difference=told)
    return notes


async def _repaired(exchange: Exchange, notes: Formalised, **told: str) -> Formalised:
    """The notes with the problem mended by the model; without repairs, it decides by itself."""
    if not notes.repairs or notes.problem is None:
        return replace(notes, over=True)
    play = notes.play
    begun = [f"{name} ({start})" for name, start in play.begun.items()]
    begun += [f"{name} (in parts, {time} done)" for name, time in play.done.items() if name not in play.begun]
    fields: dict[str, Any] = {"refused": "", "difference": "", **told, "begun": begun}
    if _is_program(exchange):
        text = await exchange.ask("revise", program=notes.program, **fields)
    else:
        text = await exchange.ask("repair", problem=notes.problem.written, **fields)
    return await _adopted(exchange, replace(notes, repairs=notes.repairs - 1), text)


def _difference(exchange: Exchange, notes: Formalised) -> str:
    """What should be over and runs, or should run and is over, if the world tells what runs."""
    world, turn = exchange.world, exchange.turn
    if not isinstance(world, Menus) or notes.problem is None:
        return ""
    runs = {each for label in turn.menu.under_way for each in _told(exchange, label)}
    now, found = _now(exchange), []
    for each in problem_in(notes.problem, world.time_unit).activities:
        start = notes.play.begun.get(each.name)
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
    world, turn, now = _schedulable(exchange.world), exchange.turn, _now(exchange)
    if (time := notes.play.wait(now)) and (wait := world.waiting(time)) is not None:
        exchange.notes = replace(notes, play=notes.play.beginning((), now))
        return speaking(exchange.world).words(wait, turn.seat)
    if not notes.play.blocks or notes.problem is None:
        return None
    block, play = notes.play.next(now)
    exchange.notes = replace(notes, play=play)
    believed = _by_name(notes.problem, block.name)
    if believed.ask:
        return await exchange.ask("begin", name=block.name, start=believed.start)
    first = exchange.world.start(turn.seed)  # the present state is not the method's to know
    decision = read(exchange.world, first, turn.seat, believed.start)
    if isinstance(decision, Refusal):
        return believed.start
    return speaking(exchange.world).words(decided(world, turn, decision, block), turn.seat)


def _schedulable(world: World[Any, Any, Any]) -> Schedulable[Any]:
    if not isinstance(world, Schedulable):
        raise PolicyFailure("world", f"{world.id}: {UNSTATED}")
    return world


UNSTATED = "this world does not state its scenario as a scheduling problem"


def _check(world: World[Any, Any, Any], choices: Mapping[str, str]) -> str:
    is_program = choices.get(TARGET) == MINIZINC
    if is_program and CONSENT not in choices:
        return f"{TARGET}={MINIZINC} runs what a model writes as a program, if you allow it: {CONSENT}=yes"
    if is_program and (why := missing()):
        return why
    try:
        stated(world)
        if not is_program:
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
        **dict.fromkeys(("program", "correct", "revise"), "program"),
    },
    options={
        "repairs": Option("3", "how often a problem that is unreadable or does not hold is mended", most=20),
        "examples": Option("1", "whether a worked example stands in the prompt", ("0", "1")),
        "resolve": Option(
            "refusal", "a repair after a refusal, or after any unexpected change too", ("refusal", "change")
        ),
        TARGET: Option("json", "the problem is data, or a program of MiniZinc", ("json", MINIZINC)),
        CONSENT: Option("no", "the installed solver may run what a model writes", ("no", "yes")),
    },
    added={
        TARGET: {
            "program": {"example": True, "unit": "minutes", "includes": INCLUDES},
            "correct": {"why": "undefined identifier"},
            "revise": {"refused": "a", "difference": "", "begun": ["b (3)"], "program": "solve satisfy;"},
        },
        CONSENT: {},
    },
    runs=(CONSENT,),
    check=_check,
)  # fmt: skip
