"""Demands on menus and decisions."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from backburner.kernel.conformance.expect import Expect
from backburner.kernel.conformance.walk import Point, refused
from backburner.kernel.digest import canonical_json
from backburner.kernel.errors import shorten
from backburner.kernel.values import Event, Seat


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
