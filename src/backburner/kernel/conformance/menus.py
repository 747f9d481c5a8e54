"""Demands on what a seat can choose and what a person at a screen is shown: menus, scenes, keys, clicks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import inf
from string import Formatter
from typing import Any

import msgspec

from backburner.kernel.conformance.walk import Expect, Point, Walk, refused
from backburner.kernel.errors import shorten
from backburner.kernel.menu import Menus
from backburner.kernel.values import Event, Fault, Seat, canonical_json
from backburner.kernel.view import Progress, Scene, View


def menus_offer_something(at: Point, expect: Expect) -> None:
    """A seat that must decide has something to choose, and the same when asked again."""
    for seat, menu in at.menus.items():
        expect(bool(menu.options), f"{seat} must decide and its menu is empty")
        expect.same(at.world.menu(at.state, seat), menu, f"the menu of {seat}, asked twice")


def menus_list_nothing_twice(at: Point, expect: Expect) -> None:
    """The options of a menu are different decisions."""
    for seat, menu in at.menus.items():
        count = Counter(canonical_json(option.decision) for option in menu.options)
        twins = [decision.decode() for decision, times in count.items() if times > 1]
        expect(not twins, f"twice on the menu of {seat}: {', '.join(twins)}")


def options_name_what_their_verbs_take(at: Point, expect: Expect) -> None:
    """An option's verb is one of the world's, and it has a thing for each of the verb's parameters."""
    for seat, menu in at.menus.items():
        for option in menu.options:
            if not option.verb:
                expect(not option.things, f"{option} of {seat} has things and no verb")
                continue
            params = at.world.verbs.get(option.verb)
            expect(params is not None, f"{option.verb!r}, a verb of {seat}, is not among the world's verbs")
            fits = params is not None and len(params) == len(option.things) and all(option.things)
            expect(fits, f"{option} of {seat} needs a thing for each of {params}")
    for verb, form in at.world.wording.items():
        unknown = {name for _, name, _, _ in Formatter().parse(form) if name is not None}
        unknown -= {*at.world.verbs.get(verb, ())}
        expect(not unknown, f"{verb!r} is said as {form!r}, and has no {', '.join(sorted(unknown))}")


def bodies_are_in_the_scene(at: Point, expect: Expect) -> None:
    """Where the world can be looked at, an option's body is one of those that are seen."""
    if not isinstance(at.world, View):
        return
    for seat, menu in at.menus.items():
        seen = {body.name for body in at.world.scene(at.state, seat).bodies}
        unseen = {option.body for option in menu.options if option.body} - seen
        expect(not unseen, f"on the menu of {seat} and not in its scene: {', '.join(sorted(unseen))}")


def decisions_are_put_together(at: Point, expect: Expect) -> None:
    """One decision alone stays what it is; one for each body of a seat is a decision that can be read."""
    for seat, menu in at.menus.items():
        by_body: dict[str, Any] = {}
        for option in at.draw.sample(menu.options, min(30, len(menu.options))):
            by_body.setdefault(option.body, option.decision)
        for decision in by_body.values():
            expect.same(at.world.together([decision]), decision, "a decision, put together alone")
        by_body.pop("", None)
        if len(by_body) > 1 and not menu.complete:
            whole = at.world.together(list(by_body.values()))
            back = msgspec.json.decode(canonical_json(whole), type=at.world.decision_type)
            expect.same(back, whole, "a decision for several bodies, read back")
            faults = [refusal.fault for refusal in refused(at.alone(seat, whole), seat)]
            expect(Fault.UNREADABLE not in faults, f"{shorten(repr(whole))} of {seat} is unreadable")


def decisions_survive_json(at: Point, expect: Expect) -> None:
    """A decision that was written and read back as ``decision_type`` is equal."""
    for seat in at.seats:
        for decision in at.options(seat):
            back = msgspec.json.decode(canonical_json(decision), type=at.world.decision_type)
            expect.same(back, decision, f"{shorten(repr(decision))}, read back and as it was")


def what_is_offered_is_accepted(at: Point, expect: Expect) -> None:
    """Every decision on a menu is carried out without any refusal, as far as the seat is concerned."""
    for seat in at.seats:
        for decision in at.options(seat):
            why = refused(at.alone(seat, decision), seat)
            expect(not why, f"{shorten(repr(decision))} is on the menu of {seat}, and is refused: {why}")


def what_waits_begins_last(at: Point, expect: Expect) -> None:
    """An option that ``waits`` begins nothing before everything under way has ended."""
    for seat in at.seats:
        for option in at.menus[seat].options:
            early = _begins_early(at, seat, option.decision) if option.waits else None
            expect(early is None, f"{shorten(repr(option.decision))} of {seat} waits, and has {early} early")


def _begins_early(at: Point, seat: Seat, decision: Any) -> Event | None:
    """The first thing begun while something of before is under way."""
    under_way: set[str] = set()
    for event in (event for _, step in at.walk.steps for event in step.events):
        if event.what in ("start", "resume"):
            under_way.add(event.key)
        elif event.what in ("end", "pause"):
            under_way.discard(event.key)
    for event in at.alone(seat, decision).events:
        if event.what in ("start", "resume") and event.kind == "work" and under_way:
            return event
        if event.what in ("end", "pause"):
            under_way.discard(event.key)
    return None


def what_a_complete_menu_lacks_is_refused(at: Point, expect: Expect) -> None:
    """Decisions met elsewhere that are not on a complete menu are refused."""
    for seat in at.seats:
        if not at.menus[seat].complete:
            continue
        offered = [option.decision for option in at.menus[seat].options]
        elsewhere = [d for d in at.walk.survey.decisions.values() if d not in offered]
        for decision in at.draw.sample(elsewhere, min(10, len(elsewhere))):
            found = bool(refused(at.alone(seat, decision), seat))
            expect(found, f"{shorten(repr(decision))} is not on the complete menu of {seat}, and is accepted")


# --- scenes, keys and clicks ----------------------------------------------------------------------------


def scenes_fit_their_grid(at: Point, expect: Expect) -> None:
    """Places and bodies are on the grid, each place on a cell of its own, each thing in one place."""
    for seat in (None, *at.world.seats):
        scene: Scene = at.world.scene(at.state, seat)
        expect.same(at.world.scene(at.restored, seat), scene, f"the scenes of equal states, for {seat}")
        standing = [place.at for place in scene.places]
        cells = {*standing, *(body.at for body in scene.bodies if body.at is not None)}
        outside = [cell for cell in cells if not (0 <= cell[0] < scene.width and 0 <= cell[1] < scene.height)]
        expect(not outside, f"not on a grid of {scene.width} by {scene.height}: {outside}")
        expect(len(set(standing)) == len(standing), f"two places on one cell: {sorted(standing)}")
        names = [place.name for place in scene.places] + [body.name for body in scene.bodies]
        names += [thing.name for thing in scene.things()]
        twice = sorted({name for name in names if names.count(name) > 1})
        expect(not twice, f"more than once in the scene: {', '.join(twice)}")
        for progress in _progress(scene):
            known = 0 <= progress.done <= progress.full and progress.full > 0
            expect(known, f"{progress.label} has come to {progress.done} of {progress.full}")


def moments_lie_within_the_step(at: Point, expect: Expect) -> None:
    """Times of moments rise or stay, from what came before to the end of the step; each has a scene."""
    step = at.step
    moments = at.world.between(at.state, dict(at.decisions))
    again = at.world.between(at.restored, dict(at.decisions))
    expect.same(tuple(again), tuple(moments), "moments, asked twice")
    ended = at.world.outcome(step.state).numbers.get(at.world.time_unit, -inf)
    last = max((ended, *(event.time for event in step.events)))
    now = max((event.time for _, before in at.walk.steps for event in before.events), default=-inf)
    for time, state in moments:
        expect(now <= time <= last, f"a moment at {time}, between {now} and the end at {last}")
        now = time
        expect(isinstance(at.world.scene(state), Scene), f"the moment at {time} has no scene")
    expect(True, "")


def known_events_are_of_the_step(at: Point, expect: Expect) -> None:
    """What a seat may know of a step's events are some of them, in their order, and the same in equal
    states."""
    events = list(at.step.events)
    for seat in at.world.seats:
        known = list(at.world.known(seat, at.state, at.step.events, at.step.state))
        rest = iter(events)
        expect(all(event in rest for event in known), f"{seat} is told of what has not happened, or not so")
        again = list(at.world.known(seat, at.restored, at.step.events, at.step.state))
        expect.same(again, known, f"the events that {seat} knows, asked twice")


def controls_are_for_verbs(walk: Walk, expect: Expect) -> None:
    """Every key and click is for a verb of the world's menus, and a parameter of it."""
    verbs = walk.world.verbs if isinstance(walk.world, Menus) else {}
    for where, entry in walk.world.controls.entries():
        expect(entry.name in verbs, f"{where} is for {entry.name!r}, which is no verb of a menu")
        params = verbs.get(entry.name, ())
        expect(entry.param in (None, *params), f"{where}: {entry.name!r} has no parameter {entry.param!r}")


def _progress(scene: Scene) -> Iterator[Progress]:
    for place in scene.places:
        yield from place.progress
    for body in scene.bodies:
        yield from body.progress
    for thing in scene.things():
        yield from thing.progress
