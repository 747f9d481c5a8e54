"""Demands on ``step``: a pure function of state and decisions that refuses what is bad."""

from __future__ import annotations

import random
from typing import Any

import msgspec

from backburner.kernel.conformance.expect import Expect
from backburner.kernel.conformance.walk import Point, is_decision, refused, strangers
from backburner.kernel.digest import digest
from backburner.kernel.values import Fault, Refusal, Step

MADE_UP = Refusal("made_up", Fault.MISMATCH, (("by", "the conformance kit"),))
NOBODY = "nobody in this world"
NONSENSE = ("", "no such thing", "\x00", "{0}", "²", "x" * 1000, -1, 10**12, 0.5, True, None)


def bad_decisions_are_refused(at: Point, expect: Expect) -> None:
    """A refusal, an object of another type and a missing decision come back as refusals."""
    for seat in at.seats:
        for given in (MADE_UP, at.unread(seat)):
            step = at.alone(seat, given)
            codes = [refusal.code for refusal in refused(step, seat)]
            expect(not isinstance(given, Refusal) or given.code in codes, f"{given} of {seat} is not refused")
        for stranger in strangers(at.world):
            step = at.alone(seat, stranger)
            expect(bool(refused(step, seat)), f"{stranger!r} of {seat}, no decision at all, is not refused")
        others = {other: decision for other, decision in at.fair.items() if other != seat}
        faults = [refusal.fault for refusal in refused(at.try_out(others), seat)]
        expect(Fault.UNREADABLE in faults, f"{seat} must decide and is missing, and that is not unreadable")


def garbled_decisions_never_raise(at: Point, expect: Expect) -> None:
    """Decisions of the right type that make no sense are refused or accepted; they never raise."""
    for seat in at.seats:
        for decision in at.options(seat, most=3):
            garbled = _garble(msgspec.to_builtins(decision), at.draw)
            if is_decision(at.world, garbled):
                step = at.alone(seat, msgspec.convert(garbled, at.world.decision_type))
                expect(isinstance(step, Step), f"step gives a {type(step).__name__}")


def _garble(value: Any, draw: random.Random) -> Any:
    """A JSON value with one thing in it replaced by nonsense."""
    if isinstance(value, dict) and value:
        key = draw.choice(sorted(value))
        return {**value, key: _garble(value[key], draw)}
    if isinstance(value, list | tuple) and value:
        index = draw.randrange(len(value))
        return [*value[:index], _garble(value[index], draw), *value[index + 1 :], *value[:1]]
    return draw.choice([nonsense for nonsense in NONSENSE if isinstance(nonsense, type(value))] or NONSENSE)


def seats_not_asked_are_ignored(at: Point, expect: Expect) -> None:
    """What comes from a seat that need not decide, or that does not exist, changes nothing."""
    for seat in (NOBODY, *(seat for seat in at.world.seats if seat not in at.seats)):
        for decision in (*at.walk.survey.decisions.values(), MADE_UP, None)[:20]:
            step = at.try_out({seat: decision, **at.decisions})
            expect.same(step, at.step, f"the steps with and without a decision of {seat}")


def refusals_name_their_seat(at: Point, expect: Expect) -> None:
    """``step`` fills in whose decision it refused, and where in it."""
    for refusal in at.step.refusals:
        expect(refusal.seat in at.seats, f"{refusal} is for none of {at.seats}")
        expect(refusal.index >= 0 and bool(refusal.code), f"{refusal} lacks its index or code")


def chance_comes_from_the_seed_alone(at: Point, expect: Expect) -> None:
    """Neither ``start`` nor ``step`` draws from Python's global generator, or seeds it."""
    saved = random.getstate()
    random.random()  # from here on, seeding it again as before would show
    moved = random.getstate()
    at.world.start(at.walk.seed)
    expect(random.getstate() == moved, "start uses the global random generator")
    at.try_out(at.decisions)
    expect(random.getstate() == moved, "step uses the global random generator")
    random.setstate(saved)


def step_leaves_its_input_alone(at: Point, expect: Expect) -> None:
    """The state and the decisions that are handed to ``step`` are as they were."""
    decisions = dict(at.decisions)
    at.world.step(at.state, decisions)
    expect.same(digest(at.state), at.digest, "the state's digests before and after a step")
    expect.same(at.state, at.restored, "the state after a step and its copy from before")
    expect.same(decisions, dict(at.decisions), "the decisions before and after a step")


def step_is_deterministic(at: Point, expect: Expect) -> None:
    """Equal states and decisions have equal futures."""
    expect.same(at.try_out(at.decisions), at.step, "two steps from one state")
    expect.same(at.world.step(at.restored, dict(at.decisions)), at.step, "steps from two equal states")


def simultaneous_decisions_have_no_order(at: Point, expect: Expect) -> None:
    """Which decision stands first in the mapping makes no difference."""
    if len(at.seats) > 1:
        backwards = dict(reversed(list(at.decisions.items())))
        expect.same(at.try_out(backwards), at.step, "the steps with the decisions in either order")
