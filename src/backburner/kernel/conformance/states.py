"""Demands on every state: a frozen value that can be written down, which hides what it has to hide."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import is_dataclass
from math import isfinite
from typing import Any

from msgspec import Struct

from backburner.kernel.conformance.expect import Expect
from backburner.kernel.conformance.walk import Point, Walk
from backburner.kernel.digest import digest
from backburner.kernel.text import Text
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
