"""The seat ``server``: it decides last in each step, and says what was seen of it on a server of the game.

Its decision is a ``Report``, or nothing: then all is as predicted, and the game is the one as text. Between
what bodies are told to do and the report no time passes; the state holds it as ``given``. What is no report
is refused, and all is as predicted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from backburner.kernel.errors import one_line, shorten
from backburner.kernel.menu import Menu, Option
from backburner.kernel.values import Refusal, Seat, Step
from backburner.worlds.minecraft.game.actions import (
    CHAT,
    ERRORS,
    NO_CALL,
    Calls,
    Report,
    bad,
    silent_ticks,
    why_not,
)
from backburner.worlds.minecraft.game.observed import Observed, listed
from backburner.worlds.minecraft.game.reading import Joint, read_joint
from backburner.worlds.minecraft.game.rules import Rulebook
from backburner.worlds.minecraft.game.scenarios import SERVER
from backburner.worlds.minecraft.game.state import Decided, State

AS_PREDICTED = "as predicted"

PREDICTED = Calls(())
"""What the rules predict is what there is."""

LONGEST = 100_000
"""Characters of a report."""

CODES = frozenset((*CHAT, *ERRORS))

_decoder = msgspec.json.Decoder(Report)


# --- what a server answers -------------------------------------------------------------------------------


def read(answer: str) -> Calls | Refusal:
    """The report of an answer, as JSON, or ``as predicted``."""
    written = answer.strip()
    if written.lower() in ("", AS_PREDICTED):
        return PREDICTED
    if len(written) > LONGEST:
        return _no_report(f"it has {len(written)} characters, more than {LONGEST}")
    try:
        return Calls((), report=_decoder.decode(written))
    except (msgspec.MsgspecError, RecursionError, ValueError) as error:
        return _no_report(str(error))


def words(decision: Calls, seat: Seat) -> str:
    """The answer that is read as this decision; without a seat, as people are told it."""
    if decision.report is None:
        return AS_PREDICTED
    return msgspec.json.encode(decision.report).decode() if seat else "; ".join(_told(decision.report))


def _told(report: Report) -> Iterator[str]:
    """What a report says, in words."""
    yield f"{report.ticks} ticks" + f", after {report.waited} in which it was decided" * bool(report.waited)
    for came in report.calls:
        reason = came.why or came.code.replace("_", " ")
        yield f"{came.bot} {'goes on' if came.running else reason or 'done'} after {came.ticks}"
    yield from (f"{killed.bot} has killed a {killed.mob}" for killed in report.killed)
    for body in report.bots:
        yield f"{body.bot} at {body.at[0]:g} {body.at[1]:g} with {listed(body.carried)}"
    for person in report.persons or ():
        carried = "" if person.carried is None else f" with {listed(person.carried)}"
        yield f"{person.name}, a person, at {person.at[0]:g} {person.at[1]:g}{carried}"
    if report.furnace is not None:
        slots = (report.furnace.input, report.furnace.fuel, report.furnace.output)
        burning = f", burning for {report.furnace.burning}" * (report.furnace.burning > 0)
        yield f"furnace: {listed(slots)}{burning}"
    if report.chest is not None:
        yield f"chest: {listed(report.chest)}"


def menu() -> Menu[Calls]:
    """That the prediction holds."""
    gloss = "what the rules predict is what was seen"
    return Menu((Option(PREDICTED, AS_PREDICTED, passes=True, gloss=gloss),), False)


RULES = (
    "Those with bodies have decided. What you report of the step is what there is after it.",
    "Where you report nothing of a thing, it is as the rules predict.",
)

ANSWERING = (
    "How to answer",
    f"Write {AS_PREDICTED} where all of it is as the rules predict, or a report as JSON, such as:",
    '{"ticks": 104, "chest": [["cooked_chicken", 1]]}',
)


def _no_report(why: str) -> Refusal:
    return bad("no_report", "", why=shorten(one_line(why), 200))


# --- what follows from it --------------------------------------------------------------------------------


def given(rulebook: Rulebook, state: State, decisions: Mapping[Seat, Any]) -> Step[State]:
    """Those with bodies have decided, and what is no call is refused; no time passes until it is known what
    came of the others."""
    workers = rulebook.compiled.seating.workers
    held = replace(state, given=tuple(_decided(seat, decisions.get(seat)) for seat in workers))
    return Step(held, (), tuple(_joint(rulebook, held).refusals))


def _joint(rulebook: Rulebook, state: State) -> Joint:
    return read_joint(rulebook.compiled, rulebook.rules, rulebook.reader, decisions_of(state))


def _decided(seat: Seat, decision: Any) -> Decided:
    if isinstance(decision, Calls) and (decision == Calls(decision.calls) or silent_ticks(decision)):
        return Decided(seat, decision.calls)
    return Decided(seat, unread=decision if isinstance(decision, Refusal) else NO_CALL)


def decisions_of(state: State) -> dict[Seat, Calls | Refusal]:
    """What those with bodies have decided in a step that is not over."""
    return {each.seat: each.unread or Calls(each.calls) for each in state.given}


def after(rulebook: Rulebook, state: State, decision: Any) -> Step[State]:
    """The step as it was predicted, or as it was seen; the ground stays as it was last told."""
    step = _after(rulebook, state, decision)
    if step.state.ground == state.ground:
        return step
    return replace(step, state=replace(step.state, ground=step.state.ground or state.ground))


def _after(rulebook: Rulebook, state: State, decision: Any) -> Step[State]:
    joint, before = _joint(rulebook, state), replace(state, given=())
    refusal = _refusal(rulebook, decision)
    waited = 0 if refusal is not None or decision.report is None else decision.report.waited
    predicted = _predicted(rulebook, before, decisions_of(state), waited)
    predicted = replace(predicted, refusals=predicted.refusals[len(joint.refusals) :])
    if refusal is not None:
        held = predicted.state.feedback
        told = replace(held, refusals=(*held.refusals, refusal))
        kept = replace(predicted.state, feedback=told)
        return Step(kept, predicted.events, (*predicted.refusals, refusal))
    if decision.report is None:
        return predicted
    return Observed(rulebook, before, joint, predicted, decision.report).step()


def _predicted(rulebook: Rulebook, before: State, decisions: Mapping[Seat, Any], waited: int) -> Step[State]:
    """What the rules make of a step that begins so many ticks after the last one has ended."""
    if not waited:
        return rulebook.step(before, decisions)
    rest = rulebook.rest(before, waited)
    step = rulebook.step(rest.state, decisions)
    return replace(step, events=(*rest.events, *step.events))


def _refusal(rulebook: Rulebook, decision: Any) -> Refusal | None:
    """Why this is no decision of a server, if it is none."""
    if isinstance(decision, Refusal):
        found = decision
    elif not isinstance(decision, Calls) or decision.calls or decision.instruction is not None:
        found = _no_report("it is none")
    elif decision.report is None:
        return None
    else:
        kinds = tuple(site.kind for site in rulebook.compiled.sites)
        why = why_not(decision.report, kinds, CODES)
        if not why:
            return None
        found = _no_report(why)
    return found.at(SERVER)
