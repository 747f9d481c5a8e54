"""Demands on states and steps.

A state is a frozen value that can be written down, which hides what it has to hide. ``step`` is a pure
function of state and decisions that refuses what is bad.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import is_dataclass
from math import isfinite
from typing import Any

import msgspec
from msgspec import Struct

from backburner.kernel.conformance.walk import Expect, Point, Walk, is_decision, refused, strangers
from backburner.kernel.text import Text
from backburner.kernel.values import Fault, Refusal, Step, digest
from backburner.kernel.view import View


def start_is_deterministic(walk: Walk, expect: Expect) -> None:
    """The same seed gives the same first state."""
    expect.same(walk.world.start(walk.seed), walk.first, f"two starts with seed {walk.seed}")


def states_are_hashable(at: Point, expect: Expect) -> None:
    """A state has a hash and equals itself."""
    expect.same(hash(at.state), hash(at.state), "the hash of one state, taken twice")
    expect.same(at.state, at.state, "a state and itself")


def states_are_frozen(at: Point, expect: Expect) -> None:
    """Nothing in a state can be changed."""
    for path, part in _parts(at.state, "state"):
        expect(not isinstance(part, list | dict | set | bytearray), f"{path} is a {type(part).__name__}")
        for name in _fields(part):
            expect(not _can_be_set(part, name), f"{path}.{name} can be set; make the class frozen")


def states_survive_json(at: Point, expect: Expect) -> None:
    """A state that was written and read back as ``state_type`` is equal and has the same digest."""
    expect.same(at.restored, at.state, "a state read back and the state")
    expect.same(hash(at.restored), hash(at.state), "their hashes")
    expect.same(digest(at.restored), at.digest, "their digests")


def somebody_decides_or_it_is_over(at: Point, expect: Expect) -> None:
    """The outcome is ``running`` exactly as long as a seat of the world is asked."""
    status = at.world.outcome(at.state).status
    expect((status == "running") == bool(at.seats), f"outcome {status!r}, deciders {at.seats}")
    expect(status in ("running", "ended", "cut off"), f"there is no status {status!r}")
    expect(len(set(at.seats)) == len(at.seats), f"a seat stands twice in {at.seats}")
    expect(set(at.seats) <= set(at.world.seats), f"{at.seats} are not all among {at.world.seats}")


def outcomes_hold_finite_numbers(at: Point, expect: Expect) -> None:
    """A number that is not finite cannot be written down."""
    for name, number in at.world.outcome(at.state).numbers.items():
        expect(isinstance(number, int | float) and isfinite(number), f"{name} is {number!r}")


def asking_changes_nothing(at: Point, expect: Expect) -> None:
    """Who decides, what they see and how it stands is the same when asked again."""
    world, state, before = at.world, at.state, at.digest
    expect.same(tuple(world.deciders(state)), at.seats, "the deciders, asked twice")
    expect.same(world.outcome(state), world.outcome(state), "the outcome, asked twice")
    for seat in at.seats:
        seen = world.observe(state, seat)
        expect.same(world.observe(state, seat), seen, f"what {seat} observes, asked twice")
        expect.same(world.observe(at.restored, seat), seen, f"what {seat} observes in an equal state")
    expect.same(digest(state), before, "the state after it was looked at")


def hidden_facts_stay_hidden(at: Point, expect: Expect) -> None:
    """In states that differ only in what a seat may not know, it sees, is told and is offered the same."""
    world = at.world
    for seat in at.seats:
        for variant in at.walk.survey.hidden_variants(at.state, seat):
            expect(variant != at.state, f"a hidden variant for {seat} is the state itself")
            expect(seat in world.deciders(variant), f"{seat} decides in the state and not in its variant")
            seen, instead = world.observe(at.state, seat), world.observe(variant, seat)
            expect.same(instead, seen, f"what {seat} observes, whatever is hidden from it")
            if at.menus:
                menu = world.menu(variant, seat)
                expect.same(menu, at.menus[seat], f"the menu of {seat}, whatever is hidden from it")
            if isinstance(world, Text):
                told, asked = world.describe(instead), world.question(instead)
                expect.same(told, world.describe(seen), f"what {seat} is told, whatever is hidden from it")
                expect.same(asked, world.question(seen), f"what {seat} is asked, whatever is hidden from it")
            if isinstance(world, View):
                shown = world.scene(variant, seat)
                scene = world.scene(at.state, seat)
                expect.same(shown, scene, f"what {seat} is shown, whatever is hidden from it")


def _parts(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """A value and all values inside it, each with the way to it."""
    yield path, value
    for name in _fields(value):
        yield from _parts(getattr(value, name), f"{path}.{name}")
    if isinstance(value, tuple | frozenset | list):
        for index, item in enumerate(value):
            yield from _parts(item, f"{path}[{index}]")


def _fields(value: Any) -> tuple[str, ...]:
    if isinstance(value, Struct):
        return value.__struct_fields__
    return tuple(value.__dataclass_fields__) if is_dataclass(value) else ()


def _can_be_set(value: Any, name: str) -> bool:
    try:
        setattr(value, name, getattr(value, name))
    except (AttributeError, TypeError):
        return False
    return True


# --- steps ----------------------------------------------------------------------------------------------

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
