"""Demands on examples: they are of other scenarios, and can be used as they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from backburner.kernel import registry
from backburner.kernel.conformance.expect import Expect
from backburner.kernel.conformance.walk import Walk
from backburner.kernel.contract import World
from backburner.kernel.digest import digest
from backburner.kernel.errors import Refused
from backburner.kernel.play import play_now
from backburner.kernel.policy import Policy
from backburner.kernel.text import Text
from backburner.kernel.values import Refusal, Seat

Shown = tuple[World[Any, Any, Any], Seat]


def demonstrations_are_of_other_scenarios(walk: Walk, expect: Expect) -> None:
    """Another scenario under the same rules, the same one when asked again, looked at from a seat of it."""
    for seat in walk.world.seats:
        for single in (False, True):
            shown = _demonstration(walk.world, seat, single)
            if shown is None:
                expect.cannot("the world shows no play")
                continue
            world, looks_from = shown
            expect(isinstance(world, World), f"the demonstration for {seat} is no World")
            expect(digest(world.scenario) != digest(walk.world.scenario), "the world demonstrates itself")
            expect.same(world.rules, walk.world.rules, "the rules of the demonstration and of the world")
            expect(looks_from in world.seats, f"{looks_from!r} is no seat of the demonstration")
            again = _demonstration(walk.world, seat, single)
            expect(again is not None and _named(again) == _named(shown), "asked twice, another one is shown")


def demonstrations_come_to_an_end(walk: Walk, expect: Expect) -> None:
    """Played by whoever the world's pack names for that, a demonstration ends of itself."""
    pack = registry.pack_of(walk.world)
    path = pack.demonstrator or (pack.agents["greedy"].path if "greedy" in pack.agents else "")
    shown = _demonstration(walk.world, walk.world.seats[0], single=False)
    if not path or shown is None:
        expect.cannot("nobody is named who plays a demonstration")
        return
    demonstrator: Policy = registry.part(pack.name, path)(shown[0])
    ending = play_now(shown[0], demonstrator, max_steps=walk.survey.max_steps).ending
    expect(ending is not None and ending.status == "ended", f"played for {walk.world.id} it ends as {ending}")


def worked_plans_are_read(walk: Walk, expect: Expect) -> None:
    """A worked plan has a task and a plan, whose answers can be read where its scenario is played."""
    for single in (False, True):
        try:
            worked = walk.world.worked_plan(single)
        except Refused:
            expect.cannot("the world has no worked plan")
            continue
        expect.same(walk.world.worked_plan(single), worked, "worked plans, asked twice")
        expect(bool(worked.task.strip() and worked.plan.strip()), f"{worked} lacks its task or plan")
        shown = _demonstration(walk.world, walk.world.seats[0], single)
        where, seat = shown or (walk.world, walk.world.seats[0])
        for text, answer in _read(where, seat, worked.plan):
            expect(not isinstance(answer, Refusal), f"{text!r} of the worked plan is read as {answer}")


def _read(world: World[Any, Any, Any], seat: Seat, plan: str) -> Iterator[tuple[str, Any]]:
    """Each answer of a plan, and what it is read as; the plan itself if no answer is found in it."""
    start = world.start()
    if isinstance(world, Text):
        for text in world.answers_in(plan) or (plan,):
            yield text, world.parse(start, seat, text)


def _demonstration(world: Any, seat: Seat, single: bool) -> Shown | None:
    try:
        shown: Shown = world.demonstration(seat, single=single)
    except Refused:
        return None
    return shown


def _named(shown: Shown) -> tuple[str, str, Seat]:
    world, seat = shown
    return world.id, digest((world.scenario, world.rules, world.limits)), seat
