"""Demands on what metrics say of single decisions, of whole plans, and of being in time."""

from __future__ import annotations

from math import inf, isfinite
from typing import Any, get_args

import msgspec

from backburner.kernel.assessment import Assessment, WindowState
from backburner.kernel.conformance.expect import Expect
from backburner.kernel.conformance.stories import wandered
from backburner.kernel.conformance.texts import NASTY
from backburner.kernel.conformance.walk import UNREAD, Point, Walk
from backburner.kernel.errors import Refused, shorten
from backburner.kernel.values import Refusal

ROWS: tuple[list[Any], ...] = ([], [[]], [None], [[1, "a"]], ["no", "rows"], [{"a": 1}], [[-1, "", -1, -1]])
"""What stands for a plan as JSON and hardly is one."""

SELDOM = 0.2
"""The share of decision points at which decisions are judged: metrics may go through all that came before."""


def judgements_are_the_same_every_time(at: Point, expect: Expect) -> None:
    """A decision is judged by the same criteria every time, with scores that can be written down."""
    worth = _assessment(at.walk).worth
    if worth is None:
        expect.cannot("the assessment judges no decisions")
        return
    if at.draw.random() > SELDOM:
        return
    past = [(point.state, dict(point.decisions)) for point in at.walk.points[:-1]]
    for seat in at.seats:
        criteria = None
        for decision in (UNREAD, *at.options(seat, most=3)):
            try:
                judged = tuple(worth(past, at.state, seat, decision))
            except Refused:
                expect.cannot("the scenario has nothing to compare with")
                return
            again = tuple(worth(past, at.state, seat, decision))
            expect.same(again, judged, f"judgements of {shorten(repr(decision))}, asked twice")
            expect(all(isfinite(one.score) for one in judged), f"a score of {judged} is not finite")
            named = [one.criterion for one in judged]
            expect(criteria in (None, named), f"criteria {criteria}, and then {named}")
            criteria = named


def critics_read_any_plan(walk: Walk, expect: Expect) -> None:
    """Texts, rows and records are criticised or refused; nothing else than rows raises."""
    critics = _assessment(walk).critics
    if critics is None:
        expect.cannot("the assessment has no critics")
        return
    plans: list[Any] = [*walk.draw.sample(NASTY, 5), *ROWS, wandered(walk)]
    plans += [walk.world.words(decision) for decision in list(walk.survey.decisions.values())[:5]]
    for plan in plans:
        what = shorten(repr(plan))
        try:
            said, decision = critics.criticise(plan), critics.as_decision(plan)
        except msgspec.ValidationError:
            expect(isinstance(plan, list), f"{what}, no rows, is not valid")
            continue
        expect(not (isinstance(plan, list) and isinstance(said, Refusal)), f"{what}, rows, are refused")
        expect(isinstance(said, Refusal) == isinstance(decision, Refusal), f"{what}: {said}, and {decision}")
        if isinstance(said, Refusal):
            continue
        expect.same(critics.criticise(plan), said, f"what is said of {what}, asked twice")
        expect(bool(critics.moment(said.finish)), f"the finish of {what} has no words")
        for violation in said.violations:
            expect(bool(violation.family and critics.complaint(violation)), f"{violation} has no words")


def windows_open_before_they_close(walk: Walk, expect: Expect) -> None:
    """A record's windows come by when they open; what was wanted happened within those that were kept."""
    windows = _assessment(walk).windows
    if windows is None:
        expect.cannot("the assessment has no windows")
        return
    episode = wandered(walk)
    found = windows(episode)
    expect.same(windows(episode), found, "the windows of a record, asked twice")
    last = -inf
    for window in found:
        expect(last <= window.opens <= window.closes < inf, f"{window} opens before the last, or too late")
        last = window.opens
        expect(bool(window.lane) and window.state in get_args(WindowState), f"{window} lacks lane or state")
        if window.state == "kept":
            met = window.met
            expect(met is not None and met <= window.closes, f"{window} was kept, and met at {met}")


def _assessment(walk: Walk) -> Assessment:
    found: Assessment = walk.survey.assessment
    return found
